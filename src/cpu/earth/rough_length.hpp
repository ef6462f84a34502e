// SPDX-License-Identifier: Apache-2.0
//
// Nearly the length of the shortest way, from the chord on the sphere alone, and how far off it is.
//
// The formula of Forsyth, Andoyer and Lambert: let σ be the angle between two places on the sphere
// of chords.hpp, z their heights above the equator there, for a radius of 1, and f the flattening.
// Then
//
//   s ≈ a (σ - f/4 (σ X - sin σ Y)
//            + f²/64 sin σ (X (A + C X) - Y (8 T² + 2 cos σ Y) + 4 T² X Y)),
//   X = U + V,  Y = U - V,  U = (z₁ + z₂)² / (2 cos²(σ/2)),  V = (z₂ - z₁)² / (2 sin²(σ/2)),
//   T = σ / sin σ,  A = 8 T² cos σ,  C = T - A/2 + cos σ.
//
// The error is of third order, f³ a times a number that depends on the places. There is no
// proof here of its size: on a fine grid of places it is below 0.17 σ / cos²(σ/2) for each
// flattening up to 0.02 (tests/property/earth_test.cpp), and twice that is taken. That makes 0.3 m
// for 10,000 km, and 40 m for 19,000 km. At the other end of the Earth b σ <= s <= a σ tells more.
//
// Sources: J. H. Lambert (1770), for the first order; P. D. Thomas, "Spheroidal geodesics,
// reference systems, and local geometry" (1970).
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

#include "cpu/earth/boxes.hpp"
#include "cpu/earth/geodesic.hpp"

namespace thiessen::cpu::earth {

/// Between which lengths a way is, in metres.
struct RoughLength {
  double least;
  double most;
};

class RoughLengths {
 public:
  explicit RoughLengths(const Ellipsoid& ellipsoid)
      : a_(ellipsoid.radius), f_(ellipsoid.flattening) {}

  /// From one point of the sphere to another.
  RoughLength between(const Point& from, const Point& to) const {
    const auto [length, error, angle] = guess(from, to);
    return {std::fmax(length - error, a_ * (1 - f_) * angle) - kRounding,
            std::fmin(length + error, a_ * angle) + kRounding};
  }

  struct Guess {
    double length;
    double error;  ///< twice the greatest that was found
    double angle;  ///< σ
  };

  /// By the formula alone.
  Guess guess(const Point& from, const Point& to) const {
    const double sine_square = square_between(from, to) / (4 * a_ * a_);  // of σ/2
    if (sine_square == 0) return {0, 0, 0};
    const Point opposite{-from[0], -from[1], -from[2]};
    const double cosine_square = square_between(opposite, to) / (4 * a_ * a_);
    if (cosine_square < kLeastSquare) return {0, kInfinity, std::numbers::pi};
    // Each arc sine where it loses no digits.
    const double angle = sine_square < cosine_square
                             ? 2 * std::asin(std::sqrt(sine_square))
                             : std::numbers::pi - 2 * std::asin(std::sqrt(cosine_square));
    const double sine = 2 * std::sqrt(sine_square * cosine_square);  // of σ
    const double cosine = 1 - 2 * sine_square;
    const double sum = (from[2] + to[2]) / a_;
    const double difference = (to[2] - from[2]) / a_;
    const double u = sum * sum / (2 * cosine_square);
    const double v = difference * difference / (2 * sine_square);
    const double x = u + v;
    const double y = u - v;
    const double t = angle / sine;
    const double tt = 4 * t * t;
    const double of_x = 2 * tt * cosine;
    const double first = angle * x - sine * y;
    const double second = sine * (x * (of_x + (t - of_x / 2 + cosine) * x) -
                                  y * (2 * tt + 2 * cosine * y) + tt * x * y);
    return {a_ * (angle - f_ / 4 * first + f_ * f_ / 64 * second),
            a_ * f_ * f_ * f_ * angle * kThird / cosine_square, angle};
  }

  /// A way that is not shorter than one with this C².
  double longest_of(double square) const {
    if (square > a_ * a_) return std::numeric_limits<double>::infinity();
    return kArc * std::sqrt(square) + kRounding;
  }

  /// The C² up to which a way is not longer than this.
  double chord_square_within(double way) const {
    const double chord = std::fmin(way / kArc, a_);
    return chord * chord;
  }

  /// The least of b sin(D / b) for D in a range, and not below 0.
  double least_spread(double from, double to) const {
    const double b = a_ * (1 - f_);
    if (from <= 0 || to >= std::numbers::pi * b) return 0;
    return b * std::fmin(std::sin(from / b), std::sin(to / b));
  }

 private:
  static constexpr double kArc = std::numbers::pi / 3 * (1 + 1e-9);  ///< to chords up to a
  static constexpr double kThird = 0.34;                             ///< as above, twice
  static constexpr double kLeastSquare = 1e-28;  ///< nearer to the other end nothing is known
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr double kRounding = 5e-6;  ///< as in chords.hpp

  double a_;
  double f_;
};

}  // namespace thiessen::cpu::earth
