// SPDX-License-Identifier: Apache-2.0
//
// E. W. Dijkstra's algorithm (1959) from all sites at once, with a radix heap (radix_queue.hpp).
//
// Adding a weight that is not negative never lowers a cost, even when rounded. So a cell that
// leaves the heap is final: all later cells cost at least as much.
#include "cpu/cost/dijkstra.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/cost/labels.hpp"
#include "cpu/cost/cost.hpp"
#include "cpu/cost/falling_costs.hpp"
#include "cpu/cost/methods.hpp"
#include "cpu/cost/radix_queue.hpp"

namespace thiessen::cpu {
namespace {

/// Takes cells from the queue, the least cost first, until it is empty, and passes their costs on
/// where may_pass(from, to). note(count) is called with the cells that were taken, from time to
/// time.
template <class T, class Cell, class MayPass, class Note>
void empty_queue(const CostJob<T>& job, cost::RadixQueue<T, Cell>& queue, const MayPass& may_pass,
                 const Note& note) {
  const Axes& extent = job.problem.extent;
  const auto deltas = neighbour_deltas(job.edges, extent);
  const FallingCosts<T> costs(job);
  constexpr std::int64_t kStride = 4096;
  std::int64_t taken = 0;
  for (std::int64_t cell = queue.pop_least(); cell >= 0; cell = queue.pop_least()) {
    if (++taken % kStride == 0) note(kStride);
    for_each_neighbour(job.edges, deltas, extent, cell, [&](std::int64_t next, int k) {
      if (may_pass(cell, next) && costs.lower(cell, k, next)) queue.put(next);
    });
  }
}

/// Passes costs on from the cells that starts(put) puts into the queue; put(cell) leaves out those
/// that are unreached.
template <class T, class Starts, class MayPass, class Note>
void propagate(ContextState& state, const CostJob<T>& job, const Starts& starts,
               const MayPass& may_pass, const Note& note) {
  const auto run = [&]<class Cell>(std::type_identity<Cell>) {
    using Queue = cost::RadixQueue<T, Cell>;
    Scratch::Frame scratch(state.scratch);
    typename Queue::Pool pool(scratch);
    Queue queue(job.cost, pool);
    starts([&](std::int64_t cell) {
      if (job.cost[cell] <= job.limit) queue.put(cell);
    });
    empty_queue(job, queue, may_pass, note);
  };
  if (job.problem.cells() <= std::numeric_limits<std::uint32_t>::max())
    run(std::type_identity<std::uint32_t>());
  else
    run(std::type_identity<std::int64_t>());
}

constexpr auto kEverywhere = [](std::int64_t, std::int64_t) { return true; };

}  // namespace

template <class T>
Fronts solve_by_heap(ContextState& state, const CostJob<T>& job, CostDistanceReport&) {
  propagate(
      state, job,
      [&](const auto& put) {
        for (std::int64_t rank = 0; rank < job.sites.count; ++rank)
          if (job.sites.cell[rank] != kNoCell) put(job.sites.cell[rank]);
      },
      kEverywhere, [&](std::int64_t cells) { state.progress.advance(kUnitsOfCost * cells); });
  return Fronts::winding;
}
template Fronts solve_by_heap(ContextState&, const CostJob<float>&, CostDistanceReport&);
template Fronts solve_by_heap(ContextState&, const CostJob<double>&, CostDistanceReport&);

template <class T>
void continue_by_heap(ContextState& state, const CostJob<T>& job,
                      const std::function<void(const std::function<void(std::int64_t)>&)>& starts) {
  propagate(
      state, job, [&](const auto& put) { starts(put); }, kEverywhere,
      [&](std::int64_t) { state.progress.check(); });
}
template void continue_by_heap(
    ContextState&, const CostJob<float>&,
    const std::function<void(const std::function<void(std::int64_t)>&)>&);
template void continue_by_heap(
    ContextState&, const CostJob<double>&,
    const std::function<void(const std::function<void(std::int64_t)>&)>&);

template <class T>
void solve_within_regions(ContextState& state, const CostJob<T>& job, const std::uint32_t* region) {
  propagate(
      state, job,
      [&](const auto& put) {
        for (std::int64_t cell = 0; cell < job.problem.cells(); ++cell)
          if (job.cost[cell] < std::numeric_limits<T>::infinity()) put(cell);
      },
      [&](std::int64_t from, std::int64_t to) { return region[from] == region[to]; },
      [&](std::int64_t cells) { state.progress.advance(kUnitsOfCost * cells); });
}
template void solve_within_regions(ContextState&, const CostJob<float>&, const std::uint32_t*);
template void solve_within_regions(ContextState&, const CostJob<double>&, const std::uint32_t*);

void run_dijkstra(ContextState& state, const CostProblem& problem, const CostViews& views,
                  CostDistanceReport& report) {
  run_cost(state, problem, views, report, {solve_by_heap<float>, solve_by_heap<double>});
}

}  // namespace thiessen::cpu
