// SPDX-License-Identifier: Apache-2.0
//
// The winners of every 8th cell in the tiles that are left, 64 cells of 64 lines; and lists of the
// groups of eight cells that remain. A warp does a tile, or a block does one with many candidates.
// For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "cuda/tiles/lines/eighths.cuh"

namespace thiessen::cuda::tiles {

/// Winners of a tile, and which candidates matter to the cells between.
struct KnownTile {
  static constexpr int kWords = 128;  ///< notes for 16384 candidates
  static constexpr std::int32_t kMostNoted = kWords * kLanes * kAtOnce;

  std::uint32_t left;  ///< its number << 8 | its groups of 8 cells (UnsolvedLines)
  Candidates range;
  std::uint32_t matters[kWords];              ///< a bit for four candidates
  std::uint32_t winner[kEighth + 1][kLanes];  ///< of every 8th cell, for two lines in a word

  __device__ static bool is_noted(const Candidates& range) {
    return range.last - range.first < kMostNoted;
  }
  /// The words of a range.
  __device__ static int words(const Candidates& range) {
    return min((range.last - range.first) / (kAtOnce * kLanes) + 1, kWords);
  }
  __device__ StripPlace place(const LineGrid& grid) const {
    return StripPlace::of_number(grid, grid.tiles(), left >> kEighth);
  }
};

/// What is left of the lines, step by step. Counts start at zero.
struct UnsolvedCounts {
  std::uint32_t many;       ///< tiles with many candidates
  std::uint32_t few_of_8;   ///< groups with few
  std::uint32_t many_of_8;  ///< groups with more
};
struct UnsolvedLists {
  bool is_short;  ///< so little that all is treated as if it had many candidates, by fewer kernels
  UnsolvedCounts* count;
  KnownTile* tile;          ///< in the order of UnsolvedLines
  std::uint32_t* many;      ///< numbers of tiles here
  std::uint32_t* few_of_8;  ///< number of a tile here << 3 | group
  std::uint32_t* many_of_8;
};

/// Memory of a warp, or of a block.
template <class Key>
struct TileScratch {
  Found<Key> found;
  std::uint32_t matters[KnownTile::kWords];
};

/// The first and the last known winners of a tile.
struct TileEnds {
  std::uint32_t before;
  std::uint32_t behind;

  __device__ TileEnds(const LineGrid& grid, const std::uint16_t* known, const StripPlace& at) {
    const std::int64_t row = grid.known_at(at.plane, at.part) + at.strip * kStripColumns;
    const auto load = [&](std::int64_t first) {
      return reinterpret_cast<const std::uint32_t*>(known + first)[lane_of_thread()];
    };
    before = load(row);
    behind = load(row + grid.columns);
  }
};

/// A warp adds the groups for which is_wanted to a list.
__device__ inline void list_groups(std::uint32_t number, std::uint32_t groups, std::uint32_t* list,
                                   std::uint32_t& count) {
  if (groups == 0) return;
  const int lane = lane_of_thread();
  std::uint32_t first = 0;
  if (lane == 0) first = atomicAdd(&count, static_cast<std::uint32_t>(__popc(groups)));
  first = __shfl_sync(~0u, first, 0);
  if ((groups >> lane & 1) != 0)
    list[first + static_cast<std::uint32_t>(__popc(groups & ((1u << lane) - 1)))] =
        number << 3 | static_cast<std::uint32_t>(lane);
}

/// A warp keeps what was found of a tile, and lists its groups.
template <bool kUnit, class Key>
__device__ void keep_tile(const UnsolvedLists& lists, std::uint32_t number, std::uint32_t left,
                          const Candidates& range, const TileEnds& ends,
                          const TileScratch<Key>& scratch) {
  const int lane = lane_of_thread();
  KnownTile& tile = lists.tile[number];
  if (lane == 0) {
    tile.left = left;
    tile.range = range;
  }
  for (int i = lane; i < KnownTile::words(range); i += kLanes) tile.matters[i] = scratch.matters[i];
  std::uint32_t few = 0;
  std::uint32_t before = ends.before;
  for (int group = 0; group < kEighth; ++group) {
    const std::uint32_t behind =
        group == kBetween ? ends.behind
                          : reinterpret_cast<const std::uint32_t*>(scratch.found.row[group])[lane];
    tile.winner[group][lane] = before;
    const Candidates own = candidates_between(before, behind);
    if (kUnit && !lists.is_short && own.last - own.first < kFewCandidates) few |= 1u << group;
    before = behind;
  }
  tile.winner[kEighth][lane] = before;
  const std::uint32_t groups = left & ((1u << kEighth) - 1);
  list_groups(number, groups & few, lists.few_of_8, lists.count->few_of_8);
  list_groups(number, groups & ~few, lists.many_of_8, lists.count->many_of_8);
}

inline constexpr int kTileWarps = 4;

/// A warp does a tile; those with many candidates are put aside.
template <class Source>
__global__ void __launch_bounds__(kTileWarps* kLanes, kBlocksAtOnce<typename Source::Key>)
    find_every_8th(const __grid_constant__ LineGrid grid, const __grid_constant__ Source source,
                   const UnsolvedLines left, const UnsolvedLists lists, const std::uint16_t* known,
                   const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  __shared__ TileScratch<typename Source::Key> memory[kTileWarps];
  const int lane = lane_of_thread();
  TileScratch<typename Source::Key>& scratch = memory[threadIdx.x / kLanes];
  const std::uint32_t count = *left.count;
  for (std::uint32_t number = blockIdx.x * kTileWarps + threadIdx.x / kLanes; number < count;
       number += gridDim.x * kTileWarps) {
    const std::uint32_t tile = left.tile[number];
    const auto at = StripPlace::of_number(grid, grid.tiles(), tile >> kEighth);
    const TileEnds ends(grid, known, at);
    const Candidates range = candidates_between(ends.before, ends.behind);
    if (range.last - range.first >= kManyForWarp) {
      if (lane == 0) lists.many[atomicAdd(&lists.count->many, 1u)] = number;
      continue;
    }
    const Strip<Source> strip(grid, source, at);
    const Bracket<Source> bracket(strip, strip.number_of(at.part * kTileLength), grid.bits_of_8th,
                                  ends.before, ends.behind, range);
    for (int k = lane; k < KnownTile::words(range); k += kLanes) scratch.matters[k] = 0;
    __syncwarp();
    std::int32_t c = range.first;
    const auto next = [&] {
      const std::int32_t own = c;
      c += kAtOnce;
      return own <= range.last ? own : -1;
    };
    const auto note = [&](std::int32_t candidate) {
      const auto four = static_cast<std::uint32_t>(candidate - range.first) / kAtOnce;
      if (lane == 0) scratch.matters[four / kLanes] |= 1u << four % kLanes;
    };
    search_between<kEighth>(strip, bracket, range, range.first, next, note, scratch.found);
    __syncwarp();
    keep_tile<Source::kUnit>(lists, number, tile, range, ends, scratch);
    __syncwarp();
  }
}

/// A block does a tile with many candidates, or any tile.
template <class Source>
__global__ void __launch_bounds__(kStripThreads)
    find_every_8th_of_many(const __grid_constant__ LineGrid grid,
                           const __grid_constant__ Source source, const UnsolvedLines left,
                           const UnsolvedLists lists, const std::uint16_t* known,
                           const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  __shared__ TileScratch<typename Source::Key> scratch;
  __shared__ Found<typename Source::Key> found[kStripWarps];
  const std::uint32_t count = lists.is_short ? *left.count : lists.count->many;
  for (std::uint32_t i = blockIdx.x; i < count; i += gridDim.x) {
    const std::uint32_t number = lists.is_short ? i : lists.many[i];
    const std::uint32_t tile = left.tile[number];
    const auto at = StripPlace::of_number(grid, grid.tiles(), tile >> kEighth);
    const TileEnds ends(grid, known, at);
    const Candidates range = candidates_between(ends.before, ends.behind);
    const Strip<Source> strip(grid, source, at);
    const Bracket<Source> bracket(strip, strip.number_of(at.part * kTileLength), grid.bits_of_8th,
                                  ends.before, ends.behind, range);
    for (int k = static_cast<int>(threadIdx.x); k < KnownTile::words(range); k += kStripThreads)
      scratch.matters[k] = 0;
    __syncthreads();
    const bool is_noted = KnownTile::is_noted(range);
    const auto note = [&](std::int32_t candidate) {
      const auto four = static_cast<std::uint32_t>(candidate - range.first) / kAtOnce;
      if (is_noted && lane_of_thread() == 0)
        atomicOr(&scratch.matters[four / kLanes], 1u << four % kLanes);
    };
    search_by_block<kEighth>(strip, bracket, range, note, found);
    for (int k = static_cast<int>(threadIdx.x); k < kBetween * kStripColumns; k += kStripThreads)
      scratch.found.row[k / kStripColumns][k % kStripColumns] =
          found[0].row[k / kStripColumns][k % kStripColumns];
    __syncthreads();
    if (threadIdx.x < kLanes) keep_tile<Source::kUnit>(lists, number, tile, range, ends, scratch);
    __syncthreads();
  }
}

}  // namespace thiessen::cuda::tiles
