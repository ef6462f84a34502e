// SPDX-License-Identifier: Apache-2.0
//
// Searches the last cells of a leaf one by one, where the searches by blocks left only a few. Not
// for the chessboard metric.
#pragma once

#include <cstdint>
#include <limits>

#include "cpu/tiles/job/job.hpp"

namespace thiessen::cpu::tiles {

struct NearestCell {
  std::int64_t exact = std::numeric_limits<std::int64_t>::max();  ///< S; this value: none yet
  Axes site{};
};

/// How far a search may go.
struct SearchLimits {
  std::int64_t words = std::numeric_limits<std::int64_t>::max();  ///< words of the bitmap that may
                                                                  ///< still be read
  std::int64_t rows = std::numeric_limits<std::int64_t>::max();   ///< rows above and below the cell
};

/// The limits while rows are still being marked: the next two unit rows are marked already.
template <int kRank>
inline SearchLimits near_limits() {
  if constexpr (kRank == 2) return {.rows = 2 * Blocks<2>::kUnitY};
  return {};
}

/// Finds the nearest site of one cell, by (S, site index), in the rows of the bitmap. `best` may
/// hold any site, whose distance then bounds the search, or none. Returns false if it would have to
/// go beyond `limits`.
bool search_cell(const Job& job, const Axes& cell, SearchLimits& limits, NearestCell& best);

/// Writes the outputs of one cell.
void write_cell(const Job& job, const Axes& cell, const NearestCell& winner);

/// Finds and writes the winners of the cells of a leaf, `first` being its first cell; false if a
/// search would have to go beyond `limits`.
bool solve_cells(const Job& job, const Axes& first, const Axes& size, SearchLimits& limits);

}  // namespace thiessen::cpu::tiles
