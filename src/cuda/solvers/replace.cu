// SPDX-License-Identifier: Apache-2.0
//
// Puts a fresh answer in the place of the old one, a tile a block, and writes the outputs of all
// cells of the domain; and lists what changed.
#include "cuda/device/grid_stride.cuh"
#include "cuda/solvers/kernels.hpp"
#include "cuda/solvers/tile_cells.cuh"

namespace thiessen::cuda::solvers {
namespace {

template <class Geometry>
__device__ bool is_elsewhere(const SolverMap& map, const FreshMap& fresh, const TileCell& cell) {
  if (cell.now < 0 || cell.now >= fresh.former_points) return false;
  const MapMeasure<Geometry> measure{map};
  return are_apart(map, measure.exact(cell.at, fresh.former[cell.now]),
                   measure.exact(cell.at, map.places[cell.now]));
}

template <class Geometry>
__global__ void __launch_bounds__(kMapThreads)
    replace(const __grid_constant__ SolverMap map, const FreshMap fresh) {
  follow();
  __shared__ TileSum sum;
  for (std::int64_t tile = blockIdx.x; tile < map.tiles(); tile += gridDim.x) {
    TileCell cell = cell_of_thread(map, box_of(map, 0, node_at(map, 0, tile)));
    if (cell.inside) {
      const std::int64_t found = fresh.found[cell.index];
      cell.before = map.site[cell.index];
      cell.now = fresh.present != nullptr && found >= 0 ? fresh.present[found]
                                                        : static_cast<std::int32_t>(found);
      cell.differs = cell.before != cell.now || is_elsewhere<Geometry>(map, fresh, cell);
      cell.written = map.domain == nullptr || map.domain[cell.index] != 0;
    }
    const std::int64_t exact = exact_of<Geometry>(map, cell);
    keep_tile(map, tile, cell, exact, sum);
    if (cell.written) write_result(map.job, cell.index, std::int64_t{cell.now}, exact);
  }
}

__global__ void __launch_bounds__(kGridStrideThreads)
    begin_tally(const __grid_constant__ SolverMap map) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    Tally tally{};
    for (std::int32_t& each : tally.low) each = std::numeric_limits<std::int32_t>::max();
    for (std::int32_t& each : tally.high) each = -1;
    *map.tally = tally;
  }
  grid_stride_loop(map.touched_words, [&](std::int64_t i) { map.touched[i] = 0; });
}

__global__ void __launch_bounds__(kMapThreads)
    list(const __grid_constant__ SolverMap map, bool in_all, unsigned long long* count,
         ChangedCell* to) {
  const std::int64_t tiles = in_all ? map.tiles() : map.tally->listed;
  for (std::int64_t i = blockIdx.x; i < tiles; i += gridDim.x) {
    const std::int64_t tile = in_all ? i : map.listed[i];
    const std::uint32_t bits = map.changed[tile * kTileWords + threadIdx.x / kLanes];
    const TileCell cell = cell_of_thread(map, box_of(map, 0, node_at(map, 0, tile)));
    const bool differs = (bits >> lane_of_thread() & 1) != 0;
    ChangedCell changed{};
    if (differs) changed = {cell.index, map.before[cell.index]};
    append(to, *count, differs, changed);
  }
}

}  // namespace

void replace_map(const CudaSession& session, const SolverMap& map, const FreshMap& fresh) {
  launch(session, "tally of changes",
         grid_stride_shape(session, std::max<std::int64_t>(map.touched_words, 1)), begin_tally,
         map);
  with_map_geometry(map, [&]<class Geometry>(Geometry) {
    launch(session, "comparison of maps",
           {grid_stride_blocks(session, map.tiles(), 1), kMapThreads}, replace<Geometry>, map,
           fresh);
  });
}

void list_changed(const CudaSession& session, const SolverMap& map, bool in_all,
                  unsigned long long* count, ChangedCell* to) {
  launch(session, "list of changed cells",
         {grid_stride_blocks(session, map.tiles(), 1), kMapThreads}, list, map, in_all, count, to);
}

}  // namespace thiessen::cuda::solvers
