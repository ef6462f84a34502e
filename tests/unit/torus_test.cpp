// SPDX-License-Identifier: Apache-2.0
#include "core/torus.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <vector>

namespace thiessen {
namespace {

TEST(TorusTest, ApartIsTheShorterWayRound) {
  EXPECT_EQ(apart(1, 8, 10), 3);
  EXPECT_EQ(apart(8, 1, 10), 3);
  EXPECT_EQ(apart(0, 5, 10), 5);
  EXPECT_EQ(apart(4, 4, 10), 0);
  EXPECT_EQ(apart(0, 0, 1), 0);
  EXPECT_EQ(apart(1, 8, kNoPeriod), 7);
}

TEST(TorusTest, OfTwoEquallyShortWaysTheOffsetIsTheNegativeOne) {
  EXPECT_EQ(shortest_offset(0, 5, 10), -5);
  EXPECT_EQ(shortest_offset(5, 0, 10), -5);
  EXPECT_EQ(shortest_offset(9, 1, 10), 2);
  EXPECT_EQ(shortest_offset(1, 9, 10), -2);
  EXPECT_EQ(shortest_offset(0, 4, 9), 4);
  EXPECT_EQ(shortest_offset(0, 5, 9), -4);
  EXPECT_EQ(shortest_offset(0, 0, 1), 0);
  EXPECT_EQ(shortest_offset(1, 9, kNoPeriod), 8);
}

TEST(TorusTest, ImagesReachAsFarAsOneCanBeNearest) {
  for (std::int64_t extent = 0; extent < 7; ++extent) {
    std::vector<std::int64_t> positions;
    std::set<std::int64_t> offsets;  // from every cell to every position of site 0
    for_each_image(extent, extent, [&](std::int64_t position, std::int64_t coordinate) {
      EXPECT_EQ((position + extent) % extent, coordinate);
      positions.push_back(position);
      if (coordinate == 0) offsets.insert(position);
    });
    EXPECT_EQ(static_cast<std::int64_t>(positions.size()), images_of(extent, extent));
    EXPECT_TRUE(std::is_sorted(positions.begin(), positions.end()));
    for (std::int64_t cell = 0; cell < extent; ++cell)
      EXPECT_TRUE(offsets.contains(cell + shortest_offset(cell, 0, extent))) << extent << cell;
  }
}

TEST(TorusTest, AnAxisThatEndsHasNoImages) {
  std::vector<std::int64_t> positions;
  for_each_image(3, kNoPeriod, [&](std::int64_t position, std::int64_t coordinate) {
    EXPECT_EQ(position, coordinate);
    positions.push_back(position);
  });
  EXPECT_EQ(positions, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(images_of(3, kNoPeriod), 3);
  EXPECT_EQ(unwrap(5, kNoPeriod), 5);
}

}  // namespace
}  // namespace thiessen
