// SPDX-License-Identifier: Apache-2.0
//
// Compares rasters that are never in memory together.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "thiessen/element_visit.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// A sum over the values and places of all cells: equal for equal rasters, whatever the order in
/// which their rows come, and else almost never. All NaNs are one value, and both zeros are.
class CellSum {
 public:
  /// `extents` are those of the whole raster, of which rows lie along `row_axis`.
  CellSum(const Extents& extents, int row_axis, bool infinite_is_nan)
      : extents_(extents), row_axis_(row_axis), infinite_is_nan_(infinite_is_nan) {}

  /// Adds rows, of which the first is that of the raster at `first`.
  void add(const View<const void>& rows, std::int64_t first) {
    visit_element_type(rows.element_type(), [&]<class T>(std::type_identity<T>) {
      add_axis<T>(rows, rows.bytes(), 0, 0, static_cast<std::uint64_t>(first));
    });
  }

  bool operator==(const CellSum& other) const { return sum_ == other.sum_; }

 private:
  template <class T>
  void add_axis(const View<const void>& rows, const std::byte* cells, int axis, std::uint64_t place,
                std::uint64_t first) {
    place = place * static_cast<std::uint64_t>(extents_[axis]) + (axis == row_axis_ ? first : 0);
    const std::int64_t count = rows.extent(axis);
    const std::int64_t stride = rows.stride(axis);
    const bool is_last = axis + 1 == rows.rank();
    for (std::int64_t i = 0; i < count; ++i, cells += stride, ++place) {
      if (!is_last) {
        add_axis<T>(rows, cells, axis + 1, place, first);
        continue;
      }
      T cell{};
      std::memcpy(&cell, cells, sizeof cell);
      sum_ += mixed(bits_of(cell), place);
    }
  }

  template <class T>
  std::uint64_t bits_of(T cell) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(cell) || (infinite_is_nan_ && std::isinf(cell))) return ~std::uint64_t{0};
      return cell == 0 ? 0 : std::bit_cast<std::uint64_t>(static_cast<double>(cell));
    } else {
      return static_cast<std::uint64_t>(cell);
    }
  }

  static std::uint64_t mixed(std::uint64_t bits, std::uint64_t place) {
    std::uint64_t mix = (bits ^ 0x9e3779b97f4a7c15) + place * 0xd1342543de82ef95;
    mix = (mix ^ mix >> 32) * 0xbf58476d1ce4e5b9;
    return mix ^ mix >> 29;
  }

  Extents extents_;
  int row_axis_;
  bool infinite_is_nan_;
  std::uint64_t sum_ = 0;
};

}  // namespace thiessen::io
