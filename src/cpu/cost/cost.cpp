// SPDX-License-Identifier: Apache-2.0
#include "cpu/cost/cost.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <type_traits>

#include "core/cost/blocked_faces.hpp"
#include "core/cost/elevation.hpp"
#include "core/cost/labels.hpp"
#include "core/cost/outputs.hpp"
#include "cpu/cost/methods.hpp"
#include "cpu/cost/others.hpp"
#include "cpu/cost/steps/row_lengths.hpp"
#include "cpu/cost/tight.hpp"
#include "cpu/cost/tiles/ranks.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace {

template <class T>
void start_costs(const CostJob<T>& job, const Loop& loop) {
  const Axes& extent = job.problem.extent;
  loop(extent[0] * extent[1], [&](std::int64_t begin, std::int64_t end) {
    std::fill(job.cost + begin * extent[2], job.cost + end * extent[2],
              std::numeric_limits<T>::infinity());
  });
  for (std::int64_t rank = 0; rank < job.sites.count; ++rank) {
    const std::int64_t cell = job.sites.cell[rank];
    const T initial = job.sites.initial_of(rank);
    if (cell != kNoCell && initial <= job.limit) job.cost[cell] = std::min(job.cost[cell], initial);
  }
}

/// Gives cells their own sites, which keep the least initial cost.
template <class T>
void start_carried(const CostJob<T>& job, const Loop& loop) {
  const Axes& extent = job.problem.extent;
  loop(extent[0] * extent[1], [&](std::int64_t begin, std::int64_t end) {
    std::fill(job.carried + begin * extent[2], job.carried + end * extent[2], kNoRank);
  });
  for (std::int64_t rank = job.sites.count - 1; rank >= 0; --rank) {
    const std::int64_t cell = job.sites.cell[rank];
    if (cell != kNoCell && job.cost[cell] == job.sites.initial_of(rank))
      job.carried[cell] = static_cast<Rank>(rank);
  }
}

/// Calls visit(rank, queue) for all possible roots, on all threads. Each counts `units`.
template <class Visit>
void for_each_site(ContextState& state, std::int64_t count, std::int64_t units, ChunkPool& pool,
                   const Visit& visit) {
  const std::int64_t grain = std::max<std::int64_t>(count / (std::int64_t{64} * state.threads), 1);
  parallel_for(state, count, grain, units, [&](std::int64_t begin, std::int64_t end, int) {
    CellQueue queue(pool);
    for (std::int64_t rank = begin; rank < end; ++rank) visit(static_cast<Rank>(rank), queue);
  });
}

/// Takes away the steps of a row that blocked faces stop.
template <class T, class Steps>
void close_steps(const TightGraph<T, Steps>& graph, std::int64_t row) {
  if (graph.placed == nullptr || graph.placed->open_steps == nullptr) return;
  const std::int64_t width = graph.extent[2];
  for (std::int64_t cell = row * width; cell < (row + 1) * width; ++cell)
    graph.steps[cell] &= static_cast<Steps>(graph.placed->open_steps[cell]);
}

/// Finds the tight steps of all cells: by vectors where there are kernels, else one by one.
template <class T, class Steps>
void find_all_steps(ContextState& state, const TightGraph<T, Steps>& graph, const Loop& loop) {
  const Axes& extent = graph.extent;
  const auto kernel = cost::tight_kernel(state.instruction_sets, T{});
  if constexpr (std::is_same_v<Steps, FewSteps>)
    if (kernel.find != nullptr) {
      const cost::TightRaster<T> raster{graph.resistance, graph.cost, graph.steps,
                                        extent[1],        extent[2],  graph.placed};
      const auto edges = cost::sweep_edges(graph.edges, graph.placed, T{0});
      loop(extent[1], [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t x = 0; x < extent[2]; x += cost::kTightColumns)
          kernel.find(raster, edges, {begin, end, x, std::min(x + cost::kTightColumns, extent[2])});
        for (std::int64_t row = begin; row < end; ++row) close_steps(graph, row);
      });
      return for_each_piece_at_ends(graph.edges, extent,
                                    [&](std::int64_t row, std::int64_t first, std::int64_t last) {
                                      find_tight_steps(graph, row, first, last);
                                    });
    }
  loop(extent[0] * extent[1], [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) find_tight_steps(graph, row, 0, extent[2]);
  });
}

template <class T, class Steps>
void spread_ranks(ContextState& state, const CostJob<T>& job, const TightGraph<T, Steps>& graph,
                  Fronts fronts, ChunkPool& pool) {
  if constexpr (std::is_same_v<Steps, FewSteps>)
    if (fronts == Fronts::straight && cost::spread_by_tiles(state, graph, job.sites)) return;
  const auto deltas = neighbour_deltas(graph.edges, graph.extent);
  const std::int64_t count = job.sites.count;
  const std::int64_t units =
      cost::kUnitsOfRank * job.problem.cells() / std::max<std::int64_t>(count, 1);
  for_each_site(state, count, units, pool, [&](Rank rank, CellQueue& queue) {
    if (state.threads == 1)
      spread_rank<false>(graph, deltas, job.sites, rank, queue);
    else
      spread_rank<true>(graph, deltas, job.sites, rank, queue);
  });
}

template <class T, class Steps>
void find_ranks(ContextState& state, const CostJob<T>& job, const TightGraph<T, Steps>& graph,
                Fronts fronts, const Loop& loop) {
  Scratch::Frame scratch(state.scratch);
  const PhaseTimer phase(state, "labels");
  const Axes& extent = graph.extent;
  find_all_steps(state, graph, loop);
  loop(extent[0] * extent[1], [&](std::int64_t begin, std::int64_t end) {
    std::fill(graph.rank + begin * extent[2], graph.rank + end * extent[2], kNoRank);
    if (graph.hops != nullptr)
      std::fill(graph.hops + begin * extent[2], graph.hops + end * extent[2], std::int64_t{-1});
  });
  ChunkPool pool(scratch);
  spread_ranks(state, job, graph, fronts, pool);
  if (graph.hops == nullptr) return;
  const auto deltas = neighbour_deltas(graph.edges, extent);
  for_each_site(state, job.sites.count, 0, pool, [&](Rank rank, CellQueue& queue) {
    count_hops(graph, deltas, job.sites, rank, queue);
  });
}

/// Calls act(type of the steps) for the neighbours of a job.
template <class T, class Act>
void with_steps(const CostJob<T>& job, const Act& act) {
  if (job.problem.rank == 2 && job.edges.count <= 8)
    act(std::type_identity<FewSteps>());
  else
    act(std::type_identity<ManySteps>());
}

/// The same in scratch memory of its own but for the results.
template <class T>
void find_ranks(ContextState& state, const CostJob<T>& job, Fronts fronts, Rank* rank,
                std::int64_t* hops) {
  const RowLoop rows = loop_over_rows(state, job.problem.extent[2], job.problem.extent[2]);
  const Loop loop = std::cref(rows);
  with_steps(job, [&]<class Steps>(std::type_identity<Steps>) {
    Scratch::Frame scratch(state.scratch);
    const TightGraph<T, Steps> graph{.extent = job.problem.extent,
                                     .edges = job.edges,
                                     .placed = job.placed,
                                     .resistance = job.resistance,
                                     .cost = job.cost,
                                     .steps = scratch.array<Steps>(job.problem.cells()),
                                     .rank = rank,
                                     .hops = hops};
    find_ranks(state, job, graph, fronts, loop);
  });
}

/// Finds the labels of final costs and writes the outputs.
template <class T, class Steps>
void finish(ContextState& state, const CostJob<T>& job, const CostViews& views, Fronts fronts,
            const Loop& loop) {
  Scratch::Frame scratch(state.scratch);
  const std::int64_t cells = job.problem.cells();
  TightGraph<T, Steps> graph{.extent = job.problem.extent,
                             .edges = job.edges,
                             .placed = job.placed,
                             .resistance = job.resistance,
                             .cost = job.cost};
  if (job.carried != nullptr) {
    graph.rank = job.carried;
  } else if (wants_ranks(views.out)) {
    graph.rank = scratch.array<Rank>(cells);
    graph.steps = scratch.array<Steps>(cells);
    if (wants_ways(views.out)) graph.hops = scratch.array<std::int64_t>(cells);
    find_ranks(state, job, graph, fronts, loop);
  }
  OtherSites<T> others;
  if (job.problem.wants_other_labels)
    others = find_others(state, job, graph.rank, views.labels.element_type(), loop, scratch);
  const PhaseTimer phase(state, "output");
  const CostWriter<T, Steps> writer(job.problem, views, job.sites, graph, others);
  loop(graph.extent[0] * graph.extent[1], [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) writer.write_row(row);
  });
}

template <class T>
void run_typed(ContextState& state, const CostProblem& problem, const CostViews& views,
               CostDistanceReport& report, Solver<T> solve) {
  Scratch::Frame scratch(state.scratch);
  constexpr std::int64_t kUnitsOfInputs = 4;  // map, sites counted and listed, first costs
  constexpr std::int64_t kUnitsOfLabels = cost::kUnitsOfRank + 2;  // tight steps and no ranks first
  const std::int64_t units = kUnitsOfInputs + kUnitsOfCost +
                             (wants_ranks(views.out) ? kUnitsOfLabels : 0) +
                             (problem.wants_other_labels ? kUnitsOfOthers : 0) + 1;
  state.progress.begin(units * problem.cells());
  const Loop loop = loop_over_rows(state, problem.extent[2], problem.extent[2]);
  PlacedSteps<T> steps;
  const CostJob<T> job = [&] {
    const PhaseTimer phase(state, "inputs");
    CostJob<T> loaded = load_job(problem, views, report, loop, scratch, steps);
    loaded.cost = costs_in_place<T>(views);
    if (loaded.cost == nullptr) loaded.cost = scratch.array<T>(problem.cells());
    start_costs(loaded, loop);
    if (problem.labels_carried && wants_ranks(views.out)) {
      loaded.carried = scratch.array<Rank>(problem.cells());
      start_carried(loaded, loop);
    }
    return loaded;
  }();
  Fronts fronts;
  {
    const PhaseTimer phase(state, "costs");
    fronts = solve(state, job, report);
  }
  with_steps(job, [&]<class Steps>(std::type_identity<Steps>) {
    finish<T, Steps>(state, job, views, fronts, loop);
  });
}

}  // namespace

Support supports_cost(const ContextState&, const CostProblem&) { return {}; }

// NOLINTNEXTLINE(readability-function-size): what it loads from, and where to
template <class T>
CostJob<T> load_job(const CostProblem& problem, const CostViews& views, CostDistanceReport& report,
                    const Loop& loop, Scratch::Frame& scratch, PlacedSteps<T>& steps) {
  CostJob<T> job{.problem = problem,
                 .edges = make_edges<T>(problem),
                 .limit = greatest_cost<T>(problem),
                 .sites = {}};
  load_ground(views, loop, scratch, job, steps);
  job.sites = load_sites<T>(problem, views, job.resistance, loop, scratch, report);
  return job;
}
template CostJob<float> load_job(const CostProblem&, const CostViews&, CostDistanceReport&,
                                 const Loop&, Scratch::Frame&, PlacedSteps<float>&);
template CostJob<double> load_job(const CostProblem&, const CostViews&, CostDistanceReport&,
                                  const Loop&, Scratch::Frame&, PlacedSteps<double>&);

template <class T>
void load_ground(const CostViews& views, const Loop& loop, Scratch::Frame& scratch, CostJob<T>& job,
                 PlacedSteps<T>& steps) {
  if (has_placed_steps(job.problem)) {
    steps = make_placed_steps<T>(job.problem);
    job.placed = &steps;
  }
  if (job.problem.earth != nullptr) set_row_lengths(job.problem, job.edges, loop, scratch, steps);
  if (job.problem.walk) {
    const WalkedGround<T> ground = load_walked_ground<T>(job.problem, views, loop, scratch);
    steps.elevation = ground.elevation;
    job.resistance = ground.resistance;
  } else {
    job.resistance = load_map<T>(job.problem, views.map, loop, scratch);
  }
  if (job.problem.has_blocked_faces)
    steps.open_steps =
        find_open_steps(job.problem, views.blocked_faces, job.edges, job.resistance, loop, scratch);
}
template void load_ground(const CostViews&, const Loop&, Scratch::Frame&, CostJob<float>&,
                          PlacedSteps<float>&);
template void load_ground(const CostViews&, const Loop&, Scratch::Frame&, CostJob<double>&,
                          PlacedSteps<double>&);

template <class T>
void find_answer(ContextState& state, const CostJob<T>& job, Rank* rank, std::int64_t* hops) {
  const RowLoop rows = loop_over_rows(state, job.problem.extent[2], job.problem.extent[2]);
  start_costs(job, std::cref(rows));
  CostDistanceReport report;
  const Fronts fronts = solve_exactly(state, job, report);
  find_ranks(state, job, fronts, rank, hops);
}
template void find_answer(ContextState&, const CostJob<float>&, Rank*, std::int64_t*);
template void find_answer(ContextState&, const CostJob<double>&, Rank*, std::int64_t*);

template <class T>
void find_ranks(ContextState& state, const CostJob<T>& job, Rank* rank) {
  find_ranks(state, job, solves_by_passes(state, job) ? Fronts::straight : Fronts::winding, rank,
             nullptr);
}
template void find_ranks(ContextState&, const CostJob<float>&, Rank*);
template void find_ranks(ContextState&, const CostJob<double>&, Rank*);

void run_cost(ContextState& state, const CostProblem& problem, const CostViews& views,
              CostDistanceReport& report, const Solvers& solvers) {
  if (problem.wide)
    run_typed<double>(state, problem, views, report, solvers.wide);
  else
    run_typed<float>(state, problem, views, report, solvers.narrow);
}

}  // namespace thiessen::cpu
