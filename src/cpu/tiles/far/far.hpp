// SPDX-License-Identifier: Apache-2.0
//
// The far search: finds the winners of the leaves that are left, however far their sites are.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/scratch.hpp"
#include "cpu/tiles/far/pyramid.hpp"
#include "cpu/tiles/job/job.hpp"
#include "cpu/tiles/job/tile_shapes.hpp"

namespace thiessen::cpu::tiles {

/// The nodes of a pyramid that may hold the winner of some cell of a tile.
struct NodeList {
  Words low{};
  Words high{};
  Words site{};
  std::int32_t* id = nullptr;
  std::int64_t count = 0;
};

/// The same for single sites, in the order of their index.
struct SiteList {
  Words at{};
  std::int32_t* payload = nullptr;
  std::int64_t count = 0;
};

/// The memory of one worker. Lists have room for kPad entries more than they count.
struct FarMemory {
  static constexpr std::int64_t kPad = 320;

  std::int64_t most_nodes = 0;
  std::int64_t most_sites = 0;     ///< for a tile: up to 2^17
  std::int64_t counted_sites = 0;  ///< EngineLimits::far_counted_sites
  NodeList macro, tile, nodes, leaves, few;
  SiteList expanded, sites, leaf;
  std::array<SiteList, 2> eighth;  ///< for a quarter of the tile in 3-D
  std::int32_t* partly = nullptr;  ///< nodes that are partly in reach, and their image
  std::int32_t* rank = nullptr;
  std::uint64_t* key = nullptr;
  std::uint64_t* spare_key = nullptr;
  std::uint32_t* label32 = nullptr;  ///< labels of `sites`
  std::uint64_t* label64 = nullptr;
  std::int64_t* index = nullptr;     ///< indices of `sites`
  std::uint16_t* compact = nullptr;  ///< for a wide leaf: UINT16_MAX everywhere
  std::array<std::int32_t*, kAxes> slope{};
  std::int32_t* base = nullptr;
  StagedOutput staged_labels;  ///< if Job::large_labels
  StagedOutput staged_distance;
};

/// 0, 1, 2, …
alignas(64) inline constexpr std::array<std::int32_t, 16> kCounts = {0, 1, 2,  3,  4,  5,  6,  7,
                                                                     8, 9, 10, 11, 12, 13, 14, 15};

FarMemory allocate_far_memory(Scratch::Frame& scratch, const Job& job, int rank,
                              const Pyramid& pyramid);

/// Finds and writes the winners of the leaves that are left in some pieces of macro tiles; the
/// raster has sites. Gives up tiles in which too many sites could win, and macro tiles for which
/// sites beyond Pyramid::reach could matter: their leaves stay open, and nothing is written there.
using FarKernel = void (*)(const Job& job, const Pyramid& pyramid, std::int64_t begin,
                           std::int64_t end, FarMemory& memory);

std::int64_t far_pieces(const Pyramid& pyramid);

/// Null if the instruction set has none.
FarKernel far_kernel(std::int64_t targets, int rank, Metric metric);

}  // namespace thiessen::cpu::tiles
