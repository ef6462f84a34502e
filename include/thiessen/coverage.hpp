// SPDX-License-Identifier: Apache-2.0
//
// Signed distance to the edge of a shape, from the share of each cell that the shape covers.
#pragma once

#include <limits>
#include <vector>

#include "thiessen/choices/float_type.hpp"
#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

struct CoverageDistanceOptions {
  /// World length of one cell along each axis, in array order; finite and > 0. Empty: 1.
  std::vector<double> spacing = {};

  /// Search limit in units of the spacing, inclusive; >= 0. Cells farther away get plus infinity
  /// outside the shape and minus infinity inside.
  double max_distance = std::numeric_limits<double>::infinity();

  /// Element type of the distance array when the call allocates it. If you pass an array, its own
  /// type is used.
  FloatType distance_type = FloatType::f32;
};

/// Signed distance of the centre of every cell to the edge of a shape, below 0 inside. The input is
/// an antialiased mask: the share of each cell that the shape covers.
///
/// coverage  2-D (y, x) or 3-D (z, y, x), any strides, on the host: u8 from 0 to 255, u16 from 0 to
///           65535, f32 and f64 from 0 to 1, or booleans. At most 2^30 cells an axis, and 2^32 - 2
///           cells on an edge.
/// options   see CoverageDistanceOptions.
/// distance  f32 or f64 of the extents of `coverage`, any strides but 0, on the host, without
///           overlap; in units of the spacing.
///
/// Every partly covered cell has a piece of the edge: a line, or in 3-D a plane. The cells around
/// the cell give the direction of the piece, and the coverage of the cell itself gives its place.
/// Where a full cell meets an empty cell, the side between them is a piece. A partly covered cell
/// has no piece if all its neighbours have the same coverage as the cell. If there is no piece at
/// all, distances are plus or minus infinity.
///
/// A cell is inside the shape if its coverage is at least a half, with one exception. Where a thin
/// line or a thin gap runs through the middle of cells, the neighbours show no direction. Such a
/// cell is inside if its centre lies on the line, and outside if its centre lies in the gap.
///
/// The distance is approximate for two reasons. An edge may not be straight within a cell. And
/// where several pieces are about equally near, the distance of a cell may lead to a piece that is
/// not the nearest. docs/coverage.md gives the size of both errors. Straight edges in 2-D are found
/// exactly, except for the rounding of the coverage. Distances to the sides between full and empty
/// cells are exact. NearestSiteOptions::signed_distance is another distance. It is exact from
/// centre to centre, and therefore half a cell or more longer on either side of an edge.
///
/// The bits are the same on every machine and for any number of threads. The function runs on the
/// CPU only. A Context of another device is an error.
///
/// Time: O(cells). Scratch: 8 bytes a cell and about 110 bytes for each cell with a piece. In 3-D,
/// where sides of cells are pieces, it is 300 bytes and more. voronoi() also needs its scratch for
/// the points of the pieces: in 2-D three points for a line, in 3-D one for a plane, and up to nine
/// for each side.
///
/// Source: S. Gustavson and R. Strand, "Anti-aliased Euclidean distance transform" (2011), for the
/// question; J. E. Pilliod and E. G. Puckett, "Second-order accurate volume-of-fluid algorithms for
/// tracking material interfaces" (2004), for the direction. Distances to pieces, and the choice of
/// pieces for a cell, come from this library.
///
/// Throws Error: invalid_argument, also for the first cell whose coverage is NaN or beyond 0 to 1,
/// and before anything is written; unsupported, out_of_memory, cancelled.
THIESSEN_API void coverage_distance(Context& context, View<const void> coverage,
                                    const CoverageDistanceOptions& options, View<void> distance);

/// Same as above, but runs on default_context() and returns the result in newly allocated memory.
THIESSEN_API Raster coverage_distance(View<const void> coverage,
                                      const CoverageDistanceOptions& options = {});

}  // namespace thiessen
