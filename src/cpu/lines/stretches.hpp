// SPDX-License-Identifier: Apache-2.0
//
// The columns of a slab's face, a stretch at a time: what passes along the first axis go through.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/base/cell_access.hpp"
#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "core/slabs/slab.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {

/// A stretch of columns of the slab's face, and the place of its cells in the raster.
struct Stretch {
  std::int64_t column;  ///< first column
  std::int64_t y;       ///< y of these columns in 3-D; in 2-D y runs along the columns
  std::int64_t x;
  std::int64_t count;
};

/// Calls visit(stretch) for all stretches of the face, of at most `most` (<= kChunk) columns, in
/// parallel. Each counts for `length` cells a column.
template <class Visit>
void for_each_stretch(ContextState& state, const Problem& problem, std::int64_t most,
                      std::int64_t length, const Visit& visit) {
  const std::int64_t width = problem.extent[2];
  const std::int64_t per_row = (width + most - 1) / most;
  const std::int64_t face_rows = slab_columns(problem) / width;
  parallel_for(state, face_rows * per_row, 1, length * width / per_row,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   const std::int64_t y = i / per_row;
                   const std::int64_t x = i % per_row * most;
                   visit(Stretch{y * width + x, y, x, std::min(most, width - x)});
                 }
               });
}

/// Cells of a stretch in the row or plane `along` of the slab.
inline const std::byte* read(const CellReader& cells, const Problem& problem,
                             const Stretch& stretch, std::int64_t along, ChunkBuffer& buffer) {
  return problem.rank == 2 ? cells.read(0, along, stretch.x, stretch.count, buffer)
                           : cells.read(along, stretch.y, stretch.x, stretch.count, buffer);
}

}  // namespace thiessen::cpu
