// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/flooding.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/metric.hpp"
#include "thiessen/raster_methods.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// What the outputs `distance` and `squared` measure to.
enum class DistanceTo {
  site,      ///< the nearest site
  boundary,  ///< the nearest cell that does not hold the same value; a nodata cell never does
};

struct NearestSiteOptions {
  /// Way of computing: "exact" (linear time) or "brute-force" (cells times sites), with the same
  /// results; "raster-gpu", "chamfer", "circle-growing", "dilation" or "expansion", with the same
  /// again, each for some metrics (docs/raster-methods.md); or one of the jump flooding family,
  /// which is not exact: "jfa", "1+jfa", "jfa+1", "jfa+2", "jfa2", "jfa-noise", "jfa-plus",
  /// "jfa-star", and on CUDA "jfa-thrust" (docs/methods.md).
  std::string method = "exact";

  Metric metric = Metric::euclidean;

  /// In place of `metric`, on the CPU and by "brute-force" or jump flooding: distances are what it
  /// returns, compared as they are, and ties go by site index as ever. No periodic axes, no signed
  /// distance. What it throws ends the call; NaN or less than 0 is an error.
  MetricFunction metric_function = {};

  /// World length of one cell along each axis, in array order; finite and > 0. Empty: 1.
  std::vector<double> spacing = {};

  /// For each axis in array order whether the raster goes on with its other end there, as a torus
  /// does; a periodic axis has at most 2^29 cells. Empty: no axis.
  std::vector<bool> periodic = {};

  /// If not empty: exactly the cells of these values are the sites, zero and NaN too if they are
  /// listed. Not for boolean sites.
  std::vector<LabelValue> values = {};

  /// Every cell that is not nodata is a site, whatever it holds (NaN too, unless it is the nodata
  /// value). Not together with `values`, nor for boolean sites.
  bool zero_is_site = false;

  /// Search limit in units of the spacing, inclusive; >= 0. Cells farther away are unreached.
  double max_distance = std::numeric_limits<double>::infinity();

  /// Cells of this value lie outside the domain: never a site, and nodata in every output. They do
  /// not block straight lines. NaN is a value here.
  std::optional<LabelValue> nodata = std::nullopt;

  /// Label of an unreached cell.
  LabelValue unreached = std::int64_t{0};

  /// Makes `distance` signed: a site cell gets minus the distance to the nearest cell that is not a
  /// site (minus infinity where there is none in range). Not together with `boundary`.
  bool signed_distance = false;

  DistanceTo distance_to = DistanceTo::site;

  /// For the jump flooding family only.
  FloodingOptions flooding = {};

  /// For "raster-gpu" and "circle-growing" only.
  RasterOptions raster = {};
};

/// Sites given as points.
struct PointList {
  /// f32 or f64 of extents (points, axes): (y, x) or (z, y, x) of each point in cells, where the
  /// centre of the first cell is 0. Rounded half to even to 2^-16 of a cell. Points outside of the
  /// grid count; points at the same place are settled by their order.
  View<const void> coordinates;
  /// Their labels, of any element type but boolean and extents (points); empty: 1, 2, ….
  View<const void> labels = {};
};

/// Where the results go. An empty view means "not wanted". All have the extents of the sites, in
/// memory of the host or of the Context's device, any strides but 0. The ranges of addresses from
/// the first to the last byte of the sites and of each output must not overlap.
struct NearestSiteOutputs {
  /// Label of the nearest site, in the type of the sites. Boolean sites are numbered 1, 2, … in the
  /// order of their site index: i32 or i64, where i32 must hold the number of cells.
  View<void> labels = {};

  /// Linear row-major index of the nearest site's cell.
  View<std::int64_t> site_index = {};

  /// Distance in units of the spacing; f32 or f64. What f32 cannot hold becomes +inf in it.
  View<void> distance = {};

  /// Squared distance in cells; only euclidean, with a spacing of 1 on every axis.
  View<std::int64_t> squared = {};

  /// Site minus cell, in cells: one more axis in front, of as many components as the raster has
  /// axes, in array order.
  View<std::int32_t> offset = {};

  /// 2-D only: compass direction from the cell to its site in degrees, with row 0 in the north: 0
  /// at the site itself, 90 east, 180 south, 270 west, 360 north.
  View<float> direction = {};
};

/// Nearest site of every cell of a raster, by straight-line distance.
///
/// sites    2-D (y, x) or 3-D (z, y, x) raster, any element type, any strides, in memory of the
///          host or of the Context's device. If all views are in memory of the device, work is put
///          on its stream and the call returns; see Context::synchronize() and docs/gpu.md. Its
///          non-zero cells are the sites, except those that are NaN or nodata (see also
///          options.values and options.zero_is_site); a cell's value is its site's label and is
///          copied untouched. Many cells may share a label (lines, areas).
///          Each axis has at most 2^30 cells; none, one, or no site at all is not an error.
/// options  see NearestSiteOptions.
/// out      see NearestSiteOutputs.
///
/// Special cells       labels            site_index  distance  squared  offset      direction
///   unreached         options.unreached -1          +inf      -1       INT32_MIN   NaN
///   nodata            options.nodata    -2          NaN       -2       INT32_MIN   NaN
///
/// Ties: of two sites at equal distance the one with the smaller site index wins. "Nearer" is
/// decided in integers, so results are the same bits for every method, thread count and machine
/// (docs/determinism.md).
///
/// Cost: "exact" takes O(cells) time (euclidean, manhattan, and chessboard in 2-D; chessboard in
/// 3-D O(cells · log(axis))). Scratch kept in `context`: 4 bytes a cell for euclidean and
/// manhattan, and in 3-D up to 4 MiB or a plane of 4 bytes a cell more; chessboard 12 in 2-D and 20
/// in 3-D; boolean sites with labels the label type more; and for each thread 24 bytes a cell of
/// the longest line (32 where distances need 128 bits, see docs/determinism.md; twice that along a
/// periodic axis). "brute-force" takes 32 bytes a site; on
/// an OpenCL device what docs/opencl.md says.
///
/// Source: A. Meijster, J. B. T. M. Roerdink, W. H. Hesselink, "A general algorithm for computing
/// distance transforms in linear time" (2000), with the total order of docs/determinism.md in place
/// of its comparison.
///
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled.
THIESSEN_API void nearest_site(Context& context, View<const void> sites,
                               const NearestSiteOptions& options, const NearestSiteOutputs& out);

/// The same of each raster of a batch, for many small ones: every array has one more axis in front,
/// (n, y, x) or (n, z, y, x), but the offset's components stay before it: (2, n, y, x) or
/// (3, n, z, y, x). The rasters have nothing to do with each other: site indices and the numbers of
/// boolean sites count within their own. `spacing` and `periodic` are those of a raster.
///
/// What comes out is what a call for each raster gives. A CUDA device does 2-D rasters all at once.
///
/// Throws Error as above.
THIESSEN_API void nearest_site_batch(Context& context, View<const void> sites,
                                     const NearestSiteOptions& options,
                                     const NearestSiteOutputs& out);

/// Nearest point of every cell of a grid: as above, with these differences.
///
/// sites    see PointList; finite coordinates, at most 2^31 cells away, at most 2^40 points. Every
///          point is a site, one with the label 0 or NaN too.
/// grid     extents, and the spacing if options.spacing is empty.
/// options  `values`, `zero_is_site`, `nodata`, `signed_distance` and `distance_to` are for raster
///          sites only. On a periodic axis points anywhere belong to the first period.
/// out      of the grid's extents. `labels` in the type of the points' labels, or i32 (i64 for 2^31
///          points and more) if they have none; `site_index` is the position in the list; `squared`
///          and `offset` exist only if all points lie on centres of cells.
///
/// Coordinates in device memory are checked there, and what is wrong with them is thrown by
/// Context::synchronize(). Besides, they must not lie so far beyond the grid that distances of such
/// points take more than 62 bits; a quarter of the longest axis always is possible (docs/gpu.md).
///
/// Ties: the point that comes first in the list. Distances are to the rounded points, exact as for
/// rasters.
///
/// Cost: if all points lie in cells of the grid, no axis is periodic, the metric is not chessboard,
/// S fits 64 bits (docs/determinism.md) and the processor has SSE4, "exact" takes O(cells + points)
/// time as for a raster where points are spread (docs/methods.md tells what bounds it), and 5 bytes
/// of scratch a cell. Otherwise it takes O(points · log(points)) time for a tree, then for each row
/// about three searches in it, O(log(points)) each where points are spread, for each region that
/// the row crosses, and O(cells) to fill them; chessboard one search a cell. Points on a circle
/// make the few cells near its centre cost O(points). Scratch: about 80 bytes a point. In both
/// cases labels packed. "brute-force" takes cells · points, and 56 bytes a point.
///
/// Source: as for rasters; J. L. Bentley, "Multidimensional binary search trees used for
/// associative searching" (1975).
THIESSEN_API void nearest_site(Context& context, const PointList& sites, const Grid& grid,
                               const NearestSiteOptions& options, const NearestSiteOutputs& out);

}  // namespace thiessen
