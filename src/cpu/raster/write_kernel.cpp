// SPDX-License-Identifier: Apache-2.0
//
// From rows of keys and ranks to S, labels and distances, a vector at a time.
#include "cpu/raster/kernels.hpp"
#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/raster/write_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/simd/units-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::raster {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::CappedTag<std::int32_t, 16>;
using D64 = hn::CappedTag<double, 8>;

/// Stores value(i), a vector for the elements from i on; value_of(i) makes one element.
template <class D, class T, class Value, class ValueOf>
HWY_INLINE void fill(D d, T* out, std::int64_t count, bool streams, const Value& value,
                     const ValueOf& value_of) {
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  constexpr std::size_t kBytes = static_cast<std::size_t>(kLanes) * sizeof(T);
  std::int64_t i = 0;
  if (streams)
    for (; i < count && reinterpret_cast<std::uintptr_t>(out + i) % kBytes != 0; ++i)
      out[i] = value_of(i);
  for (; i + kLanes <= count; i += kLanes)
    if (streams)
      hn::Stream(value(i), d, out + i);
    else
      hn::StoreU(value(i), d, out + i);
  for (; i < count; ++i) out[i] = value_of(i);
}

void split(const std::int32_t* keys, int bits, std::int64_t count, std::uint32_t* exact,
           std::uint32_t* rank) {
  constexpr D32 d;
  const std::int32_t mask = (1 << bits) - 1;
  const auto ranks = hn::Set(d, mask);
  fill(
      d, reinterpret_cast<std::int32_t*>(exact), count, false,
      [&](std::int64_t i) HWY_ATTR { return hn::ShiftRightSame(hn::LoadU(d, keys + i), bits); },
      [&](std::int64_t i) { return keys[i] >> bits; });
  fill(
      d, reinterpret_cast<std::int32_t*>(rank), count, false,
      [&](std::int64_t i) HWY_ATTR { return hn::And(hn::LoadU(d, keys + i), ranks); },
      [&](std::int64_t i) { return keys[i] & mask; });
}

void labels(const std::uint32_t* table, const std::uint32_t* rank, std::int64_t count, bool streams,
            std::uint32_t* out) {
  constexpr D32 d;
  const auto* const values = reinterpret_cast<const std::int32_t*>(table);
  const auto* const from = reinterpret_cast<const std::int32_t*>(rank);
  fill(
      d, reinterpret_cast<std::int32_t*>(out), count, streams,
      [&](std::int64_t i) HWY_ATTR { return hn::GatherIndex(d, values, hn::LoadU(d, from + i)); },
      [&](std::int64_t i) { return values[from[i]]; });
}

void distance(const std::uint32_t* exact, const Unit& unit, bool root, std::int64_t count,
              bool streams, float* out) {
  constexpr D64 d;
  const hn::Rebind<std::int32_t, D64> di;
  const hn::Rebind<float, D64> df;
  const auto* const from = reinterpret_cast<const std::int32_t*>(exact);
  fill(
      df, out, count, streams,
      [&](std::int64_t i) HWY_ATTR {
        const auto s = hn::PromoteTo(d, hn::LoadU(di, from + i));
        return hn::DemoteTo(df, cpu::HWY_NAMESPACE::in_units(d, root ? hn::Sqrt(s) : s, unit));
      },
      [&](std::int64_t i) {
        const double s = static_cast<double>(exact[i]);
        return static_cast<float>(thiessen::in_units(root ? __builtin_sqrt(s) : s, unit));
      });
}

WriteKernels writers() { return {split, labels, distance}; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::raster
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::raster {

HWY_EXPORT(writers);

WriteKernels write_kernels(std::int64_t targets) {
  return HWY_DISPATCH_TABLE(writers)[dispatch_index_or_scalar(targets)]();
}

}  // namespace thiessen::cpu::raster
#endif
