// SPDX-License-Identifier: Apache-2.0
//
// Each cell expands its neighbourhood until it has met the nearest site (core/neighbourhood.hpp).
// Rings are segments of rows and columns, of which there are bits: 64 cells are one look. Where a
// cell has met its first site in ring r, the cell to its right has none nearer than ring r - 1, and
// begins there.
#include "cpu/expansion.hpp"

#include "core/neighbourhood.hpp"
#include "cpu/raster/bit_line.hpp"
#include "cpu/raster/line_bits.hpp"
#include "cpu/rows.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

/// What there is to look along.
struct Lines {
  const raster::SiteBits& rows;
  const raster::LineBits& columns;

  raster::BitLine row(std::int64_t z, std::int64_t y) const { return {rows.row(z, y)}; }
  raster::BitLine column(std::int64_t z, std::int64_t x) const { return columns.line(z, 0, x); }
};

void expand_map(ContextState& state, const Problem& problem, const ProblemViews& views,
                Write write) {
  Scratch::Frame scratch(state.scratch);
  expand_cells(state, problem, views, write, raster::read_bits(state, scratch, problem, views));
}

}  // namespace

void expand_cells(ContextState& state, const Problem& problem, const ProblemViews& views,
                  Write write, const raster::SiteBits& bits) {
  const PhaseTimer phase(state, "expansion");
  Scratch::Frame scratch(state.scratch);
  const raster::LineBits columns(scratch, problem, bits, raster::Slope::column);
  const Slab slab = whole_raster(problem);
  const ResultWriter<std::int64_t> writer(problem, slab, views, write);
  const std::int64_t height = problem.extent[1];
  const std::int64_t width = problem.extent[2];
  with_cell_metric(problem, [&](const auto& metric) {
    parallel_for(state, problem.extent[0] * height, 1, width,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   Neighbourhood search(problem.extent, problem.limited,
                                        static_cast<std::int64_t>(problem.limit), metric,
                                        Lines{bits, columns});
                   Winners<std::int64_t> winners;
                   for (std::int64_t row = begin; row < end; ++row)
                     for_each_chunk(row / height, row % height, width, [&](const Chunk& chunk) {
                       state.progress.check();
                       winners.site.fill(kUnreached);
                       winners.exact.fill(0);
                       NearestCell left;
                       for (std::int64_t i = 0; i < chunk.count && bits.count > 0; ++i) {
                         left = search.search({chunk.z, chunk.y, chunk.x + i}, left.ring - 1);
                         winners.site[static_cast<std::size_t>(i)] = left.site;
                         winners.exact[static_cast<std::size_t>(i)] = left.exact;
                       }
                       writer.write(chunk, winners);
                     });
                 });
  });
}

Support supports_expansion(const ContextState& /*state*/, const Problem& problem) {
  return thiessen::supports_expansion(problem);
}

void run_expansion(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, 2 * problem.cells(), expand_map);
}

}  // namespace thiessen::cpu
