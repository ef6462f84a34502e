// SPDX-License-Identifier: Apache-2.0
//
// The sites of a solver, by the tile in which they lie: a bit for each cell of a raster, a chain
// for the points of a list. Nodes of the tree count their sites, so that a search passes over
// places without any. A point outside of the grid belongs to the tile at the edge that is nearest
// to it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "backend/nearest_solver.hpp"
#include "cpu/solvers/tile_tree.hpp"

namespace thiessen::cpu::solvers {

class SiteTable {
 public:
  /// Without sites; both must outlive it.
  SiteTable(const NearestSolverData& data, const TileTree& tree)
      : data_(data),
        extent_(data.problem.extent),
        bits_of_place_(data.problem.fraction_bits),
        is_list_(data.is_list()),
        tree_(tree),
        count_(static_cast<std::size_t>(tree.nodes()), 0) {
    const auto tiles = static_cast<std::size_t>(tree.tiles());
    if (is_list_)
      head_.assign(tiles, kNone);
    else
      cells_.assign(tiles, {});
  }

  /// Makes room for a list of `count` points; new ones are absent.
  void reserve(std::int64_t count) {
    const auto size = static_cast<std::size_t>(count);
    if (size > next_.capacity()) next_.reserve(std::max(size, 2 * next_.capacity()));
    if (size > next_.size()) next_.resize(size, kNone);
  }

  bool is_list() const { return is_list_; }
  std::int64_t sites() const { return count_.back(); }
  std::int64_t count(const Node& node) const {
    return count_[static_cast<std::size_t>(tree_.number(node))];
  }

  Axes place(std::int64_t site) const { return data_.place(site); }

  std::size_t bytes() const {
    return (count_.capacity() + head_.capacity() + next_.capacity()) * sizeof(std::int32_t) +
           cells_.capacity() * sizeof(Cells);
  }

  /// A site comes to its place.
  void add(std::int64_t site) {
    const Axes place = data_.place(site);
    const Node tile = tile_at(place);
    if (is_list_) {
      std::int32_t& head = head_[static_cast<std::size_t>(tree_.number(tile))];
      next_[static_cast<std::size_t>(site)] = head;
      head = static_cast<std::int32_t>(site);
    } else {
      word(tile, place) |= bit(place);
    }
    count_up(tile, 1);
  }

  /// The same for the many cells that are sites at first; count_all() follows.
  void add_uncounted(const Axes& cell) { word(tree_.tile_of(cell), cell) |= bit(cell); }
  void count_all() {
    for (std::int64_t i = 0; i < tree_.nodes(); ++i) {
      const auto number = static_cast<std::size_t>(i);
      count_[number] = 0;
      if (i < tree_.tiles())
        for (const std::uint64_t word : cells_[number]) count_[number] += std::popcount(word);
      else
        tree_.for_each_child(tree_.node(i), [&](const Node& child) {
          count_[number] += count_[static_cast<std::size_t>(tree_.number(child))];
        });
    }
  }

  /// A site leaves its place.
  void remove(std::int64_t site) {
    const Axes place = data_.place(site);
    const Node tile = tile_at(place);
    if (is_list_) {
      std::int32_t* link = &head_[static_cast<std::size_t>(tree_.number(tile))];
      while (*link != site) link = &next_[static_cast<std::size_t>(*link)];
      *link = next_[static_cast<std::size_t>(site)];
    } else {
      word(tile, place) &= ~bit(place);
    }
    count_up(tile, -1);
  }

  /// Calls visit(site, place) for the sites of a tile.
  template <class Visit>
  void for_each_site(const Node& tile, Visit&& visit) const {
    const auto number = static_cast<std::size_t>(tree_.number(tile));
    if (is_list_) {
      for (std::int32_t site = head_[number]; site != kNone;
           site = next_[static_cast<std::size_t>(site)])
        visit(std::int64_t{site}, data_.places[static_cast<std::size_t>(site)]);
      return;
    }
    const Axes& size = tree_.tile_size();
    for (std::size_t i = 0; i < cells_[number].size(); ++i)
      for (std::uint64_t left = cells_[number][i]; left != 0; left &= left - 1) {
        const Axes in_tile =
            to_cell(size, static_cast<std::int64_t>(i) * 64 + std::countr_zero(left));
        Axes cell;
        for (std::size_t axis = 0; axis < kAxes; ++axis)
          cell[axis] = tile.at[axis] * size[axis] + in_tile[axis];
        visit(to_index(extent_, cell), cell);
      }
  }

 private:
  static constexpr std::int32_t kNone = -1;
  using Cells = std::array<std::uint64_t, kTileCells / 64>;

  Node tile_at(const Axes& place) const {
    Axes cell;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      cell[axis] = std::clamp<std::int64_t>(place[axis] >> bits_of_place_, 0, extent_[axis] - 1);
    return tree_.tile_of(cell);
  }
  std::uint64_t& word(const Node& tile, const Axes& cell) {
    return cells_[static_cast<std::size_t>(tree_.number(tile))]
                 [static_cast<std::size_t>(tree_.place_in_tile(cell) / 64)];
  }
  std::uint64_t bit(const Axes& cell) const {
    return std::uint64_t{1} << (tree_.place_in_tile(cell) % 64);
  }
  void count_up(Node node, int difference) {
    for (;; node = tree_.parent(node)) {
      count_[static_cast<std::size_t>(tree_.number(node))] += difference;
      if (tree_.is_root(node)) return;
    }
  }

  const NearestSolverData& data_;
  Axes extent_;
  int bits_of_place_;
  bool is_list_;
  const TileTree& tree_;
  std::vector<std::int32_t> count_;  ///< sites of each node
  std::vector<Cells> cells_;         ///< sites of each tile, as bits; of a raster
  std::vector<std::int32_t> head_;   ///< first site of each tile; of a list
  std::vector<std::int32_t> next_;   ///< the next site of the same tile
};

}  // namespace thiessen::cpu::solvers
