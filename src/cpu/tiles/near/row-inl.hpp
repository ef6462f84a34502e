// SPDX-License-Identifier: Apache-2.0
//
// From bits to the part of x in S, and to the nearest site of the row, for the 64 columns of a
// strip.
//
// Words that are full, or empty, take a few instructions for each vector. In others, sites up to
// seven cells away are found by shifts of one, two and four cells; for those farther away, each
// byte of the word knows how far the next sites before and behind it are. If two sites are
// equally near, the left one counts: its index is smaller.
//
// For distances to the boundary, the sites of a cell lie beyond the next edges on either side. If
// bit x says that cells x and x + 1 differ, these are the last bit before x and the first one from
// x on, a cell farther away each.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_NEAR_ROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_NEAR_ROW_INL
#undef THIESSEN_CPU_TILES_NEAR_ROW_INL
#else
#define THIESSEN_CPU_TILES_NEAR_ROW_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "cpu/tiles/near/byte_tables.hpp"
#include "cpu/tiles/near/windows.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// Vectors of at most 64 bytes.
template <class T>
using LaneTag = hn::CappedTag<T, 64 / sizeof(T)>;
template <class T>
inline constexpr auto kLanesOf = static_cast<std::int64_t>(hn::MaxLanes(LaneTag<T>()));

/// How the parts of the axes are combined in S.
struct Sum {
  template <class D, class V>
  HWY_INLINE static V combine(D, V a, V b) {
    return hn::Add(a, b);
  }
};
struct Greatest {
  template <class D, class V>
  HWY_INLINE static V combine(D, V a, V b) {
    return hn::Max(a, b);
  }
};

/// What a search along an axis keeps for each lane besides S.
enum class Codes { none, rows, planes };

template <class T>
HWY_INLINE void fill_row(T* to, T value) {
  const LaneTag<T> d;
  for (std::int64_t x = 0; x < kUnitWidth; x += kLanesOf<T>)
    hn::Store(hn::Set(d, value), d, to + x);
}

template <class T>
HWY_INLINE void copy_row(const T* from, T* to) {
  const LaneTag<T> d;
  for (std::int64_t x = 0; x < kUnitWidth; x += kLanesOf<T>)
    hn::Store(hn::Load(d, from + x), d, to + x);
}

/// Copies a row, and returns whether some lane is not `far`.
template <class T>
HWY_INLINE bool copy_near_row(const T* from, T far, T* to) {
  const LaneTag<T> d;
  auto least = hn::Set(d, far);
  for (std::int64_t x = 0; x < kUnitWidth; x += kLanesOf<T>) {
    const auto v = hn::Load(d, from + x);
    least = hn::Min(least, v);
    hn::Store(v, d, to + x);
  }
  return !hn::AllTrue(d, hn::Eq(least, hn::Set(d, far)));
}

template <class T>
HWY_INLINE void fetch_row(const T* row) {
  for (std::int64_t x = 0; x < kUnitWidth; x += 64 / std::int64_t{sizeof(T)})
    __builtin_prefetch(row + x);
}

/// What the lanes of a row are, 64 of each kind.
enum class Rows {
  parts,  ///< the parts of x in S; across planes, S in the plane
  sites,  ///< these, and the difference of columns from each cell to its nearest site
  /// These, then as they are seen from the rows below, and from the rows above: 0 where there is an
  /// edge between this row and the one next to it on that side.
  edges,
};
template <Rows kRows>
inline constexpr std::int64_t kRowLanes = kUnitWidth*(kRows == Rows::parts   ? 1
                                                      : kRows == Rows::sites ? 2
                                                                             : 3);

/// A row without sites in reach.
template <Rows kRows, class T>
HWY_INLINE void fill_far_row(const RowPlan& plan, T* to) {
  fill_row(to, static_cast<T>(plan.far));
  if (kRows == Rows::sites) fill_row(to + kUnitWidth, T{0});
  if (kRows != Rows::edges) return;
  fill_row(to + kUnitWidth, static_cast<T>(plan.far));
  fill_row(to + 2 * kUnitWidth, static_cast<T>(plan.far));
}

/// Copies a row, and makes those lanes 0 that are set in `edges`.
template <class T>
HWY_INLINE void copy_with_edges(const T* from, std::uint64_t edges, T* to) {
  const LaneTag<T> d;
  for (std::int64_t x = 0; x < kUnitWidth; x += kLanesOf<T>) {
    const std::uint64_t bits = edges >> x;
    const auto is_edge = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
    hn::Store(hn::IfThenZeroElse(is_edge, hn::Load(d, from + x)), d, to + x);
  }
}

/// 64 cells: the bits that may be next to a cell on its left, and on its right; how far the first
/// cell is from the next bit before the former and from the next one behind the latter. More than
/// the reach of a row and 64 stands for none in reach.
struct Word {
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  std::uint32_t before = 0;
  std::uint32_t behind = 0;

  bool is_empty() const { return (left | right) == 0; }
};

/// Reads the rows of one strip.
template <class T, Rows kRows>
class RowReader {
 public:
  RowReader(const WindowJob& windows, std::int64_t strip)
      : job_(*windows.job),
        plan_(*windows.rows),
        gaps_(windows.gaps == nullptr ? nullptr : windows.gaps + strip),
        strips_(windows.strips.count),
        column_(windows.strips.first_column(strip)),
        inner_(column_ > kBeside && column_ + kUnitWidth + kBeside <= job_.extent[2]) {}

  /// Puts the lanes of row (z, y) into `to`; 0 in columns outside of the raster. Returns whether
  /// some cell has a site in reach.
  HWY_INLINE bool read(std::int64_t z, std::int64_t y, T* to) const {
    const Word word = word_of(z, y);
    if (!kEdges && word.left == ~std::uint64_t{0}) {
      fill_row(to, T{0});
      if (kRows == Rows::sites) fill_row(to + kUnitWidth, T{0});
      return true;
    }
    const bool is_near = !word.is_empty() || word.before <= plan_.columns ||
                         word.behind <= plan_.columns + kUnitWidth - 1;
    if (!word.is_empty())
      expand(word, to);
    else if (is_near)
      expand_gap(word, to);
    else
      fill_far_row<kRows>(plan_, to);
    const bool has_edges = kEdges && add_views(1, z, y, to);
    if (!inner_) clear_outside(to);
    return is_near || has_edges;
  }

  /// Finds how far the words of a row are from the next bits, strip by strip. `gaps`: of the row.
  static void find_gaps(const WindowJob& windows, std::int64_t z, std::int64_t y, Gap* gaps) {
    std::int32_t before = Gap::kNone;
    for (std::int64_t strip = 0; strip < windows.strips.count; ++strip) {
      gaps[strip].before = before;
      const std::uint64_t left = RowReader(windows, strip).words_of(z, y).left;
      if (left != 0)
        before = std::countl_zero(left) + 1;
      else if (before < Gap::kNone)
        before += 64;
    }
    std::int32_t behind = Gap::kNone;
    for (std::int64_t strip = windows.strips.count - 1; strip >= 0; --strip) {
      gaps[strip].behind = behind;
      const std::uint64_t right = RowReader(windows, strip).words_of(z, y).right;
      if (right != 0)
        behind = std::countr_zero(right) + 64;
      else if (behind < Gap::kNone)
        behind += 64;
    }
  }

  /// Puts row (z, y) as it is seen from its neighbours along an axis behind the row. Returns
  /// whether it has an edge.
  HWY_INLINE bool add_views(std::size_t axis, std::int64_t z, std::int64_t y, T* row) const {
    const std::uint64_t after = edges(axis, {z, y});
    const std::uint64_t before = edges_before(axis, {z, y});
    copy_with_edges(row, after, row + kUnitWidth);
    copy_with_edges(row, before, row + 2 * kUnitWidth);
    return (after | before) != 0;
  }

 private:
  static constexpr bool kEdges = kRows == Rows::edges;
  static constexpr std::uint32_t kNone = 1024;
  /// How many cells farther than its bit a site lies.
  static constexpr std::uint32_t kFarther = kEdges ? 1 : 0;
  /// Columns on either side of a strip that are looked at.
  static constexpr std::int64_t kBeside = 2 * kUnitWidth;

  /// The 64 bits from a column on; the columns may lie outside of the raster.
  HWY_INLINE std::uint64_t bits_from(const std::uint64_t* row, std::int64_t column) const {
    if (inner_) return join(row[column / 64], row[column / 64 + 1], column % 64);
    if (job_.periodic[2]) return periodic_bits_from(row, column);
    // Bits behind the last column are zeros.
    const auto word = [&](std::int64_t i)
                          HWY_ATTR { return i >= 0 && i < job_.units[2] ? row[i] : 0; };
    const std::int64_t first = (column + 2 * kBeside) / 64 - 2 * kBeside / 64;  // rounded down
    return join(word(first), word(first + 1), column - first * 64);
  }
  /// The cells of a row that differ from the next ones along an axis, and from those before.
  HWY_INLINE std::uint64_t edges(std::size_t axis, std::array<std::int64_t, 2> row) const {
    return bits_from(job_.edges[axis].own_row(row[0], row[1]), column_);
  }
  HWY_INLINE std::uint64_t edges_before(std::size_t axis, std::array<std::int64_t, 2> row) const {
    if (row[axis] == 0 && !job_.periodic[axis]) return 0;
    row[axis] = row[axis] == 0 ? job_.extent[axis] - 1 : row[axis] - 1;
    return edges(axis, row);
  }

  HWY_INLINE static std::uint64_t join(std::uint64_t low, std::uint64_t high, std::int64_t shift) {
    return shift == 0 ? low : low >> shift | high << (64 - shift);
  }
  std::uint64_t periodic_bits_from(const std::uint64_t* row, std::int64_t column) const {
    const std::int64_t width = job_.extent[2];
    std::uint64_t bits = 0;
    for (std::int64_t x = 0; x < kUnitWidth; ++x) {
      const std::int64_t at = ((column + x) % width + width) % width;
      bits |= (row[at / 64] >> (at % 64) & 1) << x;
    }
    return bits;
  }

  /// The bits of a row, as they are marked for the strip.
  HWY_INLINE const std::uint64_t* row_of(std::int64_t z, std::int64_t y) const {
    return (kEdges ? job_.edges[2] : job_.bits).own_row(z, y);
  }

  /// The bits of a word alone.
  HWY_INLINE Word words_of(std::int64_t z, std::int64_t y) const {
    const std::uint64_t* const row = row_of(z, y);
    Word word{.left = bits_from(row, column_ - kFarther)};
    word.right = kEdges ? bits_from(row, column_) : word.left;
    return word;
  }

  HWY_INLINE Word word_of(std::int64_t z, std::int64_t y) const {
    const std::uint64_t* const row = row_of(z, y);
    const std::int64_t to_left = column_ - kFarther;
    const auto bits = [&](std::int64_t column, std::int64_t words)
                          HWY_ATTR { return bits_from(row, column + words * kUnitWidth); };
    Word word = words_of(z, y);
    if (!kEdges && word.left == ~std::uint64_t{0}) return word;
    if (gaps_ != nullptr) {
      const Gap& gap = gaps_[(z * job_.extent[1] + y) * strips_];
      word.before = static_cast<std::uint32_t>(gap.before);
      word.behind = static_cast<std::uint32_t>(gap.behind);
      return word;
    }
    word.before = word.behind = kNone;
    if (const std::uint64_t one = bits(to_left, -1); one != 0)
      word.before = static_cast<std::uint32_t>(std::countl_zero(one)) + 1;
    else if (const std::uint64_t two = bits(to_left, -2); two != 0)
      word.before = static_cast<std::uint32_t>(std::countl_zero(two)) + 65;
    if (const std::uint64_t one = bits(column_, 1); one != 0)
      word.behind = static_cast<std::uint32_t>(std::countr_zero(one)) + 64;
    else if (const std::uint64_t two = bits(column_, 2); two != 0)
      word.behind = static_cast<std::uint32_t>(std::countr_zero(two)) + 128;
    return word;
  }

  /// The lanes whose site is too far away to be measured.
  template <class D>
  HWY_INLINE hn::Mask<D> beyond(D d, hn::Vec<D> distance) const {
    const hn::RebindToSigned<D> di;
    const auto last = hn::Set(di, static_cast<hn::TFromD<decltype(di)>>(plan_.columns));
    return hn::RebindMask(d, hn::Gt(hn::BitCast(di, distance), last));
  }

  /// Stores the part of distances along x and, if they are asked for, the differences of columns.
  template <class D>
  HWY_INLINE void store(D d, hn::Vec<D> distance, hn::Vec<D> difference, T* to) const {
    const auto is_far = beyond(d, distance);
    auto part = plan_.squared ? hn::Mul(distance, distance) : distance;
    if (plan_.factor != 1) part = hn::Mul(part, hn::Set(d, static_cast<T>(plan_.factor)));
    hn::Store(hn::IfThenElse(is_far, hn::Set(d, static_cast<T>(plan_.far)), part), d, to);
    if (kRows == Rows::sites) hn::Store(hn::IfThenZeroElse(is_far, difference), d, to + kUnitWidth);
  }

  /// A word without sites.
  HWY_INLINE void expand_gap(const Word& word, T* to) const {
    const LaneTag<T> d;
    for (std::int64_t x = 0; x < kUnitWidth; x += kLanesOf<T>) {
      const auto column = hn::Iota(d, static_cast<T>(x));
      const auto left = hn::Add(column, hn::Set(d, static_cast<T>(word.before + kFarther)));
      const auto right = hn::Sub(hn::Set(d, static_cast<T>(word.behind + kFarther)), column);
      const auto distance = hn::Min(left, right);
      auto difference = distance;
      if (kRows == Rows::sites)
        difference = hn::IfThenElse(hn::Eq(distance, left), hn::Sub(hn::Zero(d), left), right);
      store(d, distance, difference, to + x);
    }
  }

  /// A word with sites. Lanes of bytes hold 255 less a distance, so that a shift brings in "none",
  /// and that the nearest site is the greatest value.
  HWY_INLINE void expand(const Word& word, T* to) const {
    alignas(16) std::uint8_t beside[2][16];
    find_beside(word, beside);
    const ByteTag d;
    const auto left_of_bytes = hn::LoadDup128(d, beside[0]);
    const auto right_of_bytes = hn::LoadDup128(d, beside[1]);
    alignas(64) std::uint8_t distance[kUnitWidth];
    alignas(64) std::uint8_t difference[kUnitWidth];
    for (std::int64_t x = 0; x < kUnitWidth; x += kBytesOfVector) {
      const auto byte = hn::Load(d, kLanePlaces.byte.data() + x);
      const auto column = hn::Load(d, kLanePlaces.column.data() + x);
      const auto left = hn::SaturatedSub(hn::TableLookupBytes(left_of_bytes, byte), column);
      const auto right = hn::SaturatedAdd(hn::TableLookupBytes(right_of_bytes, byte), column);
      const auto before = hn::Max(left, spread<1>(bits_of(word.left >> x)));
      const auto behind = hn::Max(right, spread<-1>(bits_of(word.right >> x)));
      const auto nearest = hn::SaturatedSub(hn::Max(before, behind), hn::Set(d, kFarther));
      hn::Store(hn::Not(nearest), d, distance + x);
      if (kRows != Rows::sites) continue;
      const auto to_left = hn::Sub(before, hn::Set(d, 255));
      hn::Store(hn::IfThenElse(hn::Eq(nearest, before), to_left, hn::Not(nearest)), d,
                difference + x);
    }
    const LaneTag<T> dt;
    const hn::RebindToSigned<decltype(dt)> di;
    const hn::Rebind<std::uint8_t, decltype(dt)> narrow;
    const hn::Rebind<std::int8_t, decltype(dt)> narrow_signed;
    for (std::int64_t x = 0; x < kUnitWidth; x += kLanesOf<T>) {
      const auto wide = promote_bytes(dt, hn::Load(narrow, distance + x));
      auto wide_difference = wide;
      if constexpr (kRows == Rows::sites)
        wide_difference = hn::BitCast(
            dt, promote_bytes(di, hn::BitCast(narrow_signed, hn::Load(narrow, difference + x))));
      store(dt, wide, wide_difference, to + x);
    }
  }

  template <class D, class V>
  HWY_INLINE static hn::Vec<D> promote_bytes(D d, V bytes) {
    if constexpr (sizeof(T) < sizeof(std::int64_t))
      return hn::PromoteTo(d, bytes);
    else
      return hn::PromoteTo(d, hn::PromoteTo(hn::Rebind<std::int32_t, D>(), bytes));
  }

  using ByteTag = hn::CappedTag<std::uint8_t, 64>;
  static constexpr auto kBytesOfVector = static_cast<std::int64_t>(hn::MaxLanes(ByteTag()));

  /// 255 for each bit that is set.
  HWY_INLINE static hn::Vec<ByteTag> bits_of(std::uint64_t bits) {
    const ByteTag d;
    const auto mask = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
    return hn::IfThenElseZero(mask, hn::Set(d, 255));
  }

  /// Takes the sites up to seven cells to the left (side 1) or right (-1), within 16 cells.
  template <int side>
  HWY_INLINE static hn::Vec<ByteTag> spread(hn::Vec<ByteTag> near) {
    near = hn::Max(near, moved<side>(near));
    near = hn::Max(near, moved<2 * side>(near));
    return hn::Max(near, moved<4 * side>(near));
  }

  /// The distances to sites that lie `cells` cells farther to the left, or -cells to the right.
  template <int cells>
  HWY_INLINE static hn::Vec<ByteTag> moved(hn::Vec<ByteTag> near) {
    const ByteTag d;
    if constexpr (cells > 0)
      return hn::SaturatedSub(hn::ShiftLeftBytes<cells>(d, near), hn::Set(d, cells));
    else
      return hn::SaturatedSub(hn::ShiftRightBytes<-cells>(d, near), hn::Set(d, -cells));
  }

  /// For each byte of a word, how far its first cell is from the next site before the byte, and
  /// from the next one behind it; as 255 less that.
  HWY_INLINE static void find_beside(const Word& word, std::uint8_t (&beside)[2][16]) {
    const hn::FixedTag<std::uint8_t, 16> d;
    const hn::FixedTag<std::uint64_t, 2> d64;
    const auto look_up = [&](std::uint64_t bits, const Nibbles& nibbles) HWY_ATTR {
      const auto sites = hn::BitCast(d, hn::Set(d64, bits));
      const auto low = hn::And(sites, hn::Set(d, 15));
      const auto high = hn::ShiftRight<4>(sites);
      return hn::Max(hn::TableLookupBytes(hn::Load(d, nibbles.low.data()), low),
                     hn::TableLookupBytes(hn::Load(d, nibbles.high.data()), high));
    };
    const auto farther = [&](auto v, int cells) HWY_ATTR {
      return hn::SaturatedSub(v, hn::Set(d, static_cast<std::uint8_t>(cells)));
    };
    // From the end of each byte to the last site of the byte, or of one before it.
    auto last = look_up(word.left, kNibbles.last);
    last = hn::Max(last, farther(hn::ShiftLeftBytes<1>(d, last), 8));
    last = hn::Max(last, farther(hn::ShiftLeftBytes<2>(d, last), 16));
    last = hn::Max(last, farther(hn::ShiftLeftBytes<4>(d, last), 32));
    // From the beginning of each byte to the first site of the byte, or of one behind it. The sites
    // stand twice in the vector; the second copy counts as none.
    const auto own = hn::FirstN(d, 8);
    auto first = hn::IfThenElseZero(own, look_up(word.right, kNibbles.first));
    first = hn::Max(first, farther(hn::ShiftRightBytes<1>(d, first), 8));
    first = hn::Max(first, farther(hn::ShiftRightBytes<2>(d, first), 16));
    first = hn::Max(first, farther(hn::ShiftRightBytes<4>(d, first), 32));
    const auto ramp = hn::Load(d, kLanePlaces.ramp.data());
    const auto before = hn::SaturatedSub(hn::Set(d, from_distance(word.before)), ramp);
    hn::Store(hn::Max(hn::ShiftLeftBytes<1>(d, last), before), d, beside[0]);
    const std::uint8_t to_behind = from_distance(word.behind);
    const auto behind =
        to_behind == 0 ? hn::Zero(d) : hn::SaturatedAdd(hn::Set(d, to_behind), ramp);
    hn::Store(hn::Max(farther(hn::ShiftRightBytes<1>(d, first), 8), behind), d, beside[1]);
  }

  HWY_INLINE static std::uint8_t from_distance(std::uint32_t distance) {
    return distance < 255 ? static_cast<std::uint8_t>(255 - distance) : 0;
  }

  void clear_outside(T* to) const {
    const std::int64_t first = std::clamp<std::int64_t>(-column_, 0, kUnitWidth);
    const std::int64_t end = std::clamp<std::int64_t>(job_.extent[2] - column_, 0, kUnitWidth);
    for (std::int64_t lanes = 0; lanes < kRowLanes<kRows>; lanes += kUnitWidth) {
      std::fill_n(to + lanes, first, T{0});
      std::fill(to + lanes + end, to + lanes + kUnitWidth, T{0});
    }
  }

  const Job& job_;
  const RowPlan& plan_;
  const Gap* gaps_;  ///< of the strip in the first row, or null
  std::int64_t strips_;
  std::int64_t column_;  ///< the first of the strip
  bool inner_;           ///< all words around the strip lie in the raster
};

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
