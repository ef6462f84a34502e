// SPDX-License-Identifier: Apache-2.0
//
// Straight lines through the Earth, and what they tell of the ways on it.
//
// Let a and b be the radii at the equator and at the poles, c the chord between two places, and s
// the length of the shortest way. All radii of curvature of the ellipsoid lie between r = b²/a and
// R = a²/b. The sphere of radius a becomes the ellipsoid when its axis is pressed to b/a; let φ be
// the angle between the places on the sphere, and C = 2a sin(φ/2) their chord there. Then
//
//   b φ <= s <= a φ        since pressing leaves no length longer, and none shorter than b/a of it;
//   s <= 2 r asin(c / 2r)  by Schur's comparison theorem, since a shortest way bends nowhere more
//                          than a circle of radius r (if s <= π r, so if c is not near 2r);
//   s >= 2 R asin(c / 2R)  since the ellipsoid is an intersection of balls of radius R (Blaschke),
//                          so that it holds the spindle of arcs of that radius between the places,
//                          and no way outside of a convex body is shorter than one on it.
//
// The first line is simple, and holds within 0.4 %. The others hold within 2 cm for 100 km, and are
// taken for chords up to a; rough_length.hpp says more of longer ones.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "cpu/earth/geodesic.hpp"

namespace thiessen::cpu::earth {

/// A place on the sphere, in metres from its centre.
using Point = std::array<double, 3>;

class Chords {
 public:
  explicit Chords(const Ellipsoid& ellipsoid)
      : a_(ellipsoid.radius),
        b_(a_ * (1 - ellipsoid.flattening)),
        cubic_(1.2 * cubic_of(b_ * b_ / a_, a_ * a_ / b_)),
        far_(2 * a_ * std::sin(std::numbers::pi / 2 * b_ / a_) * (1 - 1e-9)) {}

  /// The distance from the axis (first) and from the plane of the equator, on the sphere.
  std::array<double, 2> meridian(double latitude) const {
    // The pole itself is on the axis.
    if (std::abs(latitude) == 90) return {0, std::copysign(a_, latitude)};
    const double angle = std::atan(b_ / a_ * std::tan(latitude * kRadians));
    return {a_ * std::cos(angle), a_ * std::sin(angle)};
  }

  Point point(const LatLon& place) const {
    const auto [out, up] = meridian(place.latitude);
    const double angle = place.longitude * kRadians;
    return {out * std::cos(angle), out * std::sin(angle), up};
  }

  /// C² that a site may have which is as near as one with this C², or appears so after rounding.
  double widened_on_sphere(double square) const {
    if (square >= far_ * far_) return std::numeric_limits<double>::infinity();
    // sin(kx) <= k sin(x); the square of a sum is at most this.
    const double ratio = a_ / b_;
    return square * (ratio * ratio + kSlack) + kRounding * kRounding * (1 + 4 / kSlack);
  }

  /// The same as widened_on_sphere() for c², where that is_near().
  double widened(double square) const {
    // The series of the two arcs; what follows is less than the fifth part that is added.
    const double chord = std::sqrt(square);
    const double widest = chord + cubic_ * chord * square + kRounding;
    return widest * widest;
  }

  /// Whether c tells more than C, for chords up to one of which this is the square.
  bool is_near(double square) const { return square < a_ * a_; }

  /// What z on the sphere becomes on the ellipsoid.
  double axis_ratio() const { return b_ / a_; }

  static constexpr double kRadians = std::numbers::pi / 180;

 private:
  /// The rounding of two lengths to micrometres, the error of GeographicLib and that of chords.
  static constexpr double kRounding = 5e-6;
  static constexpr double kSlack = 1e-4;

  /// By which part of c³ the longest and the shortest arc over a chord differ, first term.
  static double cubic_of(double sharpest, double flattest) {
    return (1 / (sharpest * sharpest) - 1 / (flattest * flattest)) / 24;
  }

  double a_;
  double b_;
  double cubic_;
  double far_;  ///< from this C on the ellipsoid tells nothing
};

}  // namespace thiessen::cpu::earth
