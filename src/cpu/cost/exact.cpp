// SPDX-License-Identifier: Apache-2.0
//
// Method "exact": costs fall tile by tile (tile_rounds.hpp). Where a front crosses a whole tile in
// 2-D, they are passed on by passes over its rows (passes-inl.hpp); where few cells have fallen,
// and in 3-D or with 16 neighbours, from one cell after the other. Of the latter, few threads do
// not: there one of them is faster with Dijkstra's heap.
#include <bit>
#include <cstdint>
#include <limits>
#include <new>

#include "cpu/cost/call.hpp"
#include "cpu/cost/cell_by_cell.hpp"
#include "cpu/cost/dijkstra.hpp"
#include "cpu/cost/methods.hpp"
#include "cpu/cost/sweep.hpp"
#include "cpu/cost/tile_rounds.hpp"

namespace thiessen::cpu {
namespace {

/// Costs that steps lower.
template <class T>
class FallingCosts {
 public:
  explicit FallingCosts(const CostCall<T>& call)
      : call_(call),
        width_(call.problem.extent[2]),
        plane_(call.problem.extent[1] * width_),
        is_plain_(!call.edges.tight_barriers && call.edges.count != 16) {}

  /// Whether step k lowers the cost of the cell that it leads to; then it has.
  bool lower(std::int64_t from, int k, std::int64_t to) const {
    const T own = call_.cost[from];
    T& there = call_.cost[to];
    if (there <= own) return false;
    const T cost = along(own, weight(from, k, to));
    if (!(cost < there) || cost > call_.limit) return false;
    there = cost;
    return true;
  }

 private:
  T weight(std::int64_t from, int k, std::int64_t to) const {
    const T* const resistance = call_.resistance;
    return is_plain_ ? call_.edges.weight(k, step_sum(resistance[from], resistance[to]))
                     : step_weight(call_.edges, k, resistance + from, plane_, width_);
  }

  const CostCall<T>& call_;
  std::int64_t width_;
  std::int64_t plane_;
  bool is_plain_;  ///< steps depend on the two cells alone
};

/// Calls add(cell) for the cells that paths start in.
template <class T, class Add>
void add_starts(const CostCall<T>& call, const Add& add) {
  for (std::int64_t rank = 0; rank < call.sites.count; ++rank) {
    const std::int64_t cell = call.sites.cell[rank];
    if (cell != kNoCell && call.cost[cell] <= call.limit) add(to_cell(call.problem.extent, cell));
  }
}

cost::TileQueue* make_queues(const ContextState& state, Scratch::Frame& scratch) {
  auto* const queues = scratch.array<cost::TileQueue>(state.threads);
  for (int worker = 0; worker < state.threads; ++worker) new (queues + worker) cost::TileQueue;
  return queues;
}

/// Any problem, one cell after the other.
template <class T>
void solve_by_cells(ContextState& state, const CostCall<T>& call, Scratch::Frame& scratch) {
  const Axes& extent = call.problem.extent;
  const FallingCosts<T> costs(call);
  // First, as its memory is then that of the ranks later.
  auto* const marks = scratch.array<std::uint8_t>(call.problem.cells());
  cost::TileRounds rounds(state, extent, call.edges.is_flat(), kUnitsOfCost, scratch);
  cost::DirtyCells dirty(extent, rounds, marks);
  const cost::CellByCell<T> cells(extent, call.edges);
  cost::TileQueue* const queues = make_queues(state, scratch);
  add_starts(call, [&](const Axes& cell) { dirty.add(cell); });
  const auto fetch = [](const cost::TileBox&) {};
  rounds.run(fetch, [&](std::int64_t, const cost::TileBox& box, int worker) {
    dirty.take(box, queues[worker]);
    cells.run(
        box, queues[worker], std::numeric_limits<std::int64_t>::max(),
        [&](std::int64_t from, int k, std::int64_t to) { return costs.lower(from, k, to); },
        [&](const Axes& cell) { dirty.add(cell); });
  });
}

/// 2-D rasters with 4 or 8 neighbours.
template <class T>
class Sweeper {
 public:
  Sweeper(ContextState& state, const CostCall<T>& call, cost::SweepKernel<T> kernel,
          Scratch::Frame& scratch)
      : call_(call),
        extent_(call.problem.extent),
        kernel_(kernel),
        edges_(cost::sweep_edges(call.edges, call.limit)),
        costs_(call),
        rounds_(state, extent_, true, kUnitsOfCost, scratch),
        lines_(rounds_, scratch),
        cells_(extent_, call.edges),
        queues_(make_queues(state, scratch)),
        buffers_(scratch.array<cost::SweepBuffers<T>>(state.threads)) {}

  Fronts run() {
    add_starts(call_, [&](const Axes& cell) { lines_.add_first(cell); });
    const auto fetch = [&](const cost::TileBox& box) {
      const cost::TilePlace place = flat_place(box, extent_);
      cost::fetch_tile(place, call_.cost);
      cost::fetch_tile(place, call_.resistance);
    };
    rounds_.run(fetch, [&](std::int64_t tile, const cost::TileBox& box, int worker) {
      const cost::Lines left = pass_on(box, lines_.take(tile), queues_[worker]);
      if (left.rows != 0) sweep(box, left, buffers_[worker]);
    });
    return rounds_.visits_per_tile() <= cost::kMostVisitsOfStraight ? Fronts::straight
                                                                    : Fronts::winding;
  }

 private:
  /// Passes on from one cell after the other, as long as they do not become many; what is left.
  cost::Lines pass_on(const cost::TileBox& box, const cost::Lines& lines, cost::TileQueue& queue) {
    if (std::popcount(lines.rows) * std::popcount(lines.columns) > kFew) return lines;
    for (std::uint64_t rows = lines.rows; rows != 0; rows &= rows - 1)
      for (std::uint64_t columns = lines.columns; columns != 0; columns &= columns - 1)
        queue.push({0, static_cast<std::int16_t>(std::countr_zero(rows)),
                    static_cast<std::int16_t>(std::countr_zero(columns))});
    cells_.run(
        box, queue, kPatience,
        [&](std::int64_t from, int k, std::int64_t to) { return costs_.lower(from, k, to); },
        [&](const Axes& cell) { lines_.add(cell); });
    cost::Lines left;
    while (!queue.empty()) {
      const cost::TileCell cell = queue.pop();
      left.rows |= std::uint64_t{1} << cell.y;
      left.columns |= std::uint64_t{1} << cell.x;
    }
    return left;
  }

  void sweep(const cost::TileBox& box, const cost::Lines& lines, cost::SweepBuffers<T>& buffers) {
    const cost::TilePlace place = flat_place(box, extent_);
    lines_.add(box, kernel_.sweep({call_.resistance, call_.cost, place}, edges_, lines, buffers));
    if (call_.edges.count != 8) return;
    for_each_corner(place, [&](std::int64_t from, int k, std::int64_t to) {
      if (costs_.lower(from, k, to)) lines_.add(to_cell(extent_, to));
    });
  }

  /// A tile with no more cells that may have fallen than this may be done cell by cell,
  static constexpr int kFew = 16;
  /// as long as that takes no more cells than this.
  static constexpr std::int64_t kPatience = 200;

  const CostCall<T>& call_;
  Axes extent_;
  cost::SweepKernel<T> kernel_;
  cost::SweepEdges<T> edges_;
  FallingCosts<T> costs_;
  cost::TileRounds rounds_;
  cost::TileLines lines_;
  cost::CellByCell<T> cells_;
  cost::TileQueue* queues_;  ///< one for each worker, as
  cost::SweepBuffers<T>* buffers_;
};

/// Cell by cell a heap is three to six times as fast, for its one thread.
constexpr int kThreadsOfHeap = 6;

template <class T>
Fronts solve_by_tiles(ContextState& state, const CostCall<T>& call, CostDistanceReport& report) {
  Scratch::Frame scratch(state.scratch);
  const auto kernel = cost::sweep_kernel(state.instruction_sets, T{});
  if (kernel.sweep != nullptr && call.edges.is_flat() && call.edges.count <= 8)
    return Sweeper<T>(state, call, kernel, scratch).run();
  if (state.threads <= kThreadsOfHeap) return solve_by_heap(state, call, report);
  solve_by_cells(state, call, scratch);
  return Fronts::winding;
}

}  // namespace

void run_exact_cost(ContextState& state, const CostProblem& problem, const CostViews& views,
                    CostDistanceReport& report) {
  run_cost(state, problem, views, report, {solve_by_tiles<float>, solve_by_tiles<double>});
}

}  // namespace thiessen::cpu
