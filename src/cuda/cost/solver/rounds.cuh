// SPDX-License-Identifier: Apache-2.0
//
// The tiles that a solve of a CostSolver looks at, and the rounds in which it does. For sources
// compiled as CUDA.
//
// A block takes a tile, and a round ends at a barrier of the grid. Within a round others write what
// a tile depends on, so all of that is read past the first cache; and who changes something enters
// the tiles that depend on it for the next round. So what a visit has seen is old only if the tile
// is visited again. A tile is entered at most once for a round, so only one block writes its cells.
#pragma once

#include <cstdint>

#include "cuda/cost/solver/answer.cuh"
#include "cuda/device/sync_grid.cuh"

namespace thiessen::cuda::cost {

/// Puts a tile on the list of the next solve, for any thread of a kernel of an update.
template <class T>
__device__ void list_edited(const SolverJob<T>& job, std::uint32_t tile) {
  const std::uint32_t list = 1 - job.work->list;
  const std::uint32_t bit = mark_of_list(list);
  std::uint32_t* const mark = &job.tile_mark[tile];
  if (!has_mark(mark, bit) && set_mark(mark, bit))
    job.list[list][atomicAdd(&job.work->edited, 1u)] = tile;
}

/// Calls visit(cell) for the cells of tiles, a tile a block of kCostThreads.
template <class Visit>
__device__ void for_cells_of_tiles(const CostTiling& tiling, const std::uint32_t* tiles,
                                   std::uint32_t count, const Visit& visit) {
  for (std::uint32_t i = blockIdx.x; i < count; i += gridDim.x) {
    const std::int64_t cell =
        cell_of_tile(tiling, read(tiles + i), static_cast<std::int32_t>(threadIdx.x));
    if (cell >= 0) visit(cell);
  }
}

/// For all threads of a grid, which all know the same.
template <class T>
class TileRounds {
 public:
  /// `list` has so many tiles, and nothing is entered.
  __device__ TileRounds(const SolverJob<T>& job, std::uint32_t list, std::uint32_t tiles)
      : job_(job), list_(list), tiles_(tiles) {}

  /// The tiles on the list.
  __device__ std::uint32_t tiles() const { return tiles_; }

  /// Calls visit(tile), with all threads of a block, for all tiles on the list.
  template <class Visit>
  __device__ void for_each(const Visit& visit) const {
    visit_tiles(job_.list[list_], tiles_, visit);
  }

  /// The same, and then for the tiles that visits enter, until they enter none. Returns false if
  /// there are more than `most` on the list.
  template <class Visit>
  __device__ bool spread(std::uint32_t most, const Visit& visit) {
    visit_tiles(job_.list[list_], tiles_, visit);
    for (std::uint32_t count = next_round(); count > 0; count = next_round()) {
      const std::uint32_t* const tiles = job_.round[round_ % 2];
      if (tiles_ > most) {
        forget(tiles, count);
        return false;
      }
      visit_tiles(tiles, count, [&](std::uint32_t tile) {
        if (threadIdx.x == 0) atomicAnd(&job_.tile_mark[tile], ~mark_of_round(round_));
        visit(tile);
      });
    }
    return true;
  }

  __device__ bool is_listed(std::uint32_t tile) const {
    return has_mark(&job_.tile_mark[tile], mark_of_list(list_));
  }

  /// Enters a tile for the next round, and puts it on the list; for any thread.
  __device__ void enter(std::uint32_t tile) const {
    const std::uint32_t next = round_ + 1;
    const std::uint32_t of_list = mark_of_list(list_);
    const std::uint32_t of_round = mark_of_round(next);
    const std::uint32_t before = atomicOr(&job_.tile_mark[tile], of_round | of_list);
    if ((before & of_round) != 0) return;
    const bool is_new = (before & of_list) == 0;
    const auto places = atomicAdd(&job_.work->entered[next % 3], is_new ? kOne | kOneNew : kOne);
    job_.round[next % 2][static_cast<std::uint32_t>(places)] = tile;
    if (is_new) job_.list[list_][tiles_ + static_cast<std::uint32_t>(places / kOneNew)] = tile;
  }

 private:
  using Count = unsigned long long;  // NOLINT(google-runtime-int)
  static constexpr Count kOne = 1;
  static constexpr Count kOneNew = Count{1} << 32;

  template <class Visit>
  __device__ static void visit_tiles(const std::uint32_t* tiles, std::uint32_t count,
                                     const Visit& visit) {
    for (std::uint32_t i = blockIdx.x; i < count; i += gridDim.x) visit(read(tiles + i));
  }

  /// Ends a round; returns how many tiles were entered for the next one.
  __device__ std::uint32_t next_round() {
    if (blockIdx.x == 0 && threadIdx.x == 0)
      static_cast<volatile Count&>(job_.work->entered[(round_ + 2) % 3]) = 0;
    sync_grid();
    ++round_;
    const Count entered = read(&job_.work->entered[round_ % 3]);
    tiles_ += static_cast<std::uint32_t>(entered / kOneNew);
    return static_cast<std::uint32_t>(entered);
  }

  /// Takes back what was entered.
  __device__ void forget(const std::uint32_t* tiles, std::uint32_t count) const {
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x)
      atomicAnd(&job_.tile_mark[read(tiles + i)], ~mark_of_round(round_));
  }

  const SolverJob<T>& job_;
  std::uint32_t list_;
  std::uint32_t tiles_;
  std::uint32_t round_ = 0;
};

}  // namespace thiessen::cuda::cost
