// SPDX-License-Identifier: Apache-2.0
//
// Writes the rows of a strip from S.

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

class StripWriter {
 public:
  StripWriter(const WindowJob& windows, std::int64_t strip)
      : job_(*windows.job),
        column_(windows.strips.first_column(strip)),
        first_(std::max<std::int64_t>(-column_, 0)),
        end_(std::min(kUnitWidth, job_.extent[2] - column_)),
        leaf_(windows.leaf) {
    // Rows are put together first, and streamed from there.
    job_.stream_distance = false;
  }

  /// Writes a row of 64 S, but for the vectors `failed`; leaves that these are in stay open.
  template <class T>
  HWY_INLINE void write(std::int64_t z, std::int64_t y, const T* exact, std::uint32_t failed) {
    if (HWY_LIKELY(failed == 0)) return write_cells(z, y, exact, first_, end_);
    constexpr std::int64_t kLanes = kLanesOf<T>;
    for (std::int64_t x = 0; x < kUnitWidth; x += kLanes) {
      const std::int64_t begin = std::max(x, first_);
      const std::int64_t end = std::min(x + kLanes, end_);
      if (begin >= end) continue;
      if ((failed >> x / kLanes & 1) != 0)
        leave_open(z, y, begin, end);
      else
        write_cells(z, y, exact, begin, end);
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
    SolvedBy* const row = job_.solved + job_.leaf_index(z / leaf_[0], y / leaf_[1], 0);
    for (std::int64_t leaf = (column_ + begin) / leaf_[2]; leaf <= (column_ + end - 1) / leaf_[2];
         ++leaf)
      std::atomic_ref(row[leaf]).store(SolvedBy::none, std::memory_order_relaxed);
  }

  template <class T>
  HWY_INLINE void write_cells(std::int64_t z, std::int64_t y, const T* exact, std::int64_t begin,
                              std::int64_t end) {
    alignas(64) std::int32_t s[kUnitWidth];
    const hn::CappedTag<std::int32_t, 16> d;
    const hn::Rebind<T, decltype(d)> from;
    for (std::int64_t x = 0; x < kUnitWidth; x += static_cast<std::int64_t>(hn::MaxLanes(d))) {
      if constexpr (sizeof(T) == sizeof(std::int32_t))
        hn::Store(hn::BitCast(d, hn::Load(from, exact + x)), d, s + x);
      else
        hn::Store(hn::PromoteTo(d, hn::Load(from, exact + x)), d, s + x);
    }
    if (job_.special) mark_special(z, y, begin, end, s);
    if (job_.out_distance) {
      alignas(64) float row[kUnitWidth];
      for (std::int64_t x = 0; x < kUnitWidth; x += kLeafWidth)
        write_distances(job_, s + x, row + x);
      put(row + begin, end - begin,
          reinterpret_cast<float*>(job_.out_distance.at(z, y, column_ + begin)));
    }
    if (job_.write_rest != nullptr) write_rest(z, y, begin, end, s);
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

  /// Copies a row. If the output is larger than the caches, whole lines go past them.
  HWY_INLINE void put(const float* from, std::int64_t count, float* to) const {
    const auto* bytes = reinterpret_cast<const std::byte*>(from);
    auto* out = reinterpret_cast<std::byte*>(to);
    std::int64_t size = count * std::int64_t{sizeof(float)};
    if (job_.large_distance) {
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

  /// Sites are not known here; outputs of distances need only know whether there is one.
  void write_rest(std::int64_t z, std::int64_t y, std::int64_t begin, std::int64_t end,
                  const std::int32_t* s) const {
    Winners<std::int64_t> winners;
    for (std::int64_t x = begin; x < end; ++x) {
      const auto i = static_cast<std::size_t>(x - begin);
      winners.exact[i] = s[x];
      winners.site[i] = s[x] >= 0 ? 0 : s[x] == -1 ? kUnreached : kNodata;
    }
    job_.write_rest(job_.rest, {z, y, column_ + begin, end - begin}, winners);
  }

  Job job_;
  std::int64_t column_;  ///< the first of the strip
  std::int64_t first_;   ///< of the strip's columns, the first that lies in the raster
  std::int64_t end_;     ///< and the one behind the last
  Axes leaf_;            ///< size of a leaf
};

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
