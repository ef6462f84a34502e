// SPDX-License-Identifier: Apache-2.0
//
// A tile of the second pass with a rim around it, copied together: its cells are visited in no
// order of rows, and rows of a raster lie far from each other.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "cpu/cost/eikonal/arrivals.hpp"
#include "cpu/cost/eikonal/tile_turns.hpp"

namespace thiessen::cpu::eikonal {

/// Cells by their index, in a raster or in a copy of a part of it.
struct Cells {
  const double* resistance = nullptr;
  Answers answers;
  Axes stride{};
};

/// The cells of a tile, and a rim of two: a cell looks at its neighbours and behind them.
template <int kRank>
struct TileShape {
  static constexpr Axes kSize = kRank == 2 ? Axes{1, 64, 64} : Axes{8, 32, 32};
  static constexpr Axes kRim = kRank == 2 ? Axes{0, 2, 2} : Axes{2, 2, 2};
  static constexpr Axes kExtent{kSize[0] + 2 * kRim[0], kSize[1] + 2 * kRim[1],
                                kSize[2] + 2 * kRim[2]};
  static constexpr std::int64_t kCells = kExtent[0] * kExtent[1] * kExtent[2];
};

template <int kRank>
class TileCells {
 public:
  using Shape = TileShape<kRank>;

  TileCells() {
    const auto count = static_cast<std::size_t>(Shape::kCells);
    resistance_.resize(count);
    cost_.resize(count);
    word_.resize(count);
    for (std::vector<std::int64_t>& each : direction_) each.resize(count);
    cells_.resistance = resistance_.data();
    cells_.answers.cost = cost_.data();
    cells_.answers.word = word_.data();
    for (std::size_t i = 0; i < direction_.size(); ++i)
      cells_.answers.direction[i] = direction_[i].data();
    cells_.stride = {Shape::kExtent[1] * Shape::kExtent[2], Shape::kExtent[2], 1};
  }

  TileCells(const TileCells&) = delete;
  TileCells& operator=(const TileCells&) = delete;

  const Cells& cells() const { return cells_; }

  /// From a cell of the raster to one of the tile, and back.
  static std::int64_t index_in(const TileBox& box, const Axes& cell) {
    Axes at{};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      at[axis] = cell[axis] - box.begin[axis] + Shape::kRim[axis];
    return to_index(Shape::kExtent, at);
  }
  static Axes cell_at(const TileBox& box, std::int64_t index) {
    Axes cell = to_cell(Shape::kExtent, index);
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      cell[axis] += box.begin[axis] - Shape::kRim[axis];
    return cell;
  }

  /// Copies the tile and its rim. Words outside of the raster are 0.
  void load(const Ground& ground, const Answers& from, const TileBox& box) {
    std::ranges::fill(word_, CellWord{0});
    for_each_row(ground.extent, box, 2, [&](const Row& row) {
      copy_in(ground.resistance, resistance_, row);
      copy_in(from.cost, cost_, row);
      copy_in(from.word, word_, row);
      if (!from.has_sites()) return;
      for (std::size_t i = 0; i < direction_.size(); ++i)
        copy_in(from.direction[i], direction_[i], row);
    });
  }

  /// Copies answers back, and the words of the cells around the tile.
  void store(const Ground& ground, const Answers& to, const TileBox& box) const {
    for_each_row(ground.extent, box, 1, [&](const Row& row) { copy_out(word_, to.word, row); });
    for_each_row(ground.extent, box, 0, [&](const Row& row) {
      copy_out(cost_, to.cost, row);
      if (!to.has_sites()) return;
      for (std::size_t i = 0; i < direction_.size(); ++i)
        copy_out(direction_[i], to.direction[i], row);
    });
  }

 private:
  /// Cells of a row: where they begin in the raster and in the tile.
  struct Row {
    std::int64_t cell, at, count;
  };

  /// Calls visit(row) for the rows of a tile and of a rim around it, without its corners and what
  /// lies outside of the raster.
  template <class Visit>
  static void for_each_row(const Axes& extent, const TileBox& box, std::int64_t rim,
                           const Visit& visit) {
    const auto begin = [&](std::size_t axis) {
      return std::max<std::int64_t>(box.begin[axis] - std::min(rim, Shape::kRim[axis]), 0);
    };
    const auto end = [&](std::size_t axis) {
      return std::min(box.end[axis] + std::min(rim, Shape::kRim[axis]), extent[axis]);
    };
    for (std::int64_t z = begin(0); z < end(0); ++z)
      for (std::int64_t y = begin(1); y < end(1); ++y) {
        const bool is_beside_z = z < box.begin[0] || z >= box.end[0];
        const bool is_beside_y = y < box.begin[1] || y >= box.end[1];
        if (is_beside_z && is_beside_y) continue;
        const bool is_own = !is_beside_z && !is_beside_y;
        const std::int64_t from = is_own ? begin(2) : box.begin[2];
        const std::int64_t to = is_own ? end(2) : box.end[2];
        const Axes first{z, y, from};
        visit(Row{to_index(extent, first), index_in(box, first), to - from});
      }
  }

  template <class T>
  static void copy_in(const T* from, std::vector<T>& to, const Row& row) {
    std::copy_n(from + row.cell, row.count, to.data() + row.at);
  }
  template <class T>
  static void copy_out(const std::vector<T>& from, T* to, const Row& row) {
    std::copy_n(from.data() + row.at, row.count, to + row.cell);
  }

  std::vector<double> resistance_, cost_;
  std::vector<CellWord> word_;
  std::array<std::vector<std::int64_t>, kRank - 1> direction_;
  Cells cells_;
};

}  // namespace thiessen::cpu::eikonal
