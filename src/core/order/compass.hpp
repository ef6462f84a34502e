// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"

namespace thiessen {

/// Arctangent in degrees for 0 <= t <= 1. Above tan 15° the angle is turned back by 30°, so that
/// the odd Taylor series meets |u| <= tan 15° = 0.268 only and 13 terms leave an error below 1e-16.
THIESSEN_HD inline double arctan_degrees(double t) {
  constexpr double kDegreesPerRadian = 57.295779513082320877;
  constexpr double kTan15 = 0.26794919243112270647;
  constexpr double kSqrt3 = 1.73205080756887729353;
  const bool turn = t > kTan15;
  const double u = turn ? (kSqrt3 * t - 1) / (kSqrt3 + t) : t;
  const double square = u * u;
  double series = 0;
  for (int odd = 25; odd >= 1; odd -= 2) series = 1.0 / odd - square * series;
  return u * series * kDegreesPerRadian + (turn ? 30 : 0);
}

/// Compass direction of a displacement in degrees, in (0, 360]: 90 east, 180 south, 270 west, 360
/// north; 0 for no displacement. Additions, multiplications and divisions only, in one fixed order,
/// so that the bits are the same on every machine; within 1e-12 of the true angle.
THIESSEN_HD inline double compass_degrees(double east, double north) {
  const double x = fabs(east);
  const double y = fabs(north);
  if (x == 0 && y == 0) return 0;
  const double from_axis = x < y ? arctan_degrees(x / y) : 90 - arctan_degrees(y / x);
  if (north >= 0) return east > 0 ? from_axis : 360 - from_axis;
  return east > 0 ? 180 - from_axis : 180 + from_axis;
}

/// A way of length 1, in the world.
struct UnitWay {
  double east, north;
};

/// Sine and cosine of an angle of 0 to 45 degrees: Taylor series, whose 10 terms leave less than
/// 1e-16. Their bits are the same on every machine.
THIESSEN_HD inline UnitWay unit_way_within_45(double degrees) {
  constexpr double kRadiansPerDegree = 0.017453292519943295769;
  const double angle = degrees * kRadiansPerDegree, square = angle * angle;
  double sine = 1, cosine = 1;
  for (int term = 20; term >= 2; term -= 2) {
    sine = 1 - sine * square / (term * (term + 1));
    cosine = 1 - cosine * square / ((term - 1) * term);
  }
  return {angle * sine, cosine};
}

/// The way in a compass direction of 0 to 360 degrees.
THIESSEN_HD inline UnitWay unit_way(double degrees) {
  const auto quarter = static_cast<int>((degrees + 45) / 90);
  const double rest = degrees - 90.0 * quarter;
  const UnitWay near = unit_way_within_45(rest < 0 ? -rest : rest);
  const double east = rest < 0 ? -near.east : near.east;
  switch (quarter % 4) {
    case 0:
      return {east, near.north};
    case 1:
      return {near.north, -east};
    case 2:
      return {-east, -near.north};
    default:
      return {-near.north, east};
  }
}

/// Compass directions of ways (z, y, x) in a raster whose rows lead south.
class Compass {
 public:
  /// Spacings along y and x. Only their ratio matters; as a ratio they cannot overflow.
  THIESSEN_HD Compass(double along_y, double along_x) {
    const double longest = along_y < along_x ? along_x : along_y;
    height_ = along_y / longest;
    width_ = along_x / longest;
  }
  THIESSEN_HD float direction(const Axes& way) const {
    const double east = static_cast<double>(way[2]) * width_;
    const double north = static_cast<double>(-way[1]) * height_;
    return static_cast<float>(compass_degrees(east, north));
  }

 private:
  double height_;
  double width_;
};

}  // namespace thiessen
