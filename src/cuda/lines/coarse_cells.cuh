// SPDX-License-Identifier: Apache-2.0
//
// The winners of every 512th cell of lines, by a search outward, and of every 64th between them.
// For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "cuda/lines/eighths.cuh"

namespace thiessen::cuda {

/// The best candidates of a lane's lines at cell y, of those that were taken.
struct Best {
  std::int32_t y;
  Pair cost{{INT32_MAX, INT32_MAX}};
  Pair row{};

  __device__ void take(const LineGrid& grid, std::int32_t c, const Pair& costs) {
#pragma unroll
    for (int line = 0; line < 2; ++line) {
      const std::int32_t own = costs.of[line] + grid.factor * square(y - c);
      if (own > cost.of[line] || (own == cost.of[line] && c >= row.of[line])) continue;
      cost.of[line] = own;
      row.of[line] = c;
    }
  }
};

/// Takes the candidates outward from y, a warp every eighth one, until none can win.
template <class Source>
__device__ void walk_outward(const Strip<Source>& strip, Best& best) {
  const LineGrid& grid = strip.grid;
  const std::int32_t last = grid.length - 1;
  const std::int32_t y = best.y;
  const std::int32_t nearest = min(y, last);
  best.take(grid, nearest, strip.costs(nearest));
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  for (std::int32_t distance = y - nearest + warp;; distance += kStripWarps * kAtOnce) {
    const std::int32_t worst = greatest_of_warp(max(best.cost.of[0], best.cost.of[1]));
    if (distance > max(y, last - y) || grid.factor * square(distance) > worst) break;
    Pair costs[2 * kAtOnce];
    std::int32_t candidate[2 * kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {  // a candidate may come twice
      candidate[2 * k] = min(max(y - distance - k * kStripWarps, 0), last);
      candidate[2 * k + 1] = min(y + distance + k * kStripWarps, last);
    }
#pragma unroll
    for (int k = 0; k < 2 * kAtOnce; ++k) costs[k] = strip.costs(candidate[k]);
#pragma unroll
    for (int k = 0; k < 2 * kAtOnce; ++k) best.take(grid, candidate[k], costs[k]);
  }
}

/// The same by the least ways of rows: these bound the S of all lines from above and from below, so
/// that only rows that may win are loaded.
template <class Source>
__device__ void choose_outward(const Strip<Source>& strip, const StripPlace& at, Best& best) {
  constexpr std::int32_t kReach = kStripThreads / 2;  // distances of a turn, on both sides
  __shared__ std::int32_t bound;
  __shared__ std::int32_t listed[kStripThreads];
  __shared__ std::int32_t count;
  const LineGrid& grid = strip.grid;
  const std::uint16_t* const least = strip.source.least_of_strip(grid, at);
  const auto own = static_cast<std::int32_t>(threadIdx.x);
  const int warp = own / kLanes;
  const std::int32_t y = best.y;
  const std::int32_t most = max(y, grid.length - 1 - y);
  const auto row_at = [&](std::int32_t first) {
    const std::int32_t distance = first + own / 2;
    return own % 2 == 0 ? y - distance : y + 1 + distance;
  };
  const auto least_of = [&](std::int32_t c) {
    return c < 0 || c >= grid.length ? kNoLeast : std::int32_t{__ldg(least + c)};
  };
  const auto exact = [&](std::int32_t c, std::int32_t way) {
    const std::int64_t all =
        std::int64_t{strip.source.factor} * way * way + grid.factor * square(y - c);
    return static_cast<std::int32_t>(min(all, std::int64_t{INT32_MAX}));
  };
  if (own == 0) bound = INT32_MAX;
  __syncthreads();
  for (std::int32_t first = 0;
       first <= most && (bound == INT32_MAX || grid.factor * square(first) <= bound);
       first += kReach) {
    const std::int32_t c = row_at(first);
    const std::int32_t way = least_of(c);
    const std::int32_t farthest = way == kNoLeast ? INT32_MAX : exact(c, way + kStripColumns - 1);
    const std::int32_t of_warp = least_of_warp(farthest);
    __syncthreads();
    if (own % kLanes == 0 && of_warp < INT32_MAX) atomicMin(&bound, of_warp);
    __syncthreads();
  }
  const std::int32_t enough = bound;
  for (std::int32_t first = 0;
       enough < INT32_MAX && first <= most && grid.factor * square(first) <= enough;
       first += kReach) {
    if (own == 0) count = 0;
    __syncthreads();
    const std::int32_t c = row_at(first);
    const std::int32_t way = least_of(c);
    if (way != kNoLeast && exact(c, way) <= enough) listed[atomicAdd(&count, 1)] = c;
    __syncthreads();
    for (std::int32_t i = warp; i < count; i += kStripWarps * kAtOnce) {
      Pair costs[kAtOnce];
      std::int32_t candidate[kAtOnce];
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k)  // the last one may come twice
        candidate[k] = listed[min(i + k * kStripWarps, count - 1)];
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) costs[k] = strip.costs(candidate[k]);
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) best.take(grid, candidate[k], costs[k]);
    }
    __syncthreads();
  }
}

/// The best of each warp of a block, for the lines of a strip.
struct OutwardMemory {
  std::int32_t cost[kStripWarps][kStripColumns];
  std::uint16_t winner[kStripWarps][kStripColumns];
};

/// A block finds the winners at cell y of the lines of a strip; y may lie beyond their end.
template <class Source>
__device__ void find_outward(const Strip<Source>& strip, const StripPlace& at, std::int32_t y,
                             OutwardMemory& memory, std::uint16_t* winners) {
  Best best{.y = y};
  if constexpr (Source::kHasLeast)
    choose_outward(strip, at, best);
  else
    walk_outward(strip, best);
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
#pragma unroll
  for (int line = 0; line < 2; ++line) {
    memory.cost[warp][2 * lane_of_thread() + line] = best.cost.of[line];
    memory.winner[warp][2 * lane_of_thread() + line] =
        static_cast<std::uint16_t>(best.row.of[line]);
  }
  __syncthreads();
  if (threadIdx.x < kStripColumns) {
    const auto column = threadIdx.x;
    int first = 0;
    for (int other = 1; other < kStripWarps; ++other) {
      const std::int32_t own = memory.cost[other][column];
      const std::int32_t least = memory.cost[first][column];
      if (own < least ||
          (own == least && memory.winner[other][column] < memory.winner[first][column]))
        first = other;
    }
    winners[column] = memory.winner[first][column];
  }
  __syncthreads();
}

/// Every 512th cell, also beyond the end of the lines; a block does one of each line of a strip.
template <class Source>
__global__ void __launch_bounds__(kStripThreads)
    find_every_512th(const __grid_constant__ LineGrid grid, const __grid_constant__ Source source,
                     const LeftLines left, std::uint16_t* known, const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  __shared__ OutwardMemory memory;
  const auto at = StripPlace::of_number(grid, grid.segments() + 1, blockIdx.x);
  const bool before = at.part > 0 && left.segment_at(grid, {at.strip, at.part - 1, at.plane}) != 0;
  const bool behind = at.part < grid.segments() && left.segment_at(grid, at) != 0;
  if (!before && !behind) return;
  find_outward(Strip<Source>(grid, source, at), at, at.part * kSegmentLength, memory,
               known + grid.known_at(at.plane, at.part * kEighth) + at.strip * kStripColumns);
}

/// Every 64th cell between two of these; a block does a segment. Without these, it finds both.
template <class Source, bool kHasEnds>
__global__ void __launch_bounds__(kStripThreads)
    find_every_64th(const __grid_constant__ LineGrid grid, const __grid_constant__ Source source,
                    const LeftLines left, std::uint16_t* known, const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  __shared__ Found found[kStripWarps];
  const auto at = StripPlace::of_number(grid, grid.segments(), blockIdx.x);
  if (left.segment_at(grid, at) == 0) return;
  const Strip<Source> strip(grid, source, at);
  const std::int32_t top = at.part * kSegmentLength;
  std::uint16_t* const rows =
      known + grid.known_at(at.plane, at.part * kEighth) + at.strip * kStripColumns;
  const std::int64_t end = std::int64_t{kEighth} * grid.columns;
  if constexpr (!kHasEnds) {
    __shared__ OutwardMemory memory;
    find_outward(strip, at, top, memory, rows);
    find_outward(strip, at, top + kSegmentLength, memory, rows + end);
  }
  const std::uint32_t before = Strip<Source>::load_rows(rows);
  const std::uint32_t behind = Strip<Source>::load_rows(rows + end);
  const Candidates range = candidates_between(before, behind);
  const Bracket bracket(strip, top, grid.bits_of_64th, before, behind, range);
  search_by_block<kTileLength>(
      strip, bracket, range, [](std::int32_t) {}, found);
  for (int i = static_cast<int>(threadIdx.x); i < kBetween * kStripColumns; i += kStripThreads) {
    const int between = i / kStripColumns;
    const int column = i % kStripColumns;
    rows[(between + 1) * grid.columns + column] = found[0].row[between][column];
  }
}

}  // namespace thiessen::cuda
