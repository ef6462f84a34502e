// SPDX-License-Identifier: Apache-2.0
//
// What the steps of relax_sites() and relax_cost_sites() are, cell by cell, in integers.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/cells.hpp"

namespace thiessen::oracle {

/// Units of 2^-16 of a cell.
using Place = Axes;

/// Masses are integers of quarters, so that sums are exact; empty: 4 everywhere.
struct PlacingScene {
  Axes extent{1, 1, 1};
  int rank = 2;
  std::vector<double> spacing;
  std::vector<std::int64_t> quarters;
  std::vector<std::uint8_t> domain;  ///< empty: all cells
  std::vector<bool> periodic;        ///< of the axes of the raster; empty: none

  /// Cells of a periodic axis (z, y, x), or 0.
  std::int64_t period(std::size_t axis) const {
    const std::size_t missing = kAxes - static_cast<std::size_t>(rank);
    return axis >= missing && !periodic.empty() && periodic[axis - missing] ? extent[axis] : 0;
  }

  std::int64_t mass(std::int64_t cell) const {
    return quarters.empty() ? 4 : quarters[static_cast<std::size_t>(cell)];
  }
};

/// The number of the site of a cell, from 1 on; 0: none.
using SiteNumbers = std::vector<std::int32_t>;

/// The nearest point of each cell of the domain; of two at equal distance the one that comes first.
SiteNumbers nearest_points(const PlacingScene& scene, const std::vector<Place>& points);

/// The way from a place to the image of a cell that is nearest to it, along an axis; of two the
/// positive one.
std::int64_t way_to_image(const PlacingScene& scene, std::size_t axis, std::int64_t cell,
                          std::int64_t place);

/// The centroids of the sites with a mass, rounded half to even; the others stay. On periodic axes
/// they may lie in another period.
void move_to_centroids(const PlacingScene& scene, const SiteNumbers& sites,
                       std::vector<Place>& places);

/// The cell of each site nearest to its place; -1 for a site without cells.
std::vector<std::int64_t> nearest_own_cells(const PlacingScene& scene, const SiteNumbers& sites,
                                            const std::vector<Place>& places);

/// The square of the distance of a cell to a place, axis by axis in double.
double squared_distance(const PlacingScene& scene, std::int64_t cell, const Place& place);

/// The sum of mass · square over the cells that have a site.
double energy(const PlacingScene& scene, const SiteNumbers& sites,
              const std::vector<double>& squares);

}  // namespace thiessen::oracle
