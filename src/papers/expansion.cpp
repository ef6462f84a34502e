// SPDX-License-Identifier: Apache-2.0
//
// Each cell looks at the rows around it until no further one can hold a site as near as the best
// one found (core/search/neighbourhood.hpp): step 5 of Tu and Wang, "Raster-based method for
// Voronoi diagram using GPU parallel technology" (2015). As they write it, a square grows around
// the cell until it meets a site; that would be exact for chessboard distance only. With
// labels_carried it ends like that, with the nearest site of the square.
#include "papers/expansion.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>

#include "core/problem/cell_metric.hpp"
#include "core/search/neighbourhood.hpp"
#include "papers/methods.hpp"
#include "papers/rows.hpp"
#include "threads/rows.hpp"

namespace thiessen::papers {
namespace {

/// The nearest sites of a cell's own row, as columns, the cell itself among them: -1 and the width
/// of the raster where there is none.
struct Sides {
  std::int32_t left;
  std::int32_t right;
};

/// The sides of all cells.
class SiteRows {
 public:
  struct Row {
    const Sides* sides;

    std::int64_t last_to(std::int64_t x) const { return sides[x].left; }
    std::int64_t first_from(std::int64_t x) const { return sides[x].right; }
  };

  SiteRows(Scratch::Frame& scratch, const Problem& problem)
      : extent_(problem.extent), sides_(scratch.array<Sides>(problem.cells())) {}

  Row row(std::int64_t z, std::int64_t y) const { return {sides_ + to_index(extent_, {z, y, 0})}; }

  /// Reads the sites; returns whether there are any.
  bool read(ContextState& state, const Problem& problem, const ProblemViews& views) {
    const CellReader cells(views.sites);
    std::atomic<bool> any{false};
    for_each_row(state, problem, rows_per_task(extent_[2]), [&](std::int64_t z, std::int64_t y) {
      if (read_row(problem.rule, cells, z, y)) any = true;
    });
    return any;
  }

 private:
  bool read_row(const SiteRule& rule, const CellReader& cells, std::int64_t z, std::int64_t y) {
    ChunkBuffer buffer;
    std::array<std::uint8_t, kChunk> classes;
    Sides* const sides = sides_ + to_index(extent_, {z, y, 0});
    std::int32_t site = -1;
    for_each_chunk(z, y, extent_[2], [&](const Chunk& chunk) {
      classify(rule, cells.read(z, y, chunk.x, chunk.count, buffer), chunk.count, classes.data());
      for (std::int64_t x = chunk.x; x < chunk.x + chunk.count; ++x) {
        if (classes[static_cast<std::size_t>(x - chunk.x)] == kSiteCell)
          site = static_cast<std::int32_t>(x);
        sides[x].left = site;
      }
    });
    auto next = static_cast<std::int32_t>(extent_[2]);
    for (std::int64_t x = extent_[2] - 1; x >= 0; --x) {
      if (sides[x].left == x) next = sides[x].left;
      sides[x].right = next;
    }
    return site >= 0;
  }

  Axes extent_;
  Sides* sides_;
};

std::int64_t absolute_difference(std::int64_t a, std::int64_t b) { return a < b ? b - a : a - b; }

/// The nearest site of the least square around a cell that holds any.
template <class Metric>
NearestCell search_square(const Axes& extent, const Metric& metric, const SiteRows& rows,
                          const Axes& cell) {
  const CellMetric<thiessen::Metric::chessboard> cells({1, 1, 1});
  const std::int64_t farthest = *std::max_element(extent.begin(), extent.end());
  const std::int64_t r = Neighbourhood(extent, farthest, cells, rows).search(cell).exact;
  NearestCell found{kUnreached, std::numeric_limits<std::int64_t>::max()};
  for (std::int64_t z = std::max<std::int64_t>(cell[0] - r, 0);
       z <= std::min(cell[0] + r, extent[0] - 1); ++z)
    for (std::int64_t y = std::max<std::int64_t>(cell[1] - r, 0);
         y <= std::min(cell[1] + r, extent[1] - 1); ++y) {
      const SiteRows::Row row = rows.row(z, y);
      const std::int64_t left = row.last_to(cell[2]);
      const std::int64_t right = row.first_from(cell[2]);
      const std::int64_t to_left = left < 0 ? r + 1 : cell[2] - left;
      const std::int64_t to_right = right == extent[2] ? r + 1 : right - cell[2];
      const std::int64_t nearest = std::min(to_left, to_right);
      if (nearest > r) continue;
      const std::int64_t share =
          metric.share(0, absolute_difference(z, cell[0]), 1, absolute_difference(y, cell[1]));
      const std::int64_t exact = metric.exact(share, 2, nearest);
      const std::int64_t reach = std::min(metric.reach(share, 2, exact), r);
      const std::int64_t site =
          to_index(extent, {z, y, row.first_from(std::max<std::int64_t>(cell[2] - reach, 0))});
      if (exact < found.exact || (exact == found.exact && site < found.site)) found = {site, exact};
    }
  return found;
}

}  // namespace

void expand_cells(ContextState& state, const Problem& problem, const ProblemViews& views,
                  Write write) {
  const PhaseTimer phase(state, "expansion");
  Scratch::Frame scratch(state.scratch);
  SiteRows rows(scratch, problem);
  const bool has_sites = rows.read(state, problem, views);
  const auto limit = static_cast<std::int64_t>(problem.limit);
  with_cell_metric(problem, [&](const auto& metric) {
    write_map<std::int64_t>(state, problem, views, write, 1,
                            [&](const Chunk& chunk, Winners<std::int64_t>& winners) {
                              state.progress.check();
                              Neighbourhood search(problem.extent, limit, metric, rows);
                              for (std::int64_t i = 0; i < chunk.count; ++i) {
                                const Axes cell{chunk.z, chunk.y, chunk.x + i};
                                NearestCell found;
                                if (has_sites)
                                  found = problem.raster.labels_carried
                                              ? search_square(problem.extent, metric, rows, cell)
                                              : search.search(cell);
                                winners.site[static_cast<std::size_t>(i)] = found.site;
                                winners.exact[static_cast<std::size_t>(i)] = found.exact;
                              }
                            });
  });
}

void run_expansion(ContextState& state, const Problem& problem, const ProblemViews& views) {
  make_maps(state, problem, views, 2 * problem.cells(), expand_cells);
}

}  // namespace thiessen::papers
