// SPDX-License-Identifier: Apache-2.0
//
// The exact order of the keys of weighted sites, in integers.
//
// S is the squared distance and w the weight, both integers (Problem::weighting).
//   power           S − w, which an integer of 128 bits holds
//   additive        √a − v < √b − w is √a < √b + c with c = v − w. For c >= 0, both sides squared
//                   give l = a − b − c² < 2c√b: true if l < 0, else l² < 4c²b. A negative c swaps
//                   the sides.
//   multiplicative  a/v² < b/w² is a·w² < b·v²
// The products need 256 bits at most: S and c² are below 2^126, w of `multiplicative` below 2^63.
#pragma once

#include "core/base/host_device.hpp"
#include "core/base/int128.hpp"
#include "core/base/int256.hpp"
#include "thiessen/choices/weighting.hpp"

namespace thiessen {

/// Less than 0, 0 or more than 0, as √a is less than √b + c, equal to it or greater, for c >= 0.
THIESSEN_HD inline int compare_roots(Int128 a, Int128 b, Int128 c) {
  const Int128 rest = a - b - c * c;
  if (rest < 0) return -1;
  const UInt256 left = product(static_cast<UInt128>(rest), static_cast<UInt128>(rest));
  const UInt256 right = four_times(product(static_cast<UInt128>(c * c), static_cast<UInt128>(b)));
  if (left == right) return 0;
  return left < right ? -1 : 1;
}

/// What decides which site wins a cell, before the site index does.
struct ExactKey {
  Int128 squared = 0;  ///< S; for metrics of other powers the distance, without a weight
  Int128 weight = 0;
};

/// Less than 0, 0 or more than 0, as the key `a` is less than `b`, equal to it or greater.
template <Weighting kWeighting>
THIESSEN_HD int compare_keys(const ExactKey& a, const ExactKey& b) {
  if constexpr (kWeighting == Weighting::additive) {
    const Int128 c = a.weight - b.weight;
    return c >= 0 ? compare_roots(a.squared, b.squared, c)
                  : -compare_roots(b.squared, a.squared, -c);
  } else if constexpr (kWeighting == Weighting::multiplicative) {
    const UInt256 left =
        product(static_cast<UInt128>(a.squared), static_cast<UInt128>(b.weight * b.weight));
    const UInt256 right =
        product(static_cast<UInt128>(b.squared), static_cast<UInt128>(a.weight * a.weight));
    if (left == right) return 0;
    return left < right ? -1 : 1;
  } else {
    const Int128 left = a.squared - a.weight;
    const Int128 right = b.squared - b.weight;
    if (left == right) return 0;
    return left < right ? -1 : 1;
  }
}

}  // namespace thiessen
