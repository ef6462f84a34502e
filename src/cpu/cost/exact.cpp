// SPDX-License-Identifier: Apache-2.0
//
// Method "exact": costs fall tile by tile (tile_rounds.hpp). Where a front crosses a whole tile in
// 2-D, they are passed on by passes over its rows (passes-inl.hpp); where few cells have fallen,
// and in 3-D or with 16 neighbours, from one cell after the other. Of the latter, few threads do
// not: there one of them is faster with Dijkstra's heap.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <new>

#include "cpu/cost/call.hpp"
#include "cpu/cost/cell_by_cell.hpp"
#include "cpu/cost/dijkstra.hpp"
#include "cpu/cost/falling_costs.hpp"
#include "cpu/cost/level_cells.hpp"
#include "cpu/cost/methods.hpp"
#include "cpu/cost/sweep.hpp"
#include "cpu/cost/tile_rounds.hpp"

namespace thiessen::cpu {
namespace {

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
  const auto fetch = [](std::int64_t, const cost::TileBox&) {};
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
        buffers_(scratch.array<cost::SweepBuffers<T>>(state.threads)),
        grounds_(scratch.array<cost::Ground<T>>(rounds_.tile_count())),
        kinds_(scratch.array<Kind>(rounds_.tile_count())) {
    // What steps cost is all that is asked of level ground, not the barriers beside them.
    std::fill_n(kinds_, rounds_.tile_count(),
                call.edges.tight_barriers ? Kind::uneven : Kind::unknown);
  }

  Fronts run() {
    add_starts(call_, [&](const Axes& cell) { lines_.add_first(cell); });
    const auto fetch = [&](std::int64_t tile, const cost::TileBox& box) {
      const cost::TilePlace place = flat_place(box, extent_);
      cost::fetch_tile(place, call_.cost);
      if (kind_of(tile).load(std::memory_order_relaxed) != Kind::level)
        cost::fetch_tile(place, call_.resistance);
    };
    rounds_.run(fetch, [&](std::int64_t tile, const cost::TileBox& box, int worker) {
      const cost::TilePlace place = flat_place(box, extent_);
      // Of a tile that is entered for the first time, much is likely to fall.
      const bool is_new = kind_of(tile).load(std::memory_order_relaxed) == Kind::unknown;
      const cost::Ground<T>* const ground = ground_of(tile, place);
      const cost::Lines lines = lines_.take(tile);
      const cost::Lines left = is_new ? lines : pass_on(box, ground, lines, queues_[worker]);
      if (left.rows == 0) return;
      sweep(box, {call_.resistance, call_.cost, place, ground}, left, buffers_[worker]);
    });
    return rounds_.visits_per_tile() <= cost::kMostVisitsOfStraight ? Fronts::straight
                                                                    : Fronts::winding;
  }

 private:
  /// Of the ground of a tile.
  enum class Kind : std::uint8_t { unknown, level, uneven };

  /// That of a tile may be read ahead of its turn.
  std::atomic_ref<Kind> kind_of(std::int64_t tile) const { return std::atomic_ref(kinds_[tile]); }

  /// Null where it is not level.
  const cost::Ground<T>* ground_of(std::int64_t tile, const cost::TilePlace& place) {
    const std::atomic_ref<Kind> kind = kind_of(tile);
    if (kind.load(std::memory_order_relaxed) == Kind::unknown) {
      const bool is_level = kernel_.survey(call_.resistance, place, grounds_[tile]);
      kind.store(is_level ? Kind::level : Kind::uneven, std::memory_order_relaxed);
    }
    return kind.load(std::memory_order_relaxed) == Kind::level ? grounds_ + tile : nullptr;
  }

  /// Passes on from one cell after the other, as long as they do not become many; what is left.
  cost::Lines pass_on(const cost::TileBox& box, const cost::Ground<T>* ground,
                      const cost::Lines& lines, cost::TileQueue& queue) {
    if (std::popcount(lines.rows) * std::popcount(lines.columns) > kFew) return lines;
    const auto pass_out = [&](const Axes& cell) { lines_.add(cell); };
    if (ground != nullptr && call_.edges.count == 8)
      return cost::LevelCells<T>(call_, costs_, box, *ground).run(lines, kPatience, pass_out);
    for (std::uint64_t rows = lines.rows; rows != 0; rows &= rows - 1)
      for (std::uint64_t columns = lines.columns; columns != 0; columns &= columns - 1)
        queue.push({0, static_cast<std::int16_t>(std::countr_zero(rows)),
                    static_cast<std::int16_t>(std::countr_zero(columns))});
    cells_.run(
        box, queue, kPatience,
        [&](std::int64_t from, int k, std::int64_t to) { return costs_.lower(from, k, to); },
        pass_out);
    cost::Lines left;
    while (!queue.empty()) {
      const cost::TileCell cell = queue.pop();
      left.rows |= std::uint64_t{1} << cell.y;
      left.columns |= std::uint64_t{1} << cell.x;
    }
    return left;
  }

  void sweep(const cost::TileBox& box, const cost::SweepTile<T>& tile, const cost::Lines& lines,
             cost::SweepBuffers<T>& buffers) {
    lines_.add(box, kernel_.sweep(tile, edges_, lines, buffers));
    if (call_.edges.count != 8) return;
    for_each_corner(tile.place, [&](std::int64_t from, int k, std::int64_t to) {
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
  cost::Ground<T>* grounds_;  ///< of tiles where it is level, and
  Kind* kinds_;               ///< of all
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
