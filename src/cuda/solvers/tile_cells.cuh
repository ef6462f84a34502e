// SPDX-License-Identifier: Apache-2.0
//
// The cells of a tile, one a thread, and what becomes of them. For sources compiled as CUDA.
#pragma once

#include "core/search/geometry.hpp"
#include "cuda/device/warp.cuh"
#include "cuda/job/results.hpp"
#include "cuda/solvers/solver_map.hpp"

namespace thiessen::cuda::solvers {

/// The cell of a thread.
struct TileCell {
  Axes at{};
  std::int64_t index = 0;
  bool inside = false;  ///< whether there is such a cell
  std::int32_t before = static_cast<std::int32_t>(kNodata);
  std::int32_t now = static_cast<std::int32_t>(kNodata);
  bool differs = false;  ///< its site or its distance is another one
  bool written = false;  ///< its outputs are to be written
};

__device__ inline TileCell cell_of_thread(const SolverMap& map, const MapBox& box) {
  const auto own = static_cast<std::int32_t>(threadIdx.x);
  TileCell cell;
  cell.at = {box.first[0] + own / (map.tile[1] * map.tile[2]),
             box.first[1] + own / map.tile[2] % map.tile[1], box.first[2] + own % map.tile[2]};
  cell.inside = cell.at[0] < box.end[0] && cell.at[1] < box.end[1] && cell.at[2] < box.end[2];
  cell.index = to_index(map.job.extent, cell.at);
  return cell;
}

/// Whether two S of a cell are different distances, as f64.
__device__ inline bool are_apart(const SolverMap& map, std::int64_t a, std::int64_t b) {
  return a != b && to_distance(map.job.unit, map.job.metric, a) !=
                       to_distance(map.job.unit, map.job.metric, b);
}

/// What a block finds in a tile.
struct TileSum {
  long long greatest;
  std::int32_t cells;
  std::int32_t low[kAxes];
  std::int32_t high[kAxes];
};

__device__ inline void touch_site(const SolverMap& map, std::int32_t site) {
  if (site < 0) return;
  const std::uint32_t bit = 1u << site % 32;
  std::uint32_t* const word = map.touched + site / 32;
  if ((*static_cast<const volatile std::uint32_t*>(word) & bit) == 0) atomicOr(word, bit);
}

__device__ inline void begin_sum(TileSum& sum) {
  if (threadIdx.x == 0) {
    sum.greatest = -1;
    sum.cells = 0;
    for (int axis = 0; axis < kAxes; ++axis) {
      sum.low[axis] = std::numeric_limits<std::int32_t>::max();
      sum.high[axis] = -1;
    }
  }
  __syncthreads();
}

/// Adds the cells of a tile that changed to its sum; neighbours mostly changed in the same way.
__device__ inline void add_changed(const SolverMap& map, const TileCell& cell, TileSum& sum) {
  const bool has_other_site = cell.differs && cell.before != cell.now;
  const std::int32_t before = has_other_site ? cell.before : kNoSite;
  const std::int32_t now = has_other_site ? cell.now : kNoSite;
  const std::int32_t before_left = __shfl_up_sync(~0u, before, 1);
  const std::int32_t now_left = __shfl_up_sync(~0u, now, 1);
  const bool is_first = lane_of_thread() == 0;
  if (is_first || before != before_left) touch_site(map, before);
  if (is_first || now != now_left) touch_site(map, now);
  if (!cell.differs) return;
  for (int axis = 0; axis < kAxes; ++axis) {
    const auto own = static_cast<std::int32_t>(cell.at[static_cast<std::size_t>(axis)]);
    atomicMin(sum.low + axis, own);
    atomicMax(sum.high + axis, own);
  }
}

/// Adds the sum of a tile to the tally. Most boxes lie in that of the others.
__device__ inline void add_sum(const SolverMap& map, const TileSum& sum) {
  if (sum.cells == 0) return;
  if (threadIdx.x == 0) atomicAdd(&map.tally->cells, static_cast<unsigned long long>(sum.cells));
  if (threadIdx.x >= kAxes) return;
  std::int32_t* const low = map.tally->low + threadIdx.x;
  std::int32_t* const high = map.tally->high + threadIdx.x;
  if (sum.low[threadIdx.x] < *static_cast<const volatile std::int32_t*>(low))
    atomicMin(low, sum.low[threadIdx.x]);
  if (sum.high[threadIdx.x] > *static_cast<const volatile std::int32_t*>(high))
    atomicMax(high, sum.high[threadIdx.x]);
}

/// Keeps the cells of a tile: the map and the one before, bits, the greatest S and the tally. For
/// all threads of a block.
__device__ inline void keep_tile(const SolverMap& map, std::int64_t tile, const TileCell& cell,
                                 std::int64_t exact, TileSum& sum) {
  begin_sum(sum);
  if (cell.inside) {
    map.site[cell.index] = cell.now;
    map.before[cell.index] = cell.before;
  }
  const std::int64_t greatest = greatest_of_warp(cell.inside ? exact : std::int64_t{-1});
  const std::uint32_t bits = __ballot_sync(~0u, cell.differs);
  if (lane_of_thread() == 0) {
    map.changed[tile * kTileWords + threadIdx.x / kLanes] = bits;
    atomicMax(&sum.greatest, static_cast<long long>(greatest));
    if (bits != 0) atomicAdd(&sum.cells, __popc(bits));
  }
  if (bits != 0) add_changed(map, cell, sum);
  __syncthreads();
  if (threadIdx.x == 0) map.greatest[tile] = sum.greatest;
  add_sum(map, sum);
  __syncthreads();
}

/// S of the cell's site; kBeyondAnyS unreached, -1 nodata.
template <class Geometry>
__device__ std::int64_t exact_of(const SolverMap& map, const TileCell& cell) {
  if (cell.now == kUnreached) return kBeyondAnyS;
  if (cell.now < 0) return -1;
  return MapMeasure<Geometry>{map}.exact(cell.at, map.place(cell.now));
}

/// Calls run(Geometry{}) with the metric of the map.
template <class Run>
void with_map_geometry(const SolverMap& map, const Run& run) {
  switch (map.job.metric) {
    case Metric::euclidean:
      return run(Euclidean{});
    case Metric::manhattan:
      return run(Manhattan{});
    default:
      return run(Chessboard{});
  }
}

}  // namespace thiessen::cuda::solvers
