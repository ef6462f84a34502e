// SPDX-License-Identifier: Apache-2.0
//
// Sweeps: a pass goes from row to row and lowers each cell from the three behind it. All cells of a
// row are independent in it, so it is vectors from end to end, though what it carries along goes
// through the whole tile in one pass. Passes down and up take the tile as it is, those to the right
// and to the left take it turned, x for y. A pass that follows itself lowers nothing; so when none
// of the other three has lowered anything since each of the four ran, none would: that is the fixed
// point of the tile.
//
// H. Zhao, "A fast sweeping method for Eikonal equations" (2005), has the four orders; here they
// are exact, since they end at a fixed point of rounded sums and not at a tolerance.
#include "cpu/cost/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cpu/tiles/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/cost/sweep.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::cost {
namespace HWY_NAMESPACE {
namespace {
#if HWY_TARGET == HWY_SCALAR

template <class T>
SweepKernel<T> kernel_of() {
  return {};
}

#else

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Full = hn::CappedTag<T, kTile>;
template <class T>
using Vector = hn::Vec<Full<T>>;
template <class T>
constexpr int kLanes = static_cast<int>(hn::MaxLanes(Full<T>()));
template <class T>
constexpr int kVectors = kTile / kLanes<T>;
/// Steps from one row of a plane to the next.
constexpr int kRow = kTile;

template <class T>
HWY_INLINE Vector<T> infinity() {
  return hn::Set(Full<T>(), std::numeric_limits<T>::infinity());
}

/// The cells of a row, moved by one: every vector is turned round in itself, and then has one lane
/// of the vector beside it.
template <class T>
class Shift {
  using Index = hwy::MakeSigned<T>;
  using Indices = decltype(hn::SetTableIndices(Full<T>(), static_cast<const Index*>(nullptr)));
  using Mask = decltype(hn::FirstN(Full<T>(), 1));

 public:
  HWY_INLINE Shift()
      : right_(make(kLanes<T> - 1)),
        left_(make(1)),
        first_(hn::FirstN(Full<T>(), 1)),
        last_(hn::Not(hn::FirstN(Full<T>(), kLanes<T> - 1))) {}

  /// Lane i from lane i - 1, lane 0 from the last one.
  HWY_INLINE Vector<T> turn_right(Vector<T> v) const { return hn::TableLookupLanes(v, right_); }
  /// Lane i from lane i + 1.
  HWY_INLINE Vector<T> turn_left(Vector<T> v) const { return hn::TableLookupLanes(v, left_); }
  /// Of two neighbours turned to the right, what is in the second one's place.
  HWY_INLINE Vector<T> from_left(Vector<T> before, Vector<T> here) const {
    return hn::IfThenElse(first_, before, here);
  }
  /// Of two neighbours turned to the left, what is in the first one's place.
  HWY_INLINE Vector<T> from_right(Vector<T> here, Vector<T> after) const {
    return hn::IfThenElse(last_, after, here);
  }

 private:
  static HWY_INLINE Indices make(int first) {
    alignas(64) Index index[kLanes<T>];
    for (int i = 0; i < kLanes<T>; ++i) index[i] = static_cast<Index>((first + i) % kLanes<T>);
    return hn::SetTableIndices(Full<T>(), index);
  }

  Indices right_;
  Indices left_;
  Mask first_;
  Mask last_;
};

/// Steps between one row and the next, as a pass meets them: at cell x of the later row, from the
/// cells x, x - 1 and x + 1 of the earlier one.
template <class T>
struct Planes {
  const T* straight;
  const T* from_left;
  const T* from_right;
  /// Where row 1 of `from_right` begins.
  int right_offset;

  HWY_INLINE const T* right_row(int row) const {
    return from_right + (row - 1) * kRow + right_offset;
  }
};

/// The pass from the first row to the last; whether it lowered anything.
template <class T, bool kDiagonal>
HWY_INLINE bool pass_down(T* cost, const Planes<T>& planes, int rows) {
  const Full<T> d;
  const Shift<T> shift;
  const auto inf = infinity<T>();
  Vector<T> before[kVectors<T>];
  for (int i = 0; i < kVectors<T>; ++i) before[i] = hn::Load(d, cost + i * kLanes<T>);
  auto lowered = hn::Lt(inf, inf);
  for (int row = 1; row < rows; ++row) {
    T* const cells = cost + row * kRow;
    const T* const straight = planes.straight + row * kRow;
    const T* const from_left = planes.from_left + row * kRow;
    const T* const from_right = planes.right_row(row);
    auto last = inf;
    auto next = shift.turn_left(before[0]);
    for (int i = 0; i < kVectors<T>; ++i) {
      const int x = i * kLanes<T>;
      const auto old = hn::Load(d, cells + x);
      auto least = hn::Min(old, hn::Add(before[i], hn::Load(d, straight + x)));
      if constexpr (kDiagonal) {
        const auto turned = shift.turn_right(before[i]);
        const auto here = next;
        next = i + 1 < kVectors<T> ? shift.turn_left(before[i + 1]) : inf;
        const auto left = hn::Add(shift.from_left(last, turned), hn::Load(d, from_left + x));
        const auto right = hn::Add(shift.from_right(here, next), hn::LoadU(d, from_right + x));
        least = hn::Min(least, hn::Min(left, right));
        last = turned;
      }
      lowered = hn::Or(lowered, hn::Lt(least, old));
      before[i] = least;
      hn::Store(least, d, cells + x);
    }
  }
  return !hn::AllFalse(d, lowered);
}

/// The pass from the last row to the first.
template <class T, bool kDiagonal>
HWY_INLINE bool pass_up(T* cost, const Planes<T>& planes, int rows) {
  const Full<T> d;
  const Shift<T> shift;
  const auto inf = infinity<T>();
  Vector<T> before[kVectors<T>];
  for (int i = 0; i < kVectors<T>; ++i)
    before[i] = hn::Load(d, cost + (rows - 1) * kRow + i * kLanes<T>);
  auto lowered = hn::Lt(inf, inf);
  for (int row = rows - 2; row >= 0; --row) {
    T* const cells = cost + row * kRow;
    const T* const straight = planes.straight + (row + 1) * kRow;
    const T* const from_left = planes.from_left + (row + 1) * kRow;
    const T* const from_right = planes.right_row(row + 1);
    auto last = inf;  // what the vector on the left passes to the right
    auto next = inf;  // what this one, and then the one on the right, pass to the left
    if constexpr (kDiagonal) next = shift.turn_left(hn::Add(before[0], hn::Load(d, from_left)));
    for (int i = 0; i < kVectors<T>; ++i) {
      const int x = i * kLanes<T>;
      const auto old = hn::Load(d, cells + x);
      auto least = hn::Min(old, hn::Add(before[i], hn::Load(d, straight + x)));
      if constexpr (kDiagonal) {
        const auto to_left = next;
        next = inf;
        if (i + 1 < kVectors<T>)
          next = shift.turn_left(hn::Add(before[i + 1], hn::Load(d, from_left + x + kLanes<T>)));
        const auto to_right = shift.turn_right(hn::Add(before[i], hn::LoadU(d, from_right + x)));
        least = hn::Min(least,
                        hn::Min(shift.from_right(to_left, next), shift.from_left(last, to_right)));
        last = to_right;
      }
      lowered = hn::Or(lowered, hn::Lt(least, old));
      before[i] = least;
      hn::Store(least, d, cells + x);
    }
  }
  return !hn::AllFalse(d, lowered);
}

/// Turns squares of as many rows as half a vector of AVX2's length holds, within 128 bits first.
template <class T>
HWY_INLINE void turn_square(const T* from, T* to) {
  constexpr std::size_t kSide = std::min<std::size_t>(32 / sizeof(T), kLanes<T>);
  const hn::CappedTag<T, kSide> d;
  constexpr std::size_t kBlock = 16 / sizeof(T);
  hn::Vec<decltype(d)> rows[kSide];
  for (std::size_t i = 0; i < kSide; ++i) rows[i] = hn::LoadU(d, from + i * kRow);
  for (std::size_t first = 0; first < kSide; first += kBlock) {
    auto* const r = rows + first;
    if constexpr (kBlock == 2) {
      const auto low = hn::InterleaveLower(d, r[0], r[1]);
      r[1] = hn::InterleaveUpper(d, r[0], r[1]);
      r[0] = low;
    } else {
      const auto a = hn::InterleaveLower(d, r[0], r[2]);
      const auto b = hn::InterleaveLower(d, r[1], r[3]);
      const auto c = hn::InterleaveUpper(d, r[0], r[2]);
      const auto e = hn::InterleaveUpper(d, r[1], r[3]);
      r[0] = hn::InterleaveLower(d, a, b);
      r[1] = hn::InterleaveUpper(d, a, b);
      r[2] = hn::InterleaveLower(d, c, e);
      r[3] = hn::InterleaveUpper(d, c, e);
    }
  }
  for (std::size_t i = 0; i < kBlock; ++i) {
    if constexpr (kSide == kBlock) {
      hn::StoreU(rows[i], d, to + i * kRow);
    } else {
      hn::StoreU(hn::ConcatLowerLower(d, rows[i + kBlock], rows[i]), d, to + i * kRow);
      hn::StoreU(hn::ConcatUpperUpper(d, rows[i + kBlock], rows[i]), d, to + (i + kBlock) * kRow);
    }
  }
}

/// x for y, in a whole plane.
template <class T>
void turn(const T* from, T* to) {
  constexpr int kSide = std::min<int>(32 / sizeof(T), kLanes<T>);
  for (int y = 0; y < kTile; y += kSide)
    for (int x = 0; x < kTile; x += kSide) turn_square(from + y * kRow + x, to + x * kRow + y);
}

/// What steps of a factor and sums of resistances cost; infinity where they do not pass.
template <class T>
HWY_INLINE Vector<T> weights(const SweepEdges<T>& edges, Vector<T> factor, Vector<T> sum) {
  const auto weight = edges.stiffness ? hn::Div(factor, sum) : hn::Mul(factor, sum);
  return hn::IfThenElse(hn::Ge(weight, hn::Zero(Full<T>())), weight, infinity<T>());
}

template <class T>
class Sweep {
 public:
  Sweep(const SweepTile<T>& tile, const SweepEdges<T>& edges, SweepBuffers<T>& buffers)
      : tile_(tile), edges_(edges), b_(buffers) {}

  void run() {
    load();
    make_planes();
    if (edges_.diagonal != 0)
      sweep<true>();
    else
      sweep<false>();
    store();
  }

 private:
  using Buffers = SweepBuffers<T>;
  static constexpr Full<T> kTag{};

  /// Cells outside of the raster are barriers.
  void load() {
    constexpr T kNan = std::numeric_limits<T>::quiet_NaN();
    std::fill_n(b_.resistance, Buffers::kMargin, kNan);
    for (int y = 0; y < tile_.rows; ++y) {
      T* const resistance = b_.resistance + y * Buffers::kPadded + Buffers::kMargin;
      copy_row(tile_.resistance + y * tile_.width, resistance);
      std::fill_n(resistance + tile_.columns,
                  kTile - tile_.columns + (y + 1 < tile_.rows ? 2 : 1) * Buffers::kMargin, kNan);
      copy_row(tile_.cost + y * tile_.width, b_.cost + y * kRow);
    }
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    for (int y = 0; y < tile_.rows && tile_.columns < kTile; ++y)
      std::fill_n(b_.cost + y * kRow + tile_.columns, kTile - tile_.columns, kInfinity);
    std::fill(b_.cost + tile_.rows * kRow, b_.cost + Buffers::kPlane, kInfinity);
  }

  HWY_INLINE void copy_row(const T* from, T* to) const {
    if (tile_.columns < kTile) {
      std::copy_n(from, tile_.columns, to);
      return;
    }
    for (int x = 0; x < kTile; x += kLanes<T>) hn::StoreU(hn::LoadU(kTag, from + x), kTag, to + x);
  }

  void make_planes() {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    for (T* plane : {b_.above, b_.left_above, b_.right_above}) {
      std::fill_n(plane, kRow, kInfinity);
      std::fill(plane + tile_.rows * kRow, plane + Buffers::kPlane, kInfinity);
    }
    std::fill(b_.left + tile_.rows * kRow, b_.left + Buffers::kPlane, kInfinity);
    for (int y = 0; y < tile_.rows; ++y)
      for (int x = 0; x < kTile; x += kLanes<T>) make_weights(y, x);
    turn(b_.left, b_.turned_left);
    if (edges_.diagonal == 0) return;
    turn(b_.left_above, b_.turned_left_above);
    turn(b_.right_above, b_.turned_right_above);
  }

  void make_weights(int y, int x) {
    const T* const cell = b_.resistance + y * Buffers::kPadded + Buffers::kMargin + x;
    const int place = y * kRow + x;
    const auto here = hn::LoadU(kTag, cell);
    const auto left = hn::LoadU(kTag, cell - 1);
    const auto factor_x = hn::Set(kTag, edges_.x);
    hn::Store(weights(edges_, factor_x, hn::Add(left, here)), kTag, b_.left + place);
    if (y == 0) return;
    const auto above = hn::LoadU(kTag, cell - Buffers::kPadded);
    const auto factor_y = hn::Set(kTag, edges_.y);
    hn::Store(weights(edges_, factor_y, hn::Add(above, here)), kTag, b_.above + place);
    if (edges_.diagonal == 0) return;
    const auto diagonal = hn::Set(kTag, edges_.diagonal);
    const auto left_above = hn::LoadU(kTag, cell - Buffers::kPadded - 1);
    const auto right_above = hn::LoadU(kTag, cell - Buffers::kPadded + 1);
    auto from_left = weights(edges_, diagonal, hn::Add(left_above, here));
    auto from_right = weights(edges_, diagonal, hn::Add(right_above, here));
    if (edges_.tight_barriers) {
      const auto closed = hn::IsNaN(above);
      const auto right = hn::LoadU(kTag, cell + 1);
      from_left = hn::IfThenElse(hn::And(closed, hn::IsNaN(left)), infinity<T>(), from_left);
      from_right = hn::IfThenElse(hn::And(closed, hn::IsNaN(right)), infinity<T>(), from_right);
    }
    hn::Store(from_left, kTag, b_.left_above + place);
    hn::Store(from_right, kTag, b_.right_above + place);
  }

  template <bool kDiagonal>
  void sweep() {
    const Planes<T> upright{b_.above, b_.left_above, b_.right_above, kRow};
    // A step from the cell above on the right, turned, begins one row earlier and one cell later.
    const Planes<T> turned{b_.turned_left, b_.turned_left_above, b_.turned_right_above, 1};
    constexpr int kPasses = 4;
    bool turn_there = true;  // the turned costs are not those of the upright ones
    bool turn_back = false;  // nor the other way round
    int clean = 0;           // passes that would lower nothing
    for (int pass = 0; clean < kPasses; pass = (pass + 1) % kPasses) {
      const bool is_turned = pass >= 2;
      if (is_turned && turn_there) turn(b_.cost, b_.turned_cost);
      if (!is_turned && turn_back) turn(b_.turned_cost, b_.cost);
      (is_turned ? turn_there : turn_back) = false;
      T* const cost = is_turned ? b_.turned_cost : b_.cost;
      const Planes<T>& planes = is_turned ? turned : upright;
      const int rows = is_turned ? tile_.columns : tile_.rows;
      const bool lowered = pass % 2 == 0 ? pass_down<T, kDiagonal>(cost, planes, rows)
                                         : pass_up<T, kDiagonal>(cost, planes, rows);
      clean = lowered ? 1 : clean + 1;
      if (lowered) (is_turned ? turn_back : turn_there) = true;
    }
    if (turn_back) turn(b_.turned_cost, b_.cost);
  }

  void store() {
    const auto limit = hn::Set(kTag, edges_.limit);
    for (int y = 0; y < tile_.rows; ++y) {
      T* const row = tile_.cost + y * tile_.width;
      const T* const own = b_.cost + y * kRow;
      std::uint64_t changed = 0;
      int x = 0;
      for (; x + kLanes<T> <= tile_.columns; x += kLanes<T>) {
        auto cost = hn::Load(kTag, own + x);
        cost = hn::IfThenElse(hn::Le(cost, limit), cost, infinity<T>());
        changed |= mask_bits(hn::Lt(cost, hn::LoadU(kTag, row + x))) << x;
        hn::StoreU(cost, kTag, row + x);
      }
      for (; x < tile_.columns; ++x) {
        if (!(own[x] < row[x]) || own[x] > edges_.limit) continue;
        row[x] = own[x];
        changed |= std::uint64_t{1} << x;
      }
      b_.changed[y] = changed;
    }
  }

  template <class Mask>
  static HWY_INLINE std::uint64_t mask_bits(Mask mask) {
    std::uint64_t bits = 0;
    hn::StoreMaskBits(kTag, mask, reinterpret_cast<std::uint8_t*>(&bits));
    return bits & ((std::uint64_t{1} << kLanes<T>)-1);
  }

  const SweepTile<T>& tile_;
  const SweepEdges<T>& edges_;
  Buffers& b_;
};

template <class T>
void sweep_tile(const SweepTile<T>& tile, const SweepEdges<T>& edges, SweepBuffers<T>& buffers) {
  Sweep<T>(tile, edges, buffers).run();
}

template <class T>
SweepKernel<T> kernel_of() {
  return {sweep_tile<T>};
}

#endif

SweepKernel<float> kernel32() { return kernel_of<float>(); }
SweepKernel<double> kernel64() { return kernel_of<double>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::cost
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::cost {

HWY_EXPORT(kernel32);
HWY_EXPORT(kernel64);

SweepKernel<float> sweep_kernel(std::int64_t targets, float) {
  return HWY_DISPATCH_TABLE(kernel32)[tiles::dispatch_index(targets)]();
}

SweepKernel<double> sweep_kernel(std::int64_t targets, double) {
  return HWY_DISPATCH_TABLE(kernel64)[tiles::dispatch_index(targets)]();
}

}  // namespace thiessen::cpu::cost
#endif
