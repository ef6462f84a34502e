// SPDX-License-Identifier: Apache-2.0
//
// Writing a tile, a lane its column.
#pragma once

#include <cstdint>

#include "cuda/results.hpp"
#include "cuda/tile.hpp"

namespace thiessen::cuda {

/// Whether nothing is wanted but labels and distance of every cell that has a site.
THIESSEN_HD inline bool is_simple(const Job& job) {
  const Outputs& out = job.out;
  return out.site_index == nullptr && out.squared == nullptr && out.offset == nullptr &&
         out.direction == nullptr && !job.limited && !job.inside && !job.rule.has_nodata;
}

#ifdef __CUDACC__

/// Of a tile that the raster has as a whole.
template <class Label, int kRank, class Found>
__device__ void write_labels(const Job& job, const Tile& tile, const Found& found) {
  const std::int64_t width = job.extent[2];
  const std::int64_t plane = job.extent[1] * width;
  const std::int64_t first =
      to_index(job.extent, {tile.first[0], tile.first[1],
                            tile.first[2] + static_cast<std::int32_t>(threadIdx.x % kLanes)});
  Label* out = reinterpret_cast<Label*>(job.out.labels.bytes) + first;
  std::int64_t cell = first;
#pragma unroll
  for (int row = 0; row < kTileRows; ++row) {
    __stcs(out, found.template label<Label>(row, cell));
    const bool last_of_plane = (row + 1) % tile_size<kRank>(1) == 0;
    const std::int64_t step = last_of_plane ? plane - (tile_size<kRank>(1) - 1) * width : width;
    out += step;
    cell += step;
  }
}

/// Whether nothing is wanted of a tile but labels and distance, of all of its cells.
template <int kRank>
__device__ bool is_simple_tile(const Job& job, const Tile& tile) {
  return is_simple(job) && is_whole<kRank>(job, tile);
}

template <int kRank, class Found>
__device__ void write_labels(const Job& job, const Tile& tile, const Found& found) {
  switch (job.out.labels.element) {
    case 1:
      return write_labels<std::uint8_t, kRank>(job, tile, found);
    case 2:
      return write_labels<std::uint16_t, kRank>(job, tile, found);
    case 4:
      return write_labels<std::uint32_t, kRank>(job, tile, found);
    default:
      return write_labels<std::uint64_t, kRank>(job, tile, found);
  }
}

/// Writes a tile. Of a lane's cells `found` tells the label<Label>(row, cell) of the site, whose
/// type is an unsigned integer of the labels' size, if the tile is simple; and for rows that the
/// compiler does not know site(row, cell) and exact(row, cell).
template <int kRank, class Found>
__device__ void write_tile(const Job& job, const Tile& tile, const Found& found) {
  const int lane = static_cast<int>(threadIdx.x % kLanes);
  if (!is_simple_tile<kRank>(job, tile))
    return for_each_row<kRank>(job, tile, lane, [&](int row, std::int64_t cell) {
      write_result(job, cell, found.site(row, cell), found.exact(row, cell));
    });
  if (job.out.labels) write_labels<kRank>(job, tile, found);
  if (job.out.distance)
    for_each_row<kRank>(job, tile, lane, [&](int row, std::int64_t cell) {
      store_distance(job, cell, to_distance(job.unit, job.metric, found.exact(row, cell)));
    });
}

#endif

}  // namespace thiessen::cuda
