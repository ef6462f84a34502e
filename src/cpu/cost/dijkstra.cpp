// SPDX-License-Identifier: Apache-2.0
//
// E. W. Dijkstra's algorithm (1959) from all sites at once, with a heap whose nodes have four
// children.
//
// Adding a weight that is not negative never lowers a cost, even when rounded. So a cell that
// leaves the heap is final: all later cells cost at least as much.
#include "cpu/cost/dijkstra.hpp"

#include <limits>

#include "core/cost_labels.hpp"
#include "cpu/cost/cost.hpp"
#include "cpu/cost/methods.hpp"

namespace thiessen::cpu {
namespace {

/// A heap of cells by their cost. `place` says where in the heap a cell is, so that it can rise.
template <class T>
class CellHeap {
 public:
  CellHeap(const T* cost, std::int64_t cells, Scratch::Frame& scratch)
      : cost_(cost),
        nodes_(scratch.array<Node>(cells)),
        place_(scratch.array<std::int64_t>(cells)) {
    std::fill_n(place_, cells, kNowhere);
  }

  bool empty() const { return size_ == 0; }

  /// Puts a cell in, or moves it up after its cost has fallen.
  void put(std::int64_t cell) {
    if (place_[cell] == kNowhere) place_[cell] = size_++;
    rise(place_[cell], {cost_[cell], cell});
  }

  std::int64_t take_least() {
    const std::int64_t least = nodes_[0].cell;
    place_[least] = kNowhere;
    if (--size_ > 0) sink(nodes_[size_]);
    return least;
  }

 private:
  static constexpr std::int64_t kNowhere = -1;
  static constexpr std::int64_t kChildren = 4;

  struct Node {
    T cost;
    std::int64_t cell;
  };

  void set(std::int64_t place, const Node& node) {
    nodes_[place] = node;
    place_[node.cell] = place;
  }

  void rise(std::int64_t place, const Node& node) {
    while (place > 0) {
      const std::int64_t parent = (place - 1) / kChildren;
      if (nodes_[parent].cost <= node.cost) break;
      set(place, nodes_[parent]);
      place = parent;
    }
    set(place, node);
  }

  void sink(const Node& node) {
    std::int64_t place = 0;
    for (;;) {
      const std::int64_t first = place * kChildren + 1;
      if (first >= size_) break;
      std::int64_t least = first;
      for (std::int64_t child = first + 1; child < std::min(first + kChildren, size_); ++child)
        if (nodes_[child].cost < nodes_[least].cost) least = child;
      if (nodes_[least].cost >= node.cost) break;
      set(place, nodes_[least]);
      place = least;
    }
    set(place, node);
  }

  const T* cost_;
  Node* nodes_;
  std::int64_t* place_;
  std::int64_t size_ = 0;
};

}  // namespace

namespace {

/// Takes cells from the heap, the least cost first, until it is empty. note(count) is called with
/// the cells that were taken, from time to time.
template <class T, class Note>
void empty_heap(const CostJob<T>& job, CellHeap<T>& heap, const Note& note) {
  const Axes& extent = job.problem.extent;
  const auto deltas = neighbour_deltas(job.edges, extent);
  constexpr std::int64_t kStride = 4096;
  for (std::int64_t taken = 1; !heap.empty(); ++taken) {
    const std::int64_t cell = heap.take_least();
    if (taken % kStride == 0) note(kStride);
    std::uint32_t inside = neighbours_inside(job.edges, extent, to_cell(extent, cell));
    for (; inside != 0; inside &= inside - 1) {
      const int k = std::countr_zero(inside);
      const std::int64_t next = cell + deltas[static_cast<std::size_t>(k)];
      const T cost = along(job.cost[cell], step_weight(job.edges, k, job.resistance + cell,
                                                       extent[1] * extent[2], extent[2]));
      if (!(cost < job.cost[next]) || cost > job.limit) continue;
      job.cost[next] = cost;
      heap.put(next);
    }
  }
}

}  // namespace

template <class T>
Fronts solve_by_heap(ContextState& state, const CostJob<T>& job, CostDistanceReport&) {
  Scratch::Frame scratch(state.scratch);
  CellHeap<T> heap(job.cost, job.problem.cells(), scratch);
  for (std::int64_t rank = 0; rank < job.sites.count; ++rank) {
    const std::int64_t cell = job.sites.cell[rank];
    if (cell != kNoCell && job.cost[cell] <= job.limit) heap.put(cell);
  }
  empty_heap(job, heap, [&](std::int64_t cells) { state.progress.advance(kUnitsOfCost * cells); });
  return Fronts::winding;
}
template Fronts solve_by_heap(ContextState&, const CostJob<float>&, CostDistanceReport&);
template Fronts solve_by_heap(ContextState&, const CostJob<double>&, CostDistanceReport&);

template <class T>
void continue_by_heap(ContextState& state, const CostJob<T>& job,
                      const std::function<void(const std::function<void(std::int64_t)>&)>& starts) {
  Scratch::Frame scratch(state.scratch);
  CellHeap<T> heap(job.cost, job.problem.cells(), scratch);
  starts([&](std::int64_t cell) {
    if (job.cost[cell] <= job.limit) heap.put(cell);
  });
  empty_heap(job, heap, [&](std::int64_t) { state.progress.check(); });
}
template void continue_by_heap(
    ContextState&, const CostJob<float>&,
    const std::function<void(const std::function<void(std::int64_t)>&)>&);
template void continue_by_heap(
    ContextState&, const CostJob<double>&,
    const std::function<void(const std::function<void(std::int64_t)>&)>&);

void run_dijkstra(ContextState& state, const CostProblem& problem, const CostViews& views,
                  CostDistanceReport& report) {
  run_cost(state, problem, views, report, {solve_by_heap<float>, solve_by_heap<double>});
}

}  // namespace thiessen::cpu
