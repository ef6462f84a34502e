// SPDX-License-Identifier: Apache-2.0
//
// From bits to the part of x in S, for the 64 columns of a strip.
//
// Words that are full, or empty, take a few instructions for each vector. Else a table gives, for
// each byte of a word, how far its cells are from the byte's own sites before and behind; sites of
// other bytes and words lie beyond these.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_WINDOWS_ROW_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_WINDOWS_ROW_INL
#undef THIESSEN_CPU_TILES_WINDOWS_ROW_INL
#else
#define THIESSEN_CPU_TILES_WINDOWS_ROW_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "cpu/tiles/windows/byte_tables.hpp"
#include "cpu/tiles/windows/windows.hpp"

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

  HWY_INLINE void expand(const Word& word, T* to) const {
    const hn::CappedTag<std::uint16_t, 8> d;
    const hn::Rebind<std::uint8_t, decltype(d)> narrow;
    // How far the first cell of each byte is from the next site behind the byte.
    std::uint32_t behind[8];
    std::uint32_t next = word.behind - 56;
    for (int i = 7; i >= 0; --i) {
      behind[i] = next;
      const auto own = static_cast<std::uint8_t>(word.sites >> 8 * i);
      next = own != 0 ? static_cast<std::uint32_t>(std::countr_zero(own)) + 8 : next + 8;
    }
    std::uint32_t before = word.before;
    alignas(64) std::uint16_t distance[kUnitWidth];
    for (int i = 0; i < 8; ++i) {
      const auto own = static_cast<std::uint8_t>(word.sites >> 8 * i);
      for (std::size_t x = 0; x < 8; x += hn::MaxLanes(d)) {
        const auto column = hn::Iota(d, static_cast<std::uint16_t>(x));
        const auto in_byte =
            hn::PromoteTo(d, hn::Load(narrow, kByteTable.distance[own].data() + x));
        const auto left = hn::Add(column, hn::Set(d, static_cast<std::uint16_t>(before)));
        const auto right = hn::Sub(hn::Set(d, static_cast<std::uint16_t>(behind[i])), column);
        hn::Store(hn::Min(in_byte, hn::Min(left, right)), d, distance + 8 * i + x);
      }
      before = own != 0 ? static_cast<std::uint32_t>(std::countl_zero(own)) + 1 : before + 8;
    }
    const LaneTag<T> dt;
    const hn::Rebind<std::uint16_t, decltype(dt)> from;
    for (std::int64_t x = 0; x < kUnitWidth; x += kLanesOf<T>) {
      if constexpr (sizeof(T) == sizeof(std::uint16_t))
        hn::Store(parts_of(dt, hn::Load(dt, distance + x)), dt, to + x);
      else
        hn::Store(parts_of(dt, hn::PromoteTo(dt, hn::Load(from, distance + x))), dt, to + x);
    }
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
