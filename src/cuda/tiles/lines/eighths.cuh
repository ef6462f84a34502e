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

#include <cstdint>
#include <limits>

#include "cuda/device/grid.hpp"
#include "cuda/device/launch.cuh"
#include "cuda/device/warp.cuh"
#include "cuda/tiles/near/line_grid.cuh"

namespace thiessen::cuda::tiles {

inline constexpr int kAtOnce = 4;  ///< candidates that are tested together
/// Fewer candidates are taken without a test.
inline constexpr std::int32_t kFewForTest = 24;
/// Fewer candidates take keys of 16 bits, if all factors of S are 1.
inline constexpr std::int32_t kFewCandidates = 36;
/// With more candidates a whole block searches a tile, else a warp.
inline constexpr std::int32_t kManyForWarp = 320;

/// The blocks of four warps that a processor should hold at once, by which registers are allotted.
template <class Key>
inline constexpr int kBlocksAtOnce = sizeof(Key) == 4 ? 6 : 4;

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

  /// The number of a cell in a search.
  __device__ std::int32_t number_of(std::int32_t y) const {
    return Source::kHasPeriod ? y + grid.period : y;
  }
  __device__ std::int32_t cell_of(std::int32_t c) const {
    return Source::kHasPeriod ? grid.cell_of(c) : c;
  }
  __device__ bool comes_first(std::int32_t c, std::int32_t other) const {
    return Source::kHasPeriod ? grid.comes_first(c, other) : c < other;
  }
  __device__ typename Source::Two load(std::int32_t c) const {
    return source.load_two(first + grid.step * cell_of(c));
  }
  __device__ auto costs(std::int32_t c) const { return source.costs_of(load(c)); }
  __device__ auto cost(int line, std::int32_t c) const {
    return source.cost(first + line + grid.step * cell_of(c));
  }
  /// The winners of the lane's lines in a row of known ones, two in a word.
  __device__ static std::uint32_t load_rows(const std::uint16_t* row) {
    return reinterpret_cast<const std::uint32_t*>(row)[lane_of_thread()];
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

/// The bits of b and of a candidate's number together; one of 64 is to spare, so that a slope
/// can be divided in integers.
template <class Key>
inline constexpr int kKeyBits = sizeof(Key) == 4 ? 31 : 62;

/// rise / run in keys, rounded up.
__device__ inline std::int32_t slope_in_keys(std::int32_t rise, std::int32_t run, int bits) {
  return static_cast<std::int32_t>(static_cast<float>(rise) * static_cast<float>(1 << bits) /
                                   static_cast<float>(run)) +
         3;
}
__device__ inline std::int64_t slope_in_keys(std::int64_t rise, std::int32_t run, int bits) {
  return (rise << bits) / run + 1;
}

/// What a lane knows of its lines at the cell before those that are searched.
template <class Source>
struct Bracket {
  using Exact = typename Source::Exact;
  using Key = typename Source::Key;

  std::int32_t y;
  std::int32_t bits;    ///< of a candidate's number
  Key most;             ///< b is cut here
  Pair winner;          ///< w
  PairOf<Exact> least;  ///< the cost of w at y
  PairOf<Key> slope;    ///< of the straight line to v, shifted like b in keys; rounded up
  bool tests;           ///< else the test takes longer than it saves, or would overflow

  __device__ Bracket(const Strip<Source>& strip, std::int32_t row, int code, std::uint32_t before,
                     std::uint32_t behind, const Candidates& range)
      : y(row),
        bits(code),
        most((Key{1} << (kKeyBits<Key> - code)) - 1),
        winner(unpack_rows(before)) {
    const Pair last = unpack_rows(behind);
#pragma unroll
    for (int line = 0; line < 2; ++line) {
      const std::int32_t w = winner.of[line];
      const std::int32_t v = last.of[line];
      least.of[line] = strip.cost(line, w) + strip.grid.template along<Exact>(y - w);
      const Exact rise =
          strip.cost(line, v) + strip.grid.template along<Exact>(y - v) - least.of[line];
      slope.of[line] = v == w ? 0 : slope_in_keys(static_cast<Key>(rise), v - w, bits);
    }
    const std::int32_t wide = range.last - range.first;
    tests = wide >= kFewForTest && wide <= strip.grid.length / 2;
  }
};

/// The winners of the seven cells, of 64 lines, and their costs relative to the range's first
/// candidate.
template <class Key>
struct Found {
  std::uint16_t row[kBetween][kStripColumns];
  Key cost[kBetween][kStripColumns];
};

/// The least keys of some candidates that lie close enough together for the bits of their numbers.
/// On a periodic axis the cell is in a key, not the number of its image, and there are bits for
/// all.
template <class Source>
struct Keys {
  using Key = typename Source::Key;
  static constexpr Key kNone = std::numeric_limits<Key>::max();

  std::int32_t first = 0;  ///< candidate 0
  PairOf<Key> least[kBetween];

  __device__ static bool has_images(const LineGrid& grid) {
    return Source::kHasPeriod && grid.period != 0;
  }
  /// What tells a candidate in a key.
  __device__ std::int32_t code(const LineGrid& grid, std::int32_t candidate) const {
    return has_images(grid) ? grid.cell_of(candidate) : candidate - first;
  }
  /// The candidate of a key that is the least at y.
  __device__ std::int32_t candidate(const LineGrid& grid, Key key, int bits, std::int32_t y) const {
    const auto code = static_cast<std::int32_t>(key & ((Key{1} << bits) - 1));
    return has_images(grid) ? grid.image_of(code, y) : first + code;
  }
  __device__ bool has_bits(const LineGrid& grid, std::int32_t candidate, int bits) const {
    return has_images(grid) || candidate - first < 1 << bits;
  }
  __device__ void begin(std::int32_t candidate) {
    first = candidate;
#pragma unroll
    for (PairOf<Key>& pair : least) pair = {{kNone, kNone}};
  }
  /// Puts them beside what was found before, the winners at every kStep-th cell behind known.y.
  template <int kStep>
  __device__ void store(const LineGrid& grid, const Bracket<Source>& known, Key slope,
                        std::int32_t from, bool is_first, Found<Key>& found) const {
#pragma unroll
    for (int i = 0; i < kBetween; ++i)
#pragma unroll
      for (int line = 0; line < 2; ++line) {
        const Key key = least[i].of[line];
        const Key cost =
            key == kNone ? kNone : (key >> known.bits) - (i + 1) * slope * (first - from);
        const int column = 2 * lane_of_thread() + line;
        if (!is_first && found.cost[i][column] <= cost) continue;
        found.cost[i][column] = cost;
        found.row[i][column] =
            static_cast<std::uint16_t>(candidate(grid, key, known.bits, known.y + (i + 1) * kStep));
      }
  }
};

/// A warp finds the winners of the seven cells behind known.y among candidates, four by four:
/// next() returns the first of each four, in order, or -1; note(c) is called for those that matter.
/// Relative costs count from the candidate `from`.
template <int kStep, class Source, class Next, class Note>
__device__ void search_between(const Strip<Source>& strip, const Bracket<Source>& known,
                               Candidates range, std::int32_t from, Next&& next, Note&& note,
                               Found<typename Source::Key>& found) {
  using Exact = typename Source::Exact;
  using Key = typename Source::Key;
  using Two = typename Source::Two;
  const Key factor = Source::kUnit ? 1 : static_cast<Key>(strip.grid.factor);
  const Key slope = 2 * kStep * factor;
  const auto load = [&](std::int32_t c, Two(&site_offsets)[kAtOnce]) {
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) site_offsets[k] = strip.load(min(c + k, range.last));
  };
  Keys<Source> keys;
  keys.begin(0);
  bool is_first = true;
  bool is_empty = true;
  Two site_offsets[kAtOnce];
  std::int32_t c = next();
  if (c >= 0) load(c, site_offsets);
  while (c >= 0) {
    const std::int32_t after = next();
    Two coming[kAtOnce];
    load(after >= 0 ? after : c, coming);
    if (is_empty || !keys.has_bits(strip.grid, c + kAtOnce - 1, known.bits)) {
      if (!is_empty) {
        keys.template store<kStep>(strip.grid, known, slope, from, is_first, found);
        is_first = false;
      }
      keys.begin(c);
      is_empty = false;
    }
    PairOf<Key> key[kAtOnce];
    bool matters = !known.tests;
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      const std::int32_t candidate = min(c + k, range.last);
      const Exact along = Exact{factor} * square<Exact>(known.y - candidate);
      const PairOf<Exact> costs = strip.source.costs_of(site_offsets[k]);
#pragma unroll
      for (int line = 0; line < 2; ++line) {
        const auto b = static_cast<Key>(
            add_min(costs.of[line] - known.least.of[line], along, Exact{known.most}));
        key[k].of[line] = (b << known.bits) + keys.code(strip.grid, candidate);
        matters = matters ||
                  b << known.bits <= known.slope.of[line] * (candidate - known.winner.of[line]);
      }
    }
    if (__any_sync(~0u, matters) != 0) {
      note(c);
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        const Key fall = -(slope * (min(c + k, range.last) - keys.first)) << known.bits;
#pragma unroll
        for (int i = 0; i < kBetween; ++i)
#pragma unroll
          for (int line = 0; line < 2; ++line)
            keys.least[i].of[line] =
                add_min(key[k].of[line], (i + 1) * fall, keys.least[i].of[line]);
      }
    }
    c = after;
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) site_offsets[k] = coming[k];
  }
  keys.template store<kStep>(strip.grid, known, slope, from, is_first, found);
}

/// The warps of a block find the winners of seven cells together: each has a part of the range.
/// found[0] has them in the end. Ends with the block's threads in step.
template <int kStep, class Source, class Note>
__device__ void search_by_block(const Strip<Source>& strip, const Bracket<Source>& known,
                                const Candidates& range, Note&& note,
                                Found<typename Source::Key>* found) {
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
      const typename Source::Key cost = found[other].cost[between][column];
      const typename Source::Key least = found[0].cost[between][column];
      const bool wins_tie =
          Source::kHasPeriod && cost == least &&
          strip.grid.comes_first(found[other].row[between][column], found[0].row[between][column]);
      if (cost >= least && !wins_tie) continue;
      found[0].cost[between][column] = cost;
      found[0].row[between][column] = found[other].row[between][column];
    }
  }
  __syncthreads();
}

}  // namespace thiessen::cuda::tiles
