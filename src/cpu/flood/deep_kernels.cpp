// SPDX-License-Identifier: Apache-2.0
//
// A cell sees up to 27 codes, too many for the registers. So a few are read at a time, and the best
// code so far is kept with its S. If all codes that a vector of cells sees are the same, there is
// nothing to measure; that is common while most cells are empty. If not, two of the first few
// usually differ.
#include "cpu/flood/deep_kernels.hpp"

#include <algorithm>

#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/flood/deep_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/flood/measure-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::flood {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

FloodDeep find_kernel(Metric, bool) { return nullptr; }

#else

HWY_INLINE V32 shifted(V32 codes, int bits) { return hn::ShiftRightSame(codes, bits); }

template <Metric kMetric>
HWY_INLINE V32 join(V32 a, V32 b) {
  return kMetric == Metric::chessboard ? hn::Max(a, b) : hn::Add(a, b);
}

/// S from a vector of cells to sites, for any weights.
template <Metric kMetric>
class WeightedMeasure {
 public:
  WeightedMeasure(const Packing& packing, const DeepCells& cells)
      : y_shift_(packing.y_shift),
        z_shift_(packing.z_shift),
        x_mask_(hn::Set(kD32, packing.x_mask())),
        y_mask_(hn::Set(kD32, packing.y_mask())),
        none_(hn::Set(kD32, packing.none)),
        z_(hn::Set(kD32, cells.z)),
        y_(hn::Set(kD32, cells.y)),
        z_factor_(hn::Set(kD32, packing.factor[0])),
        y_factor_(hn::Set(kD32, packing.factor[1])),
        x_factor_(hn::Set(kD32, packing.factor[2])) {}

  HWY_INLINE V32 operator()(V32 codes, V32 x) const {
    const V32 z_part = along<kMetric>(shifted(codes, z_shift_), z_);
    const V32 y_part = along<kMetric>(hn::And(shifted(codes, y_shift_), y_mask_), y_);
    const V32 x_part = along<kMetric>(hn::And(codes, x_mask_), x);
    const V32 exact =
        join<kMetric>(join<kMetric>(hn::Mul(z_part, z_factor_), hn::Mul(y_part, y_factor_)),
                      hn::Mul(x_part, x_factor_));
    return hn::IfThenElse(hn::Eq(codes, none_), hn::Set(kD32, 0xFFFFFFFFu), exact);
  }

  V32 here(std::int64_t x) const { return hn::Iota(kD32, static_cast<std::uint32_t>(x)); }

 private:
  int y_shift_;
  int z_shift_;
  V32 x_mask_, y_mask_;
  V32 none_;
  V32 z_, y_;
  V32 z_factor_, y_factor_, x_factor_;
};

/// The same if all weights are 1 and none is farther than any site: y and x are done at once.
template <Metric kMetric>
class PlainMeasure {
 public:
  PlainMeasure(const Packing& packing, const DeepCells& cells)
      : y_left_(16 - packing.y_shift),
        z_shift_(packing.z_shift),
        x_mask_(hn::Set(kD32, packing.x_mask())),
        y_mask_(hn::Set(kD32, packing.y_mask() << 16)),
        z_(hn::Set(kD32, cells.z)),
        y_(cells.y << 16) {}

  HWY_INLINE V32 operator()(V32 codes, V32 here) const {
    const V32 x_part = hn::And(codes, x_mask_);
    const V32 both = hn::OrAnd(x_part, hn::ShiftLeftSame(codes, y_left_), y_mask_);
    return join<kMetric>(along<kMetric>(both, here), along<kMetric>(shifted(codes, z_shift_), z_));
  }

  V32 here(std::int64_t x) const { return hn::Iota(kD32, y_ | static_cast<std::uint32_t>(x)); }

 private:
  int y_left_;
  int z_shift_;
  V32 x_mask_, y_mask_;
  V32 z_;
  std::uint32_t y_;
};

HWY_INLINE bool all_same(const Code* const* in, int count, std::int64_t at, V32 one) {
  for (int i = 1; i < count; ++i)
    if (!hn::AllTrue(kD32, hn::Eq(hn::LoadU(kD32, in[i] + at), one))) return false;
  return true;
}

template <class Measure>
HWY_INLINE V32 first_of(const Measure& measure, const Code* const* in, int count, std::int64_t at,
                        V32 here) {
  const V32 one = hn::LoadU(kD32, in[0] + at);
  if (all_same(in, count, at, one)) return one;
  V32 least = hn::Set(kD32, 0xFFFFFFFFu);
  V32 first = least;
  for (int i = 0; i < count; i += kAtOnce) {
    V32 codes[kAtOnce];
    V32 exact[kAtOnce];
    V32 now = least;
    for (int k = 0; k < kAtOnce; ++k) {
      codes[k] = hn::LoadU(kD32, in[i + k] + at);
      exact[k] = measure(codes[k], here);
      now = hn::Min(now, exact[k]);
    }
    first = hn::IfThenElse(hn::Eq(least, now), first, hn::Set(kD32, 0xFFFFFFFFu));
    for (int k = 0; k < kAtOnce; ++k) first = least_where(hn::Eq(exact[k], now), codes[k], first);
    least = now;
  }
  return first;
}

template <class Measure>
void flood(const Packing& packing, const Code* const* in, int count, Code* out,
           const DeepCells& cells) {
  const Measure measure(packing, cells);
  for_each_vector(out, cells.begin, cells.end, measure.here(cells.begin),
                  [&](std::int64_t x, V32 here)
                      HWY_ATTR { return first_of(measure, in, count, x, here); });
}

template <Metric kMetric>
FloodDeep flood_by(bool plain) {
  return plain ? flood<PlainMeasure<kMetric>> : flood<WeightedMeasure<kMetric>>;
}

FloodDeep find_kernel(Metric metric, bool plain) {
  switch (metric) {
    case Metric::euclidean:
      return flood_by<Metric::euclidean>(plain);
    case Metric::manhattan:
      return flood_by<Metric::manhattan>(plain);
    default:
      return flood_by<Metric::chessboard>(plain);
  }
}

#endif
}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::flood
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::flood {

HWY_EXPORT(find_kernel);

FloodDeep deep_kernel(std::int64_t targets, Metric metric, bool plain) {
  return HWY_DISPATCH_TABLE(find_kernel)[dispatch_index(targets)](metric, plain);
}

}  // namespace thiessen::cpu::flood
#endif
