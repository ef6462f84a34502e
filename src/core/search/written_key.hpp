// SPDX-License-Identifier: Apache-2.0
//
// The output weighted_distance.
#pragma once

#include "core/base/host_device.hpp"
#include "core/order/weights.hpp"
#include "core/problem/problem.hpp"

namespace thiessen {

/// The key of a site as written, from S and the distance, and its weight as an integer and as the
/// caller gave it.
template <class Scalar>
THIESSEN_HD double written_key(const Keys& keys, Scalar exact, double distance, Int128 weight,
                               double typed) {
  if (keys.weighting == Weighting::power) {
    const auto key =
        static_cast<double>(static_cast<Int128>(exact) * keys.factor * keys.factor - weight);
    // One product and one quotient round less than two of each.
    constexpr double kLeast = 1e-290, kGreatest = 1e290;
    const Unit square{keys.unit.numerator * keys.unit.numerator,
                      keys.unit.denominator * keys.unit.denominator};
    if (square.numerator > kLeast && square.numerator < kGreatest && square.denominator < kGreatest)
      return in_units(key, square);
    return in_units(in_units(key, keys.unit), keys.unit);
  }
  return keys.weighting == Weighting::additive ? distance - typed : distance / typed;
}

}  // namespace thiessen
