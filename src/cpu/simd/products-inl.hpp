// SPDX-License-Identifier: Apache-2.0
//
// Products of the halves of words.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_SIMD_PRODUCTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_SIMD_PRODUCTS_INL
#undef THIESSEN_CPU_SIMD_PRODUCTS_INL
#else
#define THIESSEN_CPU_SIMD_PRODUCTS_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu {
namespace HWY_NAMESPACE {

/// The sum of the products of both halves of each word of a and b.
template <class D, class V>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> sum_of_products(D d, V a, V b) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_ARCH_X86
  auto unused = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, a, b, hn::Zero(d), unused);
#else  // where that adds up products of other words
  const auto low = [&](V v) { return hn::ShiftRight<16>(hn::ShiftLeft<16>(hn::BitCast(d, v))); };
  const auto high = [&](V v) { return hn::ShiftRight<16>(hn::BitCast(d, v)); };
  return hn::Add(hn::Mul(low(a), low(b)), hn::Mul(high(a), high(b)));
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu
HWY_AFTER_NAMESPACE();

#endif
