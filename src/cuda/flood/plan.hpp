// SPDX-License-Identifier: Apache-2.0
//
// Which passes of jump flooding are done together.
//
// Passes whose steps are all multiples of u, the unit, never leave the lattice of the cells with
// the same coordinates modulo u. So a block takes a tile of such a lattice into shared memory and
// does several passes there. Large steps have lattices of so few cells that a tile holds them from
// end to end; small steps have tiles with a halo, and every pass uses up its step of the halo. Only
// the first and the last pass of a group touch the device's memory. Along x a tile is a few
// lattices side by side, so that memory is still read in whole sectors; if it is cut, it is 32
// columns wide, or a multiple, in the first pass, like warps.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/host_device.hpp"

namespace thiessen::cuda::flood {

inline constexpr int kMostPasses = 8;  ///< of a group

/// How the warps of a block divide a pass.
struct WarpDivision {
  std::int32_t length = 1;       ///< most lines of a chain that a warp does without a break
  std::int32_t pieces = 1;       ///< of a chain
  std::int32_t bundle_bits = 0;  ///< a warp does 2^bundle_bits pieces, one after the other
};

struct FloodGroup {
  int passes = 0;
  std::int32_t unit = 1;
  std::int32_t step[kMostPasses] = {};  ///< in units
  WarpDivision division[kMostPasses] = {};
  int run_bits = 0;
  std::int32_t tile[3] = {};      ///< lattice cells that a tile computes: top, middle, x
  std::int32_t halo[3] = {};      ///< cells around them on both sides; 0 if the tile is the whole
                                  ///< axis
  std::int32_t tiles[3] = {};     ///< of a lattice
  std::int32_t lattices[3] = {};  ///< along x the lattices of a run count as one

  /// The number of lattices that lie side by side in a tile.
  THIESSEN_HD std::int32_t run() const { return std::int32_t{1} << run_bits; }
  THIESSEN_HD std::int32_t size(int axis) const { return tile[axis] + 2 * halo[axis]; }
  THIESSEN_HD std::int32_t row() const { return size(2) << run_bits; }
  THIESSEN_HD std::int32_t cells() const { return size(0) * size(1) * row(); }
  std::int64_t blocks() const {
    std::int64_t count = 1;
    for (std::size_t axis = 0; axis < 3; ++axis)
      count *= std::int64_t{tiles[axis]} * lattices[axis];
    return count;
  }
};

/// The room that the device has for tiles.
struct FloodCapacity {
  std::int64_t cells;   ///< most cells of a tile
  std::int64_t blocks;  ///< blocks that run at once
  std::int32_t warps;   ///< of a block
  bool operator==(const FloodCapacity&) const = default;
};

/// The cheapest groups for passes with these steps, of which there is at least one, over a raster
/// of the extents (top, middle, x).
std::vector<FloodGroup> plan_flooding(const std::vector<std::int64_t>& steps,
                                      const std::array<std::int32_t, 3>& extent,
                                      const FloodCapacity& capacity);

}  // namespace thiessen::cuda::flood
