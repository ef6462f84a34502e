// SPDX-License-Identifier: Apache-2.0
//
// Signed distance to the edge of a shape, from how much of each cell it covers.
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

  /// Search limit in units of the spacing, inclusive; >= 0. Farther cells get plus infinity outside
  /// of the shape and minus infinity inside.
  double max_distance = std::numeric_limits<double>::infinity();

  /// Type of distances that the call makes memory for; an array that is given has its own.
  FloatType distance_type = FloatType::f32;
};

/// Signed distance of the centre of every cell to the edge of a shape, below 0 inside, from an
/// antialiased mask: from the share of each cell that the shape covers.
///
/// coverage  2-D (y, x) or 3-D (z, y, x), any strides, on the host: u8 from 0 to 255, u16 from 0 to
///           65535, f32 and f64 from 0 to 1, or booleans. At most 2^30 cells an axis, and 2^32 - 2
///           of them on an edge.
/// options   see CoverageDistanceOptions.
/// distance  f32 or f64 of the extents of `coverage`, any strides but 0, on the host, apart from
///           it; in units of the spacing.
///
/// Every cell that is covered in part has a piece of the edge, a line or in 3-D a plane, whose
/// direction comes from the cells around it and whose place from its own coverage. Where a full
/// cell meets an empty one, the side between them is a piece. A cell is inside if its coverage is
/// at least a half; but of a thin line or a gap in the middle of cells, whose neighbours tell no
/// direction, it is the centre that is inside or not. Cells that are covered in part and have only
/// neighbours of the same coverage have no piece. Where there is none at all, distances are plus or
/// minus infinity.
///
/// The distance is approximate: edges are not straight within a cell, and where several pieces are
/// about as near, a cell may take one that is not the nearest (docs/coverage.md has the errors of
/// both). Straight edges in 2-D come out as they are, but for what rounded the coverage, and
/// distances to the sides of cells, of full and empty cells alone, are exact. None of it is the
/// distance of NearestSiteOptions::signed_distance, which is exact from centre to centre, and so
/// half a cell or more longer on either side of an edge.
///
/// The same bits on every machine and for any number of threads. On the CPU only; a Context of
/// another device is an error.
/// Cost: O(cells) time; scratch of 8 bytes a cell and about 110 a cell with a piece, or 300 and
/// more in 3-D where sides of cells are pieces, and that of voronoi() for the points of pieces: in
/// 2-D three of a line, in 3-D one of a plane, and of each side up to nine.
/// Source: S. Gustavson and R. Strand, "Anti-aliased Euclidean distance transform" (2011), for the
/// question; J. E. Pilliod and E. G. Puckett, "Second-order accurate volume-of-fluid algorithms for
/// tracking material interfaces" (2004), for the direction. Distances to pieces, and which of them
/// a cell looks at, are of this library.
/// Throws Error: invalid_argument, also for the first cell whose coverage is NaN or beyond 0 to 1,
/// and before anything is written; unsupported, out_of_memory, cancelled.
THIESSEN_API void coverage_distance(Context& context, View<const void> coverage,
                                    const CoverageDistanceOptions& options, View<void> distance);

/// The same on default_context(), with a result of its own.
THIESSEN_API Raster coverage_distance(View<const void> coverage,
                                      const CoverageDistanceOptions& options = {});

}  // namespace thiessen
