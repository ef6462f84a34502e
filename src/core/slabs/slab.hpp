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

#include "core/problem/problem.hpp"
#include "thiessen/slabs/slabs.hpp"

namespace thiessen {

/// Stands for "no site" wherever a coordinate is expected. Differences to real coordinates fit 32
/// bits.
inline constexpr std::int32_t kNoSite = -(std::int32_t{1} << 30);

/// For each column of a slab's face the nearest site on one side of it. Beyond the end of a
/// periodic axis lie images, whose coordinates go on.
struct Neighbours {
  const std::int32_t* coordinate =
      nullptr;                        ///< along the first axis, in the whole raster, or kNoSite
  const std::byte* labels = nullptr;  ///< contiguous, in the type of the labels; null: none wanted
};

struct Slab {
  std::int64_t first = 0;  ///< coordinate of its first row or plane in the whole raster
  std::int64_t count = 0;  ///< rows or planes
  Neighbours above;        ///< null: nothing lies there
  Neighbours below;
};

/// A slab as the maps of one call see it.
struct SlabMaps {
  Slab sites;   ///< beyond it lie sites
  Slab others;  ///< for signed distances: beyond it lie cells that are no sites, without labels
  /// For distances to the boundary: `labels` are the values of the row beside the slab, and
  /// `coordinate` is that of the nearest cell of the column with another value than there.
  Slab boundary;
  /// Boolean sites in the slabs above. Only backends that make labels (Session::makes_labels) look
  /// at it.
  std::int64_t numbers_before = 0;
};

/// The end of a slab that a face looks at.
enum class End { first, last };

/// Where one value for each column of a slab's face goes, as in Neighbours.
struct Face {
  std::int32_t* coordinate = nullptr;
  std::byte* labels = nullptr;  ///< null: not wanted
};

/// What others see of a slab from above and from below. Null coordinates: not wanted.
struct SlabFaces {
  struct Ends {
    Face first;  ///< from above: the nearest to the first row or plane
    Face last;
  };
  /// The labels of boolean sites are std::int64_t: their numbers, from 1 on, in the order of their
  /// site index within the slab.
  Ends sites;
  Ends others;
  Ends boundary;            ///< of the values of its end, as in SlabMaps
  std::int64_t number = 0;  ///< of sites, if they are boolean
};

/// The slab that is all of the raster.
inline Slab whole_raster(const Problem& problem) {
  return {0, problem.extent[static_cast<std::size_t>(problem.first_axis())], {}, {}};
}

/// Cells on the slab's face: its columns.
inline std::int64_t slab_columns(const Problem& problem) {
  return problem.rank == 2 ? problem.extent[2] : problem.extent[1] * problem.extent[2];
}

/// The slab alone as a raster, which is not periodic along its first axis.
inline Problem alone(const Problem& problem, const Slab& slab) {
  Problem own = problem;
  const auto axis = static_cast<std::size_t>(problem.first_axis());
  own.extent[axis] = slab.count;
  own.period[axis] = kNoPeriod;
  own.first_site = slab.first * slab_columns(problem);
  return own;
}

}  // namespace thiessen
