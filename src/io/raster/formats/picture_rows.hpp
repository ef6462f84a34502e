// SPDX-License-Identifier: Apache-2.0
//
// Rows of integer rasters in the bytes that PNG and PGM share: a sample has one byte for element
// types of one byte, else two, the high byte first.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "io/files/io_error.hpp"
#include "thiessen/element_visit.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

inline std::size_t sample_bytes(ElementType type) noexcept { return size_of(type) == 1 ? 1 : 2; }

/// The cells of a row times the samples of a cell.
inline std::size_t samples_of_row(const View<const void>& raster) {
  const std::int64_t components = raster.rank() == 3 ? raster.extent(2) : 1;
  return static_cast<std::size_t>(raster.extent(1) * components);
}

template <class Cell>
std::byte* store_sample(Cell value, std::byte* sample) noexcept {
  if constexpr (sizeof(Cell) == 1) {
    *sample = static_cast<std::byte>(value);
    return sample + 1;
  } else {
    sample[0] = static_cast<std::byte>(static_cast<std::uint16_t>(value) >> 8);
    sample[1] = static_cast<std::byte>(static_cast<std::uint16_t>(value));
    return sample + 2;
  }
}

/// Stores one row of a 2-D raster; throws Error{io} for a value that a sample cannot hold.
template <std::integral Cell>
void store_cells(const std::filesystem::path& file, const View<const void>& raster, std::int64_t y,
                 std::byte* row) {
  using Sample = std::conditional_t<sizeof(Cell) == 1, std::uint8_t, std::uint16_t>;
  const std::byte* cell = raster.bytes() + y * raster.stride(0);
  for (std::int64_t x = 0; x < raster.extent(1); ++x, cell += raster.stride(1)) {
    Cell value;
    std::memcpy(&value, cell, sizeof value);
    if (!std::in_range<Sample>(value)) {
      fail(file, "cannot hold the value " + std::to_string(value) + " of cell [" +
                     std::to_string(y) + ", " + std::to_string(x) +
                     "]; values of this format and element type are 0 to " +
                     std::to_string(std::numeric_limits<Sample>::max()));
    }
    row = store_sample(value, row);
  }
}

inline void store_booleans(const View<const void>& raster, std::int64_t y, std::byte* row) {
  const std::byte* cell = raster.bytes() + y * raster.stride(0);
  for (std::int64_t x = 0; x < raster.extent(1); ++x, cell += raster.stride(1)) {
    *row++ = std::byte{*cell != std::byte{0}};
  }
}

/// Stores one row of a raster of u8 with the extents (y, x, components).
inline void store_components(const View<const void>& raster, std::int64_t y, std::byte* row) {
  const std::byte* cell = raster.bytes() + y * raster.stride(0);
  for (std::int64_t x = 0; x < raster.extent(1); ++x, cell += raster.stride(1)) {
    for (std::int64_t c = 0; c < raster.extent(2); ++c) *row++ = cell[c * raster.stride(2)];
  }
}

/// Stores row `y` of a 2-D raster of integers or of u8 components, as samples. Throws Error{io}
/// naming `file`, the value and the cell if a sample cannot hold it.
inline void store_row(const std::filesystem::path& file, const View<const void>& raster,
                      std::int64_t y, std::byte* row) {
  if (raster.rank() == 3) return store_components(raster, y, row);
  if (raster.element_type() == ElementType::boolean) return store_booleans(raster, y, row);
  visit_element_type(raster.element_type(), [&]<class Cell>(std::type_identity<Cell>) {
    if constexpr (std::is_integral_v<Cell>)
      store_cells<Cell>(file, raster, y, row);
    else
      fail(file, "cannot hold cells of type " + std::string(name_of(raster.element_type())));
  });
}

}  // namespace thiessen::io
