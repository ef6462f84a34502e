// SPDX-License-Identifier: Apache-2.0
//
// Spacing as integers, so that "nearer" never depends on rounding.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"
#include "core/base/int128.hpp"
#include "core/order/decimal.hpp"
#include "thiessen/choices/metric.hpp"

namespace thiessen {

/// The length of 1 in √S or S, in the units of the spacing: numerator / denominator.
///
/// Shortest decimals make it a fraction p/q. Where p and q are below 2^24, the denominator is the
/// odd part of q, and its powers of two divide the numerator, which rounds nothing. Else the
/// numerator is the double nearest to p/q, and the denominator is 1.
struct Unit {
  double numerator = 1;
  double denominator = 1;

  THIESSEN_HD bool is_one() const { return numerator == 1 && denominator == 1; }
  friend bool operator==(const Unit&, const Unit&) = default;
};

/// `length` units as a distance. The product and the quotient are rounded once each, so that three
/// cells of 0.1 are 0.3.
THIESSEN_HD inline double in_units(double length, const Unit& unit) {
  const double product = length * unit.numerator;
  return unit.denominator == 1 ? product : product / unit.denominator;
}

/// The unit that is a decimal, divided by a small whole number.
Unit unit_of(const Decimal& decimal, int divisor);

/// A unit that is 2^exponent times as long.
inline Unit scaled(const Unit& unit, int exponent) {
  return {std::ldexp(unit.numerator, exponent), unit.denominator};
}

/// The exact distance between two cells δ apart is the integer
///   S = Σ factor·δ² (euclidean), Σ factor·|δ| (manhattan), max factor·|δ| (chessboard),
/// or that of core/order/measure.hpp for metrics that are not by axes. The distance in the units of
/// the spacing is √S or S units.
struct Weights {
  std::array<Int128, kAxes> factor{};
  Unit unit;
  Decimal length;       ///< the same length, exact, where weights are not approximated
  Int128 greatest = 0;  ///< no S is larger
  bool approximated = false;
};

/// Weights for differences of coordinates up to `reach` on each axis.
///
/// The spacings, read as the shortest decimals that give these doubles, are written as integers
/// with no common divisor; two spacings within 1e-12 of each other count as the first of them. If S
/// does not fit 126 bits then, the factors are rounded to integers, in proportion to a power of two
/// for the largest, with a relative error below 1e-12.
///
/// `spacing` has one value an axis. Throws Error{invalid_argument} for a spacing that is not finite
/// or not > 0, or if S does not fit even so.
Weights make_weights(const Axes& reach, std::span<const double> spacing, Metric metric);

/// S as a distance in the units of the spacing; S is rounded once to double.
template <class Integer>
THIESSEN_HD double to_distance(const Unit& unit, Metric metric, Integer exact) {
  const auto rounded = static_cast<double>(exact);
  return in_units(metric == Metric::euclidean ? sqrt(rounded) : rounded, unit);
}
template <class Integer>
double to_distance(const Weights& weights, Metric metric, Integer exact) {
  return to_distance(weights.unit, metric, exact);
}

/// The largest S whose distance is <= `limit` (>= 0); `weights.greatest` if all are.
Int128 greatest_within(const Weights& weights, Metric metric, double limit);

}  // namespace thiessen
