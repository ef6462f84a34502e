// SPDX-License-Identifier: Apache-2.0
//
// Searches the last cells of a leaf one by one, where the dense search or that by lists left only a
// few. Not for the chessboard metric.
#pragma once

#include <cstdint>
#include <limits>

#include "cpu/tiles/job/job.hpp"

namespace thiessen::cpu::tiles {

struct NearestCell {
  std::int64_t exact = std::numeric_limits<std::int64_t>::max();  ///< S; this value: none yet
  Axes site{};
};

/// How many rows above and below a cell a search may read while rows are still being marked: those
/// of the next two unit rows are marked already.
template <int kRank>
inline constexpr std::int64_t kMarkedRows = kRank == 2 ? 2 * Blocks<2>::kUnitY
                                                       : std::numeric_limits<std::int64_t>::max();

/// Finds the nearest site of one cell, by (S, site index), in the rows of the bitmap. `best` may
/// hold any site, whose distance then bounds the search, or none. Returns false if it would have to
/// go more than `rows` rows up or down.
bool search_cell(const Job& job, const Axes& cell, std::int64_t rows, NearestCell& best);

/// Writes the outputs of one cell.
void write_cell(const Job& job, const Axes& cell, const NearestCell& winner);

}  // namespace thiessen::cpu::tiles
