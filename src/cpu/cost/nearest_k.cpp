// SPDX-License-Identifier: Apache-2.0
//
// The k nearest sites of each cell by cost (docs/adr/0016-k-nearest-by-cost.md).
//
//   c(s, p)   the cost of the call with site s alone at cell p
//   list      of a cell: the m cheapest sites that were found so far, m = k + 1
//
// E. W. Dijkstra's algorithm (1959) with labels: a site goes on from a cell while it is among the m
// cheapest that arrived there. At the end a step from q to p leaves nothing to do: a site in the
// list of q at the cost c is in the list of p at no more than fl(c + w), or that list is full of
// sites that cost no more.
//
// The costs of the lists are then the m least of all c(s, p), and every site with a cost below the
// last one is there at its cost. To see this, follow the best path of s from cell to cell. Either s
// is in the list at no more than its cost on the path, or the list is full of sites that cost no
// more. The second case stays: each of these m sites is in the next list at no more than its cost
// plus w, or the next list is full of sites that cost no more. Rounded addition is monotone, so all
// of them cost no more than s. Which of the sites with the last cost are there depends on the order
// of the work: cut_ties.cpp settles that for place k, and therefore lists have one place more.
#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/cost/labels.hpp"
#include "core/cost/outputs.hpp"
#include "cpu/cost/cost.hpp"
#include "cpu/cost/cut_ties.hpp"
#include "cpu/cost/falling_costs.hpp"
#include "cpu/cost/methods.hpp"
#include "cpu/cost/nearest_lists.hpp"
#include "cpu/cost/radix_queue.hpp"
#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu {
namespace {

using cost::NearestLists;
using cost::SiteCost;

/// A site that has arrived at a cell.
template <class T, class Cell>
struct SiteArrival {
  T cost;
  Cell cell;
  Rank rank;
};

template <class T>
class NearestKSearch {
 public:
  NearestKSearch(ContextState& state, const CostJob<T>& job, NearestLists<T>& lists)
      : state_(state),
        job_(job),
        lists_(lists),
        weights_(job),
        deltas_(neighbour_deltas(job.edges, job.problem.extent)) {}

  void run() {
    if (job_.problem.cells() <= std::numeric_limits<std::uint32_t>::max())
      run<std::uint32_t>();
    else
      run<std::int64_t>();
  }

 private:
  template <class Cell>
  void run() {
    using Node = SiteArrival<T, Cell>;
    const auto is_stale = [this](const Node& node) {
      return !lists_.has(static_cast<std::int64_t>(node.cell), node.rank, node.cost);
    };
    using Heap = cost::RadixHeap<T, Node, decltype(is_stale), true>;
    Scratch::Frame scratch(state_.scratch);
    typename Heap::Pool pool(scratch);
    Heap heap(pool, is_stale);
    const auto offer = [&](T cost, std::int64_t cell, Rank rank) {
      if (cost <= job_.limit && lists_.offer(cell, rank, cost))
        heap.put({cost, static_cast<Cell>(cell), rank});
    };
    for (std::int64_t rank = 0; rank < job_.sites.count; ++rank)
      if (job_.sites.cell[rank] != kNoCell)
        offer(job_.sites.initial_of(rank), job_.sites.cell[rank], static_cast<Rank>(rank));
    constexpr std::int64_t kStride = 4096;
    std::int64_t taken = 0;
    while (const auto node = heap.pop_least()) {
      if (++taken % kStride == 0) state_.progress.advance(kUnitsOfCost * kStride);
      pass_on(static_cast<std::int64_t>(node->cell), node->cost,
              [&](T cost, std::int64_t next) { offer(cost, next, node->rank); });
    }
  }

  /// Calls offer(cost, cell) for the neighbours of a cell that may take another site.
  template <class Offer>
  void pass_on(std::int64_t cell, T cost, const Offer& offer) const {
    for_each_neighbour(job_.edges, deltas_, job_.problem.extent, cell,
                       [&](std::int64_t next, int k) {
                         if (cost < lists_.greatest(next))
                           offer(along(cost, weights_(cell, k, next)), next);
                       });
  }

  ContextState& state_;
  const CostJob<T>& job_;
  NearestLists<T>& lists_;
  StepWeights<T> weights_;
  std::array<std::int64_t, kMostNeighbours> deltas_;
};

/// The sites of all cells at one place of their lists, as arrays that a writer takes.
template <class T>
class RankPlane {
 public:
  RankPlane(const CostJob<T>& job, Scratch::Frame& scratch)
      : cost_(scratch.array<T>(job.problem.cells())),
        graph_{.extent = job.problem.extent,
               .edges = job.edges,
               .cost = cost_,
               .rank = scratch.array<Rank>(job.problem.cells())} {}

  const TightGraph<T, FewSteps>& graph() const { return graph_; }

  /// Beyond the lists there is no site.
  void load(const NearestLists<T>& lists, std::int64_t place, std::int64_t begin,
            std::int64_t end) {
    for (std::int64_t cell = begin; cell < end; ++cell) {
      const SiteCost<T> site = place < lists.places() ? lists.of(cell)[place] : SiteCost<T>();
      cost_[cell] = site.cost;
      graph_.rank[cell] = site.rank;
    }
  }

 private:
  T* cost_;
  TightGraph<T, FewSteps> graph_;
};

template <class T>
void write_outputs(const CostJob<T>& job, const CostViews& views, const NearestLists<T>& lists,
                   const Loop& loop, Scratch::Frame& scratch) {
  const Axes& extent = job.problem.extent;
  RankPlane<T> plane(job, scratch);
  for (std::int64_t place = 0; place < job.problem.k; ++place) {
    CostViews own = views;
    own.out = outputs_of_rank(views.out, place);
    const CostWriter<T, FewSteps> writer(job.problem, own, job.sites, plane.graph());
    loop(extent[0] * extent[1], [&](std::int64_t begin, std::int64_t end) {
      plane.load(lists, place, begin * extent[2], end * extent[2]);
      for (std::int64_t row = begin; row < end; ++row) writer.write_row(row);
    });
  }
}

/// Sites of equal cost in the order of their ranks, among the first k.
template <class T>
void sort_equal_costs(const CostJob<T>& job, const NearestLists<T>& lists, const Loop& loop) {
  const Axes& extent = job.problem.extent;
  const std::int64_t sorted = std::min(job.problem.k, lists.places());
  loop(extent[0] * extent[1], [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t cell = begin * extent[2]; cell < end * extent[2]; ++cell)
      std::sort(lists.of(cell), lists.of(cell) + sorted,
                [](const SiteCost<T>& a, const SiteCost<T>& b) {
                  return std::pair(a.cost, a.rank) < std::pair(b.cost, b.rank);
                });
  });
}

template <class T>
void find_nearest_k_by_cost(ContextState& state, const CostProblem& problem, const CostViews& views,
                            CostDistanceReport& report) {
  Scratch::Frame scratch(state.scratch);
  constexpr std::int64_t kUnitsOfInputs = 4;
  state.progress.begin((kUnitsOfInputs + (kUnitsOfCost + 1) * (problem.k + 1)) * problem.cells());
  const Loop loop = loop_over_rows(state, problem.extent[2], problem.extent[2]);
  PlacedSteps<T> steps;
  const CostJob<T> job = [&] {
    const PhaseTimer phase(state, "inputs");
    return load_job(problem, views, report, loop, scratch, steps);
  }();
  const std::int64_t places = std::clamp<std::int64_t>(job.sites.count, 1, problem.k + 1);
  NearestLists<T> lists(problem.cells(), places, scratch);
  const Axes& extent = problem.extent;
  loop(extent[0] * extent[1], [&](std::int64_t begin, std::int64_t end) {
    lists.clear(begin * extent[2], end * extent[2]);
  });
  {
    const PhaseTimer phase(state, "costs");
    NearestKSearch<T>(state, job, lists).run();
  }
  if (places > problem.k) {
    const PhaseTimer phase(state, "ties");
    cost::settle_cut_ties(state, job, lists, scratch);
  }
  const PhaseTimer phase(state, "output");
  sort_equal_costs(job, lists, loop);
  write_outputs(job, views, lists, loop, scratch);
}

}  // namespace

void run_nearest_k_by_cost(ContextState& state, const CostProblem& problem, const CostViews& views,
                           CostDistanceReport& report) {
  if (problem.wide)
    find_nearest_k_by_cost<double>(state, problem, views, report);
  else
    find_nearest_k_by_cost<float>(state, problem, views, report);
}

}  // namespace thiessen::cpu
