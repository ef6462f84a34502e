// SPDX-License-Identifier: Apache-2.0
//
// Method "exact": costs fall tile by tile until none falls any more.
//
//   tile      64 x 64 cells in 2-D, 16 x 16 x 32 in 3-D
//   dirty     a cell whose cost has fallen, and which has not passed it on yet
//   active    a tile with a dirty cell
//   colour    of a tile: its coordinates modulo 2
//   round     all active tiles of one colour, side by side
//
// To work on a tile is to pass costs on from its dirty cells until none of them is dirty, to the
// neighbours in other tiles too, which become dirty and their tiles active. Tiles of one colour do
// not touch, and the cells that two of them may lower are different ones, so no two threads write
// the same cell. When no tile is active, no step lowers anything: that is the greatest fixed point
// (docs/cost-distance.md has the proof, and why it is reached).
//
// Where a front crosses a whole tile in 2-D, passing on is done by sweeps (sweep.hpp); where few
// cells are dirty, one cell after the other.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>

#include "core/cost_labels.hpp"
#include "cpu/cost/call.hpp"
#include "cpu/cost/methods.hpp"
#include "cpu/cost/sweep.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

constexpr Axes kFlatTile{1, cost::kTile, cost::kTile};
constexpr Axes kDeepTile{16, 16, 32};
constexpr std::int64_t kMostTileCells = std::int64_t{16} * 16 * 32;

/// Cells begin..end-1 along each axis.
struct Box {
  Axes begin;
  Axes end;

  bool holds(const Axes& cell) const {
    bool in = true;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      in = in && cell[axis] >= begin[axis] && cell[axis] < end[axis];
    return in;
  }
};

/// The dirty cells of one tile, first in first out; as a cell is there at most once, they fit.
class TileQueue {
 public:
  void clear() { first_ = count_ = 0; }
  std::int64_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  void push(std::int64_t cell) {
    cells_[static_cast<std::size_t>((first_ + count_++) % kMostTileCells)] = cell;
  }
  std::int64_t pop() {
    const std::int64_t cell = cells_[static_cast<std::size_t>(first_)];
    first_ = (first_ + 1) % kMostTileCells;
    --count_;
    return cell;
  }

 private:
  std::array<std::int64_t, kMostTileCells> cells_;
  std::int64_t first_ = 0;
  std::int64_t count_ = 0;
};

template <class T>
class TileSolver {
 public:
  TileSolver(ContextState& state, const CostCall<T>& call, Scratch::Frame& scratch)
      : state_(state),
        call_(call),
        extent_(call.problem.extent),
        tile_(call.problem.rank == 2 ? kFlatTile : kDeepTile),
        deltas_(neighbour_deltas(call.edges, extent_)) {
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      tiles_[axis] = (extent_[axis] + tile_[axis] - 1) / tile_[axis];
    dirty_ = scratch.array<std::uint8_t>(call.problem.cells());
    active_ = scratch.array<std::uint8_t>(tiles_[0] * tiles_[1] * tiles_[2]);
    list_ = scratch.array<std::int64_t>(tiles_[0] * tiles_[1] * tiles_[2]);
    queues_ = scratch.array<TileQueue>(state.threads);
    for (int worker = 0; worker < state.threads; ++worker) new (queues_ + worker) TileQueue;
    open_sweeps(scratch);
  }

  void run() {
    start();
    for (bool any = true; any;) {
      any = false;
      for (int colour = 0; colour < 8; ++colour) any = run_round(colour) || any;
    }
  }

 private:
  void start() {
    std::fill_n(dirty_, call_.problem.cells(), std::uint8_t{0});
    std::fill_n(active_, tiles_[0] * tiles_[1] * tiles_[2], std::uint8_t{0});
    for (std::int64_t rank = 0; rank < call_.sites.count; ++rank) {
      const std::int64_t cell = call_.sites.cell[rank];
      if (cell == kNoCell || call_.cost[cell] > call_.limit) continue;
      dirty_[cell] = 1;
      active_[tile_of(to_cell(extent_, cell))] = 1;
    }
  }

  std::int64_t tile_of(const Axes& cell) const {
    return to_index(tiles_, {cell[0] / tile_[0], cell[1] / tile_[1], cell[2] / tile_[2]});
  }

  Box box_of(std::int64_t tile) const {
    const Axes place = to_cell(tiles_, tile);
    Box box;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      box.begin[axis] = place[axis] * tile_[axis];
      box.end[axis] = std::min(box.begin[axis] + tile_[axis], extent_[axis]);
    }
    return box;
  }

  /// Whether any tile of the colour was active.
  bool run_round(int colour) {
    const std::int64_t count = list_active(colour);
    parallel_for(state_, count, 1, 0, [&](std::int64_t begin, std::int64_t end, int worker) {
      for (std::int64_t i = begin; i < end; ++i) work_on(list_[i], worker);
    });
    return count > 0;
  }

  std::int64_t list_active(int colour) {
    std::int64_t count = 0;
    for (std::int64_t z = colour >> 2; z < tiles_[0]; z += 2)
      for (std::int64_t y = colour >> 1 & 1; y < tiles_[1]; y += 2)
        for (std::int64_t x = colour & 1; x < tiles_[2]; x += 2) {
          const std::int64_t tile = to_index(tiles_, {z, y, x});
          if (active_[tile] == 0) continue;
          active_[tile] = 0;
          list_[count++] = tile;
        }
    return count;
  }

  void work_on(std::int64_t tile, int worker) {
    const Box box = box_of(tile);
    TileQueue& queue = queues_[worker];
    collect_dirty(box, queue);
    bool sweeps = kernel_.sweep != nullptr && (swept_[tile] == 0 || queue.size() > kFew);
    for (int passed = 0; !queue.empty() && !sweeps; ++passed) {
      pass_on(queue.pop(), box, queue);
      sweeps = kernel_.sweep != nullptr && passed == kPatience;
    }
    if (!sweeps) return;
    queue.clear();
    swept_[tile] = 1;
    sweep(box, buffers_[worker]);
  }

  /// Passes on in the whole tile, and then from its edge.
  void sweep(const Box& box, cost::SweepBuffers<T>& buffers) {
    const std::int64_t width = extent_[2];
    const std::int64_t first = box.begin[1] * width + box.begin[2];
    const int rows = static_cast<int>(box.end[1] - box.begin[1]);
    const int columns = static_cast<int>(box.end[2] - box.begin[2]);
    kernel_.sweep({call_.resistance + first, call_.cost + first, width, rows, columns},
                  sweep_edges_, buffers);
    const auto pass_out = [&](int y, int x) {
      const std::int64_t cell = first + y * width + x;
      if ((buffers.changed[y] >> x & 1) == 0 && dirty_[cell] == 0) return;
      const std::uint32_t steps = (y == 0 ? up_ : 0) | (y == rows - 1 ? down_ : 0) |
                                  (x == 0 ? left_ : 0) | (x == columns - 1 ? right_ : 0);
      pass_out_of(cell, {0, box.begin[1] + y, box.begin[2] + x}, steps);
    };
    for (int y = 0; y < rows; ++y) {
      const bool whole = y == 0 || y == rows - 1;
      for (int x = 0; x < columns; x += whole || columns == 1 ? 1 : columns - 1) pass_out(y, x);
    }
    for (int y = 0; y < rows; ++y)
      std::memset(dirty_ + first + y * width, 0, static_cast<std::size_t>(columns));
  }

  /// From a cell at the edge of a tile to those beyond, by these steps.
  void pass_out_of(std::int64_t from, const Axes& cell, std::uint32_t steps) {
    const T own = call_.cost[from];
    steps &= neighbours_inside(call_.edges, extent_, cell);
    for (; steps != 0; steps &= steps - 1) {
      const int k = std::countr_zero(steps);
      if (!lower(from, own, k)) continue;
      const CostOffset o = call_.edges.offset[static_cast<std::size_t>(k)];
      dirty_[from + deltas_[static_cast<std::size_t>(k)]] = 1;
      activate({cell[0], cell[1] + o.y, cell[2] + o.x});
    }
  }

  /// Whether a step lowers the cost of the cell that it leads to; then it has.
  bool lower(std::int64_t from, T own, int k) {
    T& there = call_.cost[from + deltas_[static_cast<std::size_t>(k)]];
    if (there <= own) return false;
    const T cost = along(own, step_weight(call_.edges, k, call_.resistance + from,
                                          extent_[1] * extent_[2], extent_[2]));
    if (!(cost < there) || cost > call_.limit) return false;
    there = cost;
    return true;
  }

  void activate(const Axes& cell) {
    std::atomic_ref(active_[tile_of(cell)]).store(1, std::memory_order_relaxed);
  }

  void collect_dirty(const Box& box, TileQueue& queue) {
    for (std::int64_t z = box.begin[0]; z < box.end[0]; ++z)
      for (std::int64_t y = box.begin[1]; y < box.end[1]; ++y) {
        const std::int64_t first = to_index(extent_, {z, y, box.begin[2]});
        const std::uint8_t* const row = dirty_ + first;
        const std::int64_t width = box.end[2] - box.begin[2];
        for (std::int64_t x = 0; x < width; ++x) {
          const void* const next = std::memchr(row + x, 1, static_cast<std::size_t>(width - x));
          if (next == nullptr) break;
          x = static_cast<const std::uint8_t*>(next) - row;
          queue.push(first + x);
        }
      }
  }

  void pass_on(std::int64_t from, const Box& box, TileQueue& queue) {
    dirty_[from] = 0;
    const T own = call_.cost[from];
    const Axes cell = to_cell(extent_, from);
    std::uint32_t inside = neighbours_inside(call_.edges, extent_, cell);
    for (; inside != 0; inside &= inside - 1) {
      const int k = std::countr_zero(inside);
      const std::int64_t to = from + deltas_[static_cast<std::size_t>(k)];
      if (!lower(from, own, k) || dirty_[to] != 0) continue;
      dirty_[to] = 1;
      const CostOffset o = call_.edges.offset[static_cast<std::size_t>(k)];
      const Axes place{cell[0] + o.z, cell[1] + o.y, cell[2] + o.x};
      if (box.holds(place))
        queue.push(to);
      else
        activate(place);
    }
  }

  void open_sweeps(Scratch::Frame& scratch) {
    if (call_.problem.rank != 2 || call_.edges.count > 8) return;
    kernel_ = cost::sweep_kernel(state_.instruction_sets, T{});
    if (kernel_.sweep == nullptr) return;
    swept_ = scratch.array<std::uint8_t>(tiles_[1] * tiles_[2]);
    std::fill_n(swept_, tiles_[1] * tiles_[2], std::uint8_t{0});
    buffers_ = scratch.array<cost::SweepBuffers<T>>(state_.threads);
    sweep_edges_ = cost::sweep_edges(call_.edges, call_.limit);
    for (int k = 0; k < call_.edges.count; ++k) {
      const CostOffset o = call_.edges.offset[static_cast<std::size_t>(k)];
      const std::uint32_t step = std::uint32_t{1} << k;
      if (o.y < 0) up_ |= step;
      if (o.y > 0) down_ |= step;
      if (o.x < 0) left_ |= step;
      if (o.x > 0) right_ |= step;
    }
  }

  /// A tile swept before, with no more dirty cells than this, may be done cell by cell,
  static constexpr std::int64_t kFew = 16;
  /// as long as that takes no more cells than this.
  static constexpr int kPatience = 400;

  ContextState& state_;
  const CostCall<T>& call_;
  Axes extent_;
  Axes tile_;
  Axes tiles_{};
  std::array<std::int64_t, kMostNeighbours> deltas_;
  std::uint8_t* dirty_ = nullptr;
  std::uint8_t* active_ = nullptr;
  std::int64_t* list_ = nullptr;  ///< tiles of the running round
  TileQueue* queues_ = nullptr;   ///< one for each worker, as
  cost::SweepBuffers<T>* buffers_ = nullptr;
  cost::SweepKernel<T> kernel_;
  cost::SweepEdges<T> sweep_edges_;
  std::uint32_t up_ = 0, down_ = 0, left_ = 0, right_ = 0;  ///< steps out of a tile, by its side
  std::uint8_t* swept_ = nullptr;                           ///< tiles that have been swept
};

template <class T>
void solve_by_tiles(ContextState& state, const CostCall<T>& call, CostDistanceReport&) {
  Scratch::Frame scratch(state.scratch);
  TileSolver<T>(state, call, scratch).run();
}

}  // namespace

void run_exact_cost(ContextState& state, const CostProblem& problem, const CostViews& views,
                    CostDistanceReport& report) {
  run_cost(state, problem, views, report, {solve_by_tiles<float>, solve_by_tiles<double>});
}

}  // namespace thiessen::cpu
