// SPDX-License-Identifier: Apache-2.0
//
// Passes values on within a tile, one cell after the other, for rasters of any rank and any
// neighbours.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/base/cells.hpp"
#include "core/cost/edges.hpp"
#include "core/cost/labels.hpp"
#include "cpu/cost/tiles/tile_rounds.hpp"

namespace thiessen::cpu::cost {

/// A queue of cells of one tile, in which each cell stands at most once.
class TileQueue {
 public:
  bool empty() const { return count_ == 0; }
  void push(const TileCell& cell) {
    if (std::exchange(holds_[place(cell)], true)) return;
    cells_[(first_ + count_++) % kRoom] = cell;
  }
  TileCell pop() {
    const TileCell cell = cells_[first_];
    holds_[place(cell)] = false;
    first_ = (first_ + 1) % kRoom;
    --count_;
    return cell;
  }

 private:
  static constexpr std::size_t kRoom = 8192;  // 16 x 16 x 32; 64 x 64 are fewer

  /// The place of a cell, for both shapes of tiles.
  static std::size_t place(const TileCell& cell) {
    return (static_cast<std::size_t>(cell.z) * 16 + static_cast<std::size_t>(cell.y)) * 64 +
           static_cast<std::size_t>(cell.x);
  }

  std::array<TileCell, kRoom> cells_;
  std::array<bool, 2 * kRoom> holds_{};
  std::size_t first_ = 0;
  std::size_t count_ = 0;
};

template <class T>
class CellByCell {
 public:
  CellByCell(const Axes& extent, const CostEdges<T>& edges)
      : extent_(extent), edges_(edges), deltas_(neighbour_deltas(edges, extent)) {}

  /// Passes values on from the cells of the queue, and from the cells of the tile that they lower.
  /// `lower(from, k, to)` lowers the cell that step k leads to if it can, and says whether it did.
  /// `propagate_out(cell)` gets the lowered cells outside of the tile.
  template <class Lower, class PropagateOut>
  void run(const TileBox& box, TileQueue& queue, const Lower& lower,
           const PropagateOut& propagate_out) const {
    while (!queue.empty()) propagate(box, queue, lower, propagate_out);
  }

 private:
  template <class Lower, class PropagateOut>
  void propagate(const TileBox& box, TileQueue& queue, const Lower& lower,
                 const PropagateOut& propagate_out) const {
    const TileCell own = queue.pop();
    const Axes cell{box.begin[0] + own.z, box.begin[1] + own.y, box.begin[2] + own.x};
    const std::int64_t from = to_index(extent_, cell);
    std::uint32_t inside = neighbours_inside(edges_, extent_, cell);
    for (; inside != 0; inside &= inside - 1) {
      const int k = std::countr_zero(inside);
      const std::int64_t to = from + deltas_[static_cast<std::size_t>(k)];
      if (!lower(from, k, to)) continue;
      const CostOffset o = edges_.offset[static_cast<std::size_t>(k)];
      const Axes next{cell[0] + o.z, cell[1] + o.y, cell[2] + o.x};
      if (box.holds(next))
        queue.push(box.local(next));
      else
        propagate_out(next);
    }
  }

  Axes extent_;
  const CostEdges<T>& edges_;
  std::array<std::int64_t, kMostNeighbours> deltas_;
};

/// A mark for each cell of a raster whose value has fallen and has not been passed on.
class DirtyCells {
 public:
  /// `marks` has room for a byte a cell.
  DirtyCells(const Axes& extent, TileRounds& rounds, std::uint8_t* marks)
      : extent_(extent), rounds_(rounds), dirty_(marks) {
    std::fill_n(dirty_, extent[0] * extent[1] * extent[2], std::uint8_t{0});
  }

  void add(const Axes& cell) {
    dirty_[to_index(extent_, cell)] = 1;
    rounds_.activate(rounds_.tile_of(cell));
  }

  /// Moves the marked cells of a tile into a queue.
  void take(const TileBox& box, TileQueue& queue) {
    Axes cell = box.begin;
    for (cell[0] = box.begin[0]; cell[0] < box.end[0]; ++cell[0])
      for (cell[1] = box.begin[1]; cell[1] < box.end[1]; ++cell[1]) {
        cell[2] = box.begin[2];
        std::uint8_t* const row = dirty_ + to_index(extent_, cell);
        if (std::memchr(row, 1, static_cast<std::size_t>(box.size(2))) == nullptr) continue;
        for (; cell[2] < box.end[2]; ++cell[2])
          if (std::exchange(row[cell[2] - box.begin[2]], std::uint8_t{0}) != 0)
            queue.push(box.local(cell));
      }
  }

 private:
  Axes extent_;
  TileRounds& rounds_;
  std::uint8_t* dirty_;
};

}  // namespace thiessen::cpu::cost
