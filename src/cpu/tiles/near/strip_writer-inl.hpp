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
#include <limits>

#include "core/search/special_values.hpp"
#include "cpu/tiles/near/row-inl.hpp"
#include "cpu/tiles/near/winners-inl.hpp"
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
  alignas(64) std::uint32_t winner[kUnitWidth];  ///< as WindowJob::result
};

class StripWriter {
 public:
  StripWriter(const WindowJob& windows, std::int64_t strip)
      : job_(*windows.job),
        column_(windows.strips.first_column(strip)),
        first_(std::max<std::int64_t>(-column_, 0)),
        end_(std::min(kUnitWidth, job_.extent[2] - column_)),
        leaf_(windows.leaf),
        result_(windows.result),
        code_bits_(windows.code_bits),
        failed_(windows.failed) {
    // Rows are put together first, and streamed from there.
    job_.stream_distance = false;
    job_.general_writer = out_.general_writer;
    if (out_.general_writer == nullptr) job_.write_general = nullptr;
  }

  /// Writes a row, but for the vectors `failed`; leaves that these are in stay open.
  template <class T>
  HWY_NOINLINE void write(std::int64_t z, std::int64_t y, const StripRow<T>& row,
                          std::uint32_t failed) {
    if (HWY_UNLIKELY(!job_.is_written(z, y))) return;
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
  void leave_rows_open(std::int64_t y, std::int64_t count) const {
    for (std::int64_t i = 0; i < count; i += leaf_[1]) leave_open(0, y + i);
    leave_open(0, y + count - 1);
  }

  /// Leaves the leaves of a row open.
  void leave_open(std::int64_t z, std::int64_t y) const { leave_open(z, y, first_, end_); }

 private:
  /// Some cells of a row of the strip, and S of all its columns.
  template <class S>
  struct Piece {
    std::int64_t z = 0;
    std::int64_t y = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    alignas(64) S s[kUnitWidth];
  };

  /// Strips share leaves, and so do threads.
  void leave_open(std::int64_t z, std::int64_t y, std::int64_t begin, std::int64_t end) const {
    std::uint8_t* const row = failed_ + job_.leaf_index(z / leaf_[0], y / leaf_[1], 0);
    for (std::int64_t leaf = (column_ + begin) / leaf_[2]; leaf <= (column_ + end - 1) / leaf_[2];
         ++leaf)
      std::atomic_ref(row[leaf]).store(1, std::memory_order_relaxed);
  }

  template <class T>
  HWY_INLINE void write_cells(std::int64_t z, std::int64_t y, const StripRow<T>& row,
                              std::int64_t begin, std::int64_t end) {
    Piece<std::conditional_t<sizeof(T) < sizeof(std::int64_t), std::int32_t, std::int64_t>> at;
    at.z = z;
    at.y = y;
    at.begin = begin;
    at.end = end;
    if (wants_exact_) {
      widen(row.exact, at.s);
      if (job_.special) mark_special(at);
    }
    if (job_.out_distance) write_floats(at);
    if (out_.distance) write_wide_distances(at);
    if (out_.squared) write_squared(at);
    if (result_ == WindowResult::label) return write_labels(at, row.winner);
    if (job_.out_labels) write_labels_of_sites(at, row);
    if (out_.site_index || job_.write_general != nullptr) write_sites(at, row);
  }

  HWY_INLINE static void widen(const std::int64_t* exact, std::int64_t* s) { copy_row(exact, s); }
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
  template <class S>
  void mark_special(Piece<S>& at) const {
    for (std::int64_t x = at.begin; x < at.end; ++x)
      if (at.s[x] > job_.limit) at.s[x] = kUnreached;
    if (!job_.nodata) return;
    const std::uint64_t* const row = job_.nodata.own_row(at.z, at.y);
    for (std::int64_t x = at.begin; x < at.end; ++x) {
      const std::int64_t column = column_ + x;
      if ((row[column / 64] >> (column % 64) & 1) != 0) at.s[x] = kNodata;
    }
  }

  /// Writes the cells of a row to an output.
  template <class S, class Cell>
  HWY_INLINE void put(const Piece<S>& at, const Cell* row, bool is_large,
                      const Cells<std::byte>& out) const {
    copy_out(row + at.begin, at.end - at.begin, is_large, out.at(at.z, at.y, column_ + at.begin));
  }

  template <class S>
  HWY_INLINE void write_floats(const Piece<S>& at) const {
    alignas(64) float distance[kUnitWidth];
    find_distances(at, distance);
    put(at, distance, job_.large_distance, job_.out_distance);
  }

  HWY_INLINE void find_distances(const Piece<std::int32_t>& at, float* distance) const {
    for (std::int64_t x = 0; x < kUnitWidth; x += kLeafWidth)
      write_distances(job_, at.s + x, distance + x);
  }
  HWY_INLINE void find_distances(const Piece<std::int64_t>& at, float* distance) const {
    alignas(64) double wide[kUnitWidth];
    find_distances(at, wide);
    std::copy_n(wide, kUnitWidth, distance);
  }
  template <class S>
  HWY_INLINE void find_distances(const Piece<S>& at, double* distance) const {
    const hn::CappedTag<double, 8> d;
    const hn::Rebind<S, decltype(d)> from;
    for (std::int64_t x = 0; x < kUnitWidth; x += static_cast<std::int64_t>(hn::MaxLanes(d))) {
      auto exact = hn::Zero(d);
      if constexpr (sizeof(S) < sizeof(double))
        exact = hn::PromoteTo(d, hn::Load(from, at.s + x));
      else
        exact = hn::ConvertTo(d, hn::Load(from, at.s + x));
      const auto length = job_.is_root() ? hn::Sqrt(exact) : exact;
      hn::Store(cpu::HWY_NAMESPACE::in_units(d, length, job_.weights->unit), d, distance + x);
    }
    if (!job_.special) return;
    for (std::int64_t x = at.begin; x < at.end; ++x)
      if (at.s[x] < 0) distance[x] = at.s[x] == kUnreached ? kUnreachedDistance : kNodataDistance;
  }

  template <class S>
  HWY_INLINE void write_wide_distances(const Piece<S>& at) const {
    if (!out_.is_inside) {
      alignas(64) double distance[kUnitWidth];
      find_distances(at, distance);
      put(at, distance, out_.are_large, out_.distance);
    } else if (out_.distance.element == sizeof(double)) {
      write_inside<double>(at);
    } else {
      write_inside<float>(at);
    }
  }

  template <class Cell, class S>
  HWY_INLINE void write_inside(const Piece<S>& at) const {
    if (std::all_of(at.s + at.begin, at.s + at.end, [](S s) { return s == 0; })) return;
    alignas(64) Cell distance[kUnitWidth];
    find_distances(at, distance);
    auto* const row = reinterpret_cast<Cell*>(out_.distance.at(at.z, at.y, column_ + at.begin));
    for (std::int64_t x = at.begin; x < at.end; ++x) {
      Cell& cell = row[x - at.begin];
      cell = at.s[x] == 0 ? cell : -distance[x];
    }
  }

  template <class S>
  HWY_INLINE void write_squared(const Piece<S>& at) const {
    alignas(64) std::int64_t squared[kUnitWidth];
    std::copy_n(at.s, kUnitWidth, squared);
    put(at, squared, out_.are_large, out_.squared);
  }

  std::uint64_t special_label(std::int64_t s) const {
    return s == kUnreached ? job_.unreached_label : job_.nodata_label;
  }

  /// Writes labels of at most 4 bytes.
  template <class S>
  HWY_INLINE void write_labels(const Piece<S>& at, const std::uint32_t* label) const {
    switch (job_.out_labels.element) {
      case 1:
        return narrow_labels<std::uint8_t>(at, label);
      case 2:
        return narrow_labels<std::uint16_t>(at, label);
      default:
        return narrow_labels<std::uint32_t>(at, label);
    }
  }

  template <class Label, class S>
  HWY_INLINE void narrow_labels(const Piece<S>& at, const std::uint32_t* label) const {
    alignas(64) Label labels[kUnitWidth];
    for (std::int64_t x = 0; x < kUnitWidth; ++x) labels[x] = static_cast<Label>(label[x]);
    put_labels(at, labels);
  }

  template <class Label, class S>
  HWY_INLINE void put_labels(const Piece<S>& at, Label* labels) const {
    if (job_.special)
      for (std::int64_t x = at.begin; x < at.end; ++x)
        if (at.s[x] < 0) labels[x] = static_cast<Label>(special_label(at.s[x]));
    put(at, labels, job_.large_labels, job_.out_labels);
  }

  /// Copies a row. If the output is larger than the caches, whole lines go past them.
  template <class Cell>
  HWY_INLINE static void copy_out(const Cell* from, std::int64_t count, bool is_large,
                                  std::byte* out) {
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

  /// Writes labels of any size, from the places of the winners.
  template <class S, class T>
  void write_labels_of_sites(const Piece<S>& at, const StripRow<T>& row) const {
    switch (job_.out_labels.element) {
      case 1:
        return look_up_labels<std::uint8_t>(at, row);
      case 2:
        return look_up_labels<std::uint16_t>(at, row);
      case 4:
        return look_up_labels<std::uint32_t>(at, row);
      default:
        return look_up_labels<std::uint64_t>(at, row);
    }
  }

  template <class Label, class S, class T>
  HWY_INLINE void look_up_labels(const Piece<S>& at, const StripRow<T>& row) const {
    alignas(64) std::int64_t to_site[kUnitWidth];
    alignas(64) Label labels[kUnitWidth];
    find_steps(row, job_.labels.stride, to_site);
    const std::byte* own = job_.labels.at(at.z, at.y, column_ + at.begin);
    for (std::int64_t x = at.begin; x < at.end; ++x, own += job_.labels.stride[2])
      std::memcpy(labels + x, own + (at.s[x] < 0 ? 0 : to_site[x]), sizeof(Label));
    put_labels(at, labels);
  }

  /// Writes the site indices, and what is left.
  template <class S, class T>
  void write_sites(const Piece<S>& at, const StripRow<T>& row) const {
    alignas(64) std::int64_t site[kUnitWidth];
    const std::int64_t width = job_.extent[2];
    find_steps(row, {width * job_.extent[1], width, 1}, site);
    const std::int64_t first = to_index(job_.extent, {at.z, at.y, column_});
    for (std::int64_t x = 0; x < kUnitWidth; ++x)
      site[x] = at.s[x] < 0 ? at.s[x] : first + x + site[x];
    if (out_.site_index) put(at, site, out_.are_large, out_.site_index);
    if (job_.write_general == nullptr) return;
    Winners<std::int64_t> winners;
    std::copy(site + at.begin, site + at.end, winners.site.begin());
    std::copy(at.s + at.begin, at.s + at.end, winners.exact.begin());
    job_.write_general(job_.general_writer, {at.z, at.y, column_ + at.begin, at.end - at.begin},
                       winners);
  }

  /// The sum of the steps from each cell to its winner, where one along each axis adds its stride.
  /// If no output asks for winners, the cells themselves count as such.
  template <class T>
  HWY_INLINE void find_steps(const StripRow<T>& row, const Axes& stride, std::int64_t* to) const {
    if (!tells_sites(result_)) return fill_row(to, std::int64_t{0});
    const hn::CappedTag<std::int64_t, 8> d;
    const hn::Rebind<std::int32_t, decltype(d)> words;
    const hn::Rebind<std::make_signed_t<T>, decltype(d)> lanes;
    for (std::int64_t x = 0; x < kUnitWidth; x += static_cast<std::int64_t>(hn::MaxLanes(d))) {
      const auto code = hn::LoadU(words, reinterpret_cast<const std::int32_t*>(row.winner) + x);
      const auto rows = hn::PromoteTo(d, rows_of(words, code, code_bits_));
      const auto columns = hn::PromoteTo(d, columns_of(words, code, code_bits_));
      auto step =
          hn::Add(hn::Mul(rows, hn::Set(d, stride[1])), hn::Mul(columns, hn::Set(d, stride[2])));
      if (row.planes != nullptr) {
        const auto* const planes = reinterpret_cast<const std::make_signed_t<T>*>(row.planes) + x;
        auto down = hn::Zero(d);
        if constexpr (sizeof(T) == sizeof(std::int64_t))
          down = hn::LoadU(d, planes);
        else if constexpr (sizeof(T) == sizeof(std::int32_t))
          down = hn::PromoteTo(d, hn::LoadU(words, planes));
        else
          down = hn::PromoteTo(d, hn::PromoteTo(words, hn::LoadU(lanes, planes)));
        step = hn::Add(step, hn::Mul(down, hn::Set(d, stride[0])));
      }
      hn::Store(step, d, to + x);
    }
  }

  Job job_;
  std::int64_t column_;  ///< the first of the strip
  std::int64_t first_;   ///< of the strip's columns, the first that lies in the raster
  std::int64_t end_;     ///< and the one behind the last
  Axes leaf_;            ///< size of a leaf
  WindowResult result_;
  int code_bits_;
  std::uint8_t* failed_;
  const WindowOutputs& out_ = job_.window_out;
  bool wants_exact_ =
      job_.wants_exact() || out_.distance || out_.squared || result_ == WindowResult::place;
};

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
