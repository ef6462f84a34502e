// SPDX-License-Identifier: Apache-2.0
//
// How a warp lowers a tile of a flat raster (flat_tile.hpp). For sources compiled as CUDA.
//
// A pass goes through the tile line by line and lowers each cell from the three cells behind it, in
// the line before. The cells of a line do not depend on each other, one a lane; and a value is
// carried through the whole tile in one pass. Passes down and up go from row to row, those to the
// right and to the left from column to column. A line is worked on only if the one behind it fell
// since the last pass of this way, since nothing else could lower it. When none of the four ways
// has such a line, no step within the tile lowers anything.
//
//   fallen   for each way, a bit for each line with a cell that fell and is still to be passed on
//
// H. Zhao, "A fast sweeping method for Eikonal equations" (2005), uses the four orders. Here they
// are exact, since they end at a fixed point and not at a tolerance.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>

#include "core/cells.hpp"
#include "cuda/cost/flat_tile.hpp"
#include "cuda/cost/flow.hpp"
#include "cuda/device/warp.cuh"

namespace thiessen::cuda {

template <class Flow>
class FlatSweep {
 public:
  using Value = typename Flow::Value;

  /// Loads a tile with its halo; `tile` is the warp's own.
  __device__ FlatSweep(const Flow& flow, const Axes& origin, FlatTile<Flow>& tile)
      : flow_(flow), tile_(tile) {
    height_ = flow.job.tiling.extent[1];
    width_ = flow.job.tiling.extent[2];
    top_ = origin[1];
    left_ = origin[2];
    load();
  }

  /// Lowers the cells until no step within the tile lowers any; `entered` are the reasons to work
  /// on it.
  __device__ void solve(std::uint32_t entered) {
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

  /// Writes the cells that fell.
  __device__ void store() {
    volatile Value* const values = flow_.values();
    for (std::uint32_t rows = rows_; rows != 0; rows &= rows - 1) {
      const int y = lowest_bit(rows);
      if (top_ + y >= height_) return;
      if (left_ + lane_of_thread() < width_)
        values[(top_ + y) * width_ + left_ + lane_of_thread()] =
            tile_.value[flat_place(y, lane_of_thread())];
    }
  }

  /// Writes which steps to its cells are tight. Only for costs, once they are final.
  __device__ void store_tight_steps() const {
    for (int y = 0; y < kSide && top_ + y < height_; ++y)
      if (left_ + lane_of_thread() < width_)
        flow_.job.steps[(top_ + y) * width_ + left_ + lane_of_thread()] =
            tight_steps(y, lane_of_thread(), std::make_integer_sequence<int, Flow::kCount>());
  }

  /// A bit for each tile around, in the order of flat_around(), in which this one lowers something.
  /// The halo here may be older, and so greater, than what others wrote there: then a bit is set
  /// too often, never too seldom.
  __device__ std::uint32_t reached() {
    std::uint32_t around = 0;
    if ((rows_ & 1) != 0) around |= leave<Way::up>();
    if ((rows_ >> (kSide - 1) & 1) != 0) around |= leave<Way::down>();
    if ((columns_ & 1) != 0) around |= leave<Way::left>();
    if ((columns_ >> (kSide - 1) & 1) != 0) around |= leave<Way::right>();
    if constexpr (Flow::kCount == 8) around |= corners_reached() << kWays;
    return around;
  }

 private:
  __device__ void load() {
    load_map(tile_.map);
    const volatile Value* const values = flow_.values();  // others are writing
    load_cells(values, Flow::kNothing, tile_.value);
    __syncwarp();
  }

  template <int kNeighbours, std::uint32_t kAdded>
  __device__ void load_map(FlatMap<TightFlow<kNeighbours, kAdded>>& map) {
    load_cells(flow_.job.steps, std::uint32_t{0}, map.steps);
  }

  /// Loads resistances to the place where values lie later.
  template <class T, int kNeighbours>
  __device__ void load_map(FlatMap<CostFlow<T, kNeighbours>>& map) {
    load_cells(flow_.job.resistance, std::numeric_limits<T>::quiet_NaN(), tile_.value);
    __syncwarp();
    const int lane = lane_of_thread();
    for (int y = -1; y < kSide; ++y) weigh_steps(map, y, lane);
    weigh_steps(map, lane, -1);
    if (lane == 0) weigh_steps(map, -1, -1);
    __syncwarp();
  }

  /// The steps whose corner this cell is. Some lead from halo to halo, and nobody uses them.
  template <class T, int kNeighbours>
  __device__ void weigh_steps(FlatMap<CostFlow<T, kNeighbours>>& map, int y, int x) const {
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

  /// step_weight() without a branch. A quotient that is NaN would take a device ten times as long,
  /// so barriers are no divisors.
  template <class T>
  __device__ T weight_of(int k, T p, T q, bool open) const {
    const T sum = step_sum(p, q);
    const bool passes = open && is_passable(sum);
    const T weight = flow_.job.edges.weight(k, passes ? sum : T{1});
    return passes ? weight : std::numeric_limits<T>::quiet_NaN();
  }

  /// Copies the rows from the one above the tile on, a lane a column; then the columns beside it, a
  /// lane a row; then its corners.
  template <class From, class To>
  __device__ void load_cells(const From* from, To outside, To* to) const {
    constexpr int kAtOnce = 8;  // so that loads wait less for one another
    const int lane = lane_of_thread();
    THIESSEN_NO_UNROLL
    for (int y = 0; y < kSide; y += kAtOnce) load_column<kAtOnce>(from, outside, y, lane, to);
    load_column<1>(from, outside, -1, lane, to);
    load_column<1>(from, outside, kSide, lane, to);
    load_column<1>(from, outside, lane, -1, to);
    load_column<1>(from, outside, lane, kSide, to);
    if (lane < 4)
      load_column<1>(from, outside, lane < 2 ? -1 : kSide, lane % 2 == 0 ? -1 : kSide, to);
  }

  template <int kCount, class From, class To>
  __device__ void load_column(const From* from, To outside, int y, int x, To* to) const {
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

  /// Starts at the lines that fell, and at the halo if cells fell there.
  template <Way kWay>
  __device__ void pass() {
    constexpr int kNumber = static_cast<int>(kWay);
    const std::uint32_t lines = is_forward(kWay) ? fallen_[kNumber] : __brev(fallen_[kNumber]);
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
  __device__ void note_fallen(int line, std::uint32_t cells) {
    const std::uint32_t bit = std::uint32_t{1} << line;
    fallen_[static_cast<int>(opposite(kWay))] |= bit;
    constexpr Way kFirstAcross = is_vertical(kWay) ? Way::right : Way::down;
    fallen_[static_cast<int>(kFirstAcross)] |= cells;
    fallen_[static_cast<int>(opposite(kFirstAcross))] |= cells;
    rows_ |= is_vertical(kWay) ? bit : cells;
    columns_ |= is_vertical(kWay) ? cells : bit;
  }

  /// Lowers the cells of a line; returns a bit for each cell that fell.
  template <Way kWay>
  __device__ std::uint32_t lower_line(int line) {
    constexpr bool kRows = is_vertical(kWay);
    const int own_line = is_forward(kWay) ? line : kSide - 1 - line;
    const int y = kRows ? own_line : lane_of_thread();
    const int x = kRows ? lane_of_thread() : own_line;
    const FlatPlace at{flat_place(y, x), step_place(y, x)};
    const Value own = tile_.value[at.cell];
    Value least = own;
    take<neighbour_behind<Flow::kCount>(kWay, 0)>(at, least);
    if constexpr (Flow::kCount == 8) {
      take<neighbour_behind<Flow::kCount>(kWay, -1)>(at, least);
      take<neighbour_behind<Flow::kCount>(kWay, 1)>(at, least);
    }
    const bool fell = least < own && flow_.allows(least);
    if (fell) tile_.value[at.cell] = least;
    __syncwarp();
    return __ballot_sync(~0u, fell);
  }

  template <int... kNeighbours>
  __device__ std::uint32_t tight_steps(int y, int x,
                                       std::integer_sequence<int, kNeighbours...>) const {
    const FlatPlace at{flat_place(y, x), step_place(y, x)};
    const Value own = tile_.value[at.cell];
    if (!(own < Flow::kNothing)) return 0;
    return (... | (is_handed<kNeighbours>(at, own) ? std::uint32_t{1} << kNeighbours : 0));
  }

  /// Whether the value that neighbour k passes to a cell is the one that the cell has.
  template <int k>
  __device__ bool is_handed(FlatPlace at, Value own) const {
    const Value there = tile_.value[at.cell + offset_of<Flow::kCount>(k)];
    return tile_.map.template handed<k>(at, there) == own;
  }

  /// Takes the value that neighbour k passes to a cell, if it is less.
  template <int k>
  __device__ void take(FlatPlace at, Value& least) const {
    const Value there = tile_.value[at.cell + offset_of<Flow::kCount>(k)];
    const Value handed = tile_.map.template handed<k>(at, there);
    if (handed < least) least = handed;
  }

  /// Lowers the halo beyond the side that a way leads to; returns the bit of that way if anything
  /// falls.
  template <Way kWay>
  __device__ std::uint32_t leave() {
    return lower_line<kWay>(kSide) != 0 ? side_bit(kWay) : 0;
  }

  /// The same for corners whose row and column have cells that fell.
  __device__ std::uint32_t corners_reached() const {
    const std::uint32_t rows = (rows_ & 1) * 3 | (rows_ >> (kSide - 1)) * 12;
    const std::uint32_t columns = (columns_ & 1) * 5 | (columns_ >> (kSide - 1)) * 10;
    if ((rows & columns) == 0) return 0;
    const int lane = lane_of_thread();
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
    const bool falls = lane < 4 && least < tile_.value[at.cell] && flow_.allows(least);
    return __ballot_sync(~0u, falls) & rows & columns;
  }

  const Flow& flow_;
  FlatTile<Flow>& tile_;
  std::int64_t height_, width_;  ///< of the raster
  std::int64_t top_, left_;      ///< of the tile
  std::uint32_t entered_ = 0;
  std::uint32_t fallen_[kWays];
  std::uint32_t rows_ = 0, columns_ = 0;  ///< with cells that fell
};

}  // namespace thiessen::cuda
