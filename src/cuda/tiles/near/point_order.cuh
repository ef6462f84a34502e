// SPDX-License-Identifier: Apache-2.0
//
// Sorts the points of a window by their place in the list: then they rank like sites of a raster if
// they are equally near (lists.cuh). For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "cuda/job/point_cells.hpp"
#include "cuda/tiles/near/lists.cuh"

namespace thiessen::cuda::tiles {

/// Sorts the sites of a window, which are cells of PointCells, by the numbers of their points.
/// `keys` has room for WindowSites::kMost.
__device__ inline void sort_by_number(const Job& job, const Tile& tile, WindowSites& sites,
                                      std::uint64_t* keys) {
  for (std::int32_t i = lane_of_thread(); i < sites.count; i += kLanes) {
    const std::uint32_t place = sites.place[i];
    const std::int64_t z = tile.first[0] + WindowSites::z_of(place);
    const std::int64_t y = tile.first[1] + WindowSites::y_of(place);
    const std::uint32_t number =
        job.point_cells.number(z * job.extent[1] + y, tile.first[2] + WindowSites::x_of(place));
    keys[i] = std::uint64_t{number} << 32 | place;
  }
  __syncwarp();
  for (std::int32_t i = lane_of_thread(); i < sites.count; i += kLanes) {
    const std::uint64_t own = keys[i];
    std::int32_t rank = 0;
    for (std::int32_t other = 0; other < sites.count; ++other) rank += keys[other] < own ? 1 : 0;
    sites.place[rank] = static_cast<std::uint32_t>(own);
  }
  __syncwarp();
}

}  // namespace thiessen::cuda::tiles
