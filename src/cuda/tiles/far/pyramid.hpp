// SPDX-License-Identifier: Apache-2.0
//
// A pyramid: the number of sites of each tile, and over the tiles nodes with 32 children each. A
// node knows for every child whether it has a site.
#pragma once

#include <cstdint>

#include "cuda/job/job.hpp"
#include "cuda/job/tile.hpp"
#include "cuda/sites/bits.hpp"

namespace thiessen::cuda::tiles {

/// How many children a node has along (z, y, x), as powers of 2 that make 32; nodes stay about as
/// long as wide. Level 0 are the tiles.
template <int kRank>
THIESSEN_HD constexpr int fan_log2(int level, int axis) {
  if (kRank == 2) return axis == 0 ? 0 : (axis == 1) == (level % 2 == 1) ? 2 : 3;
  if (level == 1) return 3 - axis + (axis == 2 ? -1 : 0);
  const int narrow = (level - 2) % 3 == 0 ? 0 : (level - 2) % 3 == 1 ? 2 : 1;
  return axis == narrow ? 1 : 2;
}

/// The lengths of the lists of the searches. build_pyramid() sets them to 0.
struct ListLengths {
  std::int32_t near;
  std::int32_t left;           ///< not 0: tiles are left to other methods
  unsigned long long sites;    ///< sum of the numbers of the tiles
  unsigned long long squares;  ///< sum of their squares
};

struct Pyramid {
  static constexpr int kMostLevels = 7;  ///< for at most 2^29 tiles

  struct Level {
    std::int32_t along[kAxes] = {};      ///< number of nodes
    std::int32_t size_log2[kAxes] = {};  ///< cells of a node
    std::int32_t fan_log2[kAxes] = {};   ///< children of a node
    std::uint32_t* children = nullptr;   ///< a bit for each child that has a site; null for tiles

    THIESSEN_HD std::int64_t count() const { return std::int64_t{along[0]} * along[1] * along[2]; }
  };

  Level level[kMostLevels];
  int top = 0;                     ///< its level has one node, or one for each layer
  std::uint16_t* sites = nullptr;  ///< number for each tile
  ListLengths* lengths = nullptr;

  THIESSEN_HD std::int64_t tiles() const { return level[0].count(); }
};

/// The place of a node among those of its level.
struct Node {
  std::int32_t at[kAxes];
};

/// A level has at most 2^29 nodes (is_pyramid_wide_enough).
THIESSEN_HD inline std::uint32_t number_of(const Pyramid::Level& level, const Node& node) {
  return static_cast<std::uint32_t>((node.at[0] * level.along[1] + node.at[1]) * level.along[2] +
                                    node.at[2]);
}

THIESSEN_HD inline Node node_of(const Pyramid::Level& level, std::uint32_t number) {
  const auto width = static_cast<std::uint32_t>(level.along[2]);
  const auto height = static_cast<std::uint32_t>(level.along[1]);
  const std::uint32_t row = number / width;
  return {{static_cast<std::int32_t>(row / height), static_cast<std::int32_t>(row % height),
           static_cast<std::int32_t>(number % width)}};
}

/// A child of a node, by its place among the 32.
THIESSEN_HD inline Node child_of(const Pyramid::Level& level, const Node& node, int child) {
  const int x = level.fan_log2[2];
  const int y = level.fan_log2[1];
  return {{(node.at[0] << level.fan_log2[0]) + (child >> (x + y)),
           (node.at[1] << y) + (child >> x & ((1 << y) - 1)),
           (node.at[2] << x) + (child & ((1 << x) - 1))}};
}

/// Whether a node lies in the raster.
THIESSEN_HD inline bool exists(const Pyramid::Level& level, const Node& node) {
  return node.at[0] < level.along[0] && node.at[1] < level.along[1] && node.at[2] < level.along[2];
}

/// Whether a pyramid can number all tiles of a raster.
bool is_pyramid_wide_enough(const Axes& extent, int rank);

/// The shape of the pyramid, and memory for it.
Pyramid allocate_pyramid(const Job& job, Scratch::Frame& device);

/// Fills it from the bits, and gives the words of a job's PointCells their places.
void build_pyramid(const CudaSession& session, const Job& job, const Bits& bits,
                   const Pyramid& pyramid);

}  // namespace thiessen::cuda::tiles
