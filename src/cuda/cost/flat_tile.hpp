// SPDX-License-Identifier: Apache-2.0
//
// A tile of a flat raster (2-D, 4 or 8 neighbours) in shared memory, and how a warp lowers it. All
// of it functions of host and device: the warp is a parameter (device/warp.hpp).
//
// A pass goes through the tile line by line and lowers each cell by what the three behind it, in
// the line before, hand over. All cells of a line are independent in that, one a lane; and what
// falls is carried on through the whole tile in one pass. Passes down and up go from row to row,
// those to the right and to the left from column to column. A line is worked on only if the one
// behind it fell since the last pass of this way, since nothing else could lower it; when no line
// is left for any of the four, no step within the tile lowers anything.
//
//   line     row or column of the tile: 0 … 31, and those of the halo, -1 and 32
//   way      of a pass; its lines are counted in its own order, so that 0 is the first it comes to
//   fallen   a bit for each line: of those in which a cell fell, by the way that is to go on there
//
// H. Zhao, "A fast sweeping method for Eikonal equations" (2005), has the four orders; here they
// are exact, since they end at a fixed point and not at a tolerance.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "core/cells.hpp"
#include "core/host_device.hpp"
#include "cuda/cost/flow.hpp"
#include "cuda/device/block.hpp"
#include "cuda/device/warp.hpp"

namespace thiessen::cuda {

/// Whether this file is for its tiles.
template <class Flow>
inline constexpr bool kIsFlat = Flow::kCount == 4 || Flow::kCount == 8;

inline constexpr int kSide = kLanes;  ///< cells of a tile along an axis
/// Cells from row to row of a tile with its halo: odd, so that those of a column lie in 32 banks.
inline constexpr int kPitch = kSide + 3;
inline constexpr int kFlatCells = (kSide + 2) * kPitch;

enum class Way : std::uint8_t { down, up, right, left };
inline constexpr int kWays = 4;

THIESSEN_HD constexpr Way opposite(Way way) { return static_cast<Way>(static_cast<int>(way) ^ 1); }
THIESSEN_HD constexpr bool is_vertical(Way way) { return way == Way::down || way == Way::up; }
/// Whether its first line is the tile's first.
THIESSEN_HD constexpr bool is_forward(Way way) { return way == Way::down || way == Way::right; }

/// The reason to work on a tile that cells of the halo fell from which a way comes.
THIESSEN_HD constexpr std::uint32_t side_bit(Way way) {
  return std::uint32_t{1} << static_cast<int>(way);
}
static_assert(kSetWithin == 1 << kWays);

/// Where a cell lies in a tile with its halo.
THIESSEN_HD constexpr int flat_place(int y, int x) { return (y + 1) * kPitch + x + 1; }

/// Number of the neighbour (dy, dx) of a cell, of four or of eight.
template <int kNeighbours>
THIESSEN_HD constexpr int neighbour_at(int dy, int dx) {
  const int of_nine = (dy + 1) * 3 + dx + 1;
  return kNeighbours == 4 ? of_nine / 2 : of_nine - (of_nine > 4 ? 1 : 0);
}

/// Number of the neighbour that a way comes from, `beside` cells further along its line.
template <int kNeighbours>
THIESSEN_HD constexpr int neighbour_behind(Way way, int beside) {
  const int back = is_forward(way) ? -1 : 1;
  return is_vertical(way) ? neighbour_at<kNeighbours>(back, beside)
                          : neighbour_at<kNeighbours>(beside, back);
}

/// Bit 31 - i where bit i was.
THIESSEN_HD inline std::uint32_t reversed(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return __brev(bits);
#else
  std::uint32_t turned = 0;
  for (int i = 0; i < 32; ++i) turned |= (bits >> i & 1) << (31 - i);
  return turned;
#endif
}

/// Steps of a tile, between each two neighbours of which at least one lies in it. They are numbered
/// by the cell of their upper left corner, from (-1, -1) on; and by their direction.
inline constexpr int kStepPitch = kSide + 1;
inline constexpr int kFlatSteps = kStepPitch * kStepPitch;
THIESSEN_HD constexpr int step_place(int y, int x) { return (y + 1) * kStepPitch + x + 1; }
enum class Slope : std::uint8_t { across, down, falling, rising };

/// The step between a cell and its neighbour k, of four or eight: its corner relative to the cell.
struct StepOf {
  Slope slope;
  int place;
};
template <int kNeighbours>
THIESSEN_HD constexpr StepOf step_of(int k) {
  constexpr int kAbove = -kStepPitch;
  constexpr StepOf kFour[] = {
      {Slope::down, kAbove}, {Slope::across, -1}, {Slope::across, 0}, {Slope::down, 0}};
  constexpr StepOf kEight[] = {{Slope::falling, kAbove - 1},
                               {Slope::down, kAbove},
                               {Slope::rising, kAbove},
                               {Slope::across, -1},
                               {Slope::across, 0},
                               {Slope::rising, -1},
                               {Slope::down, 0},
                               {Slope::falling, 0}};
  return kNeighbours == 4 ? kFour[k] : kEight[k];
}

/// Where a cell lies in a tile, and steps around it.
struct FlatPlace {
  int cell;
  int step;
};

/// Cells of a tile from a cell to its neighbour k, of four or eight.
template <int kNeighbours>
THIESSEN_HD constexpr int offset_of(int k) {
  const int of_nine = kNeighbours == 4 ? 2 * k + 1 : k + (k > 3 ? 1 : 0);
  return (of_nine / 3 - 1) * kPitch + of_nine % 3 - 1;
}

/// What tells how values go from cell to cell of a tile.
template <class Flow>
struct FlatMap;

/// Weights, by the slope of steps.
template <class T, int kNeighbours>
struct FlatMap<CostFlow<T, kNeighbours>> {
  T weight[kNeighbours / 2][kFlatSteps];

  /// What neighbour k hands to the cell at `at`.
  template <int k>
  THIESSEN_HD T handed(FlatPlace at, T cost) const {
    constexpr StepOf kStep = step_of<kNeighbours>(k);
    return along(cost, weight[static_cast<int>(kStep.slope)][at.step + kStep.place]);
  }
};

/// Tight steps to each cell.
template <int kNeighbours, std::uint32_t kAdded>
struct FlatMap<TightFlow<kNeighbours, kAdded>> {
  std::uint32_t steps[kFlatCells];

  template <int k>
  THIESSEN_HD std::uint32_t handed(FlatPlace at, std::uint32_t value) const {
    return TightSteps{steps[at.cell], kAdded}.along(k, value);
  }
};

template <class Flow>
struct FlatTile {
  typename Flow::Value value[kFlatCells];
  FlatMap<Flow> map;
};

/// Of the tiles around a flat one the i-th: those beyond its sides by the way that leads there,
/// then those at its corners, two above and two below.
inline constexpr int kFlatAround = 8;
struct FlatAround {
  int code;              ///< tile_around()
  std::uint32_t reason;  ///< for it to be worked on
};
THIESSEN_HD constexpr FlatAround flat_around(int i) {
  constexpr int kItself = kTileCodes / 2;
  if (i < kWays) {
    const auto way = static_cast<Way>(i);
    const int step = is_forward(way) ? 1 : -1;
    return {kItself + (is_vertical(way) ? 3 * step : step), side_bit(way)};
  }
  const bool lower = (i & 2) != 0;
  const bool right = (i & 1) != 0;
  return {kItself + (lower ? 3 : -3) + (right ? 1 : -1), side_bit(lower ? Way::down : Way::up)};
}

template <class Warp, class Flow>
class FlatSweep {
 public:
  using Value = typename Flow::Value;

  /// Takes in a tile with its halo; `tile` is the warp's own.
  THIESSEN_HD FlatSweep(const Flow& flow, const Axes& origin, FlatTile<Flow>& tile)
      : flow_(flow), tile_(tile) {
    height_ = flow.job.tiling.extent[1];
    width_ = flow.job.tiling.extent[2];
    top_ = origin[1];
    left_ = origin[2];
    load();
  }

  /// Lowers the cells until no step within the tile lowers any, where `entered` tells why it may.
  THIESSEN_HD void settle(std::uint32_t entered) {
    entered_ = entered;
    const std::uint32_t all = (entered & kSetWithin) != 0 ? ~std::uint32_t{0} : 0;
    for (int way = 0; way < kWays; ++way) fallen_[way] = all;
    rows_ = columns_ = all;
    do {
      pass<Way::down>();
      pass<Way::right>();
      pass<Way::up>();
      pass<Way::left>();
    } while ((fallen_[0] | fallen_[1] | fallen_[2] | fallen_[3]) != 0);
  }

  /// Writes what fell.
  THIESSEN_HD void store() {
    volatile Value* const values = flow_.values();
    for (std::uint32_t rows = rows_; rows != 0; rows &= rows - 1) {
      const int y = lowest_bit(rows);
      if (top_ + y >= height_) return;
      Warp::each([&](int lane) {
        if (left_ + lane < width_)
          values[(top_ + y) * width_ + left_ + lane] = tile_.value[flat_place(y, lane)];
      });
    }
  }

  /// Writes which steps to its cells are tight. For costs alone, once they are final.
  THIESSEN_HD void store_tight_steps() const {
    for (int y = 0; y < kSide && top_ + y < height_; ++y)
      Warp::each([&](int lane) {
        if (left_ + lane < width_)
          flow_.job.steps[(top_ + y) * width_ + left_ + lane] =
              tight_steps(y, lane, std::make_integer_sequence<int, Flow::kCount>());
      });
  }

  /// A bit for each of the tiles around, in the order of flat_around(), in which this one lowers
  /// something. What it has of the halo may be older and so greater than what others wrote there:
  /// then it says yes too often, not too seldom.
  THIESSEN_HD std::uint32_t reached() {
    std::uint32_t around = 0;
    if ((rows_ & 1) != 0) around |= leave<Way::up>();
    if ((rows_ >> (kSide - 1) & 1) != 0) around |= leave<Way::down>();
    if ((columns_ & 1) != 0) around |= leave<Way::left>();
    if ((columns_ >> (kSide - 1) & 1) != 0) around |= leave<Way::right>();
    if constexpr (Flow::kCount == 8) around |= corners_reached() << kWays;
    return around;
  }

 private:
  THIESSEN_HD void load() {
    load_map(tile_.map);
    const volatile Value* const values = flow_.values();  // others are writing
    load_cells(values, Flow::kNothing, tile_.value);
    Warp::sync();
  }

  template <int kNeighbours, std::uint32_t kAdded>
  THIESSEN_HD void load_map(FlatMap<TightFlow<kNeighbours, kAdded>>& map) {
    load_cells(flow_.job.steps, std::uint32_t{0}, map.steps);
  }

  /// Resistances lie where values come afterwards.
  template <class T, int kNeighbours>
  THIESSEN_HD void load_map(FlatMap<CostFlow<T, kNeighbours>>& map) {
    load_cells(flow_.job.resistance, std::numeric_limits<T>::quiet_NaN(), tile_.value);
    Warp::sync();
    Warp::each([&](int lane) {
      for (int y = -1; y < kSide; ++y) weigh_steps(map, y, lane);
      weigh_steps(map, lane, -1);
      if (lane == 0) weigh_steps(map, -1, -1);
    });
    Warp::sync();
  }

  /// The steps whose corner this cell is. Some lead from halo to halo, and are of no use.
  template <class T, int kNeighbours>
  THIESSEN_HD void weigh_steps(FlatMap<CostFlow<T, kNeighbours>>& map, int y, int x) const {
    const T* const corner = tile_.value + flat_place(y, x);
    const T own = corner[0];
    const T right = corner[1];
    const T below = corner[kPitch];
    const auto weigh = [&](Slope slope, int k, T p, T q, bool open) {
      map.weight[static_cast<int>(slope)][step_place(y, x)] = weight_of(k, p, q, open);
    };
    if constexpr (kNeighbours == 4) {
      weigh(Slope::across, 2, own, right, true);
      weigh(Slope::down, 3, own, below, true);
    } else {
      const T beyond = corner[kPitch + 1];
      const bool wide = !flow_.job.edges.tight_barriers;
      weigh(Slope::across, 4, own, right, true);
      weigh(Slope::down, 6, own, below, true);
      weigh(Slope::falling, 7, own, beyond, wide || is_passable(right) || is_passable(below));
      weigh(Slope::rising, 5, right, below, wide || is_passable(own) || is_passable(beyond));
    }
  }

  /// step_weight() without a branch. A quotient that is no number would take a device ten times as
  /// long as another, so barriers are no divisors.
  template <class T>
  THIESSEN_HD T weight_of(int k, T p, T q, bool open) const {
    const T sum = step_sum(p, q);
    const bool passes = open && is_passable(sum);
    const T weight = flow_.job.edges.weight(k, passes ? sum : T{1});
    return passes ? weight : std::numeric_limits<T>::quiet_NaN();
  }

  /// Rows from the one above the tile on, a lane a column, then the columns beside it, a lane a
  /// row, and its corners.
  template <class From, class To>
  THIESSEN_HD void load_cells(const From* from, To outside, To* to) const {
    constexpr int kAtOnce = 8;  // so that loads wait for one another less
    Warp::each([&](int lane) {
      THIESSEN_NO_UNROLL
      for (int y = 0; y < kSide; y += kAtOnce) load_column<kAtOnce>(from, outside, y, lane, to);
      load_column<1>(from, outside, -1, lane, to);
      load_column<1>(from, outside, kSide, lane, to);
      load_column<1>(from, outside, lane, -1, to);
      load_column<1>(from, outside, lane, kSide, to);
      if (lane < 4)
        load_column<1>(from, outside, lane < 2 ? -1 : kSide, lane % 2 == 0 ? -1 : kSide, to);
    });
  }

  template <int kCount, class From, class To>
  THIESSEN_HD void load_column(const From* from, To outside, int y, int x, To* to) const {
    To cell[kCount];
    const bool is_column = left_ + x >= 0 && left_ + x < width_;
    THIESSEN_UNROLL
    for (int i = 0; i < kCount; ++i) {
      const std::int64_t row = top_ + y + i;
      const bool exists = is_column && row >= 0 && row < height_;
      cell[i] = exists ? static_cast<To>(from[row * width_ + left_ + x]) : outside;
    }
    THIESSEN_UNROLL
    for (int i = 0; i < kCount; ++i) to[flat_place(y + i, x)] = cell[i];
  }

  /// From the lines that fell, and from the halo if cells fell there.
  template <Way kWay>
  THIESSEN_HD void pass() {
    constexpr int kNumber = static_cast<int>(kWay);
    const std::uint32_t lines = is_forward(kWay) ? fallen_[kNumber] : reversed(fallen_[kNumber]);
    std::uint32_t open = lines << 1;
    if ((entered_ & side_bit(kWay)) != 0) open |= 1;
    entered_ &= ~side_bit(kWay);
    fallen_[kNumber] = 0;
    while (open != 0) {
      const int line = lowest_bit(open);
      open &= open - 1;
      const std::uint32_t cells = lower_line<kWay>(line);
      if (cells == 0) continue;
      open |= std::uint32_t{2} << line;
      note_fallen<kWay>(is_forward(kWay) ? line : kSide - 1 - line, cells);
    }
  }

  template <Way kWay>
  THIESSEN_HD void note_fallen(int line, std::uint32_t cells) {
    const std::uint32_t bit = std::uint32_t{1} << line;
    fallen_[static_cast<int>(opposite(kWay))] |= bit;
    constexpr Way kFirstAcross = is_vertical(kWay) ? Way::right : Way::down;
    fallen_[static_cast<int>(kFirstAcross)] |= cells;
    fallen_[static_cast<int>(opposite(kFirstAcross))] |= cells;
    rows_ |= is_vertical(kWay) ? bit : cells;
    columns_ |= is_vertical(kWay) ? cells : bit;
  }

  /// A bit for each cell that fell.
  template <Way kWay>
  THIESSEN_HD std::uint32_t lower_line(int line) {
    constexpr bool kRows = is_vertical(kWay);
    const int own_line = is_forward(kWay) ? line : kSide - 1 - line;
    typename Warp::template Lanes<std::uint32_t> fell;
    Warp::each([&](int lane) {
      const int y = kRows ? own_line : lane;
      const int x = kRows ? lane : own_line;
      const FlatPlace at{flat_place(y, x), step_place(y, x)};
      const Value own = tile_.value[at.cell];
      Value least = own;
      take<neighbour_behind<Flow::kCount>(kWay, 0)>(at, least);
      if constexpr (Flow::kCount == 8) {
        take<neighbour_behind<Flow::kCount>(kWay, -1)>(at, least);
        take<neighbour_behind<Flow::kCount>(kWay, 1)>(at, least);
      }
      fell[lane] = least < own && flow_.allows(least) ? 1 : 0;
      if (fell[lane] != 0) tile_.value[at.cell] = least;
    });
    Warp::sync();
    return Warp::ballot(fell);
  }

  template <int... kNeighbours>
  THIESSEN_HD std::uint32_t tight_steps(int y, int x,
                                        std::integer_sequence<int, kNeighbours...>) const {
    const FlatPlace at{flat_place(y, x), step_place(y, x)};
    const Value own = tile_.value[at.cell];
    if (!(own < Flow::kNothing)) return 0;
    return (... | (is_handed<kNeighbours>(at, own) ? std::uint32_t{1} << kNeighbours : 0));
  }

  /// Whether neighbour k hands a cell what it has.
  template <int k>
  THIESSEN_HD bool is_handed(FlatPlace at, Value own) const {
    const Value there = tile_.value[at.cell + offset_of<Flow::kCount>(k)];
    return tile_.map.template handed<k>(at, there) == own;
  }

  /// What neighbour k hands to a cell, if that is less.
  template <int k>
  THIESSEN_HD void take(FlatPlace at, Value& least) const {
    const Value there = tile_.value[at.cell + offset_of<Flow::kCount>(k)];
    const Value handed = tile_.map.template handed<k>(at, there);
    if (handed < least) least = handed;
  }

  /// Lowers the halo beyond the side that a way leads to: the bit of that way if anything falls.
  template <Way kWay>
  THIESSEN_HD std::uint32_t leave() {
    return lower_line<kWay>(kSide) != 0 ? side_bit(kWay) : 0;
  }

  /// Of those corners alone whose row and column have cells that fell.
  THIESSEN_HD std::uint32_t corners_reached() const {
    const std::uint32_t rows = (rows_ & 1) * 3 | (rows_ >> (kSide - 1)) * 12;
    const std::uint32_t columns = (columns_ & 1) * 5 | (columns_ >> (kSide - 1)) * 10;
    if ((rows & columns) == 0) return 0;
    typename Warp::template Lanes<std::uint32_t> falls;
    Warp::each([&](int lane) {
      const bool lower = (lane & 2) != 0;
      const bool right = (lane & 1) != 0;
      const int y = lower ? kSide : -1;
      const int x = right ? kSide : -1;
      const FlatPlace at{flat_place(y, x), step_place(y, x)};
      Value least = tile_.value[at.cell];
      if (lane == 0) take<7>(at, least);
      if (lane == 1) take<5>(at, least);
      if (lane == 2) take<2>(at, least);
      if (lane == 3) take<0>(at, least);
      falls[lane] = lane < 4 && least < tile_.value[at.cell] && flow_.allows(least) ? 1 : 0;
    });
    return Warp::ballot(falls) & rows & columns;
  }

  const Flow& flow_;
  FlatTile<Flow>& tile_;
  std::int64_t height_, width_;  ///< of the raster
  std::int64_t top_, left_;      ///< of the tile
  std::uint32_t entered_ = 0;
  std::uint32_t fallen_[kWays];
  std::uint32_t rows_ = 0, columns_ = 0;  ///< in which cells fell
};

}  // namespace thiessen::cuda
