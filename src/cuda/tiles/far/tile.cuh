// SPDX-License-Identifier: Apache-2.0
//
// A warp does a tile whose sites are among those that its block has gathered.
//
// The sites nearest to the tile's corners, which are in the list, show which of the others the tile
// needs. These are put into the order of their index.
//
// Euclidean, if numbers stay small: S from a cell c to a site p is |p|² - 2 p·c + |c|², measured
// from the tile's first cell, and the last term is the same for all sites. The rest is linear in
// the cell: a key (|p|² - ref - 2 p·c) << bits | rank needs one addition and one comparison for a
// cell and a site. `ref` is the least |p|² of all sites. Otherwise S itself is measured.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "cuda/job/limits.hpp"
#include "cuda/job/tile_output.hpp"
#include "cuda/tiles/far/gather.cuh"
#include "cuda/tiles/job/ranks.hpp"

namespace thiessen::cuda::tiles {

/// The memory of a warp: some of the sites of a list, by their numbers in it.
struct TileMemory {
  static constexpr int kMost = 128;
  static_assert(kLimitsVary || TileLimits::kSitesPerTile <= kMost);

  std::uint16_t site[kMost];  ///< in the order of their index, like the list
  std::uint64_t label[kMost];
  Place dominator[8];
  Numbers ranks;
};

__device__ inline std::int64_t cell_of(const Job& job, const Place& place) {
  return to_index(job.extent, {place.at[0], place.at[1], place.at[2]});
}

/// Sites in the order of their index, from which tiles choose.
struct SiteList {
  const Packed* site;
  std::int32_t count;
  const std::uint64_t* label;  ///< labels of the sites, fetched once for all tiles; or null

  __device__ Place place(std::int32_t i) const { return unpack(site[i]); }
  __device__ std::uint64_t label_of(const Job& job, std::int32_t i) const {
    return label != nullptr ? label[i] : load_label(job, cell_of(job, place(i)));
  }
};

/// Lists the numbers of the sites that a box needs; returns how many, or -1 if they are too many.
template <class Prune>
__device__ std::int32_t filter(const Prune& pruner, const SiteList& sites, TileMemory& memory) {
  const int lane = lane_of_thread();
  std::int32_t kept = 0;
  for (std::int32_t first = 0; first < sites.count; first += kLanes) {
    const bool needed = first + lane < sites.count && pruner.may_need(sites.place(first + lane));
    const std::uint32_t all = __ballot_sync(~0u, needed);
    if (kept + __popc(all) > TileLimits::kSitesPerTile) return -1;
    if (needed)
      memory.site[kept + __popc(all & ((1u << lane) - 1))] =
          static_cast<std::uint16_t>(first + lane);
    kept += __popc(all);
  }
  __syncwarp();
  return kept;
}

/// Some columns and rows of a tile. Lanes share the cells: a lane has a column, and so many rows
/// that together they have all cells.
template <int kColumns, int kPartRows>
struct Part {
  static constexpr int kRows = kPartRows * kColumns / kLanes;  ///< rows of a lane

  Tile tile;
  int left;
  int top;

  __device__ int column() const { return left + lane_of_thread() % kColumns; }
  __device__ int first_row() const { return top + lane_of_thread() / kColumns * kRows; }
};

using Whole = Part<kLanes, kTileRows>;
/// A quarter of a tile, with about equal sides.
template <int kRank>
using Quarter = std::conditional_t<kRank == 2, Part<16, 16>, Part<8, kTileRows>>;

template <int kRank>
__device__ Quarter<kRank> quarter_of(const Tile& tile, int quarter) {
  if constexpr (kRank == 2) return {tile, quarter % 2 * 16, quarter / 2 * 16};
  return {tile, quarter * 8, 0};
}

/// The cells of a part that lie in the raster; `high` is less than `low` if there are none.
template <int kRank, int kColumns, int kPartRows>
__device__ Box box_of(const Job& job, const Part<kColumns, kPartRows>& part) {
  constexpr int kHeight = tile_size<kRank>(1);
  const std::int32_t size[kAxes] = {kPartRows > kHeight ? kPartRows / kHeight : 1,
                                    kPartRows > kHeight ? kHeight : kPartRows, kColumns};
  const std::int32_t offset[kAxes] = {part.top / kHeight, part.top % kHeight, part.left};
  Box box;
#pragma unroll
  for (int axis = 0; axis < kAxes; ++axis) {
    box.low[axis] = part.tile.first[axis] + offset[axis];
    box.high[axis] =
        min(box.low[axis] + size[axis], static_cast<std::int32_t>(job.extent[axis])) - 1;
  }
  return box;
}

/// The ranks of the sites that a lane's cells have found.
template <int kRank, class Rule>
struct FarFound {
  const Job& job;
  const Rule& ruler;
  const Tile& tile;
  const SiteList& sites;
  const TileMemory& memory;
  int column;

  __device__ int rank(int row) const { return memory.ranks.of[row][column]; }
  __device__ Place place(int row) const { return sites.place(memory.site[rank(row)]); }
  __device__ std::int64_t site(int row, std::int64_t) const { return cell_of(job, place(row)); }
  __device__ auto exact(int row, std::int64_t) const {
    constexpr int kHeight = tile_size<kRank>(1);
    return ruler.between(place(row), {{tile.first[0] + row / kHeight, tile.first[1] + row % kHeight,
                                       tile.first[2] + column}});
  }
  __device__ auto known_exact(int row, std::int64_t cell) const { return exact(row, cell); }
  template <class Label>
  __device__ Label label(int row, std::int64_t) const {
    return static_cast<Label>(memory.label[rank(row)]);
  }
};

/// S from the cells of a lane's column of a tile, by the least keys.
template <int kRank>
struct KeyFound {
  const std::int32_t (&least)[kTileRows];
  const std::int32_t* factor;
  std::int32_t least_square;  ///< what all keys lack, beside the S from the tile's first cell
  int bits;                   ///< of the rank

  __device__ std::int32_t known_exact(int row, std::int64_t) const {
    constexpr int kHeight = tile_size<kRank>(1);
    const int z = row / kHeight;
    const int y = row % kHeight;
    const int x = lane_of_thread();
    return (least[row] >> bits) + least_square + factor[0] * (z * z) + factor[1] * (y * y) +
           factor[2] * (x * x);
  }
};

/// Finds ranks by linear keys of 32 bits, with `bits` bits for the rank. Writes the distances of
/// whole tiles if `job` is not null.
template <int kRank, class Part>
__device__ void rank_by_keys(const std::int32_t* factor, const Part& part, const SiteList& sites,
                             std::int32_t count, int bits, const Job* job, TileMemory& memory) {
  constexpr int kRows = Part::kRows;
  constexpr int kHeight = kRows < tile_size<kRank>(1) ? kRows : tile_size<kRank>(1);
  constexpr int kGroup = 4;  // rows that share a sum
  const Tile& tile = part.tile;
  const auto square_of = [&](const Place& site) {
    std::int32_t square = 0;
#pragma unroll
    for (int axis = kAxes - kRank; axis < kAxes; ++axis) {
      const std::int32_t p = site.at[axis] - tile.first[axis];
      square += factor[axis] * (p * p);
    }
    return square;
  };
  std::int32_t least_square = std::numeric_limits<std::int32_t>::max();
  for (std::int32_t i = lane_of_thread(); i < count; i += kLanes)
    least_square = min(least_square, square_of(sites.place(memory.site[i])));
  least_square = least_of_warp(least_square);
  const std::int32_t z = part.first_row() / tile_size<kRank>(1);
  const std::int32_t y = part.first_row() % tile_size<kRank>(1);
  std::int32_t least[kRows];
#pragma unroll
  for (auto& key : least) key = std::numeric_limits<std::int32_t>::max();
  for (std::int32_t i = 0; i < count; ++i) {
    const Place site = sites.place(memory.site[i]);
    const std::int32_t inward = kRank == 3 ? 2 * factor[0] * (site.at[0] - tile.first[0]) : 0;
    const std::int32_t down = 2 * factor[1] * (site.at[1] - tile.first[1]);
    const std::int32_t right = 2 * factor[2] * (site.at[2] - tile.first[2]);
    std::int32_t plane_key =
        ((square_of(site) - least_square - right * part.column() - down * y - inward * z) << bits) |
        i;
    const std::int32_t step = -(down << bits);
#pragma unroll
    for (int first = 0; first < kRows; first += kHeight) {
      std::int32_t key = plane_key;
#pragma unroll
      for (int row = first; row < first + kHeight; row += kGroup) {
#pragma unroll
        for (int k = 0; k < kGroup; ++k)
          least[row + k] = __viaddmin_s32(key, k * step, least[row + k]);
        key += kGroup * step;
      }
      plane_key -= inward << bits;
    }
  }
#pragma unroll
  for (int row = 0; row < kRows; ++row)
    memory.ranks.of[part.first_row() + row][part.column()] =
        static_cast<std::uint8_t>(least[row] & ((1 << bits) - 1));
  if constexpr (std::is_same_v<Part, Whole>)
    if (job != nullptr)
      write_distances<kRank>(*job, tile, KeyFound<kRank>{least, factor, least_square, bits});
}

/// Finds ranks by S itself.
template <int kRank, class Part, class Rule>
__device__ void rank_by_distance(const Rule& ruler, const Part& part, const SiteList& sites,
                                 std::int32_t count, TileMemory& memory) {
  using Scalar = std::remove_cv_t<std::remove_reference_t<decltype(ruler.factor[0])>>;
  constexpr int kHeight = tile_size<kRank>(1);
  constexpr int kGroup = 4;
  const Tile& tile = part.tile;
  const int end = part.first_row() + Part::kRows;
  for (int first = part.first_row(); first < end; first += kGroup) {
    Scalar least[kGroup];
    std::int32_t rank[kGroup] = {};
#pragma unroll
    for (auto& each : least) each = std::numeric_limits<Scalar>::max();
    for (std::int32_t i = 0; i < count; ++i) {
      const Place site = sites.place(memory.site[i]);
#pragma unroll
      for (int k = 0; k < kGroup; ++k) {
        const Scalar exact = ruler.between(
            site, {{tile.first[0] + first / kHeight, tile.first[1] + (first + k) % kHeight,
                    tile.first[2] + part.column()}});
        if (exact < least[k]) rank[k] = i;
        least[k] = min(least[k], exact);
      }
    }
#pragma unroll
    for (int k = 0; k < kGroup; ++k)
      memory.ranks.of[first + k][part.column()] = static_cast<std::uint8_t>(rank[k]);
  }
}

/// Fetches the labels of the sites.
__device__ inline void load_labels(const Job& job, const SiteList& sites, std::int32_t count,
                                   TileMemory& memory) {
  for (std::int32_t i = lane_of_thread(); i < count; i += kLanes)
    memory.label[i] = sites.label_of(job, memory.site[i]);
  __syncwarp();
}

/// Writes a part of a tile, for all outputs.
template <int kRank, class Part, class Found>
__device__ void write_part(const Job& job, const Part& part, const Found& found) {
  constexpr int kHeight = tile_size<kRank>(1);
  const Tile& tile = part.tile;
  if (tile.first[2] + part.column() >= job.extent[2]) return;
#pragma unroll 1
  for (int k = 0; k < Part::kRows; ++k) {
    const int row = part.first_row() + k;
    if (!has_row<kRank>(job, tile, row)) continue;
    const std::int64_t cell =
        to_index(job.extent, {tile.first[0] + row / kHeight, tile.first[1] + row % kHeight,
                              tile.first[2] + part.column()});
    write_result(job, cell, found.site(row, cell), found.exact(row, cell));
  }
}

}  // namespace thiessen::cuda::tiles
