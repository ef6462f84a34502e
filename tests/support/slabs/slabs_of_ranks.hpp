// SPDX-License-Identifier: Apache-2.0
//
// How the rows or planes of a raster lie on ranks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/draw.hpp"
#include "support/slabs/rows_of.hpp"

namespace thiessen::testing {

/// Uneven slabs, some without rows.
inline std::vector<Rows> draw_slabs(Draw& draw, int ranks, std::int64_t rows) {
  std::vector<std::int64_t> ends(static_cast<std::size_t>(ranks));
  for (std::int64_t& end : ends) end = draw.once_in(4) ? 0 : draw.below(rows + 1);
  ends.back() = rows;
  std::sort(ends.begin(), ends.end());
  std::vector<Rows> slabs;
  std::int64_t first = 0;
  for (const std::int64_t end : ends) {
    slabs.push_back({first, end - first});
    first = end;
  }
  return slabs;
}

}  // namespace thiessen::testing
