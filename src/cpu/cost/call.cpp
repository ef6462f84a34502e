// SPDX-License-Identifier: Apache-2.0
#include "cpu/cost/call.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "core/cost_labels.hpp"
#include "core/cost_outputs.hpp"
#include "cpu/cost/methods.hpp"
#include "cpu/cost/ranks.hpp"
#include "cpu/cost/tight.hpp"
#include "cpu/rows.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

/// Loops over rows, each of which counts as its cells.
Loop loop_over_rows(ContextState& state, const CostProblem& problem) {
  const std::int64_t width = problem.extent[2];
  return [&state, width](std::int64_t count, const auto& piece) {
    parallel_for(state, count, rows_at_once(width), width,
                 [&](std::int64_t begin, std::int64_t end, int) { piece(begin, end); });
  };
}

template <class T>
void start_costs(const CostCall<T>& call, const Loop& loop) {
  const Axes& extent = call.problem.extent;
  loop(extent[0] * extent[1], [&](std::int64_t begin, std::int64_t end) {
    std::fill(call.cost + begin * extent[2], call.cost + end * extent[2],
              std::numeric_limits<T>::infinity());
  });
  for (std::int64_t rank = 0; rank < call.sites.count; ++rank) {
    const std::int64_t cell = call.sites.cell[rank];
    const T initial = call.sites.initial_of(rank);
    if (cell != kNoCell && initial <= call.limit)
      call.cost[cell] = std::min(call.cost[cell], initial);
  }
}

/// Calls visit(rank, queue) for all roots that there may be, on all threads. Each counts `units`.
template <class Visit>
void for_each_site(ContextState& state, std::int64_t count, std::int64_t units, ChunkPool& pool,
                   const Visit& visit) {
  const std::int64_t grain = std::max<std::int64_t>(count / (std::int64_t{64} * state.threads), 1);
  parallel_for(state, count, grain, units, [&](std::int64_t begin, std::int64_t end, int) {
    CellQueue queue(pool);
    for (std::int64_t rank = begin; rank < end; ++rank) visit(static_cast<Rank>(rank), queue);
  });
}

/// Tight steps of all cells: in vectors where there are kernels, else one by one.
template <class T, class Steps>
void find_all_steps(ContextState& state, const CostFlow<T, Steps>& flow, const Loop& loop) {
  const Axes& extent = flow.extent;
  const auto kernel = cost::tight_kernel(state.instruction_sets, T{});
  if constexpr (std::is_same_v<Steps, FewSteps>)
    if (kernel.find != nullptr) {
      const cost::TightRaster<T> raster{flow.resistance, flow.cost, flow.steps, extent[1],
                                        extent[2]};
      const auto edges = cost::sweep_edges(flow.edges, T{0});
      return loop(extent[1], [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t x = 0; x < extent[2]; x += cost::kTightColumns)
          kernel.find(raster, edges, {begin, end, x, std::min(x + cost::kTightColumns, extent[2])});
      });
    }
  loop(extent[0] * extent[1], [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) find_tight_steps(flow, row, 0, extent[2]);
  });
}

template <class T, class Steps>
void flood_ranks(ContextState& state, const CostCall<T>& call, const CostFlow<T, Steps>& flow,
                 Fronts fronts, ChunkPool& pool) {
  if constexpr (std::is_same_v<Steps, FewSteps>)
    if (fronts == Fronts::straight && cost::flood_tiles(state, flow, call.sites)) return;
  const auto deltas = neighbour_deltas(flow.edges, flow.extent);
  const std::int64_t count = call.sites.count;
  const std::int64_t units =
      cost::kUnitsOfRank * call.problem.cells() / std::max<std::int64_t>(count, 1);
  for_each_site(state, count, units, pool, [&](Rank rank, CellQueue& queue) {
    if (state.threads == 1)
      flood_rank<false>(flow, deltas, call.sites, rank, queue);
    else
      flood_rank<true>(flow, deltas, call.sites, rank, queue);
  });
}

template <class T, class Steps>
void settle_ranks(ContextState& state, const CostCall<T>& call, const CostFlow<T, Steps>& flow,
                  Fronts fronts, const Loop& loop) {
  Scratch::Frame scratch(state.scratch);
  const PhaseTimer phase(state, "labels");
  const Axes& extent = flow.extent;
  find_all_steps(state, flow, loop);
  loop(extent[0] * extent[1], [&](std::int64_t begin, std::int64_t end) {
    std::fill(flow.rank + begin * extent[2], flow.rank + end * extent[2], kNoRank);
    if (flow.hops != nullptr)
      std::fill(flow.hops + begin * extent[2], flow.hops + end * extent[2], std::int64_t{-1});
  });
  ChunkPool pool(scratch);
  flood_ranks(state, call, flow, fronts, pool);
  if (flow.hops == nullptr) return;
  const auto deltas = neighbour_deltas(flow.edges, extent);
  for_each_site(state, call.sites.count, 0, pool, [&](Rank rank, CellQueue& queue) {
    count_hops(flow, deltas, call.sites, rank, queue);
  });
}

/// Labels and outputs of final costs.
template <class T, class Steps>
void finish(ContextState& state, const CostCall<T>& call, const CostViews& views, Fronts fronts,
            const Loop& loop) {
  Scratch::Frame scratch(state.scratch);
  const std::int64_t cells = call.problem.cells();
  CostFlow<T, Steps> flow{.extent = call.problem.extent,
                          .edges = call.edges,
                          .resistance = call.resistance,
                          .cost = call.cost};
  if (wants_ranks(views.out)) {
    flow.rank = scratch.array<Rank>(cells);
    flow.steps = scratch.array<Steps>(cells);
    if (views.out.back_link) flow.hops = scratch.array<std::int64_t>(cells);
    settle_ranks(state, call, flow, fronts, loop);
  }
  const PhaseTimer phase(state, "output");
  const CostWriter<T, Steps> writer(call.problem, views, call.sites, flow);
  loop(flow.extent[0] * flow.extent[1], [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) writer.write_row(row);
  });
}

template <class T>
void run_typed(ContextState& state, const CostProblem& problem, const CostViews& views,
               CostDistanceReport& report, Solver<T> solve) {
  Scratch::Frame scratch(state.scratch);
  constexpr std::int64_t kUnitsOfInputs = 4;  // map, sites counted and listed, first costs
  constexpr std::int64_t kUnitsOfLabels = cost::kUnitsOfRank + 2;  // tight steps and no ranks first
  const std::int64_t units =
      kUnitsOfInputs + kUnitsOfCost + (wants_ranks(views.out) ? kUnitsOfLabels : 0) + 1;
  state.progress.begin(units * problem.cells());
  const Loop loop = loop_over_rows(state, problem);
  CostCall<T> call{.problem = problem,
                   .edges = make_edges<T>(problem),
                   .limit = greatest_cost<T>(problem),
                   .sites = {}};
  {
    const PhaseTimer phase(state, "inputs");
    call.resistance = load_map<T>(problem, views.map, loop, scratch);
    call.sites = load_sites<T>(problem, views, call.resistance, loop, scratch, report);
    call.cost = costs_in_place<T>(views);
    if (call.cost == nullptr) call.cost = scratch.array<T>(problem.cells());
    start_costs(call, loop);
  }
  Fronts fronts;
  {
    const PhaseTimer phase(state, "costs");
    fronts = solve(state, call, report);
  }
  if (problem.rank == 2 && call.edges.count <= 8)
    finish<T, FewSteps>(state, call, views, fronts, loop);
  else
    finish<T, ManySteps>(state, call, views, fronts, loop);
}

}  // namespace

Support supports_cost(const ContextState&, const CostProblem&) { return {}; }

void run_cost(ContextState& state, const CostProblem& problem, const CostViews& views,
              CostDistanceReport& report, const Solvers& solvers) {
  if (problem.wide)
    run_typed<double>(state, problem, views, report, solvers.wide);
  else
    run_typed<float>(state, problem, views, report, solvers.narrow);
}

}  // namespace thiessen::cpu
