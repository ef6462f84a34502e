// SPDX-License-Identifier: Apache-2.0
//
// Two numbers of each axis in the order of the first one, lane by lane.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_COST_EIKONAL_SORT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_COST_EIKONAL_SORT_INL
#undef THIESSEN_CPU_COST_EIKONAL_SORT_INL
#else
#define THIESSEN_CPU_COST_EIKONAL_SORT_INL
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::eikonal {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class V>
HWY_INLINE void sort_two(V* key, V* value, int a, int b) {
  const auto swaps = hn::Lt(key[b], key[a]);
  const auto low = hn::IfThenElse(swaps, key[b], key[a]);
  key[b] = hn::IfThenElse(swaps, key[a], key[b]);
  key[a] = low;
  const auto of_low = hn::IfThenElse(swaps, value[b], value[a]);
  value[b] = hn::IfThenElse(swaps, value[a], value[b]);
  value[a] = of_low;
}

/// The least key first; equal ones keep their order.
template <int kRank, class V>
HWY_INLINE void sort_axes(V* key, V* value) {
  sort_two(key, value, 0, 1);
  if constexpr (kRank == 3) {
    sort_two(key, value, 1, 2);
    sort_two(key, value, 0, 1);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::eikonal
HWY_AFTER_NAMESPACE();

#endif
