// SPDX-License-Identifier: Apache-2.0
//
// What is summed of the rasters beside the labels, for the labels that one worker has seen.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/statistics/slot_sums.hpp"
#include "cpu/statistics/fixed_point.hpp"
#include "cpu/statistics/row_runs.hpp"

namespace thiessen::cpu::statistics {

/// The sum of a field over the cells of each label, and of its products with their coordinates.
template <int kRank>
class MassSums {
 public:
  using Cell = std::array<std::int64_t, kRank>;

  MassSums(const View<const void>& field, const FixedPoint& fixed)
      : fixed_(fixed), reader_(field), sums_(fixed.words) {}

  void resize(std::size_t slots) { sums_.resize(slots); }
  void begin_row(std::int64_t z, std::int64_t y) { row_ = reader_.read(z, y); }

  /// Adds the `length` cells (up to kPiece) of a run of one label from `cell` on. Returns the x of
  /// the first that is NaN or infinite, or -1.
  std::int64_t add_run(std::uint32_t slot, const Cell& cell, std::int64_t length) {
    return visit_element_type(reader_.element_type(), [&]<class T>(std::type_identity<T>) {
      const std::int64_t x = cell[kRank - 1];
      const T* const cells = reinterpret_cast<const T*>(row_) + x;
      if (fixed_.special)
        for (std::int64_t i = 0; i < length; ++i)
          if (is_special(cells[i])) return x + i;
      if constexpr (std::is_floating_point_v<T>)
        if (fixed_.width == Width::wide) {
          add_cells(slot, cell, cells, length);
          return std::int64_t{-1};
        }
      const int bits =
          fixed_.bits + 2 * static_cast<int>(std::bit_width(static_cast<std::uint64_t>(length)));
      if (fixed_.width == Width::narrow && bits <= 63)
        add_narrow(slot, cell, cells, length);
      else
        add_fixed(slot, cell, cells, length);
      return std::int64_t{-1};
    });
  }

  void add(std::uint32_t slot, const MassSums& other, std::uint32_t other_slot) {
    sums_.add(slot, other.sums_, other_slot);
  }

  /// The sum of the field for i = 0, of its products with the coordinates of axis i - 1 for others.
  ScaledNumber sum(std::uint32_t slot, int i) const {
    return sums_.rounded(slot, i, fixed_.lowest);
  }

 private:
  /// 64 bits hold the sums of a run.
  template <class T>
  void add_narrow(std::uint32_t slot, const Cell& cell, const T* cells, std::int64_t length) {
    std::int64_t sum = 0;
    std::int64_t along = 0;
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int64_t value = to_narrow(cells[i], fixed_);
      sum += value;
      along += value * i;
    }
    add_sums(slot, cell, sum, along + Int128{sum} * cell[kRank - 1], 0);
  }

  template <class T>
  void add_fixed(std::uint32_t slot, const Cell& cell, const T* cells, std::int64_t length) {
    Int128 sum = 0;
    Int128 along = 0;
    for (std::int64_t i = 0; i < length; ++i) {
      const Int128 value = to_fixed(cells[i], fixed_);
      sum += value;
      along += value * i;
    }
    add_sums(slot, cell, sum, along + sum * cell[kRank - 1], 0);
  }

  template <class T>
  void add_cells(std::uint32_t slot, const Cell& cell, const T* cells, std::int64_t length) {
    for (std::int64_t i = 0; i < length; ++i) {
      const BinaryParts parts = parts_of(cells[i]);
      if (parts.mantissa == 0) continue;  // its exponent may be below the lowest
      add_sums(slot, cell, parts.mantissa, Int128{parts.mantissa} * (cell[kRank - 1] + i),
               parts.exponent - fixed_.lowest);
    }
  }

  void add_sums(std::uint32_t slot, const Cell& cell, Int128 sum, Int128 along, int shift) {
    sums_.add(slot, 0, sum, shift);
    for (int axis = 0; axis < kRank - 1; ++axis)
      sums_.add(slot, 1 + axis, sum * cell[static_cast<std::size_t>(axis)], shift);
    sums_.add(slot, kRank, along, shift);
  }

  FixedPoint fixed_;
  RowReader reader_;
  const std::byte* row_ = nullptr;
  SlotSums<1 + kRank> sums_;
};

/// The greatest distance in the cells of each label, and the sum of all. NaN does not count.
class DistanceSums {
 public:
  DistanceSums(const View<const void>& distance, const FixedPoint& fixed)
      : fixed_(fixed), reader_(distance), sums_(fixed.words) {}

  void resize(std::size_t slots) {
    sums_.resize(slots);
    counts_.resize(slots);
  }
  void begin_row(std::int64_t z, std::int64_t y) { row_ = reader_.read(z, y); }

  void add_run(std::uint32_t slot, std::int64_t x, std::int64_t length) {
    if (reader_.element_type() == ElementType::f32)
      add_cells(slot, reinterpret_cast<const float*>(row_) + x, length);
    else
      add_cells(slot, reinterpret_cast<const double*>(row_) + x, length);
  }

  void add(std::uint32_t slot, const DistanceSums& other, std::uint32_t other_slot) {
    sums_.add(slot, other.sums_, other_slot);
    counts_[slot].add(other.counts_[other_slot]);
  }

  const DistanceCounts& counts(std::uint32_t slot) const { return counts_[slot]; }
  /// The sum of the finite distances.
  ScaledNumber sum(std::uint32_t slot) const { return sums_.rounded(slot, 0, fixed_.lowest); }

 private:
  template <class T>
  void add_cells(std::uint32_t slot, const T* cells, std::int64_t length) {
    const FixedPoint fixed = fixed_;  // a copy, which stays in registers
    const bool fits = fixed.width == Width::narrow && fixed.bits <= 50;  // with 12 of a piece
    if (fits && (!fixed.special || std::none_of(cells, cells + length, is_special<T>)))
      return add_plain(slot, cells, length, fixed);
    DistanceCounts run;
    Int128 sum = 0;
    for (std::int64_t i = 0; i < length; ++i) {
      const T value = cells[i] + T{0};  // never -0, so that the greatest does not depend on order
      if (value != value) continue;
      ++run.known;
      run.greatest = std::max(run.greatest, static_cast<double>(value));
      if (is_special(value))
        ++(value > 0 ? run.infinite : run.minus_infinite);
      else if (fixed.width != Width::wide)
        sum += to_fixed(value, fixed);
      else
        add_wide(slot, parts_of(value));
    }
    sums_.add(slot, 0, sum);
    counts_[slot].add(run);
  }

  /// Adds a run without special values, whose sum 64 bits hold.
  template <class T>
  void add_plain(std::uint32_t slot, const T* cells, std::int64_t length, const FixedPoint& fixed) {
    T greatest = cells[0];
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < length; ++i) {
      greatest = std::max(greatest, cells[i]);
      sum += to_narrow(cells[i], fixed);
    }
    sums_.add(slot, 0, sum);
    counts_[slot].add({.greatest = static_cast<double>(greatest + T{0}),
                       .known = length,
                       .infinite = 0,
                       .minus_infinite = 0});
  }

  void add_wide(std::uint32_t slot, const BinaryParts& parts) {
    if (parts.mantissa != 0) sums_.add(slot, 0, parts.mantissa, parts.exponent - fixed_.lowest);
  }

  FixedPoint fixed_;
  RowReader reader_;
  const std::byte* row_ = nullptr;
  SlotSums<1> sums_;
  std::vector<DistanceCounts> counts_;
};

}  // namespace thiessen::cpu::statistics
