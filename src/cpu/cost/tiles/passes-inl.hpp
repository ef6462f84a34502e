// SPDX-License-Identifier: Apache-2.0
//
// Passes over a tile in which values only fall. A pass goes from row to row and lowers each cell
// from the three behind it. The cells of a row do not depend on each other, so a pass works by
// vectors, and yet carries a value through the whole tile. Passes down and up take the tile as it
// is; passes to the right and to the left take it transposed. A pass starts at the rows that fell
// since it last came from them, since no other row could lower anything. When none of the four
// passes has such rows, the tile is at its fixed point.
//
// H. Zhao, "A fast sweeping method for Eikonal equations" (2005), uses the four orders. Here they
// are exact, since they end at a fixed point and not at a tolerance.
//
// Vectors have a fixed number of lanes here, and bits of lanes lie in words of little-endian bytes.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_COST_PASSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_COST_PASSES_INL
#undef THIESSEN_CPU_COST_PASSES_INL
#else
#define THIESSEN_CPU_COST_PASSES_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "cpu/cost/tiles/tile.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::cost {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

static_assert(std::endian::native == std::endian::little);

template <class T>
using Full = hn::CappedTag<T, kTile>;
template <class T>
using Vector = hn::Vec<Full<T>>;
template <class T>
constexpr int kLanes = static_cast<int>(hn::MaxLanes(Full<T>()));
template <class T>
constexpr int kVectors = kTile / kLanes<T>;

/// The value of cells that nothing has reached: the greatest of all.
template <class T>
constexpr T kUnreached = std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity()
                                                     : std::numeric_limits<T>::max();

template <class T>
HWY_INLINE Vector<T> unreached() {
  return hn::Set(Full<T>(), kUnreached<T>);
}

/// A mask as bits, one for each lane.
template <class T, class Mask>
HWY_INLINE std::uint64_t mask_bits(Mask mask) {
  std::uint64_t bits = 0;
  hn::StoreMaskBits(Full<T>(), mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits & (~std::uint64_t{0} >> (64 - kLanes<T>));
}

/// A row moved by one cell: every vector is rotated, and then gets one lane of the vector beside
/// it.
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

  /// Lane i gets lane i - 1; lane 0 gets the last one.
  HWY_INLINE Vector<T> turn_right(Vector<T> v) const { return hn::TableLookupLanes(v, right_); }
  /// Lane i gets lane i + 1; the last lane gets lane 0.
  HWY_INLINE Vector<T> turn_left(Vector<T> v) const { return hn::TableLookupLanes(v, left_); }
  /// The second of two neighbouring vectors, moved one cell to the right; both are rotated already.
  HWY_INLINE Vector<T> from_left(Vector<T> before, Vector<T> here) const {
    return hn::IfThenElse(first_, before, here);
  }
  /// The first of two neighbouring vectors, moved one cell to the left; both are rotated already.
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

/// The row that a pass comes from.
template <class T>
struct RowBehind {
  int row = -1;
  Vector<T> values[kVectors<T>];
};

/// For each column, the rows whose values fell.
template <class T>
using Fell = hn::Mask<Full<T>>[kVectors<T>];

/// Lowers the cells of a row from those of the row behind it, and makes that row the next one
/// behind; whether any cell fell.
template <class T, bool kDiagonal, class StepsToRow>
HWY_INLINE bool lower_row(const Shift<T>& shift, RowBehind<T>& behind, const StepsToRow& to,
                          T* cells, Fell<T>& fell) {
  const Full<T> d;
  const auto none = unreached<T>();
  auto last = none;
  auto next = shift.turn_left(behind.values[0]);
  auto any = hn::Ne(none, none);
  for (int i = 0; i < kVectors<T>; ++i) {
    const int x = i * kLanes<T>;
    const auto old = hn::Load(d, cells + x);
    auto least = hn::Min(old, to.straight(behind.values[i], x));
    if constexpr (kDiagonal) {
      const auto turned = shift.turn_right(behind.values[i]);
      const auto here = next;
      next = i + 1 < kVectors<T> ? shift.turn_left(behind.values[i + 1]) : none;
      const auto left = to.from_left(shift.from_left(last, turned), x);
      const auto right = to.from_right(shift.from_right(here, next), x);
      least = hn::Min(least, hn::Min(left, right));
      last = turned;
    }
    const auto lower = hn::Ne(least, old);
    any = hn::Or(any, lower);
    fell[i] = hn::Or(fell[i], lower);
    behind.values[i] = least;
    hn::Store(least, d, cells + x);
  }
  return !hn::AllFalse(d, any);
}

/// One pass over a plane of values, from the first row to the last or (`kDown` = false) the other
/// way. It starts at the rows `sources` and at those that fall. Says where values fell.
///
/// `steps.to_row<kDown>(row)` knows the steps to the cells of a row from those of the row behind
/// it: `straight(v, x)`, `from_left(v, x)` and `from_right(v, x)` are what the cells from x on get
/// from the values v of the cells behind them, behind on the left, and behind on the right.
template <class T, bool kDiagonal, bool kDown, class Steps>
HWY_INLINE Lines pass_over(T* values, const Steps& steps, int rows, std::uint64_t sources) {
  const Full<T> d;
  const Shift<T> shift;
  RowBehind<T> behind;
  Fell<T> fell;
  for (auto& none : fell) none = hn::Ne(unreached<T>(), unreached<T>());
  Lines fallen;
  while (sources != 0) {
    const int source = kDown ? std::countr_zero(sources) : kTile - 1 - std::countl_zero(sources);
    sources &= ~(std::uint64_t{1} << source);
    const int row = kDown ? source + 1 : source - 1;
    if (row < 0 || row >= rows) continue;
    if (behind.row != source)
      for (int i = 0; i < kVectors<T>; ++i)
        behind.values[i] = hn::Load(d, values + source * kTile + i * kLanes<T>);
    behind.row = row;
    if (!lower_row<T, kDiagonal>(shift, behind, steps.template to_row<kDown>(row),
                                 values + row * kTile, fell))
      continue;
    sources |= std::uint64_t{1} << row;
    fallen.rows |= std::uint64_t{1} << row;
  }
  for (int i = 0; i < kVectors<T>; ++i) fallen.columns |= mask_bits<T>(fell[i]) << (i * kLanes<T>);
  return fallen;
}

/// Transposes squares within vectors of 128 bits.
template <class V>
HWY_INLINE void turn_blocks(V* r) {
  const hn::DFromV<V> d;
  if constexpr (sizeof(hn::TFromV<V>) == 8) {
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

/// Transposes a square of kSide rows: one block, or 2 x 2 blocks, where the two that are to lie
/// side by side are read into one vector.
template <std::size_t kSide, class T>
HWY_INLINE void turn_square(const T* from, T* to) {
  constexpr std::size_t kBlock = 16 / sizeof(T);
  const hn::CappedTag<T, kSide> d;
  const hn::CappedTag<T, kBlock> block;
  for (std::size_t first = 0; first < kSide; first += kBlock) {
    hn::Vec<decltype(d)> rows[kBlock];
    for (std::size_t i = 0; i < kBlock; ++i) {
      const T* const row = from + i * kTile + first;
      if constexpr (kSide == kBlock)
        rows[i] = hn::LoadU(d, row);
      else
        rows[i] = hn::Combine(d, hn::LoadU(block, row + kBlock * kTile), hn::LoadU(block, row));
    }
    turn_blocks(rows);
    for (std::size_t i = 0; i < kBlock; ++i) hn::StoreU(rows[i], d, to + (first + i) * kTile);
  }
}

inline constexpr Lines kAllLines{~std::uint64_t{0}, ~std::uint64_t{0}};

/// Transposes the squares of a plane in which one of these lines crosses another.
template <class T>
void turn(const T* from, T* to, const Lines& lines = kAllLines) {
  constexpr std::size_t kSide = std::min<std::size_t>(32 / sizeof(T), kLanes<T>);
  // One bit stands for all lines of a square.
  const auto squares = [](std::uint64_t bits) {
    std::uint64_t firsts = 0;
    for (std::size_t first = 0; first < kTile; first += kSide)
      firsts |= std::uint64_t{(bits >> first & ((1 << kSide) - 1)) != 0} << first;
    return firsts;
  };
  const std::uint64_t columns = squares(lines.columns);
  for (std::uint64_t rows = squares(lines.rows); rows != 0; rows &= rows - 1)
    for (std::uint64_t left = columns; left != 0; left &= left - 1) {
      const int y = std::countr_zero(rows);
      const int x = std::countr_zero(left);
      turn_square<kSide>(from + y * kTile + x, to + x * kTile + y);
    }
}

/// Transposes a plane of bits: squares of 32, then 16, and so on change places across the diagonal.
inline void turn_bits(const std::uint64_t* from, std::uint64_t* to) {
  std::copy_n(from, kTile, to);
  std::uint64_t upper = 0xffffffff00000000;
  for (int side = 32; side > 0; side >>= 1, upper ^= upper >> side)
    for (int first = 0; first < kTile; first += 2 * side)
      for (int i = first; i < first + side; ++i) {
        const std::uint64_t differ = (to[i] ^ (to[i + side] << side)) & upper;
        to[i] ^= differ;
        to[i + side] ^= differ >> side;
      }
}

/// The values of a tile, upright and transposed, and the steps between them in both.
template <class T, class Steps>
struct BothWays {
  T* values;
  T* turned_values;
  Steps steps;
  Steps turned_steps;
  int rows;
  int columns;
};

/// Does passes over a tile, starting at the lines `start` and at those that fall, until none would
/// lower anything. `values` has the result. Says where values fell.
template <class T, bool kDiagonal, class Steps>
Lines pass_until_stable(const BothWays<T, Steps>& tile, const Lines& start) {
  constexpr int kPasses = 4;       // down, up, to the right, to the left,
  constexpr int kFirstTurned = 2;  // the last two take transposed values
  // For each pass, the lines that fell since it last came from them.
  std::uint64_t sources[kPasses] = {start.rows, start.rows, start.columns, start.columns};
  const auto is_any = [&] { return (sources[0] | sources[1] | sources[2] | sources[3]) != 0; };
  Lines turn_there = kAllLines;  // where the transposed values are not those of the upright ones
  Lines turn_back;               // and the other way round, by lines of the transposed ones
  Lines all;
  for (int pass = 0; is_any(); pass = (pass + 1) % kPasses) {
    if (sources[pass] == 0) continue;
    const bool is_turned = pass >= kFirstTurned;
    if (is_turned)
      turn(tile.values, tile.turned_values, std::exchange(turn_there, Lines{}));
    else
      turn(tile.turned_values, tile.values, std::exchange(turn_back, Lines{}));
    T* const values = is_turned ? tile.turned_values : tile.values;
    const Steps& steps = is_turned ? tile.turned_steps : tile.steps;
    const int rows = is_turned ? tile.columns : tile.rows;
    Lines fallen = pass % 2 == 0
                       ? pass_over<T, kDiagonal, true>(values, steps, rows, sources[pass])
                       : pass_over<T, kDiagonal, false>(values, steps, rows, sources[pass]);
    sources[pass] = 0;
    if (fallen.rows == 0) continue;
    (is_turned ? turn_back : turn_there) |= fallen;
    if (is_turned) std::swap(fallen.rows, fallen.columns);
    for (int other = 0; other < kPasses; ++other)
      if (other != pass) sources[other] |= other < kFirstTurned ? fallen.rows : fallen.columns;
    all |= fallen;
  }
  turn(tile.turned_values, tile.values, turn_back);
  return all;
}

/// Copies a row of a raster into a row of a plane.
template <class T>
HWY_INLINE void copy_row(const T* from, int columns, T* to) {
  if (columns < kTile) {
    std::copy_n(from, columns, to);
    return;
  }
  const Full<T> d;
  for (int x = 0; x < kTile; x += kLanes<T>) hn::StoreU(hn::LoadU(d, from + x), d, to + x);
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::cost
HWY_AFTER_NAMESPACE();

#endif
