// SPDX-License-Identifier: Apache-2.0
//
// Repairs the map after a few edits: the tiles that these can matter to are listed, and a block
// takes one of them at a time. Cells of sites that went become open, and find their winners among
// all sites; then every cell is compared with the sites that came.
#include "cuda/device/grid_stride.cuh"
#include "cuda/solvers/kernels.hpp"
#include "cuda/solvers/search.cuh"

namespace thiessen::cuda::solvers {
namespace {

template <class Geometry>
__global__ void __launch_bounds__(kMapThreads)
    list_tiles(const __grid_constant__ SolverMap map, std::int32_t edits) {
  follow();
  const std::int64_t threads = std::int64_t{gridDim.x} * kMapThreads;
  const std::int64_t own = std::int64_t{blockIdx.x} * kMapThreads + threadIdx.x;
  for (std::int64_t i = own; i < map.touched_words; i += threads) map.touched[i] = 0;
  // All lanes of a warp go round equally often, since they append together.
  for (std::int64_t tile = own; tile - threadIdx.x % kLanes < map.tiles(); tile += threads) {
    bool found = false;
    if (tile < map.tiles()) {
      const MapBox box = box_of(map, 0, node_at(map, 0, tile));
      const std::int64_t greatest = map.greatest[tile];
      for (std::int32_t i = 0; i < edits && !found; ++i)
        found = matters<Geometry>(map, map.edits[i], box, greatest);
    }
    append(map.listed, map.tally->listed, found, static_cast<std::int32_t>(tile));
  }
}

struct RepairSharedMemory {
  std::int32_t edit[kMostEdits];  ///< those that matter to the tile
  std::int32_t edits;
  TileSum sum;
  SearchSharedMemory search;
};

template <class Geometry>
class TileRepair {
 public:
  __device__ TileRepair(const SolverMap& map, std::int32_t edits, RepairSharedMemory& shared)
      : map_(map), measure_{map}, edits_(edits), shared_(shared) {}

  __device__ void run(std::int64_t tile) {
    const MapBox box = box_of(map_, 0, node_at(map_, 0, tile));
    choose_edits(box, map_.greatest[tile]);
    TileCell cell = cell_of_thread(map_, box);
    if (cell.inside) cell.before = cell.now = map_.site[cell.index];
    open(cell);
    if (__syncthreads_or(cell.now == kOpenCell ? 1 : 0) != 0)
      Search<Geometry>(map_, shared_.search).run(cell);
    take(cell);
    find_differences(cell);
    const std::int64_t exact = exact_of<Geometry>(map_, cell);
    keep_tile(map_, tile, cell, exact, shared_.sum);
    if (cell.inside && cell.written)
      write_result(map_.job, cell.index, std::int64_t{cell.now}, exact);
  }

 private:
  __device__ void choose_edits(const MapBox& box, std::int64_t greatest) {
    if (threadIdx.x == 0) shared_.edits = 0;
    __syncthreads();
    for (auto i = static_cast<std::int32_t>(threadIdx.x); i < edits_; i += kMapThreads)
      if (matters<Geometry>(map_, map_.edits[i], box, greatest))
        shared_.edit[atomicAdd(&shared_.edits, 1)] = i;
    __syncthreads();
  }
  template <class Visit>
  __device__ void for_each_edit(const Visit& visit) const {
    for (std::int32_t i = 0; i < shared_.edits; ++i) visit(map_.edits[shared_.edit[i]]);
  }

  /// Opens the cells of sites that went, and those that are nodata no longer.
  __device__ void open(TileCell& cell) const {
    if (!cell.inside) return;
    for_each_edit([&](const Edit& edit) {
      if ((edit.kinds & kWent) != 0 && cell.before == edit.site) cell.now = kOpenCell;
    });
    for_each_edit([&](const Edit& edit) {
      if (cell.index != edit.site) return;
      if ((edit.kinds & kFromNodata) != 0) cell.now = kOpenCell;
      if ((edit.kinds & kToNodata) != 0) cell.now = static_cast<std::int32_t>(kNodata);
    });
  }

  /// Gives the cell to the first of the sites that came, if that is nearer than its own.
  __device__ void take(TileCell& cell) const {
    if (!cell.inside || cell.now == kNodata) return;
    std::int64_t exact = cell.now >= 0 ? exact_of<Geometry>(map_, cell) : map_.limit;
    for_each_edit([&](const Edit& edit) {
      if ((edit.kinds & kCame) == 0) return;
      const std::int64_t own = measure_.exact(cell.at, edit.now);
      if (own > exact || (own == exact && cell.now >= 0 && cell.now <= edit.site)) return;
      cell.now = static_cast<std::int32_t>(edit.site);
      exact = own;
    });
  }

  __device__ void find_differences(TileCell& cell) const {
    cell.differs = cell.before != cell.now;
    cell.written = cell.differs;
    if (cell.differs || cell.now < 0) return;
    for_each_edit([&](const Edit& edit) {
      if (edit.site != cell.now) return;
      cell.written = true;
      cell.differs =
          are_apart(map_, measure_.exact(cell.at, edit.before), measure_.exact(cell.at, edit.now));
    });
  }

  const SolverMap& map_;
  MapMeasure<Geometry> measure_;
  std::int32_t edits_;
  RepairSharedMemory& shared_;
};

template <class Geometry>
__global__ void __launch_bounds__(kMapThreads)
    repair_tiles(const __grid_constant__ SolverMap map, std::int32_t edits) {
  follow();
  __shared__ RepairSharedMemory shared;
  const std::int32_t listed = map.tally->listed;
  for (auto i = static_cast<std::int32_t>(blockIdx.x); i < listed;
       i += static_cast<std::int32_t>(gridDim.x))
    TileRepair<Geometry>(map, edits, shared).run(map.listed[i]);
}

}  // namespace

void repair_map(const CudaSession& session, const SolverMap& map, std::int32_t edits) {
  with_map_geometry(map, [&]<class Geometry>(Geometry) {
    launch_next(session, "tiles to repair", grid_stride_shape(session, map.tiles()),
                list_tiles<Geometry>, map, edits);
    launch_next(session, "repair of tiles",
                {grid_stride_blocks(session, map.tiles(), 1), kMapThreads}, repair_tiles<Geometry>,
                map, edits);
  });
}

}  // namespace thiessen::cuda::solvers
