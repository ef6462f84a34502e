// SPDX-License-Identifier: Apache-2.0
//
// How the planes and rows of a raster are handed out to threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/cost/inputs.hpp"
#include "core/problem/problem.hpp"
#include "core/search/result_writer.hpp"
#include "threads/parallel.hpp"

namespace thiessen {

/// Lines across memory are worked on in blocks of neighbours, so that a cache line is used whole.
inline constexpr std::int64_t kLines = 16;

/// Cells of the lines along y that one worker holds at once.
inline std::int64_t block_cells(const Problem& problem) {
  return std::min(kLines, problem.extent[2]) * problem.extent[1];
}

/// Rows that one piece of work takes: enough cells to be worth handing out.
inline std::int64_t rows_per_task(std::int64_t width) {
  return std::max<std::int64_t>(1, 16 * kChunk / std::max<std::int64_t>(1, width));
}

/// Planes that are worked on together: enough for all threads, few enough to stay small.
inline std::int64_t planes_per_batch(std::int64_t planes, std::int64_t cells_per_plane) {
  constexpr std::int64_t kCells = std::int64_t{1} << 20;
  return std::clamp<std::int64_t>(kCells / std::max<std::int64_t>(cells_per_plane, 1), 1,
                                  std::max<std::int64_t>(planes, 1));
}

/// Runs the passes along y and along x in all planes of a slab, a few planes at a time: along_y(z,
/// x, i, worker) for the columns x, x + 1, … of a block, then row(z, y, i, worker); i counts the
/// planes that are worked on together. A pass counts one unit of progress for each cell.
template <class AlongY, class Row>
void for_each_plane(ContextState& state, const Problem& problem, std::int64_t planes,
                    const AlongY& along_y, const Row& row) {
  const std::int64_t height = problem.extent[1];
  const std::int64_t width = problem.extent[2];
  const std::int64_t together = planes_per_batch(planes, height * width);
  const std::int64_t blocks = (width + kLines - 1) / kLines;
  for (std::int64_t z = 0; z < planes; z += together) {
    const std::int64_t batch = std::min(together, planes - z);
    parallel_for(state, batch * blocks, 1, height * width / blocks,
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   for (std::int64_t i = begin; i < end; ++i)
                     along_y(z + i / blocks, i % blocks * kLines, i / blocks, worker);
                 });
    parallel_for(state, batch * height, rows_per_task(width), width,
                 [&](std::int64_t begin, std::int64_t end, int worker) {
                   for (std::int64_t i = begin; i < end; ++i)
                     row(z + i / height, i % height, i / height, worker);
                 });
  }
}

/// Loops over the rows of a raster of that width, many at once. Each row counts `units` towards the
/// progress of the call. A Loop of one takes memory, a Loop of std::cref() of one takes none.
struct RowLoop {
  ContextState& state;
  std::int64_t width;
  std::int64_t units;

  template <class Piece>
  void operator()(std::int64_t count, const Piece& piece) const {
    parallel_for(state, count, rows_per_task(width), units,
                 [&](std::int64_t begin, std::int64_t end, int) { piece(begin, end); });
  }
};
inline RowLoop loop_over_rows(ContextState& state, std::int64_t width, std::int64_t units) {
  return {state, width, units};
}

}  // namespace thiessen
