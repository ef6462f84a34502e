// SPDX-License-Identifier: Apache-2.0
#include "cpu/cost/ranks.hpp"

#include <algorithm>

#include "cpu/cost/rank_sweep.hpp"
#include "cpu/cost/tile_rounds.hpp"

namespace thiessen::cpu::cost {

template <class T>
bool flood_tiles(ContextState& state, const CostFlow<T, FewSteps>& flow,
                 const CostSites<T>& sites) {
  const RankKernel kernel = rank_kernel(state.instruction_sets);
  if (kernel.sweep == nullptr) return false;
  Scratch::Frame scratch(state.scratch);
  TileRounds rounds(state, flow.extent, true, kUnitsOfRank, scratch);
  TileLines lines(rounds, scratch);
  auto* const buffers = scratch.array<RankBuffers>(state.threads);
  for (std::int64_t i = 0; i < sites.count; ++i) {
    const auto rank = static_cast<Rank>(i);
    if (!is_root(flow, sites, rank) || flow.rank[sites.cell[rank]] <= rank) continue;
    flow.rank[sites.cell[rank]] = rank;
    lines.add_first(to_cell(flow.extent, sites.cell[rank]));
  }
  const auto fetch = [&](std::int64_t, const TileBox& box) {
    const TilePlace place = flat_place(box, flow.extent);
    fetch_tile(place, flow.rank);
    fetch_tile(place, flow.steps);
  };
  const auto work = [&](std::int64_t tile, const TileBox& box, int worker) {
    const bool diagonals = flow.edges.count == 8;
    const TilePlace place = flat_place(box, flow.extent);
    lines.add(box, kernel.sweep({flow.steps, flow.rank, place, diagonals}, lines.take(tile),
                                buffers[worker]));
    if (!diagonals) return;
    for_each_corner(place, [&](std::int64_t from, int k, std::int64_t to) {
      if ((flow.steps[from] >> k & 1) == 0 || flow.rank[to] <= flow.rank[from]) return;
      flow.rank[to] = flow.rank[from];
      lines.add(to_cell(flow.extent, to));
    });
  };
  if (rounds.run(fetch, work, kMostVisitsOfStraight)) return true;
  const std::int64_t cells = flow.extent[0] * flow.extent[1] * flow.extent[2];
  std::fill_n(flow.rank, cells, kNoRank);
  return false;
}

template bool flood_tiles(ContextState&, const CostFlow<float, FewSteps>&, const CostSites<float>&);
template bool flood_tiles(ContextState&, const CostFlow<double, FewSteps>&,
                          const CostSites<double>&);

}  // namespace thiessen::cpu::cost
