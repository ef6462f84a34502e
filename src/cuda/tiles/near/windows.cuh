// SPDX-License-Identifier: Apache-2.0
//
// The near search by windows: where sites are shapes, the winners along one axis that are at most
// 22 cells away, with an S of at most 510.
//
// A warp does groups of 8 cells of 64 lines, two lines in a lane. Every candidate within reach is
// compared with every cell: a key of 16 bits, S << 6 | candidate's place, is the sum of two parts.
// The cost of the candidate comes from shared memory, for both lines in a word; the part along the
// line is a constant. One instruction adds and takes the lesser for two cells. Rows outward are
// taken eight at a time, until no cell of the group can gain by more of them.
//
// Parts are cut at 511, so a best S of 510 or less is exact: every candidate that is as near lies
// within 22 cells along the line, and its cost is not cut. If a cell of a group finds no such S,
// the group is left to lines/eighths.cuh. The place grows with the candidate's number, so the
// lesser key is that of the first candidate among equally near ones. For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "cuda/tiles/near/line_grid.cuh"
#include "cuda/tiles/near/line_results.cuh"

namespace thiessen::cuda::tiles {

inline constexpr int kNearHalo = 24;     ///< rows of other groups that are held on either side
inline constexpr int kNearLength = 128;  ///< cells that a block does
inline constexpr int kNearHeld = kNearLength + 2 * kNearHalo;

/// The parts of S along the line in keys, for both lines of a lane.
struct NearParts {
  /// A candidate so many cells behind the own one, by the place that it has in keys.
  THIESSEN_HD static constexpr std::uint32_t part(std::int64_t factor, int delta, int place) {
    const std::int64_t exact = factor * delta * delta;
    const auto cut = static_cast<std::uint32_t>(exact < kCutCost ? exact : kCutCost);
    return (cut << kPlaceBits | static_cast<std::uint32_t>(place)) * 0x10001u;
  }

  std::uint32_t of[2 * kNearReach + 1];  ///< from 22 cells before on
  std::uint32_t of_rows[3];              ///< 1, 9 and 17 cells away, without the place

  explicit NearParts(std::int64_t factor) {
    for (int delta = -kNearReach; delta <= kNearReach; ++delta)
      of[delta + kNearReach] = part(factor, delta, delta + kLanes);
    for (int k = 0; k < 3; ++k) of_rows[k] = part(factor, 1 + kEighth * k, 0);
  }

  template <bool kUnit>
  __device__ std::uint32_t candidate(int delta) const {
    return kUnit ? part(1, delta, delta + kLanes) : of[delta + kNearReach];
  }
  template <bool kUnit>
  __device__ std::uint32_t beyond(int k) const {
    return kUnit ? part(1, 1 + kEighth * k, 0) : of_rows[k];
  }
};

/// The candidates that a block holds.
template <class Source>
struct NearMemory {
  std::uint32_t key[kNearHeld][kLanes];              ///< costs of both lines of a lane
  std::uint32_t least[kNearHeld / kEighth][kLanes];  ///< of eight candidates
  typename Source::Kept kept[kNearHeld][kStripColumns];
  std::uint32_t left;  ///< groups, a bit each
};

__device__ inline std::uint32_t lesser_pair(std::uint32_t a, std::uint32_t b) {
  return __viaddmin_u16x2(a, 0, b);
}

/// Compares the candidates of a group with all cells of another, which comes kBlocks behind it.
template <bool kUnit, int kBlocks>
__device__ void compare_group(const NearParts& parts, const std::uint32_t* key,
                              std::uint32_t (&best)[kEighth]) {
#pragma unroll
  for (int t = 0; t < kEighth; ++t) {
    const std::uint32_t candidate = key[(kEighth * kBlocks + t) * kLanes];
#pragma unroll
    for (int j = 0; j < kEighth; ++j) {
      const int delta = kEighth * kBlocks + t - j;
      if (delta >= -kNearReach && delta <= kNearReach)
        best[j] = __viaddmin_u16x2(candidate, parts.candidate<kUnit>(delta), best[j]);
    }
  }
}

/// Whether all keys of a warp's group are less than a limit.
__device__ inline bool are_less(const std::uint32_t (&best)[kEighth], std::uint32_t limit) {
  std::uint32_t most = best[0];
#pragma unroll
  for (int j = 1; j < kEighth; ++j) most = __vmaxu2(most, best[j]);
  return __all_sync(~0u, max(most & 0xffff, most >> 16) < (limit & 0xffff)) != 0;
}

/// Finds the keys of a group; false if some cells find no site near enough.
template <bool kUnit>
__device__ bool find_near(const NearParts& parts, const std::uint32_t* key,
                          const std::uint32_t* least, std::uint32_t (&best)[kEighth]) {
  std::uint32_t low = least[0];  // no cell of the group can have less
#pragma unroll
  for (int k = 0; k < 3; ++k)
    low = __viaddmin_u16x2(lesser_pair(least[(k + 1) * kLanes], least[-(k + 1) * kLanes]),
                           parts.beyond<kUnit>(k), low);
  constexpr std::uint32_t kCut = kCutCost << kPlaceBits;
  if (!__all_sync(~0u, max(low & 0xffff, low >> 16) < kCut)) return false;
  compare_group<kUnit, 0>(parts, key, best);
  if (are_less(best, parts.beyond<kUnit>(0))) return true;
  compare_group<kUnit, -1>(parts, key, best);
  compare_group<kUnit, 1>(parts, key, best);
  if (are_less(best, parts.beyond<kUnit>(1))) return true;
  compare_group<kUnit, -2>(parts, key, best);
  compare_group<kUnit, 2>(parts, key, best);
  if (are_less(best, parts.beyond<kUnit>(2))) return true;
  compare_group<kUnit, -3>(parts, key, best);
  compare_group<kUnit, 3>(parts, key, best);
  return are_less(best, kCut);
}

/// Loads the candidates of a block, those from cell `first` on.
template <class Source>
__device__ void hold_candidates(const LineGrid& grid, const Source& source, const StripPlace& at,
                                std::int32_t first, NearMemory<Source>& memory) {
  constexpr int kWords = kStripColumns / Source::kTogether;  // of a row
  for (int i = static_cast<int>(threadIdx.x); i < kNearHeld * kWords; i += kStripThreads) {
    const int row = i / kWords;
    const int word = i % kWords;
    const std::int32_t c = first + row;
    auto* const keys = reinterpret_cast<typename Source::Keys*>(memory.key[row]) + word;
    if (c < 0 || c >= grid.length) {
      *keys = Source::no_keys();
      continue;
    }
    const uint4 loaded = source.load(grid.plane * at.plane + grid.step * c +
                                     at.strip * kStripColumns + word * Source::kTogether);
    *keys = source.keys(loaded);
    reinterpret_cast<uint2*>(memory.kept[row])[word] = Source::keep(loaded);
  }
}

/// Whether a candidate of a block may lie within reach along x.
template <class Source>
__device__ bool may_be_near(const LineGrid& grid, const Source& source, const StripPlace& at,
                            std::int32_t first) {
  if constexpr (Source::kHasLeast) {
    const std::int32_t c = first + static_cast<std::int32_t>(threadIdx.x);
    const bool is_near = threadIdx.x < kNearHeld && c >= 0 && c < grid.length &&
                         source.least_of_strip(grid, at)[c] <= kNearReach;
    return __syncthreads_or(is_near) != 0;
  }
  return true;
}

/// Whether images beyond the end of a periodic line, which are not held, may be near to a group.
template <class Source>
__device__ bool lacks_images(const LineGrid& grid, const Source&, std::int32_t y) {
  return Source::kHasPeriod && grid.period != 0 &&
         (y < kNearHalo || y + kEighth + kNearHalo > grid.length);
}

/// Writes the results of a group, whose first cell is y.
template <class Source, class Results>
__device__ void write_near(const LineGrid& grid, const Results& results, const StripPlace& at,
                           std::int32_t y, int held, const std::uint32_t (&best)[kEighth],
                           const NearMemory<Source>& memory) {
  const int lane = lane_of_thread();
  Group<typename Results::SiteOffset> group{.plane = at.plane,
                                            .y = y,
                                            .x = at.strip * kStripColumns + 2 * lane,
                                            .count = min(kEighth, grid.length - y)};
  const typename Source::Kept* const kept = &memory.kept[held][2 * lane];
#pragma unroll
  for (int i = 0; i < kEighth; ++i)
#pragma unroll
    for (int line = 0; line < 2; ++line) {
      constexpr std::uint32_t kPlaces = (1u << kPlaceBits) - 1;
      const auto place = static_cast<std::int32_t>(best[i] >> 16 * line & kPlaces);
      const std::int32_t along = i < group.count ? place - kLanes : 0;
      group.along[i].of[line] = along;
      group.site_offset[i][line] = Results::widen(kept[(i + along) * kStripColumns + line]);
    }
  results.write(group);
}

/// Finds and writes the results of what is near.
template <class Source, class Results>
__global__ void __launch_bounds__(kStripThreads, 4)
    search_windows(const __grid_constant__ LineGrid grid, const __grid_constant__ Source source,
                   const __grid_constant__ Results results, const __grid_constant__ NearParts parts,
                   const UnsolvedLines left, const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  auto& memory = *dynamic_shared<NearMemory<Source>>();
  const int lane = lane_of_thread();
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  const std::int32_t pieces = (grid.length + kNearLength - 1) / kNearLength;
  const auto all =
      static_cast<std::uint32_t>(grid.planes * grid.strips()) * static_cast<std::uint32_t>(pieces);
  for (std::uint32_t number = blockIdx.x; number < all; number += gridDim.x) {
    const auto at = StripPlace::of_number(grid, pieces, number);
    const std::int32_t top = at.part * kNearLength;
    const bool some = may_be_near(grid, source, at, top - kNearHalo);
    const int groups = (min(kNearLength, grid.length - top) + kEighth - 1) / kEighth;
    if (threadIdx.x == 0) memory.left = some ? 0 : (1u << groups) - 1;
    if (some) {
      hold_candidates(grid, source, at, top - kNearHalo, memory);
      __syncthreads();
      for (int b = warp; b < kNearHeld / kEighth; b += kStripWarps) {
        std::uint32_t least = memory.key[b * kEighth][lane];
#pragma unroll
        for (int t = 1; t < kEighth; ++t)
          least = lesser_pair(memory.key[b * kEighth + t][lane], least);
        memory.least[b][lane] = least;
      }
      __syncthreads();
      for (int group = warp; group < groups; group += kStripWarps) {
        const std::int32_t y = top + group * kEighth;
        const int held = kNearHalo + group * kEighth;
        std::uint32_t best[kEighth];
#pragma unroll
        for (int j = 0; j < kEighth; ++j) best[j] = y + j < grid.length ? ~0u : 0;
        if (lacks_images(grid, source, y) ||
            !find_near<Source::kUnit>(parts, &memory.key[held][lane],
                                      &memory.least[held / kEighth][lane], best)) {
          if (lane == 0) atomicOr(&memory.left, 1u << group);
          continue;
        }
        write_near(grid, results, at, y, held, best, memory);
      }
    }
    __syncthreads();
    constexpr int kTiles = kNearLength / kTileLength;
    if (threadIdx.x < kTiles) {
      const auto tile = static_cast<int>(threadIdx.x);
      const std::uint32_t own = memory.left >> tile * kEighth & 0xff;
      if (own != 0) left.add(grid, {at.strip, at.part * kTiles + tile, at.plane}, own);
    }
    __syncthreads();
  }
}

}  // namespace thiessen::cuda::tiles
