// SPDX-License-Identifier: Apache-2.0
//
// The bits of rows and columns as core/neighbourhood.hpp looks along them.
#pragma once

#include <cstdint>

#include "core/cells.hpp"
#include "cuda/line_bits.hpp"

namespace thiessen::cuda {

/// One line of LineBits, along an axis that ends.
struct CellLine {
  const LineBits& bits;
  std::int64_t outer;
  std::int64_t inner;

  THIESSEN_HD std::int64_t first(std::int64_t from, std::int64_t to) const {
    const std::int32_t found = bits.first_from(outer, inner, static_cast<std::int32_t>(from));
    return found <= to ? found : -1;
  }
  THIESSEN_HD std::int64_t last(std::int64_t from, std::int64_t to) const {
    const std::int32_t found = bits.last_to(outer, inner, static_cast<std::int32_t>(to));
    return found >= from ? found : -1;
  }
};

struct CellLines {
  LineBits rows;
  LineBits columns;
  std::int64_t height = 1;  ///< rows of a plane

  THIESSEN_HD CellLine row(std::int64_t z, std::int64_t y) const {
    return {rows, z * height + y, 0};
  }
  THIESSEN_HD CellLine column(std::int64_t z, std::int64_t x) const { return {columns, z, x}; }
};

}  // namespace thiessen::cuda
