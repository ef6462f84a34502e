// SPDX-License-Identifier: Apache-2.0
#include "core/order/compass.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace thiessen {
namespace {

TEST(Compass, MainDirectionsAreExact) {
  EXPECT_EQ(compass_degrees(0, 0), 0);
  EXPECT_EQ(compass_degrees(0, 1), 360);
  EXPECT_EQ(compass_degrees(3, 0), 90);
  EXPECT_EQ(compass_degrees(0, -2), 180);
  EXPECT_EQ(compass_degrees(-5, 0), 270);
}

TEST(Compass, DiagonalsAreExactAsFloats) {
  EXPECT_EQ(static_cast<float>(compass_degrees(1, 1)), 45.0f);
  EXPECT_EQ(static_cast<float>(compass_degrees(7, -7)), 135.0f);
  EXPECT_EQ(static_cast<float>(compass_degrees(-7, -7)), 225.0f);
  EXPECT_EQ(static_cast<float>(compass_degrees(-2, 2)), 315.0f);
}

TEST(Compass, AgreesWithTheTrueAngle) {
  for (int east = -60; east <= 60; ++east)
    for (int north = -60; north <= 60; ++north) {
      if (east == 0 && north == 0) continue;
      double truth = std::atan2(east, north) * 180 / std::numbers::pi;
      if (truth <= 0) truth += 360;
      EXPECT_NEAR(compass_degrees(east, north), truth, 1e-12) << east << ' ' << north;
    }
}

TEST(Compass, FarSitesKeepTheirSide) {
  EXPECT_GT(compass_degrees(1, 1e9), 0);
  EXPECT_LT(compass_degrees(-1, 1e9), 360);
}

}  // namespace
}  // namespace thiessen
