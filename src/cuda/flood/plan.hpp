// SPDX-License-Identifier: Apache-2.0
//
// Which passes of jump flooding are done together.
//
// Passes whose steps are all multiples of u, the unit, never leave the lattice of the cells that
// have the same coordinates modulo u. So a block takes a tile of such a lattice into shared memory
// and does several passes there: large steps on lattices of so few cells that a tile holds them
// from end to end, and small ones on tiles with a halo, of which every pass uses up its step. Only
// the first and the last of the passes that are done together touch the device's memory. Along x a
// tile is a few lattices side by side, so that memory is still read in whole sectors, and where it
// is cut it is as wide as warps are: 32 columns, or a multiple, in the first pass.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/host_device.hpp"

namespace thiessen::cuda {

inline constexpr int kMostPasses = 8;  ///< together

/// How the warps of a block share a pass out among themselves.
struct FloodShare {
  std::int32_t length = 1;       ///< lines of a chain that a warp settles at one go, at most
  std::int32_t pieces = 1;       ///< of a chain
  std::int32_t bundle_bits = 0;  ///< a warp does 2^bundle_bits pieces, one after the other
};

struct FloodGroup {
  int passes = 0;
  std::int32_t unit = 1;
  std::int32_t step[kMostPasses] = {};  ///< in units
  FloodShare share[kMostPasses] = {};
  int run_bits = 0;
  std::int32_t tile[3] = {};      ///< lattice cells that a tile settles: top, middle, x
  std::int32_t halo[3] = {};      ///< around them on both sides; none where it is all there is
  std::int32_t tiles[3] = {};     ///< of a lattice
  std::int32_t lattices[3] = {};  ///< along x those of a run count as one

  /// Lattices that lie side by side in a tile.
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

/// What the device has for tiles.
struct FloodRoom {
  std::int64_t cells;   ///< that a tile may have
  std::int64_t blocks;  ///< at once
  std::int32_t warps;   ///< of a block
  bool operator==(const FloodRoom&) const = default;
};

/// The cheapest groups for passes of these steps over a raster of the extents (top, middle, x).
/// There is one at least.
std::vector<FloodGroup> plan_flooding(const std::vector<std::int64_t>& steps,
                                      const std::array<std::int32_t, 3>& extent,
                                      const FloodRoom& room);

}  // namespace thiessen::cuda
