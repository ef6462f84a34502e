// SPDX-License-Identifier: Apache-2.0
//
// Writes the rows of a strip from S and the winners.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_NEAR_STRIP_WRITER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_NEAR_STRIP_WRITER_INL
#undef THIESSEN_CPU_TILES_NEAR_STRIP_WRITER_INL
#else
#define THIESSEN_CPU_TILES_NEAR_STRIP_WRITER_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "cpu/tiles/near/row-inl.hpp"
#include "cpu/tiles/write/stream-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

/// The results of 64 cells.
template <class T>
struct StripRow {
  const T* exact = nullptr;
  const T* planes = nullptr;                     ///< in 3-D, planes down to each winner, if wanted
  alignas(64) std::uint32_t winner[kUnitWidth];  ///< as WindowJob::finds
};

class StripWriter {
 public:
  StripWriter(const WindowJob& windows, std::int64_t strip)
      : job_(*windows.job),
        column_(windows.strips.first_column(strip)),
        first_(std::max<std::int64_t>(-column_, 0)),
        end_(std::min(kUnitWidth, job_.extent[2] - column_)),
        leaf_(windows.leaf),
        finds_(windows.finds),
        failed_(windows.failed) {
    // Rows are put together first, and streamed from there.
    job_.stream_distance = false;
  }

  /// Writes a row, but for the vectors `failed`; leaves that these are in stay open.
  template <class T>
  HWY_INLINE void write(std::int64_t z, std::int64_t y, StripRow<T>& row, std::uint32_t failed) {
    if (HWY_LIKELY(failed == 0)) return write_cells(z, y, row, first_, end_);
    constexpr std::int64_t kLanes = kLanesOf<T>;
    for (std::int64_t x = 0; x < kUnitWidth; x += kLanes) {
      const std::int64_t begin = std::max(x, first_);
      const std::int64_t end = std::min(x + kLanes, end_);
      if (begin >= end) continue;
      if ((failed >> x / kLanes & 1) != 0)
        leave_open(z, y, begin, end);
      else
        write_cells(z, y, row, begin, end);
    }
  }

  /// Leaves the leaves of some rows of a 2-D raster open.
  void leave_open(std::int64_t y, std::int64_t count) const {
    for (std::int64_t i = 0; i < count; i += leaf_[1]) leave_open(0, y + i, first_, end_);
    leave_open(0, y + count - 1, first_, end_);
  }

 private:
  /// Strips share leaves, and so do threads.
  void leave_open(std::int64_t z, std::int64_t y, std::int64_t begin, std::int64_t end) const {
    std::uint8_t* const row = failed_ + job_.leaf_index(z / leaf_[0], y / leaf_[1], 0);
    for (std::int64_t leaf = (column_ + begin) / leaf_[2]; leaf <= (column_ + end - 1) / leaf_[2];
         ++leaf)
      std::atomic_ref(row[leaf]).store(1, std::memory_order_relaxed);
  }

  template <class T>
  HWY_INLINE void write_cells(std::int64_t z, std::int64_t y, StripRow<T>& row, std::int64_t begin,
                              std::int64_t end) {
    alignas(64) std::int32_t s[kUnitWidth];
    if (job_.wants_exact() || finds_ == Finds::place) {
      widen(row.exact, s);
      if (job_.special) mark_special(z, y, begin, end, s);
    }
    if (job_.out_distance) {
      alignas(64) float distance[kUnitWidth];
      for (std::int64_t x = 0; x < kUnitWidth; x += kLeafWidth)
        write_distances(job_, s + x, distance + x);
      put(distance + begin, end - begin, job_.large_distance,
          job_.out_distance.at(z, y, column_ + begin));
    }
    if (finds_ == Finds::label) return write_labels(z, y, row.winner, begin, end, s);
    if (job_.write_rest == nullptr && !job_.out_labels) return;
    Winners<std::int64_t> winners;
    find_sites(z, y, row, begin, end, s, winners);
    if (job_.write_rest != nullptr)
      job_.write_rest(job_.rest, {z, y, column_ + begin, end - begin}, winners);
  }

  template <class T>
  HWY_INLINE static void widen(const T* exact, std::int32_t* s) {
    const hn::CappedTag<std::int32_t, 16> d;
    const hn::Rebind<T, decltype(d)> from;
    for (std::int64_t x = 0; x < kUnitWidth; x += static_cast<std::int64_t>(hn::MaxLanes(d))) {
      if constexpr (sizeof(T) == sizeof(std::int32_t))
        hn::Store(hn::BitCast(d, hn::Load(from, exact + x)), d, s + x);
      else
        hn::Store(hn::PromoteTo(d, hn::Load(from, exact + x)), d, s + x);
    }
  }

  /// Puts -1 for unreached cells, and -2 for nodata cells.
  void mark_special(std::int64_t z, std::int64_t y, std::int64_t begin, std::int64_t end,
                    std::int32_t* s) const {
    for (std::int64_t x = begin; x < end; ++x)
      if (s[x] > job_.limit) s[x] = -1;
    if (!job_.nodata) return;
    const std::uint64_t* const row = job_.nodata.own_row(z, y);
    for (std::int64_t x = begin; x < end; ++x) {
      const std::int64_t at = column_ + x;
      if ((row[at / 64] >> (at % 64) & 1) != 0) s[x] = -2;
    }
  }

  std::uint64_t special_label(std::int32_t s) const {
    return s == -1 ? job_.unreached_label : job_.nodata_label;
  }

  /// Writes labels of at most 4 bytes.
  HWY_INLINE void write_labels(std::int64_t z, std::int64_t y, std::uint32_t* label,
                               std::int64_t begin, std::int64_t end, const std::int32_t* s) const {
    if (job_.special)
      for (std::int64_t x = begin; x < end; ++x)
        if (s[x] < 0) label[x] = static_cast<std::uint32_t>(special_label(s[x]));
    std::byte* const to = job_.out_labels.at(z, y, column_ + begin);
    switch (job_.out_labels.element) {
      case 1:
        return put_narrow<std::uint8_t>(label, begin, end, to);
      case 2:
        return put_narrow<std::uint16_t>(label, begin, end, to);
      default:
        return put(label + begin, end - begin, job_.large_labels, to);
    }
  }

  template <class Label>
  HWY_INLINE void put_narrow(const std::uint32_t* label, std::int64_t begin, std::int64_t end,
                             std::byte* to) const {
    alignas(64) Label narrow[kUnitWidth];
    for (std::int64_t x = 0; x < kUnitWidth; ++x) narrow[x] = static_cast<Label>(label[x]);
    put(narrow + begin, end - begin, job_.large_labels, to);
  }

  /// Copies a row. If the output is larger than the caches, whole lines go past them.
  template <class Cell>
  HWY_INLINE static void put(const Cell* from, std::int64_t count, bool is_large, std::byte* out) {
    const auto* bytes = reinterpret_cast<const std::byte*>(from);
    std::int64_t size = count * std::int64_t{sizeof(Cell)};
    if (is_large) {
      const std::int64_t first = std::min(size, (kLine - bytes_of_cut_line(out)) % kLine);
      if (first > 0) std::memcpy(out, bytes, static_cast<std::size_t>(first));
      std::int64_t at = first;
      for (; at + kLine <= size; at += kLine)
        for (std::int64_t i = 0; i < kLine; i += kBytes) stream(load(bytes + at + i), out + at + i);
      bytes += at;
      out += at;
      size -= at;
    }
    if (size > 0) std::memcpy(out, bytes, static_cast<std::size_t>(size));
  }

  /// Finds the sites of cells, and writes their labels if these are wanted.
  template <class T>
  void find_sites(std::int64_t z, std::int64_t y, const StripRow<T>& row, std::int64_t begin,
                  std::int64_t end, const std::int32_t* s, Winners<std::int64_t>& winners) const {
    for (std::int64_t x = begin; x < end; ++x) {
      const auto i = static_cast<std::size_t>(x - begin);
      winners.exact[i] = s[x];
      winners.site[i] = s[x] == -1 ? kUnreached : kNodata;
      std::uint64_t label = special_label(s[x]);
      if (s[x] >= 0) {
        const Axes site = site_of(z, y, row, x);
        winners.site[i] = to_index(job_.extent, site);
        if (job_.out_labels) label = load_label(job_, job_.labels.at(site[0], site[1], site[2]));
      }
      if (job_.out_labels)
        std::memcpy(job_.out_labels.at(z, y, column_ + x), &label,
                    static_cast<std::size_t>(job_.out_labels.element));
    }
  }

  /// The winner of column x. If no output asks for it, the cell itself.
  template <class T>
  Axes site_of(std::int64_t z, std::int64_t y, const StripRow<T>& row, std::int64_t x) const {
    if (!tells_sites(finds_)) return {z, y, column_ + x};
    const InPlane to_winner(static_cast<std::int32_t>(row.winner[x]));
    const std::int64_t planes =
        row.planes == nullptr ? 0 : static_cast<std::make_signed_t<T>>(row.planes[x]);
    return {z + planes, y + to_winner.rows, column_ + x + to_winner.columns};
  }

  Job job_;
  std::int64_t column_;  ///< the first of the strip
  std::int64_t first_;   ///< of the strip's columns, the first that lies in the raster
  std::int64_t end_;     ///< and the one behind the last
  Axes leaf_;            ///< size of a leaf
  Finds finds_;
  std::uint8_t* failed_;
};

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
