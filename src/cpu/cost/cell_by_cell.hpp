// SPDX-License-Identifier: Apache-2.0
//
// Passing values on in a tile from one cell after the other, in rasters of any rank and with any
// neighbours. A cell is *dirty* if its value has fallen and it has not passed it on yet.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/cost_edges.hpp"
#include "core/cost_labels.hpp"
#include "cpu/cost/tile_rounds.hpp"

namespace thiessen::cpu::cost {

/// The dirty cells of one tile, first in first out; as a cell is there at most once, they fit.
class TileQueue {
 public:
  /// Of a tile, along each axis.
  using Cell = std::array<std::int8_t, kAxes>;

  void clear() { first_ = count_ = 0; }
  std::uint32_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  void push(const Cell& cell) { cells_[(first_ + count_++) % kRoom] = cell; }
  Cell pop() {
    const Cell cell = cells_[first_];
    first_ = (first_ + 1) % kRoom;
    --count_;
    return cell;
  }

 private:
  static constexpr std::uint32_t kRoom = 16 * 16 * 32;
  std::array<Cell, kRoom> cells_;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
};

template <class T>
class CellByCell {
 public:
  CellByCell(const Axes& extent, const CostEdges<T>& edges, TileRounds& rounds,
             Scratch::Frame& scratch)
      : extent_(extent),
        edges_(edges),
        rounds_(rounds),
        deltas_(neighbour_deltas(edges, extent)),
        dirty_(scratch.array<std::uint8_t>(extent[0] * extent[1] * extent[2])) {
    std::fill_n(dirty_, extent[0] * extent[1] * extent[2], std::uint8_t{0});
  }

  /// A cell becomes dirty, and its tile active.
  void soil(const Axes& cell) {
    dirty_[to_index(extent_, cell)] = 1;
    rounds_.activate(cell);
  }
  /// The cells beyond the sides of a tile of a 2-D raster.
  void soil(const TileBox& box, const Fallen& fallen) {
    rounds_.activate(box, fallen);
    soil(fallen.above, to_index(extent_, {0, box.begin[1] - 1, box.begin[2]}), 1);
    soil(fallen.below, to_index(extent_, {0, box.end[1], box.begin[2]}), 1);
    soil(fallen.left, to_index(extent_, {0, box.begin[1], box.begin[2] - 1}), extent_[2]);
    soil(fallen.right, to_index(extent_, {0, box.begin[1], box.end[2]}), extent_[2]);
  }

  /// The cells of a tile of a 2-D raster are dirty no more.
  void clean(const TilePlace& place) {
    for (int y = 0; y < place.rows; ++y)
      std::fill_n(dirty_ + place.first + y * place.width, place.columns, std::uint8_t{0});
  }

  /// Puts the dirty cells of a tile into the queue.
  void collect(const TileBox& box, TileQueue& queue) const {
    queue.clear();
    constexpr std::int64_t kBytes = sizeof(std::uint64_t);
    for (std::int64_t z = 0; z < box.size(0); ++z)
      for (std::int64_t y = 0; y < box.size(1); ++y) {
        const std::uint8_t* const row = dirty_ + index_of(box, z, y);
        for (std::int64_t x = 0; x < box.size(2); x += kBytes) {
          const std::int64_t count = std::min(kBytes, box.size(2) - x);
          std::uint64_t bytes = 0;
          std::memcpy(&bytes, row + x, static_cast<std::size_t>(count));
          if (bytes == 0) continue;
          for (std::int64_t i = x; i < x + count; ++i)
            if (row[i] != 0) queue.push(local(z, y, i));
        }
      }
  }

  /// Passes on from the cells of the queue, and those that become dirty meanwhile, until there are
  /// none; whether that took no more than `most` cells. `lower(from, k, to)` says whether step k
  /// lowers the value of the cell that it leads to; then it has.
  template <class Lower>
  bool run(const TileBox& box, TileQueue& queue, std::int64_t most, const Lower& lower) {
    for (; !queue.empty(); --most) {
      if (most == 0) return false;
      pass_on(box, queue, lower);
    }
    return true;
  }

 private:
  static TileQueue::Cell local(std::int64_t z, std::int64_t y, std::int64_t x) {
    return {static_cast<std::int8_t>(z), static_cast<std::int8_t>(y), static_cast<std::int8_t>(x)};
  }
  /// The cells first + i * step of the bits i.
  void soil(std::uint64_t bits, std::int64_t first, std::int64_t step) {
    for (; bits != 0; bits &= bits - 1) dirty_[first + std::countr_zero(bits) * step] = 1;
  }
  /// Of a tile's row, the first cell.
  std::int64_t index_of(const TileBox& box, std::int64_t z, std::int64_t y) const {
    return to_index(extent_, {box.begin[0] + z, box.begin[1] + y, box.begin[2]});
  }

  template <class Lower>
  void pass_on(const TileBox& box, TileQueue& queue, const Lower& lower) {
    const TileQueue::Cell own = queue.pop();
    const std::int64_t from = index_of(box, own[0], own[1]) + own[2];
    dirty_[from] = 0;
    const Axes cell{box.begin[0] + own[0], box.begin[1] + own[1], box.begin[2] + own[2]};
    std::uint32_t inside = neighbours_inside(edges_, extent_, cell);
    for (; inside != 0; inside &= inside - 1) {
      const int k = std::countr_zero(inside);
      const std::int64_t to = from + deltas_[static_cast<std::size_t>(k)];
      if (!lower(from, k, to) || dirty_[to] != 0) continue;
      const CostOffset o = edges_.offset[static_cast<std::size_t>(k)];
      const std::int64_t z = own[0] + o.z;
      const std::int64_t y = own[1] + o.y;
      const std::int64_t x = own[2] + o.x;
      if (z >= 0 && z < box.size(0) && y >= 0 && y < box.size(1) && x >= 0 && x < box.size(2)) {
        dirty_[to] = 1;
        queue.push(local(z, y, x));
      } else {
        soil({box.begin[0] + z, box.begin[1] + y, box.begin[2] + x});
      }
    }
  }

  Axes extent_;
  const CostEdges<T>& edges_;
  TileRounds& rounds_;
  std::array<std::int64_t, kMostNeighbours> deltas_;
  std::uint8_t* dirty_;
};

}  // namespace thiessen::cpu::cost
