// SPDX-License-Identifier: Apache-2.0
//
// A slab: the contiguous rows (2-D) or planes (3-D) that one worker holds of a larger raster.
//
// For euclidean and manhattan distance a slab needs only one row above and one row below from the
// rest of the raster: for every column the nearest site beyond the slab, if there is one, with its
// label. (A farther site of the same column is farther from every cell of the slab.)
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/problem.hpp"

namespace thiessen {

/// Stands for "no site" wherever a coordinate is expected. Differences to real coordinates fit 32
/// bits.
inline constexpr std::int32_t kNoSite = -(std::int32_t{1} << 30);

/// For each column the nearest site on one side of a slab.
struct Neighbours {
  const std::int32_t* coordinate =
      nullptr;                        ///< along the first axis, in the whole raster, or kNoSite
  const std::byte* labels = nullptr;  ///< contiguous, in the type of the sites
};

struct Slab {
  std::int64_t first = 0;  ///< coordinate of its first row or plane in the whole raster
  std::int64_t count = 0;  ///< rows or planes
  Neighbours above;        ///< null: nothing lies there
  Neighbours below;
};

/// The slab that is all of the raster.
inline Slab whole_raster(const Problem& problem) {
  return {0, problem.extent[static_cast<std::size_t>(problem.first_axis())], {}, {}};
}

/// Cells on the slab's face: its columns.
inline std::int64_t slab_columns(const Problem& problem) {
  return problem.rank == 2 ? problem.extent[2] : problem.extent[1] * problem.extent[2];
}

}  // namespace thiessen
