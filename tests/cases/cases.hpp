// SPDX-License-Identifier: Apache-2.0
//
// The inputs of the conformance suite. Plain ones stand in sites.tab, which the benchmarks read,
// too; cases.cpp adds those with options: spacings, types, limits, periodic axes.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "thiessen/nearest_site.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::cases {

/// Where the sites lie; the comments say what `amount` means.
enum class Pattern {
  none,
  all,
  one,           ///< at the linear index `amount`
  random,        ///< `amount` cells
  lattice,       ///< every `amount`-th cell along each axis: many ties
  checkerboard,  ///< squares of `amount` cells
  row,           ///< all of the row (plane) `amount`
  column,        ///< all cells with x = amount
  diagonal,      ///< every cell with x = y (= z)
  circle,        ///< within half a cell of a circle (sphere) of radius `amount` around the middle
  corners,       ///< the corners of the raster
  land,          ///< areas with winding borders; amount 1, here and below: all other cells
  coast,         ///< the cells of land beside other cells
  tube,          ///< the cells near a line that bends
  blobs,         ///< discs (balls) of radius 1 to 4 around `amount` random cells
};

struct Case {
  std::string name;
  Extents extents;
  Pattern pattern = Pattern::random;
  std::int64_t amount = 0;
  ElementType type = ElementType::i32;
  NearestSiteOptions options = {};
  /// The value of so many random cells becomes options.nodata.
  std::int64_t nodata_cells = 0;
};

std::ostream& operator<<(std::ostream& out, const Case& item);

/// The sites of a case. Labels are 1..200 by position, so that neighbouring sites differ and far
/// ones share labels; for floats some free cells are NaN and -0.
Raster make_sites(const Case& item);

/// Every case that is small enough for the oracle.
const std::vector<Case>& small_cases();

/// The cases with the metrics of the methods exact and jump flooding.
const std::vector<Case>& small_cases_by_axes();

}  // namespace thiessen::cases
