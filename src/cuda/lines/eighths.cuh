// SPDX-License-Identifier: Apache-2.0
//
// The winners along one axis, by eighths: those of every 512th cell of a line by a search outward,
// then those of every 64th, of every 8th, and of all cells between two whose winners are known.
//
// A line is a column of cells along the axis. Cell c of it has a cost f(c), the S to its best site
// across the line, and c wins at y if f(c) + F·(y - c)² is least; of equal ones the least c. For
// c < d, "d wins against c" turns from false to true once along the line, so winners never go back
// (Meijster, Roerdink and Hesselink 2000; Felzenszwalb and Huttenlocher 2012): between two cells
// only the candidates from the one winner to the other need a look. These ranges overlap only at
// their ends, so all of them together are little more than the line, whatever the distances.
//
// A warp does 64 lines side by side, two in a lane, and takes their ranges together; it finds the
// winners of the seven cells between two at once.
//
//   S       the step: cells from one of the seven to the next
//   y       the cell before them, w its winner; cells y + S·i follow, i = 1 .. 7
//   b(c)    f(c) + F·(y - c)² less that of w, at least 0
//
// At y + S·i the cost of c is b(c) - 2·F·S·i·c, and a part that all candidates share. So cost and
// candidate fit a key of 32 bits at any distance, and one instruction adds the slope and takes the
// lesser. b is cut at `most`: above 14·F·S times the length of a line it cannot win against w.
//
// Most candidates of a wide range matter to none of the 64 lines. Between w and the winner v of the
// last cell only those can win whose b lies on or below the straight line from (w, 0) to (v, b(v)):
// the cost of c less that of w falls along the line and the cost of c less that of v grows, so c
// beats both somewhere only if it does where they cross. Four candidates are tested at a time, and
// for every 8th cell the warp notes which of these fours matter, so that the cells between look
// only at them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/warp.cuh"
#include "cuda/lines/line_grid.cuh"

namespace thiessen::cuda {

inline constexpr int kAtOnce = 4;  ///< candidates that are tested together

/// The lines of a strip: their costs.
template <class Source>
struct Strip {
  const LineGrid& grid;
  const Source& source;
  std::int64_t first;  ///< the element of cell 0 of the lane's first line

  /// Lines beyond the width repeat the last two.
  __device__ Strip(const LineGrid& lines, const Source& costs, const StripPlace& at)
      : grid(lines),
        source(costs),
        first(lines.plane * at.plane +
              min(at.strip * kStripColumns + 2 * lane_of_thread(), (lines.width - 1) & ~1)) {}

  __device__ Pair costs(std::int32_t c) const { return source.costs(first + grid.step * c); }
  __device__ std::int32_t cost(int line, std::int32_t c) const {
    return source.cost(first + line + grid.step * c);
  }
  /// The winners of a row of known ones, two in a word.
  __device__ static std::uint32_t load_rows(const std::uint16_t* row, std::int32_t strip) {
    return reinterpret_cast<const std::uint32_t*>(row)[strip * kLanes + lane_of_thread()];
  }
};

/// A range of candidates, both ends included.
struct Candidates {
  std::int32_t first;
  std::int32_t last;
};

/// The candidates for the cells between two: from the least winner before to the greatest behind.
__device__ inline Candidates candidates_between(std::uint32_t before, std::uint32_t behind) {
  const Pair low = unpack_rows(before);
  const Pair high = unpack_rows(behind);
  return {least_of_warp(min(low.of[0], low.of[1])), greatest_of_warp(max(high.of[0], high.of[1]))};
}

/// What a lane knows of its lines at the cell before those that are searched.
struct Bracket {
  std::int32_t y;
  std::int32_t bits;  ///< of a candidate's number
  std::int32_t most;  ///< b is cut here
  Pair winner;        ///< w
  Pair least;         ///< the cost of w at y
  Pair slope;         ///< of the straight line to v, shifted like b in keys; rounded up
  bool tests;         ///< else ranges are so wide that the test would overflow

  template <class Source>
  __device__ Bracket(const Strip<Source>& strip, std::int32_t row, int code, std::uint32_t before,
                     std::uint32_t behind, const Candidates& range)
      : y(row), bits(code), most((1 << (31 - code)) - 1), winner(unpack_rows(before)) {
    const Pair last = unpack_rows(behind);
    const std::int32_t factor = strip.grid.factor;
#pragma unroll
    for (int line = 0; line < 2; ++line) {
      const std::int32_t w = winner.of[line];
      const std::int32_t v = last.of[line];
      least.of[line] = strip.cost(line, w) + factor * square(y - w);
      const std::int32_t rise = strip.cost(line, v) + factor * square(y - v) - least.of[line];
      slope.of[line] = v == w ? 0
                              : static_cast<std::int32_t>(static_cast<float>(rise) *
                                                          static_cast<float>(1 << bits) /
                                                          static_cast<float>(v - w)) +
                                    3;
    }
    tests = range.last - range.first <= strip.grid.length / 2;
  }
};

/// The winners of the seven cells, of 64 lines, and their costs relative to the range's first
/// candidate.
struct Found {
  std::uint16_t row[kBetween][kStripColumns];
  std::int32_t cost[kBetween][kStripColumns];
};

/// The least keys of some candidates that lie close enough together for the bits of their numbers.
struct Keys {
  std::int32_t first = -1;  ///< candidate 0; -1: there are none yet
  Pair least[kBetween];

  __device__ void begin(std::int32_t candidate) {
    first = candidate;
#pragma unroll
    for (Pair& pair : least) pair = {{INT32_MAX, INT32_MAX}};
  }
  /// Puts them beside what was found before.
  __device__ void store(const Bracket& known, std::int32_t slope, std::int32_t from, bool is_first,
                        Found& found) const {
#pragma unroll
    for (int i = 0; i < kBetween; ++i)
#pragma unroll
      for (int line = 0; line < 2; ++line) {
        const std::int32_t key = least[i].of[line];
        const std::int32_t cost =
            key == INT32_MAX ? INT32_MAX : (key >> known.bits) - (i + 1) * slope * (first - from);
        const int column = 2 * lane_of_thread() + line;
        if (!is_first && found.cost[i][column] <= cost) continue;
        found.cost[i][column] = cost;
        found.row[i][column] = static_cast<std::uint16_t>(first + (key & ((1 << known.bits) - 1)));
      }
  }
};

/// A warp finds the winners of the seven cells behind known.y among candidates, four by four:
/// next() returns the first of each four, in order, or -1; note(c) is called for those that matter.
/// Relative costs count from the candidate `from`.
template <int kStep, class Source, class Next, class Note>
__device__ void search_between(const Strip<Source>& strip, const Bracket& known,
                               const Candidates& range, std::int32_t from, Next&& next, Note&& note,
                               Found& found) {
  const std::int32_t factor = strip.grid.factor;
  const std::int32_t slope = 2 * kStep * factor;
  const auto load = [&](std::int32_t c, Pair(&costs)[kAtOnce]) {
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) costs[k] = strip.costs(min(c + k, range.last));
  };
  Keys keys;
  keys.begin(0);
  bool is_first = true;
  bool is_empty = true;
  Pair costs[kAtOnce];
  std::int32_t c = next();
  if (c >= 0) load(c, costs);
  while (c >= 0) {
    const std::int32_t after = next();
    Pair coming[kAtOnce];
    load(after >= 0 ? after : c, coming);
    if (is_empty || c + kAtOnce - keys.first > 1 << known.bits) {
      if (!is_empty) {
        keys.store(known, slope, from, is_first, found);
        is_first = false;
      }
      keys.begin(c);
      is_empty = false;
    }
    Pair key[kAtOnce];
    bool matters = !known.tests;
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      const std::int32_t candidate = min(c + k, range.last);
      const std::int32_t along = factor * square(known.y - candidate);
#pragma unroll
      for (int line = 0; line < 2; ++line) {
        const std::int32_t b =
            __viaddmin_s32(costs[k].of[line] - known.least.of[line], along, known.most);
        key[k].of[line] = (b << known.bits) + (candidate - keys.first);
        matters = matters ||
                  b << known.bits <= known.slope.of[line] * (candidate - known.winner.of[line]);
      }
    }
    if (__any_sync(~0u, matters) != 0) {
      note(c);
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        const std::int32_t fall = -(slope * (min(c + k, range.last) - keys.first)) << known.bits;
#pragma unroll
        for (int i = 0; i < kBetween; ++i)
#pragma unroll
          for (int line = 0; line < 2; ++line)
            keys.least[i].of[line] =
                __viaddmin_s32(key[k].of[line], (i + 1) * fall, keys.least[i].of[line]);
      }
    }
    c = after;
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) costs[k] = coming[k];
  }
  keys.store(known, slope, from, is_first, found);
}

/// The warps of a block find the winners of seven cells together: each has a part of the range.
/// found[0] has them in the end. Ends with the block's threads in step.
template <int kStep, class Source, class Note>
__device__ void search_by_block(const Strip<Source>& strip, const Bracket& known,
                                const Candidates& range, Note&& note, Found* found) {
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  const std::int32_t fours = (range.last - range.first) / kAtOnce + 1;
  const std::int32_t share = (fours + kStripWarps - 1) / kStripWarps;
  const std::int32_t begin = min(warp * share, fours);
  const std::int32_t end = min(begin + share, fours);
  std::int32_t four = begin;
  search_between<kStep>(
      strip, known, range, range.first,
      [&] { return four < end ? range.first + kAtOnce * four++ : -1; }, note, found[warp]);
  __syncthreads();
  for (int i = static_cast<int>(threadIdx.x); i < kBetween * kStripColumns; i += kStripThreads) {
    const int between = i / kStripColumns;
    const int column = i % kStripColumns;
    for (int other = 1; other < kStripWarps; ++other) {
      const std::int32_t cost = found[other].cost[between][column];
      if (cost >= found[0].cost[between][column]) continue;
      found[0].cost[between][column] = cost;
      found[0].row[between][column] = found[other].row[between][column];
    }
  }
  __syncthreads();
}

/// Every 512th cell, also beyond the end of the lines: a block searches outward, a warp every
/// eighth distance.
template <class Source>
__global__ void __launch_bounds__(kStripThreads)
    find_every_512th(const __grid_constant__ LineGrid grid, const __grid_constant__ Source source,
                     const LeftLines left, std::uint16_t* known, const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  __shared__ std::int32_t least[kStripWarps][kStripColumns];
  __shared__ std::uint16_t winner[kStripWarps][kStripColumns];
  const auto at = StripPlace::of_number(grid, grid.segments() + 1, blockIdx.x);
  const bool before = at.part > 0 && left.segment_at(grid, {at.strip, at.part - 1, at.plane}) != 0;
  const bool behind = at.part < grid.segments() && left.segment_at(grid, at) != 0;
  if (!before && !behind) return;
  const Strip<Source> strip(grid, source, at);
  const std::int32_t y = at.part * kSegmentLength;
  const std::int32_t last = grid.length - 1;
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  Pair best{{INT32_MAX, INT32_MAX}};
  Pair row{};
  const auto take = [&](std::int32_t c, const Pair& costs) {
#pragma unroll
    for (int line = 0; line < 2; ++line) {
      const std::int32_t cost = costs.of[line] + grid.factor * square(y - c);
      if (cost > best.of[line] || (cost == best.of[line] && c >= row.of[line])) continue;
      best.of[line] = cost;
      row.of[line] = c;
    }
  };
  const std::int32_t nearest = min(y, last);
  take(nearest, strip.costs(nearest));
  for (std::int32_t distance = y - nearest + warp;; distance += kStripWarps * kAtOnce) {
    const std::int32_t worst = greatest_of_warp(max(best.of[0], best.of[1]));
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
    for (int k = 0; k < 2 * kAtOnce; ++k) take(candidate[k], costs[k]);
  }
#pragma unroll
  for (int line = 0; line < 2; ++line) {
    least[warp][2 * lane_of_thread() + line] = best.of[line];
    winner[warp][2 * lane_of_thread() + line] = static_cast<std::uint16_t>(row.of[line]);
  }
  __syncthreads();
  if (threadIdx.x >= kStripColumns) return;
  int first = 0;
  for (int other = 1; other < kStripWarps; ++other) {
    const std::int32_t cost = least[other][threadIdx.x];
    const std::int32_t best_cost = least[first][threadIdx.x];
    if (cost < best_cost ||
        (cost == best_cost && winner[other][threadIdx.x] < winner[first][threadIdx.x]))
      first = other;
  }
  known[grid.known_at(at.plane, at.part * kEighth) + at.strip * kStripColumns + threadIdx.x] =
      winner[first][threadIdx.x];
}

/// Every 64th cell between two of these; a block does a segment.
template <class Source>
__global__ void __launch_bounds__(kStripThreads)
    find_every_64th(const __grid_constant__ LineGrid grid, const __grid_constant__ Source source,
                    const LeftLines left, std::uint16_t* known, const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  __shared__ Found found[kStripWarps];
  const auto at = StripPlace::of_number(grid, grid.segments(), blockIdx.x);
  if (left.segment_at(grid, at) == 0) return;
  const Strip<Source> strip(grid, source, at);
  std::uint16_t* const rows = known + grid.known_at(at.plane, at.part * kEighth);
  const std::uint32_t before = strip.load_rows(rows, at.strip);
  const std::uint32_t behind = strip.load_rows(rows + kEighth * grid.columns, at.strip);
  const Candidates range = candidates_between(before, behind);
  const Bracket bracket(strip, at.part * kSegmentLength, grid.bits_of_64th, before, behind, range);
  search_by_block<kTileLength>(
      strip, bracket, range, [](std::int32_t) {}, found);
  for (int i = static_cast<int>(threadIdx.x); i < kBetween * kStripColumns; i += kStripThreads) {
    const int between = i / kStripColumns;
    const int column = i % kStripColumns;
    rows[(between + 1) * grid.columns + at.strip * kStripColumns + column] =
        found[0].row[between][column];
  }
}

/// What the warps of a block share that does 64 cells of 64 lines.
struct TileMemory64 {
  static constexpr int kWords = kMostLength / (kAtOnce * kLanes) + 1;

  Found found[kStripWarps];
  std::uint16_t winner[kEighth + 1][kStripColumns];  ///< of every 8th cell
  std::uint32_t matters[kWords];                     ///< a bit for four candidates
};

/// The fours of a part of a range that are noted.
class NotedFours {
 public:
  __device__ NotedFours(const std::uint32_t* words, const Candidates& noted, const Candidates& part)
      : words_(words),
        noted_(noted),
        word_((part.first - noted.first) / kAtOnce / kLanes),
        last_((part.last - noted.first) / kAtOnce) {
    bits_ = words[word_] & ~0u << ((part.first - noted.first) / kAtOnce % kLanes);
  }
  __device__ std::int32_t next() {
    while (bits_ == 0) {
      if (++word_ > last_ / kLanes) return -1;
      bits_ = words_[word_];
    }
    const std::int32_t four = word_ * kLanes + lowest_bit(bits_);
    bits_ &= bits_ - 1;
    return four <= last_ ? noted_.first + kAtOnce * four : -1;
  }

 private:
  const std::uint32_t* words_;
  Candidates noted_;
  std::int32_t word_;
  std::int32_t last_;
  std::uint32_t bits_;
};

/// What is left of the cells between; a block does 64 cells of 64 lines, a warp eight of them.
template <class Source, class Results>
__device__ void find_between(const LineGrid& grid, const Source& source, const Results& results,
                             const StripPlace& at, std::uint32_t groups,
                             const std::uint16_t* known, TileMemory64& memory) {
  const Strip<Source> strip(grid, source, at);
  const int lane = lane_of_thread();
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  const std::uint16_t* const rows = known + grid.known_at(at.plane, at.part);
  const std::uint32_t before = strip.load_rows(rows, at.strip);
  const std::uint32_t behind = strip.load_rows(rows + grid.columns, at.strip);
  const Candidates range = candidates_between(before, behind);
  const std::int32_t words = (range.last - range.first) / (kAtOnce * kLanes) + 1;
  for (int i = static_cast<int>(threadIdx.x); i < words; i += kStripThreads) memory.matters[i] = 0;
  if (warp == 0) reinterpret_cast<std::uint32_t*>(memory.winner[0])[lane] = before;
  if (warp == 1) reinterpret_cast<std::uint32_t*>(memory.winner[kEighth])[lane] = behind;
  __syncthreads();
  const std::int32_t top = at.part * kTileLength;
  {
    const Bracket bracket(strip, top, grid.bits_of_8th, before, behind, range);
    const auto note = [&](std::int32_t c) {
      const std::int32_t four = (c - range.first) / kAtOnce;
      if (lane == 0) atomicOr(&memory.matters[four / kLanes], 1u << four % kLanes);
    };
    search_by_block<kEighth>(strip, bracket, range, note, memory.found);
  }
  for (int i = static_cast<int>(threadIdx.x); i < kBetween * kStripColumns; i += kStripThreads)
    memory.winner[1 + i / kStripColumns][i % kStripColumns] =
        memory.found[0].row[i / kStripColumns][i % kStripColumns];
  __syncthreads();
  const std::int32_t y = top + warp * kEighth;
  if ((groups >> warp & 1) == 0 || y >= grid.length) return;
  const std::uint32_t own = reinterpret_cast<const std::uint32_t*>(memory.winner[warp])[lane];
  const std::uint32_t next = reinterpret_cast<const std::uint32_t*>(memory.winner[warp + 1])[lane];
  const Candidates part = candidates_between(own, next);
  const Bracket bracket(strip, y, grid.bits_of_all, own, next, part);
  NotedFours fours(memory.matters, range, part);
  Found& found = memory.found[warp];
  search_between<1>(
      strip, bracket, range, part.first, [&] { return fours.next(); }, [](std::int32_t) {}, found);
  __syncwarp();
  const int count = min(kEighth, grid.length - y);
  for (int i = 0; i < count; ++i) {
    const auto* const row = i == 0 ? memory.winner[warp] : found.row[i - 1];
    const Pair winners = unpack_rows(reinterpret_cast<const std::uint32_t*>(row)[lane]);
    const std::int32_t x = at.strip * kStripColumns + 2 * lane;
    results.write_two(at.plane, y + i, x, winners, results.load(at.plane, winners.of[0], x),
                      results.load(at.plane, winners.of[1], x + 1));
  }
}

template <class Source, class Results>
__global__ void __launch_bounds__(kStripThreads)
    find_rest(const __grid_constant__ LineGrid grid, const __grid_constant__ Source source,
              const __grid_constant__ Results results, const LeftLines left,
              const std::uint16_t* known, const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  TileMemory64& memory = *dynamic_shared<TileMemory64>();
  for (std::uint32_t i = blockIdx.x; i < *left.count; i += gridDim.x) {
    const std::uint32_t tile = left.tile[i];
    find_between(grid, source, results,
                 StripPlace::of_number(grid, grid.tiles(), tile >> kEighth),
                 tile & ((1u << kEighth) - 1), known, memory);
    __syncthreads();
  }
}

/// Finds and writes the results of all that is left.
template <class Source, class Results>
void find_left(const CudaSession& session, const LineGrid& grid, const Source& source,
               const Results& results, const LeftLines& left, const std::int32_t* open,
               Scratch::Frame& device) {
  auto* const known = device.array<std::uint16_t>(grid.known_at(grid.planes, 0));
  const auto blocks = [&](std::int64_t parts) {
    return GridShape{blocks_for(grid.planes * parts * grid.strips(), 1), kStripThreads};
  };
  launch_next(session, "every 512th cell", blocks(grid.segments() + 1), find_every_512th<Source>,
              grid, source, left, known, open);
  launch_next(session, "every 64th cell", blocks(grid.segments()), find_every_64th<Source>, grid,
              source, left, known, open);
  constexpr std::int64_t kBlocksOfAProcessor = 24;
  const auto most = std::min(grid.tiles_in_all(), session.processors() * kBlocksOfAProcessor);
  allow_all_shared(find_rest<Source, Results>, "shared memory of tiles by eighths");
  launch_next(session, "cells between",
              {static_cast<unsigned>(most), kStripThreads, sizeof(TileMemory64)},
              find_rest<Source, Results>, grid, source, results, left, known, open);
}

}  // namespace thiessen::cuda
