// SPDX-License-Identifier: Apache-2.0
//
// Spacing as integers, so that "nearer" never depends on rounding.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/cells.hpp"
#include "core/host_device.hpp"
#include "core/int128.hpp"
#include "thiessen/metric.hpp"

namespace thiessen {

/// The exact distance between two cells δ apart is the integer
///   S = Σ factor·δ² (euclidean), Σ factor·|δ| (manhattan), max factor·|δ| (chessboard),
/// or that of core/measure.hpp for metrics that are not by axes. The distance in the units of the
/// spacing is unit·√S or unit·S.
struct Weights {
  std::array<Int128, kAxes> factor{};
  double unit = 1;
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
THIESSEN_HD double to_distance(double unit, Metric metric, Integer exact) {
  const auto rounded = static_cast<double>(exact);
  return unit * (metric == Metric::euclidean ? sqrt(rounded) : rounded);
}
template <class Integer>
double to_distance(const Weights& weights, Metric metric, Integer exact) {
  return to_distance(weights.unit, metric, exact);
}

/// The largest S whose distance is <= `limit` (>= 0); `weights.greatest` if all are.
Int128 greatest_within(const Weights& weights, Metric metric, double limit);

}  // namespace thiessen
