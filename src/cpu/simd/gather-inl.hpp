// SPDX-License-Identifier: Apache-2.0
//
// Doubles from places in memory.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_SIMD_GATHER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_SIMD_GATHER_INL
#undef THIESSEN_CPU_SIMD_GATHER_INL
#else
#define THIESSEN_CPU_SIMD_GATHER_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu {
namespace HWY_NAMESPACE {

/// from[place] in each lane. The instruction keeps lanes that a mask leaves out, so that it waits
/// for what its register held before: GatherIndex() leaves that to chance, and this makes it zero.
template <class D, class V>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> gather(D d, const double* from, V place) {
  namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET <= HWY_AVX3
  if constexpr (hn::MaxLanes(d) == 8)
    return {_mm512_mask_i64gather_pd(hn::Zero(d).raw, 0xff, place.raw, from, 8)};
#endif
#if HWY_TARGET == HWY_AVX2
  if constexpr (hn::MaxLanes(d) == 4) {
    const auto zero = hn::Zero(d);
    return {_mm256_mask_i64gather_pd(zero.raw, from, place.raw,
                                     hn::VecFromMask(d, hn::Eq(zero, zero)).raw, 8)};
  }
#endif
  return hn::GatherIndex(d, from, place);
}

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu
HWY_AFTER_NAMESPACE();

#endif
