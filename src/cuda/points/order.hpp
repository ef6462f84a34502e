// SPDX-License-Identifier: Apache-2.0
//
// Points of a window in the order of their list: then the rank of equally near ones is as it is
// among sites of a raster (window.hpp).
#pragma once

#include <cstdint>

#include "cuda/points/cells.hpp"
#include "cuda/tiles/window.hpp"

namespace thiessen::cuda {

/// Sorts the sites of a window, which are cells of PointCells, by the numbers of their points.
/// `keys` has room for WindowSites::kMost.
template <class Warp>
THIESSEN_HD void sort_by_number(const Job& job, const Tile& tile, WindowSites& sites,
                                std::uint64_t* keys) {
  Warp::each([&](int lane) {
    for (std::int32_t i = lane; i < sites.count; i += kLanes) {
      const std::uint32_t place = sites.place[i];
      const std::int64_t z = tile.first[0] + WindowSites::z_of(place);
      const std::int64_t y = tile.first[1] + WindowSites::y_of(place);
      const std::uint32_t number =
          job.point_cells.number(z * job.extent[1] + y, tile.first[2] + WindowSites::x_of(place));
      keys[i] = std::uint64_t{number} << 32 | place;
    }
  });
  Warp::sync();
  Warp::each([&](int lane) {
    for (std::int32_t i = lane; i < sites.count; i += kLanes) {
      const std::uint64_t own = keys[i];
      std::int32_t rank = 0;
      for (std::int32_t other = 0; other < sites.count; ++other) rank += keys[other] < own ? 1 : 0;
      sites.place[rank] = static_cast<std::uint32_t>(own);
    }
  });
  Warp::sync();
}

}  // namespace thiessen::cuda
