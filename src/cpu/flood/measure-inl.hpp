// SPDX-License-Identifier: Apache-2.0
//
// What passes in 2-D and 3-D share: S of two axes at once, and the least of several codes.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_FLOOD_MEASURE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_FLOOD_MEASURE_INL
#undef THIESSEN_CPU_FLOOD_MEASURE_INL
#else
#define THIESSEN_CPU_FLOOD_MEASURE_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "cpu/flood/kernels.hpp"
#include "cpu/simd/products-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::flood {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::CappedTag<std::uint32_t, kSlack>;
using V32 = hn::Vec<D32>;
inline constexpr D32 kD32;

/// The part of two axes in S; the halves of lanes hold the coordinates of sites and cells.
template <Metric kMetric>
HWY_INLINE V32 along(V32 sites, V32 here) {
  const hn::Repartition<std::int16_t, D32> d16;
  const hn::Repartition<std::int32_t, D32> d;
  const auto delta = hn::SaturatedSub(hn::BitCast(d16, sites), hn::BitCast(d16, here));
  if constexpr (kMetric == Metric::euclidean)
    return hn::BitCast(kD32, cpu::HWY_NAMESPACE::sum_of_products(d, delta, delta));
  const auto length = hn::Abs(delta);
  if constexpr (kMetric == Metric::manhattan)
    return hn::BitCast(kD32, cpu::HWY_NAMESPACE::sum_of_products(d, length, hn::Set(d16, 1)));
  const auto both = hn::BitCast(kD32, length);
  return hn::Max(hn::ShiftRight<16>(both), hn::And(both, hn::Set(kD32, 0xFFFF)));
}

/// The least of `first` and of those `codes` that are as near as possible.
template <class Mask>
HWY_INLINE V32 least_where(Mask nearest, V32 codes, V32 first) {
#if HWY_TARGET <= HWY_AVX3
  if constexpr (sizeof(V32) == 64)
    return V32{_mm512_mask_min_epu32(first.raw, nearest.raw, first.raw, codes.raw)};
#endif
  return hn::Min(first, hn::IfThenElse(nearest, codes, hn::Set(kD32, 0xFFFFFFFFu)));
}

/// out[x] = first_of(x, here) for the cells begin..end-1 of a row, a vector of cells at a time;
/// `here` is the first cell.
template <class FirstOf>
HWY_INLINE void for_each_vector(Code* out, std::int64_t begin, std::int64_t end, V32 here,
                                const FirstOf& first_of) {
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(kD32));
  const V32 right = hn::Set(kD32, static_cast<std::uint32_t>(kLanes));
  std::int64_t x = begin;
  for (; x + kLanes <= end; x += kLanes, here = hn::Add(here, right))
    hn::StoreU(first_of(x, here), kD32, out + x);
  if (x == end) return;
  // Nothing is written behind the end, not even what is there: it may be another thread's row.
  Code rest[kLanes];
  hn::StoreU(first_of(x, here), kD32, rest);
  std::copy_n(rest, end - x, out + x);
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::flood
HWY_AFTER_NAMESPACE();

#endif
