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
#include "cuda/lines/line_results.cuh"

namespace thiessen::cuda {

inline constexpr int kAtOnce = 4;  ///< candidates that are tested together
/// Fewer candidates are taken without a test.
inline constexpr std::int32_t kFewForTest = 24;
/// With more candidates the whole block searches a tile, else a warp.
inline constexpr std::int32_t kManyForWarp = 192;

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

  __device__ typename Source::Two load(std::int32_t c) const {
    return source.load_two(first + grid.step * c);
  }
  __device__ Pair costs(std::int32_t c) const { return source.costs_of(load(c)); }
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
  bool tests;  ///< else the test takes longer than it saves, or would overflow

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
    const std::int32_t wide = range.last - range.first;
    tests = wide >= kFewForTest && wide <= strip.grid.length / 2;
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
                               Candidates range, std::int32_t from, Next&& next, Note&& note,
                               Found& found) {
  using Two = typename Source::Two;
  const std::int32_t factor = Source::kUnit ? 1 : strip.grid.factor;
  const std::int32_t slope = 2 * kStep * factor;
  const auto load = [&](std::int32_t c, Two(&ways)[kAtOnce]) {
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) ways[k] = strip.load(min(c + k, range.last));
  };
  Keys keys;
  keys.begin(0);
  bool is_first = true;
  bool is_empty = true;
  Two ways[kAtOnce];
  std::int32_t c = next();
  if (c >= 0) load(c, ways);
  while (c >= 0) {
    const std::int32_t after = next();
    Two coming[kAtOnce];
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
      const Pair costs = strip.source.costs_of(ways[k]);
#pragma unroll
      for (int line = 0; line < 2; ++line) {
        const std::int32_t b =
            __viaddmin_s32(costs.of[line] - known.least.of[line], along, known.most);
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
    for (int k = 0; k < kAtOnce; ++k) ways[k] = coming[k];
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
    for (std::int32_t i = warp; i < count; i += kStripWarps)
      best.take(grid, listed[i], strip.costs(listed[i]));
    __syncthreads();
  }
}

/// Every 512th cell, also beyond the end of the lines; a block does one of each line of a strip.
template <class Source>
__global__ void __launch_bounds__(kStripThreads)
    find_every_512th(const __grid_constant__ LineGrid grid, const __grid_constant__ Source source,
                     const LeftLines left, std::uint16_t* known, const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  __shared__ std::int32_t cost[kStripWarps][kStripColumns];
  __shared__ std::uint16_t winner[kStripWarps][kStripColumns];
  const auto at = StripPlace::of_number(grid, grid.segments() + 1, blockIdx.x);
  const bool before = at.part > 0 && left.segment_at(grid, {at.strip, at.part - 1, at.plane}) != 0;
  const bool behind = at.part < grid.segments() && left.segment_at(grid, at) != 0;
  if (!before && !behind) return;
  const Strip<Source> strip(grid, source, at);
  Best best{.y = at.part * kSegmentLength};
  if constexpr (Source::kHasLeast)
    choose_outward(strip, at, best);
  else
    walk_outward(strip, best);
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
#pragma unroll
  for (int line = 0; line < 2; ++line) {
    cost[warp][2 * lane_of_thread() + line] = best.cost.of[line];
    winner[warp][2 * lane_of_thread() + line] = static_cast<std::uint16_t>(best.row.of[line]);
  }
  __syncthreads();
  if (threadIdx.x >= kStripColumns) return;
  int first = 0;
  for (int other = 1; other < kStripWarps; ++other) {
    const std::int32_t own = cost[other][threadIdx.x];
    const std::int32_t least = cost[first][threadIdx.x];
    if (own < least ||
        (own == least && winner[other][threadIdx.x] < winner[first][threadIdx.x]))
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

/// A tile that is left: 64 cells of 64 lines.
struct RestTile {
  static constexpr int kWords = kMostLength / (kAtOnce * kLanes) + 1;

  std::uint32_t left;  ///< its number << 8 | its groups of 8 cells
  Candidates range;
  std::uint16_t winner[kEighth + 1][kStripColumns];  ///< of every 8th cell
  std::uint32_t matters[kWords];                     ///< a bit for four candidates

  __device__ StripPlace place(const LineGrid& grid) const {
    return StripPlace::of_number(grid, grid.tiles(), left >> kEighth);
  }
  __device__ std::uint32_t groups() const { return left & ((1u << kEighth) - 1); }
  /// The winners of a lane's lines.
  __device__ std::uint32_t winners(int eighth) const {
    return reinterpret_cast<const std::uint32_t*>(winner[eighth])[lane_of_thread()];
  }
};

/// What the warps of a block share: as many tiles as there are warps, and memory for each.
struct RestMemory {
  RestTile tile[kStripWarps];
  Found found[kStripWarps];
  bool few;  ///< tiles: warps would be idle

  /// Whether all warps search a tile, else only one.
  __device__ bool is_for_all(const RestTile& own) const {
    return few || own.range.last - own.range.first >= kManyForWarp;
  }
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

/// A warp begins a tile: the winners of its first cell and of the first one behind it.
__device__ inline void begin_tile(const LineGrid& grid, const std::uint16_t* known,
                                  std::uint32_t left, RestTile& tile) {
  const int lane = lane_of_thread();
  const auto at = StripPlace::of_number(grid, grid.tiles(), left >> kEighth);
  const std::int64_t row = grid.known_at(at.plane, at.part) + at.strip * kStripColumns;
  const auto load = [&](std::int64_t first) {
    return reinterpret_cast<const std::uint32_t*>(known + first)[lane];
  };
  const std::uint32_t before = load(row);
  const std::uint32_t behind = load(row + grid.columns);
  const Candidates range = candidates_between(before, behind);
  reinterpret_cast<std::uint32_t*>(tile.winner[0])[lane] = before;
  reinterpret_cast<std::uint32_t*>(tile.winner[kEighth])[lane] = behind;
  const std::int32_t words = (range.last - range.first) / (kAtOnce * kLanes) + 1;
  for (int i = lane; i < words; i += kLanes) tile.matters[i] = 0;
  if (lane == 0) {
    tile.left = left;
    tile.range = range;
  }
  __syncwarp();
}

/// Finds every 8th winner of a tile, by search(strip, bracket, note).
template <class Source, class Search>
__device__ void find_every_8th(const LineGrid& grid, const Source& source, RestTile& tile,
                               const Search& search) {
  const StripPlace at = tile.place(grid);
  const Strip<Source> strip(grid, source, at);
  const Bracket bracket(strip, at.part * kTileLength, grid.bits_of_8th, tile.winners(0),
                        tile.winners(kEighth), tile.range);
  search(strip, bracket, [&, first = tile.range.first](std::int32_t c) {
    const auto four = static_cast<std::uint32_t>(c - first) / kAtOnce;
    if (lane_of_thread() == 0) atomicOr(&tile.matters[four / kLanes], 1u << four % kLanes);
  });
}

/// Finds the winners of the seven cells behind y among few candidates, all factors of S being 1:
/// with keys of 16 bits, both lines in a word. b is cut at 511, more than 14 times the range.
template <class Source>
struct FewCandidates {
  static constexpr int kMost = 36;
  static constexpr int kBits = 6;
  static constexpr std::int32_t kCut = 511;

  /// What b loses at y + i, for candidate t, beside what it loses for the last one.
  __device__ static constexpr std::uint32_t fall(int i, int t) {
    return static_cast<std::uint32_t>(2 * i * (kMost - 1 - t)) * (0x10001u << kBits);
  }

  /// The winners less y, of all eight cells.
  __device__ static void search(const Strip<Source>& strip, std::int32_t y, std::uint32_t before,
                                const Candidates& range, Pair (&along)[kEighth]) {
    using Two = typename Source::Two;
    const Pair own = unpack_rows(before);
    Pair less;
#pragma unroll
    for (int line = 0; line < 2; ++line)
      less.of[line] = strip.cost(line, own.of[line]) + square(y - own.of[line]);
    std::uint32_t least[kBetween];
#pragma unroll
    for (std::uint32_t& key : least) key = ~0u;
    const std::int32_t ahead = range.first - y;
    const std::int32_t last = range.last - range.first;
    Two ways[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) ways[k] = strip.load(range.first + min(k, last));
#pragma unroll
    for (int first = 0; first < kMost; first += kAtOnce) {
      if (first > last) break;
      Two coming[kAtOnce];
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k)
        coming[k] = strip.load(range.first + min(first + kAtOnce + k, last));
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        const int t = first + k;
        const Pair costs = strip.source.costs_of(ways[k]);
        const auto b = [&](int line) {
          return static_cast<std::uint32_t>(
              __viaddmin_s32(costs.of[line], square(ahead + t) - less.of[line], kCut));
        };
        const std::uint32_t both = t > last ? kCut * 0x10001u : b(1) << 16 | b(0);
        const std::uint32_t key = both << kBits | static_cast<std::uint32_t>(t) * 0x10001u;
#pragma unroll
        for (int i = 0; i < kBetween; ++i)
          least[i] = __viaddmin_u16x2(key, fall(i + 1, t), least[i]);
      }
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) ways[k] = coming[k];
    }
    along[0] = {{own.of[0] - y, own.of[1] - y}};
#pragma unroll
    for (int i = 0; i < kBetween; ++i) {
      constexpr std::uint32_t kPlaces = (1u << kBits) - 1;
      along[i + 1] = {{ahead - (i + 1) + static_cast<std::int32_t>(least[i] & kPlaces),
                       ahead - (i + 1) + static_cast<std::int32_t>(least[i] >> 16 & kPlaces)}};
    }
  }
};

/// A warp finds and writes eight cells of 64 lines.
template <class Source, class Results>
__device__ void finish_group(const LineGrid& grid, const Source& source, const Results& results,
                             const RestTile& tile, int group, Found& found) {
  const StripPlace at = tile.place(grid);
  const std::int32_t y = at.part * kTileLength + group * kEighth;
  if (y >= grid.length) return;
  const Strip<Source> strip(grid, source, at);
  const std::uint32_t before = tile.winners(group);
  const std::uint32_t behind = tile.winners(group + 1);
  const Candidates range = candidates_between(before, behind);
  Group<typename Results::Way> result{
      .plane = at.plane,
      .y = y,
      .x = at.strip * kStripColumns + 2 * lane_of_thread(),
      .count = min(kEighth, grid.length - y)};
  if (Source::kUnit && range.last - range.first < FewCandidates<Source>::kMost) {
    FewCandidates<Source>::search(strip, y, before, range, result.along);
  } else {
    const Bracket bracket(strip, y, grid.bits_of_all, before, behind, range);
    NotedFours fours(tile.matters, tile.range, range);
    search_between<1>(
        strip, bracket, tile.range, range.first, [&] { return fours.next(); }, [](std::int32_t) {},
        found);
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kEighth; ++i) {
      const Pair winner = unpack_rows(
          i == 0 ? before
                 : reinterpret_cast<const std::uint32_t*>(found.row[i - 1])[lane_of_thread()]);
      result.along[i] = {{winner.of[0] - (y + i), winner.of[1] - (y + i)}};
    }
    __syncwarp();
  }
#pragma unroll
  for (int i = 0; i < kEighth; ++i)
#pragma unroll
    for (int line = 0; line < 2; ++line)
      result.way[i][line] =
          results.load(at.plane, y + i + result.along[i].of[line], result.x + line);
  results.write(result);
}

/// Finds every 8th winner of the tiles of a block: a warp does a tile, or all of them together.
template <class Source>
__device__ void find_every_8th(const LineGrid& grid, const Source& source, RestMemory& memory) {
  const int warp = static_cast<int>(threadIdx.x) / kLanes;
  RestTile& own = memory.tile[warp];
  if (own.left != 0 && !memory.is_for_all(own)) {
    Found& found = memory.found[warp];
    find_every_8th(grid, source, own, [&](const auto& strip, const Bracket& bracket, auto&& note) {
      std::int32_t c = own.range.first;
      search_between<kEighth>(
          strip, bracket, own.range, own.range.first,
          [&] {
            const std::int32_t next = c;
            c += kAtOnce;
            return next <= own.range.last ? next : -1;
          },
          note, found);
    });
    __syncwarp();
    for (int i = 0; i < kBetween; ++i)
      reinterpret_cast<std::uint32_t*>(own.winner[i + 1])[lane_of_thread()] =
          reinterpret_cast<const std::uint32_t*>(found.row[i])[lane_of_thread()];
  }
  __syncthreads();
  for (RestTile& tile : memory.tile) {
    if (tile.left == 0 || !memory.is_for_all(tile)) continue;
    find_every_8th(grid, source, tile, [&](const auto& strip, const Bracket& bracket, auto&& note) {
      search_by_block<kEighth>(strip, bracket, tile.range, note, memory.found);
    });
    for (int i = static_cast<int>(threadIdx.x); i < kBetween * kStripColumns; i += kStripThreads)
      tile.winner[1 + i / kStripColumns][i % kStripColumns] =
          memory.found[0].row[i / kStripColumns][i % kStripColumns];
    __syncthreads();
  }
}

/// Finds and writes the groups of cells that are left. A block takes up to eight tiles; then its
/// warps share their groups.
template <class Source, class Results>
__global__ void __launch_bounds__(kStripThreads, 3)
    find_rest(const __grid_constant__ LineGrid grid, const __grid_constant__ Source source,
              const __grid_constant__ Results results, const LeftLines left,
              const std::uint16_t* known, const std::int32_t* open) {
  follow();
  if (open != nullptr && *open == 0) return;
  __shared__ RestMemory memory;
  const std::uint32_t count = *left.count;
  const auto warp = threadIdx.x / kLanes;
  const std::uint32_t at_once = min(count / gridDim.x + 1, std::uint32_t{kStripWarps});
  if (threadIdx.x == 0) memory.few = at_once <= kStripWarps / 4;
  for (std::uint32_t first = blockIdx.x * at_once; first < count; first += gridDim.x * at_once) {
    const std::uint32_t own = first + warp;
    if (warp < at_once && own < count)
      begin_tile(grid, known, left.tile[own], memory.tile[warp]);
    else if (lane_of_thread() == 0)
      memory.tile[warp].left = 0;
    __syncthreads();
    find_every_8th(grid, source, memory);
    auto number = static_cast<int>(warp);  // of a group among those of the tiles
    for (const RestTile& tile : memory.tile) {
      const std::uint32_t groups = tile.left == 0 ? 0 : tile.groups();
      for (; number < __popc(groups); number += kStripWarps)
        finish_group(grid, source, results, tile, nth_bit(groups, number), memory.found[warp]);
      number -= __popc(groups);
    }
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
  const auto most =
      std::min(grid.tiles_in_all(), session.processors() * kBlocksOfAProcessor);
  launch_next(session, "cells between", {static_cast<unsigned>(most), kStripThreads},
              find_rest<Source, Results>, grid, source, results, left, known, open);
}

}  // namespace thiessen::cuda
