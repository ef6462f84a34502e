// SPDX-License-Identifier: Apache-2.0
//
// The cells around sites (core/cost/straight_lines.hpp). First all lines lower the costs of their
// ends, then those that have the least cost there lower the rank.
#include "cuda/cost/atomic.cuh"
#include "cuda/cost/eikonal/stages.hpp"
#include "cuda/cost/tiles/queue.cuh"
#include "cuda/device/grid_stride.cuh"
#include "cuda/device/warp.cuh"

namespace thiessen::cuda::cost {
namespace {

using eikonal::FromSite;
using eikonal::StraightLine;

/// The cell of a site and what leads from it.
struct SiteCell {
  Axes place;
  std::int64_t cell;

  __device__ bool has(const EikonalJob& job, const FromSite& to) const {
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const std::int64_t at = place[axis] + to[axis];
      if (at < 0 || at >= job.tiling.extent[axis]) return false;
    }
    return true;
  }
  __device__ std::int64_t at(const EikonalJob& job, const FromSite& to) const {
    const Axes& extent = job.tiling.extent;
    return cell + (to[0] * extent[1] + to[1]) * extent[2] + to[2];
  }
};

/// Calls visit(end, cost, rank) for the lines from all sites that lead to a cell.
template <class Visit>
__device__ void for_each_line(const EikonalJob& job, const Visit& visit) {
  const std::int64_t lines = job.line_count + 1;  // and the one to the site itself
  grid_stride_loop(*job.site_count * lines, [&](std::int64_t turn) {
    const std::int64_t rank = turn / lines, number = turn % lines - 1;
    const std::int64_t cell = job.site_cell[rank];
    if (cell == kNoCell) return;
    const SiteCell site{to_cell(job.tiling.extent, cell), cell};
    const StraightLine line = number < 0 ? StraightLine{} : job.lines[number];
    if (!site.has(job, line.to)) return;
    const AlongAxes* const offset = job.offset == nullptr ? nullptr : job.offset + rank;
    const double cost = cost_of_line(line, job.parts, offset, job.spacing, [&](const FromSite& to) {
      return job.cost_of(site.at(job, to));
    });
    if (cost < kInfinity)
      visit(site.at(job, line.to), job.initial_of(rank) + cost, static_cast<std::uint32_t>(rank));
  });
}

__global__ void __launch_bounds__(kGridStrideThreads)
    lower_ends(const __grid_constant__ EikonalJob job) {
  follow();
  for_each_line(
      job, [&](std::int64_t end, double cost, std::uint32_t) { lower_cost(&job.cost[end], cost); });
}

__global__ void __launch_bounds__(kGridStrideThreads)
    lower_ranks(const __grid_constant__ EikonalJob job) {
  follow();
  for_each_line(job, [&](std::int64_t end, double cost, std::uint32_t rank) {
    if (cost == job.cost[end]) atomicMin(&job.rank[end], rank);
  });
}

__device__ void set_direction(const EikonalJob& job, std::int64_t cell) {
  const std::uint32_t rank = job.rank[cell];
  const Axes to = to_cell(job.tiling.extent, cell);
  const Axes from = to_cell(job.tiling.extent, job.site_cell[rank]);
  FromSite way;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    way[axis] = static_cast<std::int32_t>(to[axis] - from[axis]);
  const AlongAxes offset = job.offset == nullptr ? AlongAxes{} : job.offset[rank];
  const auto direction = eikonal::way_from_site(way, offset, job.spacing).direction;
  for (int i = 0; i < job.dimensions; ++i)
    job.direction[cell * job.dimensions + i] =
        direction[static_cast<std::size_t>(kAxes - job.dimensions + i)];
}

/// Begins the order with the costs that are known, and enters their tiles; a warp a tile.
__global__ void __launch_bounds__(kGridStrideThreads)
    enter_starts(const __grid_constant__ EikonalJob job, const TileQueue queue) {
  follow();
  constexpr int kWarps = kGridStrideThreads / kLanes;
  for (std::uint32_t tile = blockIdx.x * kWarps + threadIdx.x / kLanes; tile < queue.tiles;
       tile += gridDim.x * kWarps) {
    std::uint32_t key = kNoKey;
    for (int i = lane_of_thread(); i < kCostThreads; i += kLanes) {
      const std::int64_t cell = cell_of_tile(job.tiling, tile, i);
      if (cell < 0) continue;
      const double cost = job.cost[cell];
      job.order[cell] = cost;
      if (!(cost < kInfinity)) continue;
      if (job.wants_sites()) set_direction(job, cell);
      key = std::min(key, key_of(cost));
    }
    key = least_of_warp(key);
    if (key == kNoKey || lane_of_thread() != 0) continue;
    queue.enter(tile, kSetWithin, key, 0);
    queue.note_key(key, 0);
  }
}

}  // namespace

void start_answers(const CudaSession& session, const EikonalJob& job, const TileQueue& queue) {
  const GridShape shape = grid_stride_shape(session, job.most_sites * (job.line_count + 1));
  launch_next(session, "costs around sites", shape, lower_ends, job);
  if (job.wants_sites()) {
    check(cudaMemsetAsync(job.rank, 0xFF, static_cast<std::size_t>(job.cells()) * sizeof *job.rank,
                          session.stream()),
          "ranks");
    launch(session, "sites around sites", shape, lower_ranks, job);
  }
  launch_next(session, "starts of the order", grid_stride_shape(session, job.cells()), enter_starts,
              job, queue);
}

}  // namespace thiessen::cuda::cost
