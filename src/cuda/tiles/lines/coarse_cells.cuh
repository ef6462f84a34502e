// SPDX-License-Identifier: Apache-2.0
//
// The winners of every 512th cell of lines, by a search outward, and of every 64th between them.
// For sources compiled as CUDA.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "cuda/tiles/lines/eighths.cuh"

namespace thiessen::cuda::tiles {

/// More than any S.
template <class Exact>
inline constexpr Exact kMostOf = std::numeric_limits<Exact>::max();

/// The best candidates of a lane's lines at cell y, of those that were taken.
template <class Exact>
struct BestCandidates {
  std::int32_t y;
  PairOf<Exact> cost{{kMostOf<Exact>, kMostOf<Exact>}};
  Pair row{};

  template <class Source>
  __device__ void take(const Strip<Source>& strip, std::int32_t c, const PairOf<Exact>& costs) {
#pragma unroll
    for (int line = 0; line < 2; ++line) {
      const Exact own = costs.of[line] + strip.grid.template along<Exact>(y - c);
      if (own > cost.of[line] || (own == cost.of[line] && !strip.comes_first(c, row.of[line])))
        continue;
      cost.of[line] = own;
      row.of[line] = c;
    }
  }
};

/// Takes the candidates outward from y, a warp every eighth one, until none can win.
template <class Source>
__device__ void walk_outward(const Strip<Source>& strip,
                             BestCandidates<typename Source::Exact>& best) {
  using Exact = typename Source::Exact;
  const LineGrid& grid = strip.grid;
  const std::int32_t y = best.y;
  const std::int32_t first = Source::kHasPeriod ? grid.first_for(y) : 0;
  const std::int32_t last = Source::kHasPeriod ? grid.last_for(y) : grid.length - 1;
  const std::int32_t nearest = min(y, last);
  best.take(strip, nearest, strip.costs(nearest));
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  for (std::int32_t distance = y - nearest + warp;; distance += kStripWarps * kAtOnce) {
    const Exact worst = greatest_of_warp(max(best.cost.of[0], best.cost.of[1]));
    if (distance > max(y - first, last - y) || grid.along<Exact>(distance) > worst) break;
    PairOf<Exact> costs[2 * kAtOnce];
    std::int32_t candidate[2 * kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {  // a candidate may come twice
      candidate[2 * k] = min(max(y - distance - k * kStripWarps, first), last);
      candidate[2 * k + 1] = min(y + distance + k * kStripWarps, last);
    }
#pragma unroll
    for (int k = 0; k < 2 * kAtOnce; ++k) costs[k] = strip.costs(candidate[k]);
#pragma unroll
    for (int k = 0; k < 2 * kAtOnce; ++k) best.take(strip, candidate[k], costs[k]);
  }
}

/// The same by the least offsets of rows: these bound the S of all lines from above and from below,
/// so that only rows that may win are loaded.
template <class Source>
__device__ void choose_outward(const Strip<Source>& strip, const StripPlace& at,
                               BestCandidates<typename Source::Exact>& best) {
  using Exact = typename Source::Exact;
  using Least = typename Source::Least;
  using Bound = std::conditional_t<sizeof(Exact) == 4, std::int32_t, long long>;  // for atomicMin
  constexpr Bound kUnbound = kMostOf<Exact>;
  constexpr std::int32_t kReach = kStripThreads / 2;  // distances of a turn, on both sides
  __shared__ Bound bound;
  __shared__ std::int32_t listed[kStripThreads];
  __shared__ std::int32_t count;
  const LineGrid& grid = strip.grid;
  const Least* const least = strip.source.least_of_strip(grid, at);
  const auto own = static_cast<std::int32_t>(threadIdx.x);
  const int warp = own / kLanes;
  const std::int32_t y = best.y;
  const std::int32_t begin = Source::kHasPeriod ? grid.first_for(y) : 0;
  const std::int32_t end = Source::kHasPeriod ? grid.last_for(y) + 1 : grid.length;
  const std::int32_t most = max(y - begin, end - 1 - y);
  const auto row_at = [&](std::int32_t first) {
    const std::int32_t distance = first + own / 2;
    return own % 2 == 0 ? y - distance : y + 1 + distance;
  };
  const auto least_of = [&](std::int32_t c) {
    return c < begin || c >= end ? kNoLeast<Least>
                                 : static_cast<std::int32_t>(__ldg(least + strip.cell_of(c)));
  };
  const auto exact = [&](std::int32_t c, std::int32_t site_offset) {
    const std::int64_t all =
        strip.source.factor * square<std::int64_t>(site_offset) + grid.along<Exact>(y - c);
    return static_cast<Bound>(min(all, std::int64_t{kUnbound}));
  };
  if (own == 0) bound = kUnbound;
  __syncthreads();
  for (std::int32_t first = 0;
       first <= most && (bound == kUnbound || grid.along<Exact>(first) <= bound); first += kReach) {
    const std::int32_t c = row_at(first);
    const std::int32_t site_offset = least_of(c);
    const Bound farthest =
        site_offset == kNoLeast<Least> ? kUnbound : exact(c, site_offset + kStripColumns - 1);
    const Bound of_warp = least_of_warp(farthest);
    __syncthreads();
    if (own % kLanes == 0 && of_warp < kUnbound) atomicMin(&bound, of_warp);
    __syncthreads();
  }
  const Bound enough = bound;
  for (std::int32_t first = 0;
       enough < kUnbound && first <= most && grid.along<Exact>(first) <= enough; first += kReach) {
    if (own == 0) count = 0;
    __syncthreads();
    const std::int32_t c = row_at(first);
    const std::int32_t site_offset = least_of(c);
    if (site_offset != kNoLeast<Least> && exact(c, site_offset) <= enough)
      listed[atomicAdd(&count, 1)] = c;
    __syncthreads();
    for (std::int32_t i = warp; i < count; i += kStripWarps * kAtOnce) {
      PairOf<Exact> costs[kAtOnce];
      std::int32_t candidate[kAtOnce];
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k)  // the last one may come twice
        candidate[k] = listed[min(i + k * kStripWarps, count - 1)];
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) costs[k] = strip.costs(candidate[k]);
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) best.take(strip, candidate[k], costs[k]);
    }
    __syncthreads();
  }
}

/// The best of each warp of a block, for the lines of a strip.
template <class Exact>
struct OutwardMemory {
  Exact cost[kStripWarps][kStripColumns];
  std::uint16_t winner[kStripWarps][kStripColumns];
};

/// A block finds the winners at cell y of the lines of a strip; y may lie beyond their end.
template <class Source>
__device__ void find_outward(const Strip<Source>& strip, const StripPlace& at, std::int32_t y,
                             OutwardMemory<typename Source::Exact>& memory,
                             std::uint16_t* winners) {
  using Exact = typename Source::Exact;
  BestCandidates<Exact> best{.y = y};
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
      const Exact own = memory.cost[other][column];
      const Exact least = memory.cost[first][column];
      if (own < least || (own == least && strip.comes_first(memory.winner[other][column],
                                                            memory.winner[first][column])))
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
                     const UnsolvedLines left, std::uint16_t* known, const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  __shared__ OutwardMemory<typename Source::Exact> memory;
  const auto at = StripPlace::of_number(grid, grid.segments() + 1, blockIdx.x);
  const bool before = at.part > 0 && left.segment_at(grid, {at.strip, at.part - 1, at.plane}) != 0;
  const bool behind = at.part < grid.segments() && left.segment_at(grid, at) != 0;
  if (!before && !behind) return;
  const Strip<Source> strip(grid, source, at);
  find_outward(strip, at, strip.number_of(at.part * kSegmentLength), memory,
               known + grid.known_at(at.plane, at.part * kEighth) + at.strip * kStripColumns);
}

/// Every 64th cell between two of these; a block does a segment. Without these, it finds both.
template <class Source, bool kHasEnds>
__global__ void __launch_bounds__(kStripThreads)
    find_every_64th(const __grid_constant__ LineGrid grid, const __grid_constant__ Source source,
                    const UnsolvedLines left, std::uint16_t* known, const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  __shared__ Found<typename Source::Key> found[kStripWarps];
  const auto at = StripPlace::of_number(grid, grid.segments(), blockIdx.x);
  if (left.segment_at(grid, at) == 0) return;
  const Strip<Source> strip(grid, source, at);
  const std::int32_t top = strip.number_of(at.part * kSegmentLength);
  std::uint16_t* const rows =
      known + grid.known_at(at.plane, at.part * kEighth) + at.strip * kStripColumns;
  const std::int64_t end = std::int64_t{kEighth} * grid.columns;
  if constexpr (!kHasEnds) {
    __shared__ OutwardMemory<typename Source::Exact> memory;
    find_outward(strip, at, top, memory, rows);
    find_outward(strip, at, top + kSegmentLength, memory, rows + end);
  }
  const std::uint32_t before = Strip<Source>::load_rows(rows);
  const std::uint32_t behind = Strip<Source>::load_rows(rows + end);
  const Candidates range = candidates_between(before, behind);
  const Bracket<Source> bracket(strip, top, grid.bits_of_64th, before, behind, range);
  search_by_block<kTileLength>(
      strip, bracket, range, [](std::int32_t) {}, found);
  for (int i = static_cast<int>(threadIdx.x); i < kBetween * kStripColumns; i += kStripThreads) {
    const int between = i / kStripColumns;
    const int column = i % kStripColumns;
    rows[(between + 1) * grid.columns + column] = found[0].row[between][column];
  }
}

}  // namespace thiessen::cuda::tiles
