// SPDX-License-Identifier: Apache-2.0
//
// Which passes of jump flooding are done together.
//
// Passes whose steps are all multiples of u, the unit, never leave the lattice of the cells that
// have the same coordinates modulo u. So a block takes a tile of such a lattice into shared memory
// and does several passes there: large steps on lattices of so few cells that a tile holds them
// from end to end, and small ones on tiles with a halo, of which every pass uses up its step. Only
// the first and the last of the passes that are done together touch the device's memory. Along x a
// tile is a few lattices side by side, so that memory is still read in whole sectors.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/host_device.hpp"

namespace thiessen::cuda {

inline constexpr int kMostPasses = 8;  ///< together

struct FloodGroup {
  int passes = 0;
  std::int32_t unit = 1;
  std::int32_t step[kMostPasses] = {};  ///< in units
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

/// The cheapest groups for passes of these steps over a raster of the extents (top, middle, x), on
/// `blocks` blocks at once with room for `cells` cells each. There is one at least.
std::vector<FloodGroup> plan_flooding(const std::vector<std::int64_t>& steps,
                                      const std::array<std::int32_t, 3>& extent, std::int64_t cells,
                                      std::int64_t blocks);

}  // namespace thiessen::cuda
