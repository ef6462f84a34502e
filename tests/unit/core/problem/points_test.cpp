// SPDX-License-Identifier: Apache-2.0
#include "core/problem/points.hpp"

#include <gtest/gtest.h>

#include <array>

namespace thiessen {
namespace {

TEST(Points, ReachIsTheGreatestDifferenceFromACell) {
  std::array<Axes, 2> at = {Axes{0, -5, 3}, Axes{0, 12, 30}};
  const PointSites points{.at = at.data(), .count = 2};
  // From the point at -5 to the cell 9; from the point at 30 to the cell 0.
  EXPECT_EQ(reach_of(points, {1, 10, 20}, {kNoPeriod, kNoPeriod, kNoPeriod}), (Axes{0, 14, 30}));
  // In halves of a cell the last cell lies at 18.
  const PointSites halves{.at = at.data(), .count = 2, .fraction_bits = 1};
  EXPECT_EQ(reach_of(halves, {1, 10, 20}, {kNoPeriod, kNoPeriod, kNoPeriod}), (Axes{0, 23, 38}));
}

TEST(Points, ReachOfImagesIsTwoPeriods) {
  std::array<Axes, 1> at = {Axes{0, 5, 3}};
  const PointSites points{.at = at.data(), .count = 1};
  EXPECT_EQ(reach_of(points, {1, 10, 20}, {kNoPeriod, kNoPeriod, 20}), (Axes{0, 9, 40}));
}

}  // namespace
}  // namespace thiessen
