// SPDX-License-Identifier: Apache-2.0
//
// A step costs the same both ways, so each is evaluated once: a row keeps the steps to the next
// one. Those of walks do not, and are evaluated from each cell. Unreached cells have the cost NaN
// here, and steps that do not pass weigh NaN: NaN equals nothing.
#include "cpu/cost/tight.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/cost/tight.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/cost/tiles/walk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::cost {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

template <class T>
TightKernel<T> kernel_of() {
  return {};
}

#else

namespace hn = hwy::HWY_NAMESPACE;

/// Cells on each side of a line that do not belong to the part.
constexpr std::int64_t kMargin = 16;

/// One row of the part, and a margin; cells are counted from the first of the part.
template <class T>
struct Line {
  alignas(64) T cells[kTightColumns + 3 * kMargin];

  T* at(std::int64_t x) { return cells + kMargin + x; }
  const T* at(std::int64_t x) const { return cells + kMargin + x; }
};

/// A row: its cells, and the steps from them to the next row.
template <class T>
struct Row {
  Line<T> resistance;
  Line<T> cost;
  Line<T> elevation;  ///< of a walk
  Line<T> right;
  Line<T> down_left;
  Line<T> down;
  Line<T> down_right;
};

/// `kWalk`: steps are directed.
template <class T, bool kDiagonal, bool kWalk>
class Finder {
 public:
  Finder(const TightRaster<T>& raster, const SweepEdges<T>& edges, const TightPart& part)
      : raster_(raster),
        edges_(edges),
        part_(part),
        columns_(part.last_column - part.first_column) {}

  void run() {
    load(part_.first_row - 1);
    load(part_.first_row);
    if constexpr (!kWalk) weigh(part_.first_row - 1);
    for (std::int64_t row = part_.first_row; row < part_.last_row; ++row) {
      load(row + 1);
      const Around around{&row_of(row - 1), &row_of(row), &row_of(row + 1)};
      if constexpr (kWalk) {
        find(row, [&](std::int64_t x) HWY_ATTR { return walked_bits(around, row, x); });
      } else {
        weigh(row);
        find(row, [&](std::int64_t x) HWY_ATTR { return same_bits(around, x); });
      }
    }
  }

 private:
  using D = hn::ScalableTag<T>;
  using Bits = hn::RebindToUnsigned<D>;
  using V = hn::Vec<D>;
  using Unsigned = hwy::MakeUnsigned<T>;
  static constexpr D kTag{};
  static constexpr std::int64_t kLanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  /// A row between the one before it and the one after it.
  using Around = std::array<const Row<T>*, 3>;

  Row<T>& row_of(std::int64_t row) { return rows_[static_cast<std::size_t>((row + 3) % 3)]; }

  /// Loads a row; it is NaN outside of the raster.
  void load(std::int64_t row) {
    constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    Row<T>& own = row_of(row);
    std::fill(std::begin(own.resistance.cells), std::end(own.resistance.cells), kNan);
    std::fill(std::begin(own.cost.cells), std::end(own.cost.cells), kNan);
    if constexpr (kWalk)
      std::fill(std::begin(own.elevation.cells), std::end(own.elevation.cells), T{0});
    if (row < 0 || row >= raster_.height) return;
    const std::int64_t first = std::max<std::int64_t>(part_.first_column - 1, 0);
    const std::int64_t last = std::min(part_.last_column + 1, raster_.width);
    const std::int64_t place = row * raster_.width + first;
    std::copy_n(raster_.resistance + place, last - first,
                own.resistance.at(first - part_.first_column));
    T* const cost = own.cost.at(first - part_.first_column);
    for (std::int64_t i = 0; i < last - first; ++i) {
      const T value = raster_.cost[place + i];
      cost[i] = value < std::numeric_limits<T>::infinity() ? value : kNan;
    }
    if constexpr (kWalk)
      std::copy_n(raster_.placed->elevation + place, last - first,
                  own.elevation.at(first - part_.first_column));
  }

  HWY_INLINE V weight(V factor, V p, V q) const {
    const auto sum = hn::Add(p, q);
    return edges_.stiffness ? hn::Div(factor, sum) : hn::Mul(factor, sum);
  }
  HWY_INLINE V weight(T factor, V p, V q) const { return weight(hn::Set(kTag, factor), p, q); }

  /// Computes the costs of the steps from a row to the next one, which is loaded.
  void weigh(std::int64_t row) {
    Row<T>& own = row_of(row);
    const Line<T>& after = row_of(row + 1).resistance;
    const SweepFactors<T> here_factor = edges_.at(row);
    const SweepFactors<T> next_factor = edges_.at(row + 1);
    const auto nan = hn::Set(kTag, std::numeric_limits<T>::quiet_NaN());
    for (std::int64_t x = -kLanes; x < columns_ + 1; x += kLanes) {
      const auto here = hn::LoadU(kTag, own.resistance.at(x));
      const auto right = hn::LoadU(kTag, own.resistance.at(x) + 1);
      const auto down = hn::LoadU(kTag, after.at(x));
      hn::StoreU(weight(here_factor.x, here, right), kTag, own.right.at(x));
      hn::StoreU(weight(next_factor.y, here, down), kTag, own.down.at(x));
      if constexpr (!kDiagonal) continue;
      const auto down_right = hn::LoadU(kTag, after.at(x) + 1);
      // The diagonal from the cell on the right, down to the left: the two diagonals cross.
      auto falling = weight(next_factor.diagonal, here, down_right);
      auto rising = weight(next_factor.diagonal, right, down);
      if (edges_.tight_barriers) {
        falling = hn::IfThenElse(hn::And(hn::IsNaN(right), hn::IsNaN(down)), nan, falling);
        rising = hn::IfThenElse(hn::And(hn::IsNaN(here), hn::IsNaN(down_right)), nan, rising);
      }
      hn::StoreU(falling, kTag, own.down_right.at(x));
      hn::StoreU(rising, kTag, own.down_left.at(x) + 1);
    }
  }

  /// Bit `k` where a step from `here` is tight.
  static HWY_INLINE hn::Vec<Bits> bit(int k, V here, V weight, const T* to) {
    const auto tight = hn::Eq(hn::Add(here, weight), hn::LoadU(kTag, to));
    return hn::And(hn::BitCast(Bits(), hn::VecFromMask(kTag, tight)),
                   hn::Set(Bits(), static_cast<Unsigned>(Unsigned{1} << k)));
  }
  static HWY_INLINE hn::Vec<Bits> bit(int k, V here, const T* weight, const T* to) {
    return bit(k, here, hn::LoadU(kTag, weight), to);
  }

  /// The tight steps from the cells of a row from x on.
  HWY_INLINE hn::Vec<Bits> same_bits(const Around& around, std::int64_t x) const {
    const Row<T>& before = *around[0];
    const Row<T>& own = *around[1];
    const Row<T>& after = *around[2];
    constexpr int kUp = kDiagonal ? 1 : 0;
    constexpr int kLeft = kDiagonal ? 3 : 1;
    constexpr int kDown = kDiagonal ? 6 : 3;
    const auto here = hn::LoadU(kTag, own.cost.at(x));
    const T* const up = before.cost.at(x);
    const T* const beside = own.cost.at(x);
    const T* const down = after.cost.at(x);
    const auto bits = hn::Or(
        hn::Or(bit(kUp, here, before.down.at(x), up), bit(kDown, here, own.down.at(x), down)),
        hn::Or(bit(kLeft, here, own.right.at(x) - 1, beside - 1),
               bit(kLeft + 1, here, own.right.at(x), beside + 1)));
    if constexpr (!kDiagonal) return bits;
    return hn::Or(bits, hn::Or(hn::Or(bit(0, here, before.down_right.at(x) - 1, up - 1),
                                      bit(2, here, before.down_left.at(x) + 1, up + 1)),
                               hn::Or(bit(5, here, own.down_left.at(x), down - 1),
                                      bit(7, here, own.down_right.at(x), down + 1))));
  }

  /// The same for a walk.
  HWY_INLINE hn::Vec<Bits> walked_bits(const Around& around, std::int64_t row,
                                       std::int64_t x) const {
    const Row<T>& own = *around[1];
    const auto at = [&](const Line<T>& line, int right)
                        HWY_ATTR { return hn::LoadU(kTag, line.at(x) + right); };
    const auto here = at(own.resistance, 0);
    auto bits = hn::Zero(Bits());
    for (int down = -1, k = 0; down <= 1; ++down) {
      const Row<T>& there = *around[static_cast<std::size_t>(down + 1)];
      for (int right = -1; right <= 1; ++right) {
        if ((down == 0 && right == 0) || (!kDiagonal && down != 0 && right != 0)) continue;
        const double length = raster_.placed->metres(k, row);
        const auto of_length = hn::Set(kTag, edges_.of_step(row, down, right));
        const auto beyond = at(there.resistance, right);
        const Ends<V> ends{at(own.elevation, 0), at(there.elevation, right)};
        auto own_weight =
            walk_weight(kTag, *raster_.placed, SameLength{length}, ends, of_length,
                        [&](V factor) HWY_ATTR { return weight(factor, here, beyond); });
        if (edges_.tight_barriers && down != 0 && right != 0) {
          const auto closed =
              hn::And(hn::IsNaN(at(there.resistance, 0)), hn::IsNaN(at(own.resistance, right)));
          const auto nan = hn::Set(kTag, std::numeric_limits<T>::quiet_NaN());
          own_weight = hn::IfThenElse(closed, nan, own_weight);
        }
        const auto cost = hn::LoadU(kTag, own.cost.at(x));
        bits = hn::Or(bits, bit(k++, cost, own_weight, there.cost.at(x) + right));
      }
    }
    return bits;
  }

  /// Writes the steps of a row; `bits_at(x)` has those from x on.
  template <class BitsAt>
  void find(std::int64_t row, const BitsAt& bits_at) {
    alignas(64) Unsigned steps[kTightColumns + kMargin];
    for (std::int64_t x = 0; x < columns_; x += kLanes) hn::Store(bits_at(x), Bits(), steps + x);
    std::uint8_t* const out = raster_.steps + row * raster_.width + part_.first_column;
    for (std::int64_t x = 0; x < columns_; ++x) out[x] = static_cast<std::uint8_t>(steps[x]);
  }

  const TightRaster<T>& raster_;
  const SweepEdges<T>& edges_;
  const TightPart& part_;
  std::int64_t columns_;
  Row<T> rows_[3];
};

template <class T, bool kWalk>
void find_steps_of(const TightRaster<T>& raster, const SweepEdges<T>& edges,
                   const TightPart& part) {
  if (edges.diagonals)
    Finder<T, true, kWalk>(raster, edges, part).run();
  else
    Finder<T, false, kWalk>(raster, edges, part).run();
}

template <class T>
void find_steps(const TightRaster<T>& raster, const SweepEdges<T>& edges, const TightPart& part) {
  if (raster.placed != nullptr && raster.placed->are_directed())
    find_steps_of<T, true>(raster, edges, part);
  else
    find_steps_of<T, false>(raster, edges, part);
}

template <class T>
TightKernel<T> kernel_of() {
  return {find_steps<T>};
}

#endif

TightKernel<float> tight32() { return kernel_of<float>(); }
TightKernel<double> tight64() { return kernel_of<double>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::cost
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::cost {

HWY_EXPORT(tight32);
HWY_EXPORT(tight64);

TightKernel<float> tight_kernel(std::int64_t targets, float) {
  return HWY_DISPATCH_TABLE(tight32)[dispatch_index(targets)]();
}

TightKernel<double> tight_kernel(std::int64_t targets, double) {
  return HWY_DISPATCH_TABLE(tight64)[dispatch_index(targets)]();
}

}  // namespace thiessen::cpu::cost
#endif
