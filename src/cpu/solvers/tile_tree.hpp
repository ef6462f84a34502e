// SPDX-License-Identifier: Apache-2.0
//
// The raster of a solver as a tree of boxes: tiles of 256 cells, and above them nodes of up to 16
// (2-D) or 8 (3-D) boxes each, up to one that is all of the raster.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/base/cells.hpp"

namespace thiessen::cpu::solvers {

/// Cells of a tile that lies whole in the raster.
inline constexpr std::int64_t kTileCells = 256;

/// Cells from `first` to before `end`.
struct CellBox {
  Axes first{};
  Axes end{};

  std::int64_t cells() const {
    return (end[0] - first[0]) * (end[1] - first[1]) * (end[2] - first[2]);
  }
};

/// A box of the tree; level 0 are the tiles.
struct Node {
  int level = 0;
  Axes at{};  ///< its place among the boxes of its level
};

class TileTree {
 public:
  TileTree() = default;

  /// The tree of a raster that has cells.
  TileTree(const Axes& extent, int rank)
      : extent_(extent),
        tile_(rank == 2 ? Axes{1, 8, 32} : Axes{4, 4, 16}),
        shift_(rank == 2 ? Axes{0, 2, 2} : Axes{1, 1, 1}) {
    Axes count;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      count[axis] = (extent[axis] + tile_[axis] - 1) / tile_[axis];
    for (;;) {
      levels_.push_back({count, nodes_});
      nodes_ += count[0] * count[1] * count[2];
      if (count == Axes{1, 1, 1}) return;
      for (std::size_t axis = 0; axis < kAxes; ++axis)
        count[axis] = (count[axis] + (std::int64_t{1} << shift_[axis]) - 1) >> shift_[axis];
    }
  }

  std::int64_t nodes() const { return nodes_; }
  std::int64_t tiles() const {
    const Axes& count = levels_.front().count;
    return count[0] * count[1] * count[2];
  }
  const Axes& tile_size() const { return tile_; }
  const Axes& tile_count() const { return levels_.front().count; }
  Node root() const { return {static_cast<int>(levels_.size()) - 1, {0, 0, 0}}; }
  bool is_root(const Node& node) const { return node.level + 1 == std::ssize(levels_); }

  /// Number of a box among all; tiles come first, in the order of their linear index.
  std::int64_t number(const Node& node) const {
    const Level& level = levels_[static_cast<std::size_t>(node.level)];
    return level.first + to_index(level.count, node.at);
  }
  /// The box of a number.
  Node node(std::int64_t number) const {
    std::size_t level = 0;
    while (level + 1 < levels_.size() && number >= levels_[level + 1].first) ++level;
    return {static_cast<int>(level), to_cell(levels_[level].count, number - levels_[level].first)};
  }
  Node tile(std::int64_t number) const { return {0, to_cell(levels_.front().count, number)}; }
  Node tile_of(const Axes& cell) const {
    return {0, {cell[0] / tile_[0], cell[1] / tile_[1], cell[2] / tile_[2]}};
  }
  Node parent(const Node& node) const {
    Node parent{node.level + 1, node.at};
    for (std::size_t axis = 0; axis < kAxes; ++axis) parent.at[axis] >>= shift_[axis];
    return parent;
  }

  CellBox cells(const Node& node) const {
    CellBox box;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const std::int64_t size = tile_[axis] << (shift_[axis] * node.level);
      box.first[axis] = node.at[axis] * size;
      box.end[axis] = std::min(box.first[axis] + size, extent_[axis]);
    }
    return box;
  }

  /// Calls visit(child) for the boxes of a node that is not a tile.
  template <class Visit>
  void for_each_child(const Node& node, Visit&& visit) const {
    const Axes& count = levels_[static_cast<std::size_t>(node.level - 1)].count;
    Axes first;
    Axes end;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      first[axis] = node.at[axis] << shift_[axis];
      end[axis] = std::min((node.at[axis] + 1) << shift_[axis], count[axis]);
    }
    for (std::int64_t z = first[0]; z < end[0]; ++z)
      for (std::int64_t y = first[1]; y < end[1]; ++y)
        for (std::int64_t x = first[2]; x < end[2]; ++x) visit(Node{node.level - 1, {z, y, x}});
  }

  /// The number of a cell within its tile.
  std::int64_t place_in_tile(const Axes& cell) const {
    return ((cell[0] % tile_[0]) * tile_[1] + cell[1] % tile_[1]) * tile_[2] + cell[2] % tile_[2];
  }

 private:
  struct Level {
    Axes count;
    std::int64_t first;  ///< number of its first box
  };

  Axes extent_{};
  Axes tile_{};
  Axes shift_{};
  std::vector<Level> levels_;
  std::int64_t nodes_ = 0;
};

}  // namespace thiessen::cpu::solvers
