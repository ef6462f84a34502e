// SPDX-License-Identifier: Apache-2.0
//
// Vectors of words, for the lists of the far search.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_FAR_VECTOR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_FAR_VECTOR_INL
#undef THIESSEN_CPU_TILES_FAR_VECTOR_INL
#else
#define THIESSEN_CPU_TILES_FAR_VECTOR_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdlib>

#include "cpu/simd/products-inl.hpp"
#include "cpu/tiles/far/far.hpp"
#include "cpu/tiles/job/compress-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::CappedTag<std::int32_t, 16>;
using D16 = hn::Repartition<std::int16_t, D32>;
using DU16 = hn::Repartition<std::uint16_t, D32>;
using V32 = hn::Vec<D32>;
using V16 = hn::Vec<D16>;
using M32 = hn::Mask<D32>;
using Compressor32 = Compressor<D32>;
inline constexpr int kLanes = static_cast<int>(hn::MaxLanes(D32()));

HWY_INLINE V32 load(const std::int32_t* from) { return hn::LoadU(D32(), from); }
HWY_INLINE V32 all(std::int32_t value) { return hn::Set(D32(), value); }
HWY_INLINE V16 halves(V32 v) { return hn::BitCast(D16(), v); }
HWY_INLINE V32 word(V16 v) { return hn::BitCast(D32(), v); }

/// The vector first, first + 1, … (Highway's Iota goes through memory each time.)
HWY_INLINE V32 iota(std::int64_t first) {
  return hn::Add(hn::Load(D32(), kCounts.data()), all(static_cast<std::int32_t>(first)));
}
HWY_INLINE M32 first_lanes(std::int64_t count) {
  const auto lanes = static_cast<std::int32_t>(std::min<std::int64_t>(count, kLanes));
#if HWY_TARGET <= HWY_AVX3
  return hn::FirstN(D32(), static_cast<std::size_t>(lanes));
#else
  return hn::Lt(iota(0), all(lanes));
#endif
}

/// The part of the differences in a word in S.
template <Metric kMetric, class D, class V>
HWY_INLINE hn::Vec<D> norm(D d, V difference) {
  if constexpr (kMetric == Metric::euclidean)
    return cpu::HWY_NAMESPACE::sum_of_products(d, difference, difference);
  const hn::Repartition<std::int16_t, D> d16;
  return cpu::HWY_NAMESPACE::sum_of_products(d, hn::Abs(difference), hn::Set(d16, 1));
}
template <Metric kMetric>
HWY_INLINE V32 norm(V16 difference) {
  return norm<kMetric>(D32(), difference);
}

template <Metric kMetric>
HWY_INLINE V32 distance(V32 a, V32 b) {
  return norm<kMetric>(hn::Sub(halves(a), halves(b)));
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
