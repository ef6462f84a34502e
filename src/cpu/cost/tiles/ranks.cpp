// SPDX-License-Identifier: Apache-2.0
//
// Each root puts its rank into its cell; tiles whose ranks fell are worked on until none is left.
#include "cpu/cost/tiles/ranks.hpp"

#include <algorithm>

#include "cpu/cost/tiles/rank_sweep.hpp"
#include "cpu/cost/tiles/tile_rounds.hpp"

namespace thiessen::cpu::cost {

template <class T>
bool spread_by_tiles(ContextState& state, const TightGraph<T, FewSteps>& graph,
                     const CostSites<T>& sites) {
  const RankKernel kernel = rank_kernel(state.instruction_sets);
  if (kernel.sweep == nullptr || graph.edges.periodic != 0) return false;
  Scratch::Frame scratch(state.scratch);
  TileRounds rounds(state, graph.extent, true, kUnitsOfRank, scratch);
  TileLines lines(rounds, scratch);
  auto* const buffers = scratch.array<RankBuffers>(state.threads);
  for (std::int64_t i = 0; i < sites.count; ++i) {
    const auto rank = static_cast<Rank>(i);
    if (!is_root(graph, sites, rank) || graph.rank[sites.cell[rank]] <= rank) continue;
    graph.rank[sites.cell[rank]] = rank;
    lines.add_first(to_cell(graph.extent, sites.cell[rank]));
  }
  const auto fetch = [&](std::int64_t, const TileBox& box) {
    const TilePlace place = flat_place(box, graph.extent);
    fetch_tile(place, graph.rank);
    fetch_tile(place, graph.steps);
  };
  const auto work = [&](std::int64_t tile, const TileBox& box, int worker) {
    const bool diagonals = graph.edges.count == 8;
    const TilePlace place = flat_place(box, graph.extent);
    lines.add(box, kernel.sweep({graph.steps, graph.rank, place, diagonals}, lines.take(tile),
                                buffers[worker]));
    if (!diagonals) return;
    for_each_corner(place, [&](std::int64_t from, int k, std::int64_t to) {
      if ((graph.steps[from] >> k & 1) == 0 || graph.rank[to] <= graph.rank[from]) return;
      graph.rank[to] = graph.rank[from];
      lines.add(to_cell(graph.extent, to));
    });
  };
  const auto is_straight = [&] {
    return rounds.visits_per_tile() <= state.limits.cost_visits_per_tile;
  };
  if (rounds.run(fetch, work, is_straight)) return true;
  const std::int64_t cells = graph.extent[0] * graph.extent[1] * graph.extent[2];
  std::fill_n(graph.rank, cells, kNoRank);
  return false;
}

template bool spread_by_tiles(ContextState&, const TightGraph<float, FewSteps>&,
                              const CostSites<float>&);
template bool spread_by_tiles(ContextState&, const TightGraph<double, FewSteps>&,
                              const CostSites<double>&);

}  // namespace thiessen::cpu::cost
