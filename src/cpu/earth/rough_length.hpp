// SPDX-License-Identifier: Apache-2.0
//
// Nearly the length of the shortest way, from the chord on the sphere alone, and how far off it is.
//
// Lambert's formula: let σ be the angle between two places on the sphere of chords.hpp, z their
// heights above the equator there, for a radius of 1, and f the flattening. Then
//
//   s ≈ a (σ - f/8 (A (z₁ + z₂)² + B (z₂ - z₁)²)),
//   A = (σ - sin σ) / cos²(σ/2),  B = (σ + sin σ) / sin²(σ/2).
//
// What is left out is of second order, f² a times a number that depends on the places. There is no
// proof here of its size: on a fine grid of places it is below 1.01 σ/8 max(1, 0.42 / cos²(σ/2))
// for each flattening up to 0.02 (tests/property/earth_test.cpp), and twice that is taken. That
// makes 30 m for 10,000 km. Near the other end of the Earth b σ <= s <= a σ tells more.
//
// Source: J. H. Lambert (1770); as in P. D. Thomas, "Spheroidal geodesics, reference systems, and
// local geometry" (1970).
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

  /// By Lambert's formula alone.
  Guess guess(const Point& from, const Point& to) const {
    const double sine_square = square_between(from, to) / (4 * a_ * a_);  // of σ/2
    if (sine_square == 0) return {0, 0, 0};
    const double cosine_square = std::fmax(1 - sine_square, kLeastSquare);
    const double angle = 2 * std::asin(std::fmin(std::sqrt(sine_square), 1));
    const double sine = 2 * std::sqrt(sine_square * cosine_square);  // of σ
    const double sum = (from[2] + to[2]) / a_;
    const double difference = (to[2] - from[2]) / a_;
    const double first = (angle - sine) / cosine_square * sum * sum +
                         (angle + sine) / sine_square * difference * difference;
    return {a_ * (angle - f_ / 8 * first),
            a_ * f_ * f_ * angle / 4 * std::fmax(1, kSteep / cosine_square), angle};
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
  static constexpr double kSteep = 0.42;                             ///< as above
  static constexpr double kLeastSquare = 1e-12;  ///< nearer to the other end nothing is known
  static constexpr double kRounding = 5e-6;      ///< as in chords.hpp

  double a_;
  double f_;
};

}  // namespace thiessen::cpu::earth
