// SPDX-License-Identifier: Apache-2.0
//
// Method "exact": costs fall tile by tile (tile_rounds.hpp). In 2-D passes over the rows of a tile
// carry them on (passes-inl.hpp). In 3-D or with 16 neighbours, they are passed on from one cell
// after the other. With few threads, one of them does that faster with Dijkstra's heap. The heap
// also takes over where tiles are passed over too often: along a corridor that comes back to each
// tile dozens of times. Over the ends of periodic axes, cells at the ends pass their costs on
// between two runs of the tiles.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <vector>

#include "cpu/cost/cost.hpp"
#include "cpu/cost/dijkstra.hpp"
#include "cpu/cost/falling_costs.hpp"
#include "cpu/cost/methods.hpp"
#include "cpu/cost/tiles/cell_by_cell.hpp"
#include "cpu/cost/tiles/sweep.hpp"
#include "cpu/cost/tiles/tile_rounds.hpp"

namespace thiessen::cpu {
namespace {

/// Calls add(cell) for the cells in which paths start.
template <class T, class Add>
void add_starts(const CostJob<T>& job, const Add& add) {
  for (std::int64_t rank = 0; rank < job.sites.count; ++rank) {
    const std::int64_t cell = job.sites.cell[rank];
    if (cell != kNoCell && job.cost[cell] <= job.limit) add(to_cell(job.problem.extent, cell));
  }
}

/// Solves any problem, one cell after the other.
template <class T>
void solve_by_cells(ContextState& state, const CostJob<T>& job, Scratch::Frame& scratch) {
  const Axes& extent = job.problem.extent;
  const FallingCosts<T> costs(job);
  // Taken first: the ranks get the same memory later.
  auto* const marks = scratch.array<std::uint8_t>(job.problem.cells());
  cost::TileRounds rounds(state, extent, job.edges.is_flat(), kUnitsOfCost, scratch);
  cost::DirtyCells dirty(extent, rounds, marks);
  const cost::CellByCell<T> cells(extent, job.edges);
  auto* const queues = scratch.array<cost::TileQueue>(state.threads);
  for (int worker = 0; worker < state.threads; ++worker) new (queues + worker) cost::TileQueue;
  add_starts(job, [&](const Axes& cell) { dirty.add(cell); });
  const auto fetch = [](std::int64_t, const cost::TileBox&) {};
  rounds.run(
      fetch,
      [&](std::int64_t, const cost::TileBox& box, int worker) {
        dirty.take(box, queues[worker]);
        cells.run(
            box, queues[worker],
            [&](std::int64_t from, int k, std::int64_t to) { return costs.lower(from, k, to); },
            [&](const Axes& cell) { dirty.add(cell); });
      },
      [] { return true; });
}

/// Solves 2-D rasters with 4 or 8 neighbours.
template <class T>
class Sweeper {
 public:
  Sweeper(ContextState& state, const CostJob<T>& job, cost::SweepKernel<T> kernel,
          Scratch::Frame& scratch)
      : state_(state),
        job_(job),
        extent_(job.problem.extent),
        kernel_(kernel),
        edges_(cost::sweep_edges(job.edges, job.placed, job.limit)),
        costs_(job),
        rounds_(state, extent_, true, kUnitsOfCost, scratch),
        lines_(rounds_, scratch),
        buffers_(scratch.array<cost::SweepBuffers<T>>(state.threads)),
        grounds_(scratch.array<cost::Ground<T>>(rounds_.tile_count())),
        kinds_(scratch.array<Kind>(rounds_.tile_count())) {
    // For level ground only the cost of a step counts, not the barriers beside it nor the place.
    const bool is_uneven = job.edges.tight_barriers || job.placed != nullptr;
    std::fill_n(kinds_, rounds_.tile_count(), is_uneven ? Kind::uneven : Kind::unknown);
    if (job.placed == nullptr || !job.placed->are_directed()) return;
    walks_ = scratch.array<cost::SweepWalk<T>>(state.threads);
    for (int worker = 0; worker < state.threads; ++worker) walks_[worker].steps = job.placed;
  }

  Fronts run() {
    add_starts(job_, [&](const Axes& cell) { lines_.add_first(cell); });
    const auto fetch = [&](std::int64_t tile, const cost::TileBox& box) {
      const cost::TilePlace place = flat_place(box, extent_);
      cost::fetch_tile(place, job_.cost);
      if (kind_of(tile).load(std::memory_order_relaxed) != Kind::level)
        cost::fetch_tile(place, job_.resistance);
    };
    const auto work = [&](std::int64_t tile, const cost::TileBox& box, int worker) {
      const cost::TilePlace place = flat_place(box, extent_);
      const cost::Ground<T>* const ground = ground_of(tile, place);
      cost::SweepWalk<T>* const walk = walks_ == nullptr ? nullptr : walks_ + worker;
      const std::uint32_t* const open = job_.placed == nullptr ? nullptr : job_.placed->open_steps;
      sweep(box, {job_.resistance, job_.cost, place, ground, walk, open}, lines_.take(tile),
            buffers_[worker]);
    };
    if (!rounds_.run(fetch, work, [&] { return are_sweeps_few(); })) {
      continue_by_heap<T>(state_, job_, [&](const std::function<void(std::int64_t)>& add) {
        lines_.for_each_cell([&](const Axes& cell) { add(to_index(extent_, cell)); });
      });
      return Fronts::winding;
    }
    return rounds_.visits_per_tile() <= state_.limits.cost_visits_per_tile ? Fronts::straight
                                                                           : Fronts::winding;
  }

 private:
  /// Whether passes over tiles have been less work so far than the heap would be.
  bool are_sweeps_few() const {
    constexpr std::int64_t kFewTiles = 64;
    return rounds_.visits() <=
           state_.limits.cost_sweeps_per_tile * std::max(rounds_.seen_count(), kFewTiles);
  }

  /// The ground of a tile.
  enum class Kind : std::uint8_t { unknown, level, uneven };

  /// The kind of a tile, which may be read ahead of its turn.
  std::atomic_ref<Kind> kind_of(std::int64_t tile) const { return std::atomic_ref(kinds_[tile]); }

  /// The ground of a tile; null if it is not level.
  const cost::Ground<T>* ground_of(std::int64_t tile, const cost::TilePlace& place) {
    const std::atomic_ref<Kind> kind = kind_of(tile);
    if (kind.load(std::memory_order_relaxed) == Kind::unknown) {
      const bool is_level = kernel_.survey(job_.resistance, place, grounds_[tile]);
      kind.store(is_level ? Kind::level : Kind::uneven, std::memory_order_relaxed);
    }
    const bool is_level = kind.load(std::memory_order_relaxed) == Kind::level;
    return is_level && state_.limits.cost_knows_level_ground ? grounds_ + tile : nullptr;
  }

  void sweep(const cost::TileBox& box, const cost::SweepTile<T>& tile, const cost::Lines& lines,
             cost::SweepBuffers<T>& buffers) {
    lines_.add(box, kernel_.sweep(tile, edges_, lines, buffers));
    if (job_.edges.count != 8) return;
    for_each_corner(tile.place, [&](std::int64_t from, int k, std::int64_t to) {
      if (costs_.lower(from, k, to)) lines_.add(to_cell(extent_, to));
    });
  }

  ContextState& state_;
  const CostJob<T>& job_;
  Axes extent_;
  cost::SweepKernel<T> kernel_;
  cost::SweepEdges<T> edges_;
  FallingCosts<T> costs_;
  cost::TileRounds rounds_;
  cost::TileLines lines_;
  cost::SweepBuffers<T>* buffers_;       ///< one for each worker
  cost::SweepWalk<T>* walks_ = nullptr;  ///< one for each worker of a walk
  cost::Ground<T>* grounds_;             ///< of tiles with level ground
  Kind* kinds_;                          ///< of all tiles
};

/// Solves any problem by tiles, which end where the raster ends.
template <class T>
Fronts solve_by_tiles(ContextState& state, const CostJob<T>& job) {
  Scratch::Frame scratch(state.scratch);
  if (solves_by_passes(state, job))
    return Sweeper<T>(state, job, cost::sweep_kernel(state.instruction_sets, T{}), scratch).run();
  solve_by_cells(state, job, scratch);
  return Fronts::winding;
}

/// Passes costs on over the ends of periodic axes; returns the cells that fell.
template <class T>
std::vector<std::int64_t> pass_over_ends(const CostJob<T>& job) {
  const Axes& extent = job.problem.extent;
  const auto deltas = neighbour_deltas(job.edges, extent);
  const FallingCosts<T> costs(job);
  std::vector<std::int64_t> fallen;
  for_each_piece_at_ends(
      job.edges, extent, [&](std::int64_t row, std::int64_t first, std::int64_t end) {
        for (std::int64_t x = first; x < end; ++x) {
          const std::int64_t cell = row * extent[2] + x;
          for_each_neighbour(job.edges, deltas, extent, cell, [&](std::int64_t next, int k) {
            if (costs.lower(cell, k, next)) fallen.push_back(next);
          });
        }
      });
  return fallen;
}

/// Goes on by tiles and over the ends in turn, until no cost falls.
template <class T>
void solve_round_ends(ContextState& state, const CostJob<T>& job) {
  CostJob<T> inside = job;
  inside.edges.periodic = 0;
  std::vector<std::int64_t> fallen;
  do {
    solve_by_tiles(state, inside);
    fallen = pass_over_ends(job);
    inside.sites = {.count = std::ssize(fallen), .cell = fallen.data()};
  } while (!fallen.empty());
}

/// Cell by cell, the heap's one thread is three to six times as fast as one thread of the tiles.
constexpr int kThreadsOfHeap = 6;

}  // namespace

template <class T>
bool solves_by_passes(const ContextState& state, const CostJob<T>& job) {
  return state.limits.cost_sweeps_per_tile >= 0 &&
         cost::sweep_kernel(state.instruction_sets, T{}).sweep != nullptr && job.edges.is_flat() &&
         job.edges.count <= 8;
}
template bool solves_by_passes(const ContextState&, const CostJob<float>&);
template bool solves_by_passes(const ContextState&, const CostJob<double>&);

template <class T>
Fronts solve_exactly(ContextState& state, const CostJob<T>& job, CostDistanceReport& report) {
  if (!solves_by_passes(state, job) && state.threads <= kThreadsOfHeap)
    return solve_by_heap(state, job, report);
  if (job.edges.periodic == 0) return solve_by_tiles(state, job);
  solve_round_ends(state, job);
  return Fronts::winding;
}
template Fronts solve_exactly(ContextState&, const CostJob<float>&, CostDistanceReport&);
template Fronts solve_exactly(ContextState&, const CostJob<double>&, CostDistanceReport&);

void run_exact_cost(ContextState& state, const CostProblem& problem, const CostViews& views,
                    CostDistanceReport& report) {
  if (problem.k > 0) return run_nearest_k_by_cost(state, problem, views, report);
  run_cost(state, problem, views, report, {solve_exactly<float>, solve_exactly<double>});
}

}  // namespace thiessen::cpu
