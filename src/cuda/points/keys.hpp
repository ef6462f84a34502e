// SPDX-License-Identifier: Apache-2.0
//
// Keys of weighted points (core/order/key_order.hpp) as the search among points computes them: in
// doubles, with bounds in floats.
//
// A point has the number w, in the unit of S for `power` and of √S for `additive`, or 1/w² for
// `multiplicative`, where keys are S/w²: they order points as √S/w does. The strongest of several
// numbers makes the least keys. Without weights the key is S.
#pragma once

#include <cmath>

#include "core/base/host_device.hpp"
#include "core/base/int128.hpp"
#include "cuda/device/rounding.hpp"
#include "thiessen/choices/weighting.hpp"

namespace thiessen::cuda::points {

/// A key in doubles is a sum of at most 20 rounded terms. This part of the sum of their absolute
/// values is more than what rounding changes.
inline constexpr double kKeyRounding = 0x1p-46;

template <Weighting kWeighting>
THIESSEN_HD double make_key(double squared, double number) {
  if constexpr (kWeighting == Weighting::power) return squared - number;
  if constexpr (kWeighting == Weighting::additive) return sqrt(squared) - number;
  return squared * number;
}

/// The number of a point with an exact weight, for 1 in √S of so many units.
template <Weighting kWeighting>
THIESSEN_HD double number_of_weight(Int128 weight, Int128 factor) {
  const auto w = static_cast<double>(weight);
  const auto unit = static_cast<double>(factor);
  if constexpr (kWeighting == Weighting::power) return w / (unit * unit);
  if constexpr (kWeighting == Weighting::additive) return w / unit;
  return 1 / (w * w);
}

/// Numbers are rounded a few times: floats that are less, or more, than exact ones.
THIESSEN_HD inline float number_down(double number) {
  return float_down(number - fabs(number) * kKeyRounding);
}
THIESSEN_HD inline float number_up(double number) {
  return float_up(number + fabs(number) * kKeyRounding);
}

/// A float that is at least as strong as a number.
template <Weighting kWeighting>
THIESSEN_HD float stronger(double number) {
  return kWeighting == Weighting::multiplicative ? number_down(number) : number_up(number);
}

/// A lower bound of keys, from one of S and a number that is at least as strong as all.
template <Weighting kWeighting>
THIESSEN_HD float least_key(float squared, float strongest) {
  if constexpr (kWeighting == Weighting::none) return squared;
  if constexpr (kWeighting == Weighting::multiplicative) return product_down(squared, strongest);
  return sum_down(kWeighting == Weighting::additive ? root_down(squared) : squared, -strongest);
}

/// An upper bound of the key of a point, from one of S.
template <Weighting kWeighting>
THIESSEN_HD float greatest_key(float squared, double number) {
  if constexpr (kWeighting == Weighting::none) return squared;
  if constexpr (kWeighting == Weighting::multiplicative)
    return product_up(squared, number_up(number));
  return sum_up(kWeighting == Weighting::additive ? root_up(squared) : squared,
                -number_down(number));
}

}  // namespace thiessen::cuda::points
