// SPDX-License-Identifier: Apache-2.0
//
// Reads spacings as decimals, makes integers of them, and approximates these only if S would not
// fit.
#include "core/order/weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "core/order/measure.hpp"
#include "operations/rows/numbers.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

using Integers = std::array<Int128, kAxes>;
using Lengths = std::array<double, kAxes>;

/// S stays below 2^126, and below 2^62 if 64 bits are used, so that twice a factor fits too.
constexpr Int128 kGreatest = kGreatestInteger;

/// S at the reach of all axes; empty if it is above kGreatest.
std::optional<Int128> greatest_distance(const Axes& reach, const Integers& factor, Metric metric) {
  Int128 sum = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const Int128 delta = reach[axis];
    // The factor must fit even if the axis has a single cell.
    const Int128 power = metric == Metric::euclidean ? delta * delta : delta;
    const auto term = multiply(factor[axis], std::max<Int128>(power, 1));
    if (!term || *term > kGreatest - sum) return std::nullopt;
    sum = metric == Metric::chessboard ? std::max(sum, *term) : sum + *term;
  }
  // Metrics that are not by axes are at most the manhattan distance, in units of their own.
  return multiply(sum, mask_unit(metric));
}

/// Squares the weights for the euclidean metric; empty if S becomes too large.
std::optional<Weights> finish(const Axes& reach, const Integers& weight, const Decimal& unit,
                              Metric metric) {
  Weights weights;
  weights.unit = unit_of(unit, mask_unit(metric));
  weights.length = unit;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const auto factor = metric == Metric::euclidean ? multiply(weight[axis], weight[axis])
                                                    : std::optional(weight[axis]);
    if (!factor) return std::nullopt;
    weights.factor[axis] = *factor;
  }
  const auto greatest = greatest_distance(reach, weights.factor, metric);
  if (!greatest) return std::nullopt;
  weights.greatest = *greatest;
  return weights;
}

std::optional<Weights> exact_weights(const Axes& reach, const Lengths& spacing, Metric metric) {
  std::array<Decimal, kAxes> decimals;
  std::transform(spacing.begin(), spacing.end(), decimals.begin(),
                 [](double length) { return to_decimal(length); });
  int exponent = decimals[0].exponent;
  for (const Decimal& decimal : decimals) exponent = std::min(exponent, decimal.exponent);
  Integers weight;
  Int128 divisor = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const auto scaled =
        times_power_of_ten(decimals[axis].digits, decimals[axis].exponent - exponent);
    if (!scaled) return std::nullopt;
    weight[axis] = *scaled;
    divisor = greatest_common_divisor(weight[axis], divisor);
  }
  for (Int128& value : weight) value /= divisor;
  return finish(reach, weight, {divisor, exponent}, metric);
}

/// Factors in proportion to (spacing / largest spacing)². The largest is 2^2m (for the other
/// metrics 2^m, without a square), with the least m for which every factor is at least 2^39: then
/// rounding to integers changes none by more than a relative 1e-12.
std::optional<Weights> approximate_weights(const Axes& reach, const Lengths& spacing,
                                           Metric metric) {
  constexpr double kLeastFactor = 549755813888.0;  // 2^39
  const double largest = *std::max_element(spacing.begin(), spacing.end());
  const double smallest = *std::min_element(spacing.begin(), spacing.end());
  const bool squared = metric == Metric::euclidean;
  const auto scaled = [&](double length, int m) {
    const double ratio = length / largest;
    return std::nearbyint(squared ? std::ldexp(ratio * ratio, 2 * m) : std::ldexp(ratio, m));
  };
  int m = 0;
  while (scaled(smallest, m) < kLeastFactor && m < 128) ++m;

  Weights weights;
  weights.approximated = true;
  weights.unit = {std::ldexp(largest, -m), 1};
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const double factor = scaled(spacing[axis], m);
    if (factor < kLeastFactor || factor >= std::ldexp(1.0, 126)) return std::nullopt;
    weights.factor[axis] = static_cast<Int128>(factor);
  }
  const auto greatest = greatest_distance(reach, weights.factor, metric);
  if (!greatest) return std::nullopt;
  weights.greatest = *greatest;
  return weights;
}

/// Spacings that differ only by rounding become the same: each takes the value of the first one in
/// array order that is within 1e-12 of it. The axis z, which a 2-D raster lacks, takes that of y.
Lengths unify(std::span<const double> spacing) {
  Lengths lengths;
  lengths.fill(spacing[0]);
  const std::size_t missing = kAxes - spacing.size();
  for (std::size_t axis = 0; axis < spacing.size(); ++axis) {
    double& length = lengths[axis + missing];
    length = spacing[axis];
    for (std::size_t earlier = 0; earlier < axis; ++earlier) {
      const double other = lengths[earlier + missing];
      if (std::fabs(length - other) <= 1e-12 * std::max(length, other)) {
        length = other;
        break;
      }
    }
  }
  return lengths;
}

std::string to_text(std::span<const double> spacing) {
  std::string text;
  for (const double length : spacing) text += (text.empty() ? "" : ",") + shortest_decimal(length);
  return text;
}

}  // namespace

Unit unit_of(const Decimal& decimal, int divisor) {
  constexpr Int128 kMost = Int128{1} << 24;  // products of a float and p, or q, are exact doubles
  constexpr int kMostTens = 24;              // p/q with more of them has a greater p or q
  const Unit nearest{to_double(decimal) / divisor, 1};
  if (std::abs(decimal.exponent) > kMostTens) return nearest;
  const Int128 tens = *times_power_of_ten(1, std::abs(decimal.exponent));
  const bool whole = decimal.exponent >= 0;
  auto p = multiply(decimal.digits, whole ? tens : 1);
  if (!p) return nearest;
  Int128 q = (whole ? 1 : tens) * divisor;
  const Int128 common = greatest_common_divisor(*p, q);
  *p /= common;
  q /= common;
  if (*p >= kMost || q >= kMost) return nearest;
  Unit unit{static_cast<double>(*p), 1};
  for (; q % 2 == 0; q /= 2) unit.numerator /= 2;
  unit.denominator = static_cast<double>(q);
  return unit;
}

Weights make_weights(const Axes& reach, std::span<const double> spacing, Metric metric) {
  for (std::size_t axis = 0; axis < spacing.size(); ++axis)
    if (!(spacing[axis] > 0) || !std::isfinite(spacing[axis]))
      throw Error(ErrorCode::invalid_argument,
                  {"spacing[" + std::to_string(axis) + "]", shortest_decimal(spacing[axis]),
                   "must be finite and > 0"});
  const Lengths lengths = unify(spacing);
  const bool equal = lengths[0] == lengths[1] && lengths[1] == lengths[2];
  auto weights = equal ? finish(reach, {1, 1, 1}, to_decimal(lengths[0]), metric)
                       : exact_weights(reach, lengths, metric);
  if (!weights) weights = approximate_weights(reach, lengths, metric);
  // A subnormal unit has lost digits, unless it is the spacing itself.
  const bool lossy =
      weights && weights->unit.numerator < std::numeric_limits<double>::min() && !equal;
  if (!weights || lossy)
    throw Error(ErrorCode::invalid_argument,
                {"spacing", to_text(spacing),
                 "too uneven for exact distances in 126 bits over a raster of this size"});
  return *weights;
}

Int128 greatest_within(const Weights& weights, Metric metric, double limit) {
  if (to_distance(weights, metric, weights.greatest) <= limit) return weights.greatest;
  Int128 within = 0;  // distance 0 is always within a limit >= 0
  Int128 beyond = weights.greatest;
  while (beyond - within > 1) {
    const Int128 middle = within + (beyond - within) / 2;
    (to_distance(weights, metric, middle) <= limit ? within : beyond) = middle;
  }
  return within;
}

}  // namespace thiessen
