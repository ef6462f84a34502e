// SPDX-License-Identifier: Apache-2.0
//
// A warp does tiles from a list so short that each lane holds one site of it, in registers alone:
// for rasters with few sites, whose time should be that of writing the labels.
//
// The sites that may win are chosen (prune.hpp) and compared by linear keys, as in tile.cuh; the
// rank of a key is the lane of its site.
#pragma once

#include <cstdint>
#include <limits>

#include "cuda/job/tile_output.hpp"
#include "cuda/tiles/job/dominators.cuh"

namespace thiessen::cuda::tiles {

/// The bits of a lane's number.
inline constexpr int kLaneBits = 5;

/// The site of a lane, in the order of the list.
struct LaneSite {
  Place place;
  std::uint64_t label;
  bool is_there;
};

/// The keys of the cells in a lane's column: the least over the sites of some lanes, a bit each.
/// Returns what all keys lack of S, beside the S from the tile's first cell to the own one.
template <int kRank>
__device__ std::int32_t find_least_keys(const std::int32_t* factor, const Tile& tile,
                                        const LaneSite& own, std::uint32_t lanes,
                                        std::int32_t (&least)[kTileRows]) {
  constexpr int kHeight = tile_size<kRank>(1);
  const int lane = lane_of_thread();
  std::int32_t square = 0;
  std::int32_t slope[kAxes] = {};  // what a step along an axis subtracts from a key
#pragma unroll
  for (int axis = kAxes - kRank; axis < kAxes; ++axis) {
    const std::int32_t p = own.place.at[axis] - tile.first[axis];
    square += factor[axis] * (p * p);
    slope[axis] = 2 * factor[axis] * p;
  }
  const bool chosen = (lanes >> lane & 1) != 0;
  const std::int32_t least_square =
      least_of_warp(chosen ? square : std::numeric_limits<std::int32_t>::max());
  const std::int32_t base = square - least_square;
#pragma unroll
  for (auto& key : least) key = std::numeric_limits<std::int32_t>::max();
  for (; lanes != 0; lanes &= lanes - 1) {
    const int source = __ffs(static_cast<int>(lanes)) - 1;
    const std::int32_t right = __shfl_sync(~0u, slope[2], source);
    const std::int32_t down = __shfl_sync(~0u, slope[1], source) << kLaneBits;
    const std::int32_t inward = kRank == 3 ? __shfl_sync(~0u, slope[0], source) << kLaneBits : 0;
    std::int32_t plane_key =
        ((__shfl_sync(~0u, base, source) - right * lane) << kLaneBits) | source;
#pragma unroll
    for (int row = 0; row < kTileRows; ++row) {
      const int y = row % kHeight;
      if (row > 0 && y == 0) plane_key -= inward;
      least[row] = __viaddmin_s32(plane_key, -down * y, least[row]);
    }
  }
  return least_square;
}

/// The winners of a lane's column, by the least keys.
struct LaneFound {
  const std::int32_t (&least)[kTileRows];
  std::uint64_t site_label;  ///< label of the lane's site

  template <class Label>
  __device__ Label label(int row, std::int64_t) const {
    const int source = least[row] & (kLanes - 1);
    if constexpr (sizeof(Label) == 8) return __shfl_sync(~0u, site_label, source);
    return static_cast<Label>(__shfl_sync(~0u, static_cast<std::uint32_t>(site_label), source));
  }
};

/// Writes a tile that is simple.
template <int kRank>
__device__ void solve_short(const Job& job,
                            const Ruler<Metric::euclidean, kRank, std::int32_t>& ruler,
                            const Tile& tile, const LaneSite& own) {
  using Points = Corners<kRank>;
  Box box;
#pragma unroll
  for (int axis = 0; axis < kAxes; ++axis) {
    box.low[axis] = tile.first[axis];
    box.high[axis] = tile.first[axis] + tile_size<kRank>(axis) - 1;
  }
  const int judge = point_near<Points>(box, own.place.at, own.place.at);
  int source = 0;  // the first lane at the corner near the own site
#pragma unroll
  for (int point = 0; point < Points::kPoints; ++point) {
    const std::int32_t exact = own.is_there ? ruler.between(own.place, Points::point(box, point))
                                            : std::numeric_limits<std::int32_t>::max();
    const std::uint32_t nearest = __ballot_sync(~0u, exact == least_of_warp(exact));
    if (judge == point) source = __ffs(static_cast<int>(nearest)) - 1;
  }
  Place dominator;  // each lane has its own
#pragma unroll
  for (int axis = 0; axis < kAxes; ++axis)
    dominator.at[axis] = __shfl_sync(~0u, own.place.at[axis], source);
  const bool needed =
      own.is_there && may_win(ruler, box, dominator, [&](int axis, std::int32_t corner) {
        return own.place.at[axis] - corner;
      });
  std::int32_t least[kTileRows];
  const std::int32_t least_square =
      find_least_keys<kRank>(ruler.factor, tile, own, __ballot_sync(~0u, needed), least);
  if (job.out.labels) write_labels<kRank>(job, tile, LaneFound{least, own.label});
  if (job.out.distance)
    write_distances<kRank>(job, tile,
                           KeyFound<kRank>{least, ruler.factor, least_square, kLaneBits});
}

}  // namespace thiessen::cuda::tiles
