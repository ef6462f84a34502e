// SPDX-License-Identifier: Apache-2.0
//
// The last cells of a leaf, one by one, where the searches by blocks left only a few. Not for the
// chessboard metric.
#pragma once

#include <cstdint>
#include <limits>

#include "cpu/tiles/job.hpp"

namespace thiessen::cpu::tiles {

struct NearestCell {
  std::int64_t exact = std::numeric_limits<std::int64_t>::max();  ///< S; this one: none yet
  Axes site{};
};

/// How far a search may go.
struct SearchLimits {
  std::int64_t words = std::numeric_limits<std::int64_t>::max();  ///< of the bitmap; what is left
  std::int64_t rows = std::numeric_limits<std::int64_t>::max();   ///< above and below the cell
};

/// Of searches while rows are still being marked: those of the next two unit rows are.
template <int kRank>
inline SearchLimits near_limits() {
  if constexpr (kRank == 2) return {.rows = 2 * Blocks<2>::kUnitY};
  return {};
}

/// Finds the nearest site of one cell, by (S, site index), in the rows of the bitmap. `best` is any
/// site, and the search goes as far as that is; or none. False if it would have to go beyond
/// `limits`.
bool search_cell(const Job& job, const Axes& cell, SearchLimits& limits, NearestCell& best);

/// Writes the outputs of one cell.
void write_cell(const Job& job, const Axes& cell, const NearestCell& winner);

/// Settles the cells of a leaf, whose first one is `first`; false if a search would have to go
/// beyond `limits`.
bool settle_cells(const Job& job, const Axes& first, const Axes& size, SearchLimits& limits);

}  // namespace thiessen::cpu::tiles
