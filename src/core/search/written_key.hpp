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
    const Int128 key = static_cast<Int128>(exact) * keys.factor * keys.factor - weight;
    return in_units(in_units(static_cast<double>(key), keys.unit), keys.unit);
  }
  return keys.weighting == Weighting::additive ? distance - typed : distance / typed;
}

}  // namespace thiessen
