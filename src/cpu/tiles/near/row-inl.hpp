// SPDX-License-Identifier: Apache-2.0
//
// From bits to the part of x in S, for the 64 columns of a strip.
//
// Words that are full, or empty, take a few instructions for each vector. In others, sites up to
// seven cells away are found by shifts of one, two and four cells; for those farther away, each
// byte of the word knows how far the next sites before and behind it are.

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

/// 64 cells, and how far the first of them is from the next site before it and from the next one
/// behind the 64 cells. More than kMostColumns + 64 stands for none in reach.
struct Word {
  std::uint64_t sites = 0;
  std::uint32_t before = 0;
  std::uint32_t behind = 0;
};

/// Reads the rows of one strip.
template <class T>
class RowReader {
 public:
  RowReader(const WindowJob& windows, std::int64_t strip)
      : job_(*windows.job),
        plan_(*windows.plan),
        column_(windows.strips.first_column(strip)),
        inner_(column_ >= kBeside && column_ + kUnitWidth + kBeside <= job_.extent[2]) {}

  /// Puts the part of x in S of row (z, y) into `to`; 0 in columns outside of the raster. Returns
  /// whether some cell has a site in reach.
  HWY_INLINE bool read(std::int64_t z, std::int64_t y, T* to) const {
    const Word word = word_of(job_.bits.own_row(z, y));
    if (word.sites == ~std::uint64_t{0}) {
      fill_row(to, T{0});
      return true;
    }
    if (word.sites != 0)
      expand(word, to);
    else if (word.before > kMostColumns && word.behind > kMostColumns + kUnitWidth - 1)
      fill_row(to, static_cast<T>(plan_.far));
    else
      expand_gap(word, to);
    if (!inner_) clear_outside(to);
    return word.sites != 0 || word.before <= kMostColumns ||
           word.behind <= kMostColumns + kUnitWidth - 1;
  }

 private:
  static constexpr std::uint32_t kNone = 1024;
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

  HWY_INLINE Word word_of(const std::uint64_t* row) const {
    const auto bits = [&](std::int64_t words)
                          HWY_ATTR { return bits_from(row, column_ + words * kUnitWidth); };
    Word word{.sites = bits(0)};
    if (word.sites == ~std::uint64_t{0}) return word;
    word.before = word.behind = kNone;
    if (const std::uint64_t one = bits(-1); one != 0)
      word.before = static_cast<std::uint32_t>(std::countl_zero(one)) + 1;
    else if (const std::uint64_t two = bits(-2); two != 0)
      word.before = static_cast<std::uint32_t>(std::countl_zero(two)) + 65;
    if (const std::uint64_t one = bits(1); one != 0)
      word.behind = static_cast<std::uint32_t>(std::countr_zero(one)) + 64;
    else if (const std::uint64_t two = bits(2); two != 0)
      word.behind = static_cast<std::uint32_t>(std::countr_zero(two)) + 128;
    return word;
  }

  /// The part of distances along x.
  template <class D>
  HWY_INLINE hn::Vec<D> parts_of(D d, hn::Vec<D> distance) const {
    const hn::RebindToSigned<D> di;
    const auto factor = hn::Set(d, static_cast<hn::TFromD<D>>(plan_.factor));
    auto part = plan_.squared ? hn::Mul(distance, distance) : distance;
    if (plan_.factor != 1) part = hn::Mul(part, factor);
    const auto beyond = hn::Gt(hn::BitCast(di, distance),
                               hn::Set(di, static_cast<hn::TFromD<decltype(di)>>(plan_.columns)));
    return hn::IfThenElse(hn::RebindMask(d, beyond),
                          hn::Set(d, static_cast<hn::TFromD<D>>(plan_.far)), part);
  }

  /// A word without sites.
  HWY_INLINE void expand_gap(const Word& word, T* to) const {
    const LaneTag<T> d;
    for (std::int64_t x = 0; x < kUnitWidth; x += kLanesOf<T>) {
      const auto column = hn::Iota(d, static_cast<T>(x));
      const auto left = hn::Add(column, hn::Set(d, static_cast<T>(word.before)));
      const auto right = hn::Sub(hn::Set(d, static_cast<T>(word.behind)), column);
      hn::Store(parts_of(d, hn::Min(left, right)), d, to + x);
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
    for (std::int64_t x = 0; x < kUnitWidth; x += kBytesOfVector) {
      const std::uint64_t own = word.sites >> x;
      const auto is_site = hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&own));
      auto near = hn::IfThenElseZero(is_site, hn::Set(d, 255));
      near = spread<1>(near);
      near = spread<2>(near);
      near = spread<4>(near);
      const auto byte = hn::Load(d, kLanePlaces.byte.data() + x);
      const auto column = hn::Load(d, kLanePlaces.column.data() + x);
      const auto left = hn::SaturatedSub(hn::TableLookupBytes(left_of_bytes, byte), column);
      const auto right = hn::SaturatedAdd(hn::TableLookupBytes(right_of_bytes, byte), column);
      hn::Store(hn::Not(hn::Max(near, hn::Max(left, right))), d, distance + x);
    }
    const LaneTag<T> dt;
    const hn::Rebind<std::uint8_t, decltype(dt)> narrow;
    for (std::int64_t x = 0; x < kUnitWidth; x += kLanesOf<T>)
      hn::Store(parts_of(dt, hn::PromoteTo(dt, hn::Load(narrow, distance + x))), dt, to + x);
  }

  using ByteTag = hn::CappedTag<std::uint8_t, 64>;
  static constexpr auto kBytesOfVector = static_cast<std::int64_t>(hn::MaxLanes(ByteTag()));

  /// Takes the sites k cells away on either side, within 16 cells.
  template <int k>
  HWY_INLINE static hn::Vec<ByteTag> spread(hn::Vec<ByteTag> near) {
    const ByteTag d;
    const auto from = hn::Set(d, k);
    return hn::Max(near, hn::Max(hn::SaturatedSub(hn::ShiftLeftBytes<k>(d, near), from),
                                 hn::SaturatedSub(hn::ShiftRightBytes<k>(d, near), from)));
  }

  /// For each byte of a word, how far its first cell is from the next site before the byte, and
  /// from the next one behind it; as 255 less that.
  HWY_INLINE static void find_beside(const Word& word, std::uint8_t (&beside)[2][16]) {
    const hn::FixedTag<std::uint8_t, 16> d;
    const hn::FixedTag<std::uint64_t, 2> d64;
    const auto sites = hn::BitCast(d, hn::Set(d64, word.sites));
    const auto low = hn::And(sites, hn::Set(d, 15));
    const auto high = hn::ShiftRight<4>(sites);
    const auto look_up = [&](const auto& nibbles) HWY_ATTR {
      return hn::Max(hn::TableLookupBytes(hn::Load(d, nibbles.low.data()), low),
                     hn::TableLookupBytes(hn::Load(d, nibbles.high.data()), high));
    };
    const auto farther = [&](auto v, int cells) HWY_ATTR {
      return hn::SaturatedSub(v, hn::Set(d, static_cast<std::uint8_t>(cells)));
    };
    // From the end of each byte to the last site of the byte, or of one before it.
    auto last = look_up(kNibbles.last);
    last = hn::Max(last, farther(hn::ShiftLeftBytes<1>(d, last), 8));
    last = hn::Max(last, farther(hn::ShiftLeftBytes<2>(d, last), 16));
    last = hn::Max(last, farther(hn::ShiftLeftBytes<4>(d, last), 32));
    // From the beginning of each byte to the first site of the byte, or of one behind it. The sites
    // stand twice in the vector; the second copy counts as none.
    const auto own = hn::FirstN(d, 8);
    auto first = hn::IfThenElseZero(own, look_up(kNibbles.first));
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
    std::fill_n(to, first, T{0});
    std::fill(to + end, to + kUnitWidth, T{0});
  }

  const Job& job_;
  const WindowPlan& plan_;
  std::int64_t column_;  ///< the first of the strip
  bool inner_;           ///< all words around the strip lie in the raster
};

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
