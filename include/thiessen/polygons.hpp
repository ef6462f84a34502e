// SPDX-License-Identifier: Apache-2.0
//
// Regions as polygons, and the borders between them as lines.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "thiessen/choices/weighting.hpp"
#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// The outlines of regions, ascending by label: multipolygons in the layout of GeoArrow.
///
/// Region i has the polygons parts[i] … parts[i + 1] - 1. Polygon j has the rings rings[j] …
/// rings[j + 1] - 1. Ring k has the points points[k] … points[k + 1] - 1. Each of these lists has
/// one more entry at its end: the number of polygons, rings or points.
///
/// The first ring of a polygon is its outer ring, and runs counter-clockwise where row 0 is drawn
/// on top. All further rings are holes and run clockwise. The last point of a ring is its first one
/// again. Polygons are valid in the sense of OGC's Simple Features: rings may touch at points, and
/// the inside of a polygon is connected. Where regions touch they have the same points, bit for
/// bit.
struct Polygons {
  Raster labels = {};  ///< one axis
  std::vector<std::int64_t> parts = {};
  std::vector<std::int64_t> rings = {};
  std::vector<std::int64_t> points = {};
  /// y and x of each point in turn, in cells. The centre of the first cell is (0, 0), so its
  /// corners lie at ±0.5.
  std::vector<double> coordinates = {};
};

/// The borders between regions, ascending by a, then by b. A border is a line between two points
/// where more than two regions meet, or a closed line.
///
/// Border i lies between the regions a[i] < b[i] and has the points points[i] … points[i + 1] - 1,
/// with coordinates as in Polygons. The outer edge of the raster is no border.
struct Borders {
  Raster a = {};  ///< one axis
  Raster b = {};
  std::vector<std::int64_t> points = {};
  std::vector<double> coordinates = {};
  /// The distance from each point to the sites, if it is known: see the functions.
  std::vector<double> distance = {};
};

struct RegionPolygonsOptions {
  /// Cells with this label belong to no region. 0 is the label of unreached cells. Default: every
  /// label has a region.
  std::optional<LabelValue> background = std::int64_t{0};
  /// Cells with this label belong to no region either.
  std::optional<LabelValue> nodata = std::nullopt;
};

/// The outlines of all regions of equal label, along the edges of cells.
///
/// labels   2-D host view of any element type and strides, aligned. Floats are compared by value:
///          -0 is 0, and NaN belongs to no region. All true bytes are one label.
///
/// Cells belong together across their edges. Two cells that touch at a corner alone are two
/// polygons of one region. A point is kept where an outline turns, and where more than two regions
/// meet.
///
/// Time O(cells + steps along outlines · log(changes of label in a row)). Memory 8 bytes for each
/// change of label along rows, and the result. One thread follows the outlines. Throws Error:
/// invalid_argument, out_of_memory, cancelled; unsupported for labels on a device.
///
/// Source: the way along the edges is from S. Suzuki and K. Abe, "Topological structural analysis
/// of digitized binary images by border following" (1985), here from corner to corner.
THIESSEN_API Polygons region_polygons(Context& context, View<const void> labels,
                                      const RegionPolygonsOptions& options = {});

/// Same as above, but runs on default_context().
THIESSEN_API Polygons region_polygons(View<const void> labels,
                                      const RegionPolygonsOptions& options = {});

/// The borders between the same regions, along the edges of cells.
///
/// distance  empty, or f32 or f64 of the same extents, aligned, on the host. Borders::distance is
///           then the mean over the cells that meet at a point and are not NaN; NaN where all are.
THIESSEN_API Borders region_borders(Context& context, View<const void> labels,
                                    View<const void> distance = {},
                                    const RegionPolygonsOptions& options = {});

/// Same as above, but runs on default_context().
THIESSEN_API Borders region_borders(View<const void> labels, View<const void> distance = {},
                                    const RegionPolygonsOptions& options = {});

struct VoronoiPolygonsOptions {
  /// World length of one cell along y and x, > 0 and finite; empty: 1.
  std::vector<double> spacing = {};
  /// power where the sites have weights; edges are straight with no other kind.
  Weighting weighting = Weighting::none;
};

/// The polygons in which each point is the nearest site by straight line, cut off at the edges of a
/// grid, or with weights the one of the least S − w. voronoi() rasterises the same regions; here
/// they have straight edges.
///
/// sites    points on the plane as in voronoi(): rounded to 2^-16 of a cell, some perhaps outside
///          of the grid, perhaps with weights. Their labels are not used. They have no metrics. If
///          several points of one weight lie at one place, the first has the polygon.
/// extents  rows and columns of the grid, which reaches from -0.5 to the extent - 0.5
///
/// The labels of the result are the positions in the list, i64. Points without a polygon in the
/// grid are left out. Each region is one polygon of one ring. Integers decide exactly which
/// polygons meet. The coordinates of a corner have a relative error of some 2^-50 of its distance
/// to the sites, so the centre of a cell may lie outside the polygon of its label, but only where
/// it is as near to another site to within this error.
///
/// Time O(points · log(points)), memory about 400 bytes a point with the result, on one thread.
/// Throws Error: invalid_argument, out_of_memory, cancelled. Throws unsupported if squared
/// distances and weights need integers of more than 121 bits, or for more than 2^29 points.
/// region_polygons() then has the answer in steps.
///
/// Source: H. Imai, M. Iri and K. Murota, "Voronoi diagram in the Laguerre geometry and its
/// applications" (1985); A. Bowyer, "Computing Dirichlet tessellations" (1981).
THIESSEN_API Polygons voronoi_polygons(Context& context, const PointList& sites,
                                       const Extents& extents,
                                       const VoronoiPolygonsOptions& options = {});

/// Same as above, but runs on default_context().
THIESSEN_API Polygons voronoi_polygons(const PointList& sites, const Extents& extents,
                                       const VoronoiPolygonsOptions& options = {});

/// The borders between the polygons of voronoi_polygons(), each a straight line of two points.
/// Borders::distance is the distance from each point to the site a, in units of spacing; without
/// weights, the other one is as near.
THIESSEN_API Borders voronoi_borders(Context& context, const PointList& sites,
                                     const Extents& extents,
                                     const VoronoiPolygonsOptions& options = {});

/// Same as above, but runs on default_context().
THIESSEN_API Borders voronoi_borders(const PointList& sites, const Extents& extents,
                                     const VoronoiPolygonsOptions& options = {});

}  // namespace thiessen
