// SPDX-License-Identifier: Apache-2.0
//
// Bits of rows in the form that core/search/neighbourhood.hpp wants.
#pragma once

#include <cstdint>

#include "cuda/sites/line_bits.hpp"

namespace thiessen::cuda::raster {

struct CellRows {
  /// One row; its axis is not periodic.
  struct Row {
    const sites::LineBits& bits;
    std::int64_t outer;

    THIESSEN_HD std::int64_t first_from(std::int64_t x) const {
      return bits.first_from(outer, 0, static_cast<std::int32_t>(x));
    }
    THIESSEN_HD std::int64_t last_to(std::int64_t x) const {
      return bits.last_to(outer, 0, static_cast<std::int32_t>(x));
    }
  };

  sites::LineBits bits;
  std::int64_t height = 1;  ///< rows of a plane

  THIESSEN_HD Row row(std::int64_t z, std::int64_t y) const { return {bits, z * height + y}; }
};

}  // namespace thiessen::cuda::raster
