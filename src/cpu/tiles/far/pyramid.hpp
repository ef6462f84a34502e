// SPDX-License-Identifier: Apache-2.0
//
// A pyramid: where the sites of a raster are, from coarse to fine.
//
// Level 0 are the leaves, level 1 nodes of 16 leaves, and every further level joins 4 nodes along
// each axis. A node has the tight box around its sites, and one of them. A leaf lists its sites.
//
// A site with sites on all sides can be nearest only to its own cell, and may be left out
// ("dropped").
//
// Coordinates are multiplied by the weight of their axis, so that S needs no factors, and taken
// modulo 2^16: coordinates that are compared lie less than 2^15 apart. A place is one word (2-D) or
// two: x in the lower and y in the upper half of the first, z in the second.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/engine_limits.hpp"
#include "core/base/scratch.hpp"
#include "cpu/tiles/job/job.hpp"

namespace thiessen::cpu::tiles {

inline constexpr int kMostWords = 2;
template <class T>
using PerWord = std::array<T, kMostWords>;
using Words = PerWord<std::int32_t*>;

inline constexpr int kMostLevels = 16;
inline constexpr int kLeavesOfNode = 16;  ///< of level 1
inline constexpr int kMacroLevel = 3;     ///< of the tiles with which the far search begins

struct NodeLevel {
  Axes size{};   ///< of a node in cells
  Axes count{};  ///< nodes along each axis
  Axes fan{};    ///< children along each axis
  Words low{};   ///< the box; only for nodes that have sites
  Words high{};
  Words site{};                       ///< one of the sites
  std::uint64_t* children = nullptr;  ///< bit i: child i has sites
  std::uint8_t* dropped = nullptr;    ///< 1: a site below it was dropped
  std::int64_t nodes() const { return count[0] * count[1] * count[2]; }
  std::int64_t index(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return (z * count[1] + y) * count[2] + x;
  }
};

/// The lattice of a tile: the corners of its children. For a tile of level 1 in 3-D they are the
/// corners of the 4 cubes of each leaf.
struct LatticeShape {
  static constexpr int kMostPoints = 128;

  Axes fan{};
  int points = 0;
  /// From the tile's first cell to the points; entries behind the last one repeat it.
  alignas(64) PerWord<std::array<std::int32_t, kMostPoints>> offset;
  /// How a place becomes the number of the nearest point. All are halves of words.
  PerWord<std::int32_t> extent;      ///< of the tile
  PerWord<std::int32_t> half;        ///< of a child
  PerWord<std::int32_t> reciprocal;  ///< 2^16 / that of a child
  PerWord<std::int32_t> stride;      ///< from point to point
};

struct Pyramid {
  static constexpr std::uint32_t kUnlisted = UINT32_MAX;

  int levels = 0;
  std::array<NodeLevel, kMostLevels> level;  ///< leaves have only `size` and the boxes
  std::array<LatticeShape, kMacroLevel + 1> lattice;
  std::array<std::int32_t, kAxes> weight{};
  std::array<std::int32_t, kAxes> reach{};  ///< longest difference of coordinates, in cells
  /// For a leaf, node · 16 + its number within: the place of its first site in `sites`, or
  /// kUnlisted if there was no room.
  std::uint32_t* first = nullptr;
  std::uint16_t* count = nullptr;
  std::uint8_t* leaf_dropped = nullptr;
  /// A site within its leaf, relative to the low corner of the box: x | y << 4 (y | z << 2 in 3-D).
  std::uint8_t* sites = nullptr;
  std::int64_t sites_of_row = 0;  ///< room for the sites of a row of nodes of level 1

  const NodeLevel& top() const { return level[static_cast<std::size_t>(levels - 1)]; }
  std::int64_t rows() const { return level[1].count[0] * level[1].count[1]; }
};

/// Whether the far search can take a problem: its weights are small integers.
bool far_supports(const Problem& problem, const EngineLimits& limits);

/// Takes memory and computes shapes for the pyramid of a raster.
void plan_pyramid(const Problem& problem, const EngineLimits& limits, Scratch::Frame& scratch,
                  Pyramid& pyramid);

/// Builds levels 0 and 1 of a row of nodes, `row` of pyramid.rows(). The raster must be marked.
void build_nodes(const Job& job, Pyramid& pyramid, std::int64_t row);

/// Builds the higher levels.
void build_upper_levels(Pyramid& pyramid);

inline std::int32_t to_word(std::int64_t low, std::int64_t high) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(low & 0xffff) |
                                   static_cast<std::uint32_t>(high & 0xffff) << 16);
}

/// The words of a cell.
inline PerWord<std::int32_t> to_place(const Pyramid& pyramid, std::int64_t z, std::int64_t y,
                                      std::int64_t x) {
  return {to_word(x * pyramid.weight[2], y * pyramid.weight[1]), to_word(z * pyramid.weight[0], 0)};
}

/// The cell of a leaf with a number in `Pyramid::sites`.
template <int kRank>
inline constexpr int kLeafZShift = kRank == 2 ? 8 : 6;

}  // namespace thiessen::cpu::tiles
