// SPDX-License-Identifier: Apache-2.0
//
// A warp settles a tile whose sites are among those that its block has gathered.
//
// The sites nearest to the tile's corners, which are in the list, tell which of the others the tile
// needs. They are put into the order of their index. If there is but one, all cells are its own.
//
// Euclidean, if numbers stay small: S from a cell c to a site p is |p|² - 2 p·c + |c|², measured
// from the tile's first cell, and the last term is the same for all sites. What is left is linear
// in the cell: a key (|p|² - ref - 2 p·c) << bits | rank needs one addition and one comparison for
// a cell and site. `ref` is the least |p|² of all sites. Otherwise S is measured as it is.
#pragma once

#include <cstdint>
#include <limits>

#include "cuda/dense.hpp"
#include "cuda/gather.cuh"
#include "cuda/tile_output.hpp"

namespace thiessen::cuda {

/// What a warp works with: some of the sites of a list, by their numbers in it.
struct TileMemory {
  static constexpr int kMost = 128;

  std::uint16_t site[kMost];
  std::uint16_t sorted[kMost];
  std::uint64_t label[kMost];
  Place dominator[8];
  Numbers ranks;
};

/// The sites of a list that are nearest to the corners of a box.
template <int kRank, class Rule>
__device__ void find_dominators(const Rule& ruler, const Box& box, const Place* sites,
                                std::int32_t count, Place* dominators) {
  using Scalar = std::remove_cv_t<std::remove_reference_t<decltype(ruler.factor[0])>>;
  const int lane = lane_of_thread();
  Scalar least[kCorners<kRank>];
  std::int32_t nearest[kCorners<kRank>];
#pragma unroll
  for (int corner = 0; corner < kCorners<kRank>; ++corner) {
    least[corner] = std::numeric_limits<Scalar>::max();
    nearest[corner] = 0;
  }
  for (std::int32_t i = lane; i < count; i += kLanes) {
    const Place site = sites[i];
#pragma unroll
    for (int corner = 0; corner < kCorners<kRank>; ++corner) {
      const Scalar exact = ruler.between(site, corner_of(box, corner));
      if (exact < least[corner]) nearest[corner] = i;
      least[corner] = min(least[corner], exact);
    }
  }
  __syncwarp();
#pragma unroll
  for (int corner = 0; corner < kCorners<kRank>; ++corner) {
    const Scalar all = least_of_warp(least[corner]);
    const std::uint32_t finders = __ballot_sync(~0u, least[corner] == all);
    if (lane == __ffs(static_cast<int>(finders)) - 1) dominators[corner] = sites[nearest[corner]];
  }
  __syncwarp();
}

/// Numbers of the sites that a box needs; returns how many, or -1 if they are too many.
template <class Prune>
__device__ std::int32_t filter(const Prune& pruner, const Place* sites, std::int32_t count,
                               TileMemory& memory) {
  const int lane = lane_of_thread();
  std::int32_t kept = 0;
  for (std::int32_t first = 0; first < count; first += kLanes) {
    const bool needed = first + lane < count && pruner.may_need(sites[first + lane]);
    const std::uint32_t all = __ballot_sync(~0u, needed);
    if (kept + __popc(all) > TileMemory::kMost) return -1;
    if (needed)
      memory.site[kept + __popc(all & ((1u << lane) - 1))] =
          static_cast<std::uint16_t>(first + lane);
    kept += __popc(all);
  }
  __syncwarp();
  return kept;
}

/// The order of site indices.
__device__ inline bool comes_before(const Place& a, const Place& b) {
  if (a.at[0] != b.at[0]) return a.at[0] < b.at[0];
  if (a.at[1] != b.at[1]) return a.at[1] < b.at[1];
  return a.at[2] < b.at[2];
}

__device__ inline void sort_sites(const Place* sites, std::int32_t count, TileMemory& memory) {
  for (std::int32_t i = lane_of_thread(); i < count; i += kLanes) {
    const Place own = sites[memory.site[i]];
    std::int32_t rank = 0;
    for (std::int32_t j = 0; j < count; ++j) rank += comes_before(sites[memory.site[j]], own);
    memory.sorted[rank] = memory.site[i];
  }
  __syncwarp();
}

/// What is known of a lane's cells: the sites' ranks in a tile.
template <int kRank, class Rule>
struct FarFound {
  const Job& job;
  const Rule& ruler;
  const Tile& tile;
  const Place* sites;
  const TileMemory& memory;

  __device__ int rank(int row) const { return memory.ranks.of[row][lane_of_thread()]; }
  __device__ const Place& place(int row) const { return sites[memory.sorted[rank(row)]]; }
  __device__ std::int64_t site(int row, std::int64_t) const {
    const Place& at = place(row);
    return to_index(job.extent, {at.at[0], at.at[1], at.at[2]});
  }
  __device__ auto exact(int row, std::int64_t) const {
    constexpr int kHeight = tile_size<kRank>(1);
    return ruler.between(place(row), {{tile.first[0] + row / kHeight, tile.first[1] + row % kHeight,
                                       tile.first[2] + lane_of_thread()}});
  }
  template <class Label>
  __device__ Label label(int row, std::int64_t) const {
    return static_cast<Label>(memory.label[rank(row)]);
  }
};

/// Ranks by linear keys of 32 bits, `bits` of them for the rank.
template <int kRank>
__device__ void rank_by_keys(const std::int32_t* factor, const Tile& tile, const Place* sites,
                             std::int32_t count, int bits, TileMemory& memory) {
  constexpr int kHeight = tile_size<kRank>(1);
  constexpr int kGroup = 4;  // rows that share a sum
  const int lane = lane_of_thread();
  // By lanes: what depends on the site alone.
  std::int32_t least_square = std::numeric_limits<std::int32_t>::max();
  for (std::int32_t i = lane; i < count; i += kLanes) {
    const Place& site = sites[memory.sorted[i]];
    std::int32_t square = 0;
    for (int axis = kAxes - kRank; axis < kAxes; ++axis) {
      const std::int32_t p = site.at[axis] - tile.first[axis];
      square += factor[axis] * (p * p);
    }
    least_square = min(least_square, square);
  }
  least_square = least_of_warp(least_square);
  std::int32_t least[kTileRows];
#pragma unroll
  for (auto& key : least) key = std::numeric_limits<std::int32_t>::max();
  for (std::int32_t i = 0; i < count; ++i) {
    const Place& site = sites[memory.sorted[i]];
    std::int32_t p[kAxes];
    std::int32_t square = 0;
    for (int axis = kAxes - kRank; axis < kAxes; ++axis) {
      p[axis] = site.at[axis] - tile.first[axis];
      square += factor[axis] * (p[axis] * p[axis]);
    }
    std::int32_t plane_key = ((square - least_square - 2 * factor[2] * p[2] * lane) << bits) | i;
    const std::int32_t down = -(2 * factor[1] * p[1] << bits);
#pragma unroll
    for (int z = 0; z < tile_size<kRank>(0); ++z) {
      std::int32_t key = plane_key;
#pragma unroll
      for (int y = 0; y < kHeight; y += kGroup) {
#pragma unroll
        for (int k = 0; k < kGroup; ++k) {
          std::int32_t& own = least[z * kHeight + y + k];
          own = __viaddmin_s32(key, k * down, own);
        }
        key += kGroup * down;
      }
      if constexpr (kRank == 3) plane_key -= 2 * factor[0] * p[0] << bits;
    }
  }
#pragma unroll
  for (int row = 0; row < kTileRows; ++row)
    memory.ranks.of[row][lane] = static_cast<std::uint8_t>(least[row] & ((1 << bits) - 1));
}

/// Ranks by S itself.
template <int kRank, class Rule>
__device__ void rank_by_distance(const Rule& ruler, const Tile& tile, const Place* sites,
                                 std::int32_t count, TileMemory& memory) {
  using Scalar = std::remove_cv_t<std::remove_reference_t<decltype(ruler.factor[0])>>;
  constexpr int kHeight = tile_size<kRank>(1);
  constexpr int kGroup = 4;
  const int lane = lane_of_thread();
  for (int first = 0; first < kTileRows; first += kGroup) {
    Scalar least[kGroup];
    std::int32_t rank[kGroup] = {};
#pragma unroll
    for (auto& each : least) each = std::numeric_limits<Scalar>::max();
    for (std::int32_t i = 0; i < count; ++i) {
      const Place site = sites[memory.sorted[i]];
#pragma unroll
      for (int k = 0; k < kGroup; ++k) {
        const Scalar exact =
            ruler.between(site, {{tile.first[0] + first / kHeight,
                                  tile.first[1] + (first + k) % kHeight, tile.first[2] + lane}});
        if (exact < least[k]) rank[k] = i;
        least[k] = min(least[k], exact);
      }
    }
#pragma unroll
    for (int k = 0; k < kGroup; ++k)
      memory.ranks.of[first + k][lane] = static_cast<std::uint8_t>(rank[k]);
  }
}

/// Whether rows of labels can be filled with words of 16 bytes.
__device__ inline bool has_wide_rows(const Job& job) {
  const std::int64_t row = job.extent[2] * job.out.labels.element;
  return row % 16 == 0 && reinterpret_cast<std::uintptr_t>(job.out.labels.bytes) % 16 == 0;
}

/// Fills a tile, which the raster has as a whole, with a label.
template <int kRank>
__device__ void fill_labels(const Job& job, const Tile& tile, std::uint64_t label) {
  constexpr int kHeight = tile_size<kRank>(1);
  const int element = job.out.labels.element;
  for (int bits = 8 * element; bits < 64; bits *= 2) label |= label << bits;
  const auto low = static_cast<std::uint32_t>(label);
  const auto high = static_cast<std::uint32_t>(label >> 32);
  const uint4 word = make_uint4(low, high, low, high);
  const int words_of_row = 2 * element;
  const int rows_at_once = kLanes / words_of_row;
  const int lane = lane_of_thread();
#pragma unroll 8
  for (int row = lane / words_of_row; row < kTileRows; row += rows_at_once) {
    const std::int64_t cell = to_index(
        job.extent, {tile.first[0] + row / kHeight, tile.first[1] + row % kHeight, tile.first[2]});
    __stcs(reinterpret_cast<uint4*>(job.out.labels.bytes + cell * element) + lane % words_of_row,
           word);
  }
}

/// Writes a tile from the ranks in memory.
template <int kRank, class Found>
__device__ void write_ranked(const Field& field, const Tile& tile, const Found& found,
                             std::int32_t count, TileMemory& memory) {
  const Job& job = field.job;
  if (job.out.labels && is_simple(job)) {
    for (std::int32_t i = lane_of_thread(); i < count; i += kLanes) {
      const Place& site = found.sites[memory.sorted[i]];
      memory.label[i] = load_label(job, to_index(job.extent, {site.at[0], site.at[1], site.at[2]}));
    }
    __syncwarp();
  }
  write_tile<kRank>(job, tile, found);
}

}  // namespace thiessen::cuda
