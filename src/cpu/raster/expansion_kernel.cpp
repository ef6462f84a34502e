// SPDX-License-Identifier: Apache-2.0
//
// One row of a pass. The values from the rows before it are a minimum of vectors. What runs along
// the row, from each cell to the next, goes through a vector by doubling (after steps of 1, 2, 4 …
// lanes every lane knows all lanes before it) and from vector to vector by the last lane.
#include "cpu/raster/kernels.hpp"
#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/raster/expansion_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::raster {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class Key>
using Tag = hn::CappedTag<Key, 16>;

template <class Key>
constexpr int kLanesOf = static_cast<int>(hn::MaxLanes(Tag<Key>()));

/// Moves lanes by `kBy` in the direction of the sweep. A lane that gets no other takes that of the
/// end, which is fewer steps away than are added: it never finds too short a way.
template <class Key, bool kEast, int kBy>
HWY_INLINE auto moved_lanes() {
  constexpr int kLanes = kLanesOf<Key>;
  alignas(64) Key lanes[kLanes];
  for (int i = 0; i < kLanes; ++i) {
    const int from = kEast ? i - kBy : i + kBy;
    lanes[i] = static_cast<Key>(from < 0 ? 0 : from >= kLanes ? kLanes - 1 : from);
  }
  return hn::SetTableIndices(Tag<Key>(), lanes);
}

/// Sweeps by steps of kBy, 2·kBy … lanes.
template <class Key, bool kEast, int kBy, class V>
HWY_INLINE V run_along(V v, V step) {
  if constexpr (kBy >= kLanesOf<Key>) {
    return v;
  } else {
    const V before = hn::TableLookupLanes(v, moved_lanes<Key, kEast, kBy>());
    return run_along<Key, kEast, 2 * kBy>(hn::Min(v, hn::Add(before, step)), hn::Add(step, step));
  }
}

/// The steps from the last lane of the vector before to each lane.
template <class Key, bool kEast>
HWY_INLINE auto ramp_of(Key step) {
  constexpr int kLanes = kLanesOf<Key>;
  alignas(64) Key lanes[kLanes];
  for (int i = 0; i < kLanes; ++i) lanes[i] = step * static_cast<Key>(kEast ? i + 1 : kLanes - i);
  return hn::Load(Tag<Key>(), lanes);
}

template <class Key, bool kEast>
void sweep(const Key* own, const SweepSource<Key>* sources, int count, Key step, std::int64_t width,
           Key* out) {
  constexpr Tag<Key> d;
  constexpr int kLanes = kLanesOf<Key>;
  using V = hn::Vec<Tag<Key>>;
  const V steps = hn::Set(d, step);
  const V ramp = ramp_of<Key, kEast>(step);
  const auto last = moved_lanes<Key, kEast, -kLanes>();
  const std::int64_t vectors = (width + kLanes - 1) / kLanes;
  V carried = hn::Set(d, kNoKey<Key>);
  for (std::int64_t i = 0; i < vectors; ++i) {
    const std::int64_t x = (kEast ? i : vectors - 1 - i) * kLanes;
    V v = hn::LoadU(d, own + x);
    for (int source = 0; source < count; ++source)
      v = hn::Min(v,
                  hn::Add(hn::LoadU(d, sources[source].row + x), hn::Set(d, sources[source].cost)));
    v = hn::Min(run_along<Key, kEast, 1>(v, steps), hn::Add(carried, ramp));
    hn::StoreU(v, d, out + x);
    carried = hn::TableLookupLanes(v, last);
  }
}

SweepKernels<std::int32_t> sweeps_of_32() {
  return {sweep<std::int32_t, true>, sweep<std::int32_t, false>};
}

SweepKernels<std::int64_t> sweeps_of_64() {
  return {sweep<std::int64_t, true>, sweep<std::int64_t, false>};
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::raster
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::raster {

HWY_EXPORT(sweeps_of_32);
HWY_EXPORT(sweeps_of_64);

SweepKernels<std::int32_t> narrow_sweeps(std::int64_t targets) {
  return HWY_DISPATCH_TABLE(sweeps_of_32)[dispatch_index_or_scalar(targets)]();
}

SweepKernels<std::int64_t> wide_sweeps(std::int64_t targets) {
  return HWY_DISPATCH_TABLE(sweeps_of_64)[dispatch_index_or_scalar(targets)]();
}

}  // namespace thiessen::cpu::raster
#endif
