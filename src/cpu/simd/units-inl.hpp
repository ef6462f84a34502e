// SPDX-License-Identifier: Apache-2.0
//
// Lengths in units as distances, for vectors of double.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_SIMD_UNITS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_SIMD_UNITS_INL
#undef THIESSEN_CPU_SIMD_UNITS_INL
#else
#define THIESSEN_CPU_SIMD_UNITS_INL
#endif

#include <hwy/highway.h>

#include "core/order/weights.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu {
namespace HWY_NAMESPACE {

/// As in_units() of core/order/weights.hpp.
template <class D>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> in_units(D d, hwy::HWY_NAMESPACE::Vec<D> length,
                                               const Unit& unit) {
  namespace hn = hwy::HWY_NAMESPACE;
  const auto product = hn::Mul(length, hn::Set(d, unit.numerator));
  return unit.denominator == 1 ? product : hn::Div(product, hn::Set(d, unit.denominator));
}

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu
HWY_AFTER_NAMESPACE();

#endif
