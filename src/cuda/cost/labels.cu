// SPDX-License-Identifier: Apache-2.0
//
// Labels of final costs: finds the tight steps, then the least rank that reaches a cell along them,
// then the hops from the cell of its site (core/cost/labels.hpp).
//
//   link   of a cell: a cell before it on a tight path; the cell itself where no tight step comes
//          from a lesser cost, as at a site
//
// Most cells are reached from one site alone, by whatever tight path. So ranks do not spread cell
// by cell at first: each cell follows its links to the end of a path and takes the rank there.
// These ranks are value_via out by roots that reach the cell, so none is too small. Then each cell
// looks at all its tight steps. Where one of them hands it a lesser rank, a front lowers ranks from
// its tile on, as long as any step does; where none does, the ranks are those of the least fixed
// point. Ties, circles of steps that cost nothing, and sites that a path reaches at exactly their
// own cost end there.
#include <algorithm>
#include <utility>

#include "cuda/cost/kernels.hpp"
#include "cuda/cost/links.hpp"
#include "cuda/cost/tiles/front.cuh"
#include "cuda/device/grid_stride.cuh"
#include "cuda/device/launch.cuh"

namespace thiessen::cuda::cost {
namespace {

/// Finds tight steps and links, and empties the queue.
template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    find_steps(const __grid_constant__ CostJob<T> job, const TileQueue queue) {
  follow();
  if (!job.is_wanted()) return;
  clear_queue(queue, job.tiling.count());
  grid_stride_loop(job.cells(), [&](std::int64_t cell) {
    const TightCell found = find_tight(job, cell);
    job.steps.set(cell, found.steps);
    job.link[cell] = static_cast<std::uint32_t>(found.link);
    if (found.link == cell) job.rank[cell] = kNoRank;
  });
}

/// The same for tiles on which a warp works.
template <class Flow>
__global__ void __launch_bounds__(WarpWorker<Flow>::kThreads, WarpWorker<Flow>::kBlocks)
    find_flat_steps(const __grid_constant__ Flow flow, const TileQueue queue) {
  using Worker = WarpWorker<Flow>;
  __shared__ typename Worker::Memory memory;
  follow();
  if (!flow.job.is_wanted()) return;
  const auto count = static_cast<std::uint32_t>(flow.job.tiling.count());
  clear_queue(queue, count);
  for (std::uint32_t tile = blockIdx.x * Worker::kAtOnce + Worker::place(); tile < count;
       tile += gridDim.x * Worker::kAtOnce) {
    FlatSweep<Flow> sweep(flow, origin_of(flow.job.tiling, tile), memory.tile[Worker::place()]);
    const auto map = sweep.read_map();
    const auto values = sweep.read_values();
    sweep.put_map(map);
    sweep.put_values(values);
    sweep.store_tight_steps();
  }
}

/// Whether the site at a place of the list keeps its own initial cost, and so passes on its rank.
template <class T>
__device__ bool is_root(const CostJob<T>& job, std::int64_t place) {
  const std::int64_t cell = job.site_cell[place];
  return cell != kNoCell && job.cost[cell] == job.initial_of(place);
}

/// Gives ranks to the roots at ends of paths.
template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    put_ranks(const __grid_constant__ CostJob<T> job) {
  follow();
  if (!job.is_wanted()) return;
  grid_stride_loop(*job.site_count, [&](std::int64_t place) {
    const std::int64_t cell = job.site_cell[place];
    if (is_root(job, place) && job.link[cell] == cell)
      atomicMin(&job.rank[cell], job.rank_of(place));
  });
}

template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    shorten_links(const __grid_constant__ CostJob<T> job) {
  follow();
  if (!job.is_wanted()) return;
  grid_stride_loop(job.cells(), [&](std::int64_t cell) {
    shorten_path(job.link, static_cast<std::uint32_t>(cell));
  });
}

/// The same for tiles on which a warp works: links of other cells lead to cells at their borders.
template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    shorten_border_links(const __grid_constant__ CostJob<T> job) {
  follow();
  if (!job.is_wanted()) return;
  grid_stride_loop(job.tiling.count() * kLanes, [&](std::int64_t turn) {
    const auto lane = static_cast<std::int32_t>(turn % kLanes);
    const Axes origin = origin_of(job.tiling, static_cast<std::uint32_t>(turn / kLanes));
    for (const auto& [y, x] :
         {std::pair{0, lane}, {kSide - 1, lane}, {lane, 0}, {lane, kSide - 1}}) {
      const std::int64_t cell = cell_at(job.tiling, origin, 0, y, x);
      if (cell >= 0) shorten_path(job.link, static_cast<std::uint32_t>(cell));
    }
  });
}

/// Takes the ranks at the ends of paths.
template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    take_ranks(const __grid_constant__ CostJob<T> job) {
  follow();
  if (!job.is_wanted()) return;
  struct End {
    std::uint32_t cell;
    std::uint32_t rank;
  };
  grid_stride_loop_batched(
      job.cells(),
      [&](std::int64_t cell) -> End {
        const std::uint32_t end = end_of_path(job.link, static_cast<std::uint32_t>(cell));
        return {end, job.rank[end]};
      },
      [&](std::int64_t cell, End end) {
        if (end.cell != cell) job.rank[cell] = end.rank;
      });
}

/// Enters the tile of a cell, unless somebody has.
__device__ void enter_tile_of(const CostTiling& tiling, const TileQueue& queue, std::int64_t cell,
                              std::uint32_t rank) {
  const std::uint32_t tile = tile_of(tiling, cell);
  const volatile std::uint32_t* const reasons = queue.reason;
  if (reasons[tile] == 0) queue.enter(tile, kSetAround, key_of(rank), 0);
}

/// Lowers ranks of roots that paths of others lead through, and enters their tiles.
template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    check_roots(const __grid_constant__ CostJob<T> job, const TileQueue queue) {
  follow();
  if (!job.is_wanted()) return;
  grid_stride_loop(*job.site_count, [&](std::int64_t place) {
    if (!is_root(job, place)) return;
    const std::uint32_t rank = job.rank_of(place);
    const std::int64_t cell = job.site_cell[place];
    if (atomicMin(&job.rank[cell], rank) > rank) enter_tile_of(job.tiling, queue, cell, rank);
  });
}

/// Enters the tiles of cells that a tight step hands a lesser rank.
template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    check_cells(const __grid_constant__ CostJob<T> job, const TileQueue queue) {
  follow();
  if (!job.is_wanted()) return;
  struct Found {
    std::uint32_t steps;
    std::uint32_t rank;
  };
  grid_stride_loop_batched(
      job.cells(),
      [&](std::int64_t cell) -> Found {
        return {job.steps.at(cell), job.rank[cell]};
      },
      [&](std::int64_t cell, Found found) {
        std::uint32_t least = kNoRank;
        for (std::uint32_t steps = found.steps; steps != 0; steps &= steps - 1)
          least = min(least, job.rank[cell + job.tiling.raster_delta[lowest_bit(steps)]]);
        if (least < found.rank) enter_tile_of(job.tiling, queue, cell, least);
      });
}

template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    keep_same_site(const __grid_constant__ CostJob<T> job, const TileQueue queue) {
  follow();
  if (!job.is_wanted()) return;
  clear_queue(queue, job.tiling.count());
  grid_stride_loop(job.cells(), [&](std::int64_t cell) {
    job.steps.set(cell, same_site_steps(job, cell));
    job.hops[cell] = kNoHops;
  });
}

template <class T>
__global__ void __launch_bounds__(kGridStrideThreads)
    put_hops(const __grid_constant__ CostJob<T> job, const TileQueue queue) {
  follow();
  if (!job.is_wanted()) return;
  grid_stride_loop(*job.site_count, [&](std::int64_t place) {
    const std::int64_t cell = job.site_cell[place];
    if (cell == kNoCell || job.rank[cell] != job.rank_of(place)) return;
    job.hops[cell] = 0;
    queue.enter(tile_of(job.tiling, cell), kSetWithin, 0, 0);
  });
}

template <class T, int kNeighbours>
void find_tight_steps(const CudaSession& session, const CostJob<T>& job, const TileQueue& queue) {
  using Flow = CostFlow<T, kNeighbours>;
  if constexpr (kIsFlat<Flow>) {
    using Worker = WarpWorker<Flow>;
    const std::int64_t blocks = std::min<std::int64_t>(parts(job.tiling.count(), Worker::kAtOnce),
                                                       session.processors() * Worker::kBlocks);
    launch_next(session, "tight steps", {static_cast<unsigned>(blocks), Worker::kThreads},
                find_flat_steps<Flow>, Flow{job}, queue);
  } else {
    launch_next(session, "tight steps", grid_stride_shape(session, job.cells()), find_steps<T>, job,
                queue);
  }
}

}  // namespace

template <class T>
void find_labels(const CudaSession& session, const CostJob<T>& job, Scratch::Frame& device) {
  const TileQueue queue = allocate_queue(job.tiling, device);
  const GridShape of_sites = grid_stride_shape(session, job.most_sites);
  const GridShape of_cells = grid_stride_shape(session, job.cells());
  visit_count(job.edges.count, [&](auto count) {
    find_tight_steps<T, decltype(count)::value>(session, job, queue);
  });
  launch_next(session, "ranks of sites", of_sites, put_ranks<T>, job);
  if (job.edges.count == 4 || job.edges.count == 8)
    launch_next(session, "links of borders",
                grid_stride_shape(session, job.tiling.count() * kLanes), shorten_border_links<T>,
                job);
  else
    launch_next(session, "links of cells", of_cells, shorten_links<T>, job);
  launch_next(session, "ranks of cells", of_cells, take_ranks<T>, job);
  launch_next(session, "check of roots", of_sites, check_roots<T>, job, queue);
  launch_next(session, "check of cells", of_cells, check_cells<T>, job, queue);
  visit_count(job.edges.count, [&](auto count) {
    run_front(session, RankFlow<decltype(count)::value>{job}, queue);
  });
  if (job.hops == nullptr) return;
  launch_next(session, "steps of one site", of_cells, keep_same_site<T>, job, queue);
  launch_next(session, "hops of sites", of_sites, put_hops<T>, job, queue);
  visit_count(job.edges.count,
              [&](auto count) { run_front(session, HopFlow<decltype(count)::value>{job}, queue); });
}

template void find_labels(const CudaSession&, const CostJob<float>&, Scratch::Frame&);
template void find_labels(const CudaSession&, const CostJob<double>&, Scratch::Frame&);

}  // namespace thiessen::cuda::cost
