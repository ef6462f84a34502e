// SPDX-License-Identifier: Apache-2.0
//
// The second phase of cost distance: finds the site of each cell, once all costs are final.
//
//   tight step   from q to p with fl(d(q) + w) = d(p) < inf
//   root         a site whose cell has exactly its own initial cost
//   rank         of p: the least rank of the roots from which p is reached along tight steps
//   hops         of p: the fewest tight steps to p from the cell of that root
//
// The rank of a root spreads along tight steps and stops at cells that have a lesser one. Each
// front ends, as it lowers a cell once. Together they end at the least fixed point in any order, so
// threads may run them at the same time. If one thread runs them in ascending order of rank, no
// cell is written twice.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>

#include "core/base/cell_queue.hpp"
#include "core/cost/edges.hpp"
#include "core/cost/inputs.hpp"
#include "core/cost/neighbours.hpp"
#include "core/cost/placed_steps.hpp"

namespace thiessen {

/// The neighbours that a cell reaches by a tight step: bit k for neighbour k.
using FewSteps = std::uint8_t;    ///< for up to 8 neighbours
using ManySteps = std::uint32_t;  ///< for more

/// The arrays of the phase, one element a cell, and the steps.
template <class T, class Steps>
struct TightGraph {
  Axes extent{};
  CostEdges<T> edges;
  const PlacedSteps<T>* placed = nullptr;  ///< null: steps depend on the resistances alone
  const T* resistance = nullptr;
  const T* cost = nullptr;
  Steps* steps = nullptr;               ///< tight steps out of a cell
  Rank* rank = nullptr;                 ///< kNoRank if unreached
  std::int64_t* hops = nullptr;         ///< null if not wanted; only for cells with a rank
  const std::uint8_t* links = nullptr;  ///< back links, if they are known without hops
  /// Where fronts run, if they do: two floats a word, along y and x.
  const std::int64_t* fronts = nullptr;
};

/// Finds the tight steps out of the cells first..end-1 of a row (row = z·height + y).
template <class T, class Steps>
void find_tight_steps(const TightGraph<T, Steps>& graph, std::int64_t row, std::int64_t first,
                      std::int64_t end) {
  const Axes& extent = graph.extent;
  const auto deltas = neighbour_deltas(graph.edges, extent);
  for (std::int64_t x = first; x < end; ++x) {
    const std::int64_t index = row * extent[2] + x;
    const T own = graph.cost[index];
    std::uint32_t tight = 0;
    if (own < std::numeric_limits<T>::infinity()) {
      for_each_neighbour(graph.edges, deltas, extent, index, [&](std::int64_t next, int k) {
        const T weight = step_weight(graph.edges, graph.placed, k, graph.resistance, index, extent);
        if (is_tight(own, weight, graph.cost[next])) tight |= std::uint32_t{1} << k;
      });
    }
    graph.steps[index] = static_cast<Steps>(tight);
  }
}

/// Whether a site keeps its own initial cost, and so passes on its rank.
template <class T, class Steps>
bool is_root(const TightGraph<T, Steps>& graph, const CostSites<T>& sites, Rank rank) {
  const std::int64_t cell = sites.cell[rank];
  return cell != kNoCell && graph.cost[cell] == sites.initial_of(rank);
}

/// Lowers a rank that other threads may be lowering; returns whether it was greater.
template <bool kShared>
bool lower_rank(Rank& place, Rank rank) {
  if constexpr (!kShared) {
    const bool lowered = rank < place;
    place = std::min(place, rank);
    return lowered;
  }
  const std::atomic_ref<Rank> shared(place);
  Rank known = shared.load(std::memory_order_relaxed);
  while (rank < known)
    if (shared.compare_exchange_weak(known, rank, std::memory_order_relaxed)) return true;
  return false;
}

/// Cells to be done, in any order: the last ones in a ring, first in first out, and what does not
/// fit in a list.
class CellRing {
 public:
  explicit CellRing(CellQueue& rest) : rest_(rest) {}

  bool empty() const { return begin_ == end_ && rest_.empty(); }
  /// Makes room for the cells that a cell may lower.
  void make_room() {
    while (end_ - begin_ > kAtHand - kMostNeighbours) rest_.push(cells_[begin_++ % kAtHand]);
  }
  /// Adds a cell if `wanted`, without a branch.
  void push(std::int64_t cell, bool wanted = true) {
    cells_[end_ % kAtHand] = cell;
    end_ += wanted ? 1 : 0;
  }
  std::int64_t pop() { return begin_ != end_ ? cells_[begin_++ % kAtHand] : rest_.pop_back(); }

 private:
  static constexpr std::size_t kAtHand = 1024;

  CellQueue& rest_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::array<std::int64_t, kAtHand> cells_;
};

/// Spreads the rank of one root. `kShared`: other threads do so at the same time.
template <bool kShared, class T, class Steps>
void spread_rank(const TightGraph<T, Steps>& graph,
                 const std::array<std::int64_t, kMostNeighbours>& deltas, const CostSites<T>& sites,
                 Rank rank, CellQueue& queue) {
  if (!is_root(graph, sites, rank)) return;
  const std::int64_t start = sites.cell[rank];
  if (!lower_rank<kShared>(graph.rank[start], rank)) return;
  constexpr std::int64_t kAhead = 4;
  CellRing ring(queue);
  for (ring.push(start); !ring.empty();) {
    const std::int64_t cell = ring.pop();
    ring.make_room();
    for (std::uint32_t steps = graph.steps[cell]; steps != 0; steps &= steps - 1) {
      const int k = std::countr_zero(steps);
      const std::int64_t delta = deltas[static_cast<std::size_t>(k)];
      const std::int64_t next = neighbour_of(graph.edges, deltas, graph.extent, cell, k);
      // Rows are far from each other, so the next cells are prefetched.
      __builtin_prefetch(graph.rank + next + kAhead * delta, 1);
      __builtin_prefetch(graph.steps + next + kAhead * delta);
      ring.push(next, lower_rank<kShared>(graph.rank[next], rank));
    }
  }
}

/// Counts the hops of the cells of one root. Ranks are final; `hops` is -1 everywhere in them.
template <class T, class Steps>
void count_hops(const TightGraph<T, Steps>& graph,
                const std::array<std::int64_t, kMostNeighbours>& deltas, const CostSites<T>& sites,
                Rank rank, CellQueue& queue) {
  const std::int64_t start = sites.cell[rank];
  if (start == kNoCell || graph.rank[start] != rank || graph.hops[start] >= 0) return;
  graph.hops[start] = 0;
  queue.push(start);
  while (!queue.empty()) {
    const std::int64_t cell = queue.pop_front();
    for (std::uint32_t steps = graph.steps[cell]; steps != 0; steps &= steps - 1) {
      const std::int64_t next =
          neighbour_of(graph.edges, deltas, graph.extent, cell, std::countr_zero(steps));
      if (graph.rank[next] != rank || graph.hops[next] >= 0) continue;
      graph.hops[next] = graph.hops[cell] + 1;
      queue.push(next);
    }
  }
}

/// The back link of a cell that has a rank.
template <class T, class Steps>
std::uint8_t back_link(const TightGraph<T, Steps>& graph,
                       const std::array<std::int64_t, kMostNeighbours>& deltas,
                       std::int64_t index) {
  if (graph.links != nullptr) return graph.links[index];
  if (graph.hops[index] == 0) return 0;
  std::uint32_t back = 0;
  for_each_neighbour(graph.edges, deltas, graph.extent, index, [&](std::int64_t from, int k) {
    const int here = graph.edges.count - 1 - k;  // the step from there to here
    const bool leads_back = (graph.steps[from] >> here & 1) != 0 &&
                            graph.rank[from] == graph.rank[index] &&
                            graph.hops[from] < graph.hops[index];
    back |= std::uint32_t{leads_back} << k;
  });
  const std::int64_t row = index / graph.extent[2] % graph.extent[1];
  return link_along(graph.edges, graph.placed, back, row);
}

}  // namespace thiessen
