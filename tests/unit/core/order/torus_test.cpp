// SPDX-License-Identifier: Apache-2.0
#include "core/order/torus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "core/order/nearest_image.hpp"

namespace thiessen {
namespace {

TEST(TorusTest, ApartIsTheShorterWayRound) {
  EXPECT_EQ(periodic_distance(1, 8, 10), 3);
  EXPECT_EQ(periodic_distance(8, 1, 10), 3);
  EXPECT_EQ(periodic_distance(0, 5, 10), 5);
  EXPECT_EQ(periodic_distance(4, 4, 10), 0);
  EXPECT_EQ(periodic_distance(0, 0, 1), 0);
  EXPECT_EQ(periodic_distance(1, 8, kNoPeriod), 7);
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

TEST(NearestImageTest, ByChessboardALongerWayMayCostNothing) {
  const Images images{Metric::chessboard, {1, 1, 1}, {kNoPeriod, 4, 10}};
  EXPECT_EQ(images.way({0, 0, 0}, {0, 0, 1}), (Axes{0, 0, 1}));   // 4 rows up would be farther
  EXPECT_EQ(images.way({0, 0, 0}, {0, 0, 4}), (Axes{0, -4, 4}));  // and are not
  EXPECT_EQ(images.way({0, 3, 0}, {0, 1, 5}), (Axes{0, -2, -5}));
  EXPECT_EQ(images.way({0, 1, 0}, {0, 3, 5}), (Axes{0, -2, -5}));
  EXPECT_EQ(images.way({0, 1, 0}, {0, 0, 5}), (Axes{0, -5, -5}));  // one period before the site
  EXPECT_EQ(images.way({0, 0, 5}, {0, 0, 2}), (Axes{0, 0, -3}));
}

TEST(NearestImageTest, ByOtherMetricsTheNearestImageIsNearestAlongEachAxis) {
  for (const Metric metric : {Metric::euclidean, Metric::manhattan}) {
    const Images images{metric, {1, 1, 1}, {kNoPeriod, 4, 10}};
    EXPECT_EQ(images.way({0, 0, 0}, {0, 0, 4}), (Axes{0, 0, 4}));
    EXPECT_EQ(images.way({0, 0, 0}, {0, 2, 5}), (Axes{0, -2, -5}));
    EXPECT_EQ(images.way({0, 3, 9}, {0, 0, 1}), (Axes{0, 1, 2}));
  }
}

/// Two rows and ten columns are as far as none and ten.
TEST(NearestImageTest, ByOctagonalDistanceToo) {
  const Images images{Metric::octagonal, {1, 1, 1}, {kNoPeriod, 6, 21}};
  EXPECT_EQ(images.way({0, 0, 0}, {0, 2, 10}), (Axes{0, -4, 10}));
  EXPECT_EQ(images.way({0, 0, 0}, {0, 2, 2}), (Axes{0, 2, 2}));
}

TEST(NearestImageTest, FactorsCountAndNothingOverflows) {
  const Int128 large = Int128{1} << 94;
  const Images images{Metric::chessboard, {1, large, 3 * large}, {kNoPeriod, 9, kNoPeriod}};
  EXPECT_EQ(images.way({0, 0, 0}, {0, 4, 1}), (Axes{0, 4, 1}));
  EXPECT_EQ(images.way({0, 0, 0}, {0, 4, 2}), (Axes{0, -5, 2}));
  const Images fine{Metric::chessboard, {1, 1, large}, {kNoPeriod, 1 << 29, kNoPeriod}};
  EXPECT_EQ(fine.way({0, 0, 0}, {0, 4, 1}), (Axes{0, 4 - (1 << 29), 1}));
}

/// Compares every case of small extents with all images.
TEST(NearestImageTest, IsTheFirstOfTheNearestImages) {
  const Axes period{kNoPeriod, 3, 8};
  const Images images{Metric::chessboard, {1, 2, 3}, period};
  const auto exact = [](std::int64_t y, std::int64_t x) {
    return std::max(2 * std::abs(y), 3 * std::abs(x));
  };
  for (std::int64_t cell = 0; cell < 24; ++cell)
    for (std::int64_t site = 0; site < 24; ++site) {
      std::int64_t least = 1000;
      Axes first{};
      for (std::int64_t y = site / 8 - cell / 8 - 3, end = y + 9; y < end; y += 3)
        for (std::int64_t x = site % 8 - cell % 8 - 8, last = x + 24; x < last; x += 8) {
          if (exact(y, x) >= least) continue;
          least = exact(y, x);
          first = {0, y, x};
        }
      EXPECT_EQ(images.way({0, cell / 8, cell % 8}, {0, site / 8, site % 8}), first)
          << cell << " " << site;
    }
}

}  // namespace
}  // namespace thiessen
