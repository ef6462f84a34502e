// SPDX-License-Identifier: Apache-2.0
//
// From the codes of windows to the winners, for the 64 columns of a strip.
//
// The code of a cell is 2^bits times the rows down to its winner, plus the columns to the right,
// each with a sign. In 3-D, each plane has the codes of its own winners, and for the winner of all
// planes a second code counts the planes down to it.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_NEAR_WINNERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_NEAR_WINNERS_INL
#undef THIESSEN_CPU_TILES_NEAR_WINNERS_INL
#else
#define THIESSEN_CPU_TILES_NEAR_WINNERS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "cpu/tiles/near/row-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// Codes of winners, taken apart: rows down, and columns to the right.
template <class D>
HWY_INLINE hn::Vec<D> rows_of(D d, hn::Vec<D> code, int bits) {
  const auto half = hn::Set(d, hn::TFromD<D>{1} << (bits - 1));
  return hn::ShiftRightSame(hn::Add(code, half), bits);
}
template <class D>
HWY_INLINE hn::Vec<D> columns_of(D d, hn::Vec<D> code, int bits) {
  const auto half = hn::Set(d, hn::TFromD<D>{1} << (bits - 1));
  const auto mask = hn::Set(d, (hn::TFromD<D>{1} << bits) - 1);
  return hn::Sub(hn::And(hn::Add(code, half), mask), half);
}

/// Finds what WindowJob::result of the winners of a strip. A winner is a word: its label, or its
/// code in its plane.
template <class T>
class WinnerFinder {
 public:
  WinnerFinder(const WindowJob& windows, std::int64_t strip)
      : labels_(windows.job->labels),
        result_(windows.result),
        column_(windows.strips.first_column(strip)),
        first_(std::max<std::int64_t>(-column_, 0)),
        end_(std::min(kUnitWidth, windows.job->extent[2] - column_)),
        gathers_(can_gather()) {}

  /// The winners of row (z, y) within its plane, but for the vectors `failed`, which have no codes.
  HWY_INLINE void find_in_plane(std::int64_t z, std::int64_t y, const T* code, std::uint32_t failed,
                                std::uint32_t* winner) const {
    if (result_ == WindowResult::place)
      widen(code, winner);
    else if (gathers_)
      gather_labels(z, y, code, failed, winner);
    else if (labels_.element == 1)
      look_up_labels<std::uint8_t>(z, y, code, failed, winner);
    else if (labels_.element == 2)
      look_up_labels<std::uint16_t>(z, y, code, failed, winner);
    else
      look_up_labels<std::uint32_t>(z, y, code, failed, winner);
  }

  /// The same if the codes are what is wanted, and none has failed.
  HWY_INLINE void widen(const T* code, std::uint32_t* to) const {
    for (std::int64_t x = 0; x < kUnitWidth; x += kWords)
      hn::Store(hn::BitCast(d_, promote(code + x)), d_, to + x);
  }

  /// The winners of row z of all planes, but for the vectors `failed`. `winners`: those of the row
  /// in plane 0.
  HWY_INLINE void find_across_planes(const std::uint32_t* winners, std::int64_t plane_size,
                                     std::int64_t z, const T* planes, std::uint32_t failed,
                                     std::uint32_t* winner) const {
    const std::uint32_t* const own = winners + z * plane_size;
    const auto size = hn::Set(di_, static_cast<std::int32_t>(plane_size));
    for (std::int64_t x = 0; x < kUnitWidth; x += kWords) {
      if (has_failed(failed, x)) continue;
      const auto down = promote(planes + x);
      if (hn::AllTrue(di_, hn::Eq(down, hn::Zero(di_))))
        hn::Store(hn::Load(d_, own + x), d_, winner + x);
      else
        hn::Store(hn::GatherIndex(d_, own, hn::Add(hn::Mul(down, size), columns_from(x))), d_,
                  winner + x);
    }
  }

  /// Asks for the labels of row (z, y).
  HWY_INLINE void fetch(std::int64_t z, std::int64_t y) const {
    constexpr std::int64_t kLine = 64;
    if (!gathers_) return;
    const std::byte* const row = labels_.at(z, y, column_ + first_);
    for (std::int64_t i = 0; i <= (end_ - first_) * kLabel; i += kLine) __builtin_prefetch(row + i);
  }

 private:
  using D = hn::CappedTag<std::uint32_t, 16>;
  using DI = hn::RebindToSigned<D>;
  static constexpr auto kWords = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static constexpr std::int64_t kLabel = sizeof(std::uint32_t);

  /// Whether vectors can take labels from all rows in reach.
  bool can_gather() const {
    constexpr std::int64_t kMostStride = (std::int64_t{1} << 30) / (kMostReach + 1);
    const auto address = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(labels_.bytes));
    const bool is_aligned = (address | labels_.stride[0] | labels_.stride[1]) % kLabel == 0;
    const bool is_near = std::abs(labels_.stride[1]) <= kMostStride;
    return result_ == WindowResult::label && labels_.element == kLabel && labels_.contiguous() &&
           is_aligned && is_near;
  }

  /// Whether column x lies in a vector of lanes that failed.
  HWY_INLINE static bool has_failed(std::uint32_t failed, std::int64_t x) {
    return (failed >> x / kLanesOf<T> & 1) != 0;
  }

  /// kWords lanes as words, which hold the values of lanes of 64 bits, too.
  HWY_INLINE hn::Vec<DI> promote(const T* from) const {
    if constexpr (sizeof(T) > sizeof(std::int32_t)) {
      alignas(64) std::int32_t words[kWords];
      for (std::int64_t x = 0; x < kWords; ++x) words[x] = static_cast<std::int32_t>(from[x]);
      return hn::Load(di_, words);
    } else {
      return promote_narrow(from);
    }
  }

  HWY_INLINE hn::Vec<DI> promote_narrow(const T* from) const {
    using Signed = std::make_signed_t<T>;
    const hn::Rebind<Signed, DI> narrow;
    const auto v = hn::LoadU(narrow, reinterpret_cast<const Signed*>(from));
    if constexpr (sizeof(T) == sizeof(std::int32_t))
      return v;
    else
      return hn::PromoteTo(di_, v);
  }

  HWY_INLINE hn::Vec<DI> columns_from(std::int64_t x) const {
    return hn::Iota(di_, static_cast<std::int32_t>(x));
  }

  HWY_INLINE void gather_labels(std::int64_t z, std::int64_t y, const T* code, std::uint32_t failed,
                                std::uint32_t* to) const {
    // Columns count from the strip's first one in the raster.
    const auto* const own =
        reinterpret_cast<const std::uint32_t*>(labels_.at(z, y, column_ + first_));
    const auto first = hn::Set(di_, static_cast<std::int32_t>(first_));
    const auto stride = hn::Set(di_, static_cast<std::int32_t>(labels_.stride[1]));
    const bool is_whole = end_ - first_ == kUnitWidth;
    for (std::int64_t x = 0; x < kUnitWidth; x += kWords) {
      if (has_failed(failed, x)) continue;
      const auto v = promote(code + x);
      if (is_whole && hn::AllTrue(di_, hn::Eq(v, hn::Zero(di_)))) {
        hn::Store(hn::LoadU(d_, own + x), d_, to + x);
        continue;
      }
      auto columns = hn::Add(hn::Sub(columns_from(x), first), columns_of(di_, v, kWindowCodeBits));
      // In columns outside of the raster, any label serves. Sites may lie outside of the strip.
      if (x < first_ || x + kWords > end_)
        columns = hn::IfThenElse(is_inside(x), columns, hn::Zero(di_));
      const auto bytes =
          hn::Add(hn::Mul(rows_of(di_, v, kWindowCodeBits), stride), hn::ShiftLeft<2>(columns));
      hn::Store(hn::GatherOffset(d_, own, bytes), d_, to + x);
    }
  }

  HWY_INLINE hn::Mask<DI> is_inside(std::int64_t x) const {
    const auto column = columns_from(x);
    return hn::And(hn::Gt(column, hn::Set(di_, static_cast<std::int32_t>(first_ - 1))),
                   hn::Lt(column, hn::Set(di_, static_cast<std::int32_t>(end_))));
  }

  template <class Label>
  HWY_INLINE void look_up_labels(std::int64_t z, std::int64_t y, const T* code,
                                 std::uint32_t failed, std::uint32_t* to) const {
    alignas(64) std::int32_t rows[kWords];
    alignas(64) std::int32_t columns[kWords];
    const std::byte* const own = labels_.at(z, y, column_);
    for (std::int64_t first = 0; first < kUnitWidth; first += kWords) {
      if (has_failed(failed, first)) continue;
      const auto v = promote(code + first);
      hn::Store(rows_of(di_, v, kWindowCodeBits), di_, rows);
      hn::Store(hn::Add(columns_of(di_, v, kWindowCodeBits), columns_from(first)), di_, columns);
      const std::int64_t end = std::min(first + kWords, end_);
      for (std::int64_t x = std::max(first, first_); x < end; ++x) {
        Label label;
        std::memcpy(
            &label,
            own + rows[x - first] * labels_.stride[1] + columns[x - first] * labels_.stride[2],
            sizeof label);
        to[x] = label;
      }
    }
  }

  static constexpr D d_{};
  static constexpr DI di_{};
  Cells<const std::byte> labels_;
  WindowResult result_;
  std::int64_t column_;  ///< the first of the strip
  std::int64_t first_;   ///< of the strip's columns, the first that lies in the raster
  std::int64_t end_;     ///< and the one behind the last
  bool gathers_;
};

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
