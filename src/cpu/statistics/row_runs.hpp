// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/base/cells.hpp"
#include "core/statistics/label_slots.hpp"
#include "core/statistics/problem.hpp"
#include "cpu/statistics/runs.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::cpu::statistics {

/// Rows as contiguous elements, whatever the strides.
class RowReader {
 public:
  explicit RowReader(const View<const void>& cells) : cells_(cells) {}

  ElementType element_type() const { return cells_.element_type(); }

  /// A row, in place if possible; else in memory of the reader, until the next call. Booleans are
  /// 0 and 1.
  const std::byte* read(std::int64_t z, std::int64_t y) {
    const std::byte* const source = address_of(cells_, {z, y, 0});
    const auto element = static_cast<std::int64_t>(size_of(element_type()));
    const bool boolean = element_type() == ElementType::boolean;
    if (cells_.stride(2) == element && !boolean) return source;
    const std::int64_t width = cells_.extent(2);
    row_.resize(static_cast<std::size_t>((width * element + 7) / 8));
    auto* const row = reinterpret_cast<std::byte*>(row_.data());
    for (std::int64_t x = 0; x < width; ++x) {
      const std::byte* const cell = source + x * cells_.stride(2);
      if (boolean)
        row[x] = std::byte{*cell != std::byte{0}};
      else
        std::memcpy(row + x * element, cell, static_cast<std::size_t>(element));
    }
    return row;
  }

 private:
  View<const void> cells_;
  std::vector<std::uint64_t> row_;
};

/// A piece of a row as runs of cells with equal bits. Behind the last run come two that begin at
/// the end of the piece; what lies there is left out.
struct Runs {
  std::int64_t count = 0;
  std::vector<std::uint32_t> begins;
  std::vector<std::uint32_t> slots;

  std::int64_t begin(std::int64_t i) const { return begins[static_cast<std::size_t>(i)]; }
  std::uint32_t slot(std::int64_t i) const { return slots[static_cast<std::size_t>(i)]; }
};

/// Finds the runs of rows.
class RunFinder {
 public:
  RunFinder(const LabelRaster& raster, std::int64_t targets)
      : reader_(raster.labels),
        element_(static_cast<std::int64_t>(size_of(raster.labels.element_type()))),
        find_(find_runs_kernel(targets, size_of(raster.labels.element_type()))) {}

  void begin_row(std::int64_t z, std::int64_t y) { row_ = reader_.read(z, y); }

  /// Asks for the memory of a cell that will be read after other work is done: else memory would be
  /// idle in the meantime. The cell may lie behind the row.
  void fetch(std::int64_t x) const {
    constexpr std::int64_t kLine = 64;
    const std::byte* const cell = row_ + x * element_;
    __builtin_prefetch(cell);
    __builtin_prefetch(cell + kLine);
  }

  /// The runs of the cells begin..end-1 of the row.
  void find(std::int64_t begin, std::int64_t end, LabelSlots& labels, Runs& runs) {
    runs.begins.resize(
        std::max(runs.begins.size(), static_cast<std::size_t>(end - begin + kPlaceSlack + 2)));
    runs.begins[0] = static_cast<std::uint32_t>(begin);
    runs.count = 1 + find_(row_, begin + 1, end, runs.begins.data() + 1);
    const auto last = static_cast<std::size_t>(runs.count);
    runs.begins[last] = runs.begins[last + 1] = static_cast<std::uint32_t>(end);
    runs.slots.resize(std::max(runs.slots.size(), last + 1));
    runs.slots[last] = kLeftOut;
    visit_element_type(reader_.element_type(), [&]<class T>(std::type_identity<T>) {
      const T* const row = reinterpret_cast<const T*>(row_);
      for (std::int64_t i = 0; i < runs.count; ++i)
        runs.slots[static_cast<std::size_t>(i)] = slot_of(row[runs.begin(i)], labels);
    });
  }

 private:
  template <class T>
  static std::uint32_t slot_of(T label, LabelSlots& labels) {
    if constexpr (std::is_floating_point_v<T>)
      if (label != label) return kLeftOut;
    return labels.slot_of(label_key(label));
  }

  RowReader reader_;
  std::int64_t element_;
  FindRuns find_;
  const std::byte* row_ = nullptr;
};

}  // namespace thiessen::cpu::statistics
