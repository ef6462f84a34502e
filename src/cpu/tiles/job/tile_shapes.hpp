// SPDX-License-Identifier: Apache-2.0
//
// The tiles of leaves that searches go through, each row of tiles from left to right.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cpu/tiles/job/blocks.hpp"
#include "cpu/tiles/job/job.hpp"

namespace thiessen::cpu::tiles {

/// A tile of any size: cells, some of which may lie beyond the raster.
struct Area {
  Axes first;
  Axes size;
};

/// Tiles of the dense and the near search: a unit, or some side by side.
template <int kTheRank, std::int64_t kUnits = 1>
struct UnitTiles {
  using B = Blocks<kTheRank>;
  static constexpr int kRank = kTheRank;
  static constexpr Axes kSize{B::kUnitZ, B::kUnitY, kUnits* kUnitWidth};
  static constexpr bool kStreamsLeaves = true;  ///< if their rows are whole cache lines
  static constexpr std::int64_t kRowsOfTiles = 1;
  static std::size_t row_of_tiles(const Axes& /*first*/) { return 0; }
};

/// Tiles of level 1 of the far search, row by row of tiles in a tile of level 2.
template <int kTheRank>
struct NodeTiles {
  static constexpr int kRank = kTheRank;
  static constexpr Axes kSize = kRank == 2 ? Axes{1, 64, 64} : Axes{16, 16, 16};
  static constexpr bool kStreamsLeaves = false;
  static constexpr std::int64_t kFan = 4;
  static constexpr std::int64_t kRowsOfTiles = kFan * kFan;
  static std::size_t row_of_tiles(const Axes& first) {
    return static_cast<std::size_t>(first[0] / kSize[0] % kFan * kFan + first[1] / kSize[1] % kFan);
  }
};

/// The leaves of a tile.
template <class Tiles>
struct TileLeaves {
  using B = Blocks<Tiles::kRank>;
  static constexpr Axes kLeafSize{B::kLeafZ, B::kLeafY, kLeafWidth};
  static constexpr Axes kAlong{Tiles::kSize[0] / kLeafSize[0], Tiles::kSize[1] / kLeafSize[1],
                               Tiles::kSize[2] / kLeafSize[2]};
  static constexpr std::size_t kCount = kAlong[0] * kAlong[1] * kAlong[2];

  static constexpr std::array<Axes, kCount> make_leaves(const Axes& unit) {
    std::array<Axes, kCount> leaves{};
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(kCount); ++i)
      leaves[static_cast<std::size_t>(i)] = {i / (kAlong[1] * kAlong[2]) * unit[0],
                                             i / kAlong[2] % kAlong[1] * unit[1],
                                             i % kAlong[2] * unit[2]};
    return leaves;
  }
  /// The number along each axis, and the first cell. They are tables because a vector that was just
  /// built from scalars is slow to load.
  static constexpr std::array<Axes, kCount> kLeaf = make_leaves({1, 1, 1});
  static constexpr std::array<Axes, kCount> kLeafFirst = make_leaves(kLeafSize);

  static Area leaf_of(const Area& tile, int leaf) {
    const Axes& first = kLeafFirst[static_cast<std::size_t>(leaf)];
    return {{tile.first[0] + first[0], tile.first[1] + first[1], tile.first[2] + first[2]},
            kLeafSize};
  }

  /// The leaves in the raster for which has(the search that wrote it) is true, as bits.
  template <class Has>
  static std::uint32_t leaves_with(const Job& job, const Area& tile, Has&& has) {
    const Axes first{tile.first[0] / kLeafSize[0], tile.first[1] / kLeafSize[1],
                     tile.first[2] / kLeafSize[2]};
    std::uint32_t bits = 0;
    for (std::size_t leaf = 0; leaf < kCount; ++leaf) {
      const std::int64_t z = first[0] + kLeaf[leaf][0];
      const std::int64_t y = first[1] + kLeaf[leaf][1];
      const std::int64_t x = first[2] + kLeaf[leaf][2];
      if (z < job.leaves[0] && y < job.leaves[1] && x < job.leaves[2] &&
          has(job.solved[job.leaf_index(z, y, x)]))
        bits |= std::uint32_t{1} << leaf;
    }
    return bits;
  }

  static std::uint32_t leaves_of_raster(const Job& job, const Area& tile) {
    return leaves_with(job, tile, [](const SolvedBy&) { return true; });
  }
  /// The leaves that no search has written.
  static std::uint32_t open_leaves(const Job& job, const Area& tile) {
    return leaves_with(job, tile, [](const SolvedBy& solved) { return solved == SolvedBy::none; });
  }
};

/// Buffers for an output that is written tile by tile (stream-inl.hpp).
struct StagedOutput {
  static constexpr std::int64_t kLine = 64;  ///< bytes of a cache line

  /// Cells, with a line before and after them. A tile is written out while the next one is
  /// searched.
  std::array<std::byte*, 2> tile{};
  std::byte* cut = nullptr;  ///< a line for each row of the rows of tiles, and one more
};

}  // namespace thiessen::cpu::tiles
