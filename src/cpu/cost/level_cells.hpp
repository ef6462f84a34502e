// SPDX-License-Identifier: Apache-2.0
//
// Passes costs on over level ground, from one cell after the other: bits say which steps pass, and
// the cost of a step depends on its direction alone.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/base/cells.hpp"
#include "core/cost/labels.hpp"
#include "cpu/cost/falling_costs.hpp"
#include "cpu/cost/tiles/ground.hpp"
#include "cpu/cost/tiles/tile_rounds.hpp"

namespace thiessen::cpu::cost {

/// A tile of a raster with 8 neighbours.
template <class T>
class LevelCells {
 public:
  LevelCells(const CostJob<T>& job, const FallingCosts<T>& costs, const TileBox& box,
             const Ground<T>& ground)
      : job_(job),
        costs_(costs),
        box_(box),
        ground_(ground),
        first_(to_index(job.problem.extent, box.begin)),
        deltas_(neighbour_deltas(job.edges, job.problem.extent)) {
    const T sum = step_sum(ground.resistance, ground.resistance);
    for (std::size_t k = 0; k < weight_.size(); ++k)
      weight_[k] = job.edges.weight(static_cast<int>(k), sum);
  }

  /// Passes costs on from the cells in which lines cross, and from the cells of the tile that they
  /// lower, for at most `most` cells; returns the lines of the rest. `pass_out(cell)` gets the
  /// lowered cells outside of the tile.
  template <class PassOut>
  Lines run(const Lines& lines, std::int64_t most, const PassOut& pass_out) {
    for (std::uint64_t rows = lines.rows; rows != 0; rows &= rows - 1)
      for (std::uint64_t columns = lines.columns; columns != 0; columns &= columns - 1)
        push(std::countr_zero(rows), std::countr_zero(columns));
    for (; begin_ != end_ && most > 0; --most) {
      const int cell = cells_[begin_++ % kRoom];
      const int y = cell / kTile;
      const int x = cell % kTile;
      waits_[y] &= ~(std::uint64_t{1} << x);
      if (y > 0 && y < kTile - 1 && x > 0 && x < kTile - 1)
        pass_on(y, x);
      else
        pass_on_rim(y, x, pass_out);
    }
    Lines left;
    for (; begin_ != end_; ++begin_) {
      left.rows |= std::uint64_t{1} << cells_[begin_ % kRoom] / kTile;
      left.columns |= std::uint64_t{1} << cells_[begin_ % kRoom] % kTile;
    }
    return left;
  }

 private:
  static constexpr unsigned kRoom = kTile * kTile;

  void push(int y, int x) {
    const std::uint64_t bit = std::uint64_t{1} << x;
    if ((waits_[y] & bit) != 0) return;
    waits_[y] |= bit;
    cells_[end_++ % kRoom] = static_cast<std::uint16_t>(y * kTile + x);
  }

  std::int64_t index(int y, int x) const { return first_ + y * job_.problem.extent[2] + x; }

  /// The open neighbours of an inner cell, as bits.
  std::uint32_t ways(int y, int x) const {
    const auto three = [&](int row) {
      return static_cast<std::uint32_t>(ground_.open[row] >> (x - 1) & 7);
    };
    const std::uint32_t beside = three(y);
    return three(y - 1) | (beside & 1) << 3 | (beside & 4) << 2 | three(y + 1) << 5;
  }

  void pass_on(int y, int x) {
    const std::int64_t from = index(y, x);
    for (std::uint32_t left = ways(y, x); left != 0; left &= left - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(left));
      const CostOffset& o = job_.edges.offset[k];
      if (costs_.lower(from, from + deltas_[k], weight_[k])) push(y + o.y, x + o.x);
    }
  }

  /// The same for a cell from which steps also lead out of the tile.
  template <class PassOut>
  void pass_on_rim(int y, int x, const PassOut& pass_out) {
    const Axes cell{0, box_.begin[1] + y, box_.begin[2] + x};
    const std::int64_t from = index(y, x);
    std::uint32_t inside = neighbours_inside(job_.edges, job_.problem.extent, cell);
    for (; inside != 0; inside &= inside - 1) {
      const auto k = static_cast<std::size_t>(std::countr_zero(inside));
      if (!costs_.lower(from, static_cast<int>(k), from + deltas_[k])) continue;
      const CostOffset o = job_.edges.offset[k];
      const Axes next{0, cell[1] + o.y, cell[2] + o.x};
      if (box_.holds(next))
        push(y + o.y, x + o.x);
      else
        pass_out(next);
    }
  }

  const CostJob<T>& job_;
  const FallingCosts<T>& costs_;
  const TileBox& box_;
  const Ground<T>& ground_;
  std::int64_t first_;
  std::array<std::int64_t, kMostNeighbours> deltas_;
  std::array<T, 8> weight_;
  std::uint64_t waits_[kTile] = {};  ///< the cells that are in the queue
  std::uint16_t cells_[kRoom];       ///< the queue, in a ring
  unsigned begin_ = 0;
  unsigned end_ = 0;
};

}  // namespace thiessen::cpu::cost
