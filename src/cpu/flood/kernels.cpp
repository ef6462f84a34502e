// SPDX-License-Identifier: Apache-2.0
//
// A pass looks at nine cells for each cell, so instructions count: S of a code is one subtraction
// and one multiplication of 16-bit halves. First comes the least S, then the least code that has
// it.
#include "cpu/flood/kernels.hpp"

#include <algorithm>

#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/flood/kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/flood/measure-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::flood {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

Kernels all_kernels(Metric) { return {}; }

#else

template <Metric kMetric, int kCount>
HWY_INLINE V32 first_of(const Code* const* in, std::int64_t x, V32 here) {
  V32 codes[kCount];
  V32 exact[kCount];
  for (int i = 0; i < kCount; ++i) {
    codes[i] = hn::LoadU(kD32, in[i] + x);
#if HWY_TARGET <= HWY_AVX3
    asm("" : "+v"(codes[i].raw));  // keeps it in its register; else it would be read again below
#endif
    exact[i] = along<kMetric>(codes[i], here);
  }
  V32 least = exact[0];
  for (int i = 1; i < kCount; ++i) least = hn::Min(least, exact[i]);
  V32 first = hn::Set(kD32, 0xFFFFFFFFu);
  for (int i = 0; i < kCount; ++i) first = least_where(hn::Eq(exact[i], least), codes[i], first);
  return first;
}

template <Metric kMetric, int kCount>
void flood_cells(const Code* const* in, Code* out, const Cells& cells) {
  const Code* sources[kCount];
  std::copy_n(in, kCount, sources);
  for_each_vector(out, cells.begin, cells.end,
                  hn::Iota(kD32, cells.y << 16 | static_cast<std::uint32_t>(cells.begin)),
                  [&](std::int64_t x, V32 here)
                      HWY_ATTR { return first_of<kMetric, kCount>(sources, x, here); });
}

/// More than nine sources come in turns; each turn goes on with what the last one wrote.
template <Metric kMetric>
void flood(const Code* const* in, int count, Code* out, const Cells& cells) {
  constexpr int kMost = 9;
  using Flood = void (*)(const Code* const*, Code*, const Cells&);
  constexpr Flood kFloods[kMost + 1] = {
      nullptr,
      flood_cells<kMetric, 1>,
      flood_cells<kMetric, 2>,
      flood_cells<kMetric, 3>,
      flood_cells<kMetric, 4>,
      flood_cells<kMetric, 5>,
      flood_cells<kMetric, 6>,
      flood_cells<kMetric, 7>,
      flood_cells<kMetric, 8>,
      flood_cells<kMetric, 9>,
  };
  int done = std::min(count, kMost);
  kFloods[done](in, out, cells);
  while (done < count) {
    const Code* sources[kMost] = {out};
    const int more = std::min(count - done, kMost - 1);
    std::copy_n(in + done, more, sources + 1);
    kFloods[more + 1](sources, out, cells);
    done += more;
  }
}

/// Codes of the cells that are sites, by is_site(i), a mask of lanes, and is_one(i), the same for
/// one cell.
template <class IsSite, class IsOne>
HWY_INLINE void start_where(Code* out, const Run& run, IsSite&& is_site, IsOne&& is_one) {
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(kD32));
  V32 here = hn::Iota(kD32, run.first);
  const V32 right = hn::Set(kD32, static_cast<std::uint32_t>(kLanes));
  std::int64_t i = 0;
  for (; i + kLanes <= run.count; i += kLanes, here = hn::Add(here, right))
    hn::StoreU(hn::IfThenElse(is_site(i), here, hn::Set(kD32, run.none)), kD32, out + i);
  for (; i < run.count; ++i) out[i] = is_one(i) ? run.first + static_cast<Code>(i) : run.none;
}

void start_values(const std::uint32_t* values, Code* out, const Run& run) {
  start_where(
      out, run,
      [&](std::int64_t i) HWY_ATTR { return hn::Ne(hn::LoadU(kD32, values + i), hn::Zero(kD32)); },
      [&](std::int64_t i) { return values[i] != 0; });
}

void start_classes(const std::uint8_t* classes, Code* out, const Run& run) {
  const hn::Rebind<std::uint8_t, D32> d8;
  start_where(
      out, run,
      [&](std::int64_t i) HWY_ATTR {
        return hn::Eq(hn::PromoteTo(kD32, hn::LoadU(d8, classes + i)), hn::Set(kD32, 1));
      },
      [&](std::int64_t i) { return classes[i] == 1; });
}

std::uint32_t label_of(const Labels& labels, Code code) {
  if (code == kNone) return labels.unreached;
  return labels.of_cells[static_cast<std::int64_t>(code >> 16) * labels.width + (code & 0xFFFF)];
}

void write_labels(const Labels& labels, const Code* codes, std::uint32_t* out, std::int64_t count) {
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(kD32));
  const hn::Repartition<std::int32_t, D32> d;
  const V32 row = hn::Set(kD32, static_cast<std::uint32_t>(labels.width));
  const bool streams = labels.streams && reinterpret_cast<std::uintptr_t>(out) % sizeof(V32) == 0;
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const V32 code = hn::LoadU(kD32, codes + i);
    const auto none = hn::Eq(code, hn::Set(kD32, kNone));
    const V32 site = hn::IfThenZeroElse(none, hn::Add(hn::Mul(hn::ShiftRight<16>(code), row),
                                                      hn::And(code, hn::Set(kD32, 0xFFFF))));
    const V32 label = hn::IfThenElse(none, hn::Set(kD32, labels.unreached),
                                     hn::GatherIndex(kD32, labels.of_cells, hn::BitCast(d, site)));
    if (streams)
      hn::Stream(label, kD32, out + i);
    else
      hn::StoreU(label, kD32, out + i);
  }
  for (; i < count; ++i) out[i] = label_of(labels, codes[i]);
}

Kernels all_kernels(Metric metric) {
  const auto flood_by = [&] {
    switch (metric) {
      case Metric::euclidean:
        return flood<Metric::euclidean>;
      case Metric::manhattan:
        return flood<Metric::manhattan>;
      default:
        return flood<Metric::chessboard>;
    }
  };
  return {flood_by(), {start_values, start_classes}, write_labels};
}

#endif
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::flood
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::flood {

HWY_EXPORT(all_kernels);

Kernels kernels(std::int64_t targets, Metric metric) {
  return HWY_DISPATCH_TABLE(all_kernels)[dispatch_index(targets)](metric);
}

}  // namespace thiessen::cpu::flood
#endif
