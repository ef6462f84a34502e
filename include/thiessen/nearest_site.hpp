// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "thiessen/choices/choice.hpp"
#include "thiessen/choices/earth.hpp"
#include "thiessen/choices/float_type.hpp"
#include "thiessen/choices/method.hpp"
#include "thiessen/choices/metric.hpp"
#include "thiessen/choices/weighting.hpp"
#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/papers.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"
#include "thiessen/warning.hpp"

namespace thiessen {

/// The target to which the outputs `distance` and `squared` measure.
enum class DistanceTo {
  sites,     ///< the nearest site
  zeros,     ///< the nearest cell that holds 0: such cells are the sites, and no others
  boundary,  ///< the nearest cell with a different value; a nodata cell always counts as different
};

inline constexpr std::string_view kDistanceToNames[] = {"sites", "zeros", "boundary"};

constexpr std::string_view name_of(DistanceTo distance_to) {
  return detail::choice_name(kDistanceToNames, distance_to);
}

/// The choice with this name, or nullopt.
constexpr std::optional<DistanceTo> find_distance_to(std::string_view name) {
  return detail::find_choice<DistanceTo>(kDistanceToNames, name);
}

struct NearestSiteOptions {
  Method method = Method::exact;

  Metric metric = Metric::euclidean;

  /// A metric of your own, in place of `metric`. The distances are the values that the function
  /// returns. Supported only by Method::brute_force and jump flooding on the CPU; cannot be
  /// combined with periodic axes, signed distance or `squared`. An exception that the function
  /// throws ends the call. NaN or a negative value is an error.
  MetricFunction metric_function = {};

  /// How the weights of the sites enter. Requires weights (PointList::weights). Supported only by
  /// Method::exact, with the euclidean metric, on the CPU and, except with k and ties, on CUDA,
  /// where cells take Weighting::power alone; cannot be combined with outputs of another label, nor
  /// with a solver.
  Weighting weighting = Weighting::none;

  /// Where the cells lie on the Earth. Required for the metrics ellipsoidal and great-circle, and
  /// not used otherwise. Distances are then in metres, and `direction` is the azimuth. Supported
  /// only by Method::exact and Method::brute_force on the CPU; cannot be combined with spacing,
  /// periodic axes, signed distance, distance to the boundary or `squared`.
  std::optional<Earth> earth = std::nullopt;

  /// World length of one cell along each axis, in array order; finite and > 0. Empty: 1.
  std::vector<double> spacing = {};

  /// For each axis, in array order: whether the raster continues at its other end, as on a torus. A
  /// periodic axis has at most 2^29 cells. Empty: no axis is periodic.
  std::vector<bool> periodic = {};

  /// If not empty, the sites are exactly the cells with these values. Zero and NaN are sites if
  /// they are in the list. For boolean sites the values are 0 or 1.
  std::vector<LabelValue> values = {};

  /// Every cell that is not nodata is a site, whatever its value. NaN is a site too, unless it is
  /// the nodata value. Cannot be combined with `values`.
  bool zero_is_site = false;

  /// Cells that hold `nodata` belong to the domain but are not sites. All other cells, including
  /// zero and NaN, are sites. Requires `nodata`; cannot be combined with `values`. For rasters in
  /// which only the sites have values and everything else is nodata.
  bool free_nodata = false;

  /// Search limit in units of the spacing, inclusive; >= 0. Cells farther away are unreached. With
  /// weights it limits `weighted_distance`.
  double max_distance = std::numeric_limits<double>::infinity();

  /// Cells with this value in the raster of sites lie outside the domain. They are never sites, and
  /// they are nodata in every output. They do not block straight lines. The value may be NaN.
  std::optional<LabelValue> nodata = std::nullopt;

  /// Label of the cells outside the argument `domain`. Default: `nodata` if given; otherwise -1 for
  /// numbered sites. If the sites have labels and `nodata` is not given, you must set it.
  std::optional<LabelValue> nodata_label = std::nullopt;

  /// Label of an unreached cell.
  LabelValue unreached = std::int64_t{0};

  /// Every warning becomes an error. A call that ends with this error writes nothing. For this
  /// reason, if the raster of sites is in host memory, the call first scans it until it finds a
  /// site. Sites in device memory are not checked.
  bool strict = false;

  /// `distance` is signed: a site cell gets minus the distance to the nearest cell that is not a
  /// site. If there is no such cell in range, it gets minus infinity. Cannot be combined with a
  /// distance to the boundary.
  bool signed_distance = false;

  DistanceTo distance_to = DistanceTo::sites;

  /// If not 0, every cell gets its k nearest sites instead of only the nearest one, in the order
  /// (distance, site index), or with weights (key, site index). k is at most 1024. labels,
  /// site_index, distance, weighted_distance and squared then have one more axis in front, of
  /// length k; other outputs are not available. If fewer than k sites are in range, the remaining
  /// places have the unreached values. Supported only by Method::exact on the CPU, with the metrics
  /// euclidean, manhattan and chessboard; not in batches. Cannot be combined with signed distance
  /// or distance to the boundary.
  std::int64_t k = 0;

  /// Every cell gets its k nearest labels, each represented by its nearest site, instead of its k
  /// nearest sites.
  bool distinct_labels = false;

  /// A cell at equal distance from several labels gets the label `unreached`. The same restrictions
  /// apply as for the output `ties`, but you need not request that output.
  bool ties_unreached = false;

  /// Element type of the distance array when the call allocates it. If you pass an array, its own
  /// type is used.
  FloatType distance_type = FloatType::f32;

  /// For the methods of jump flooding only.
  FloodingOptions flooding = {};

  /// For Method::raster_gpu and Method::circle_growing only.
  RasterOptions raster = {};
};

/// Sites that are points.
struct PointList {
  /// Coordinates as f32 or f64, with the extents (points, axes). Each point is (y, x) or (z, y, x).
  /// Coordinates are in cells, and the centre of the first cell is 0. They are rounded to the
  /// nearest multiple of 2^-16 of a cell. A coordinate exactly halfway between two multiples is
  /// rounded to the even one. Points outside the grid are sites, too. If several points lie at the
  /// same place, the first one wins.
  View<const void> coordinates;
  /// Labels of the points, of any element type except boolean, with the extents (points). Empty:
  /// the points are numbered 1, 2, ….
  View<const void> labels = {};
  /// Weights of the points, of any element type except boolean, with the extents (points), on the
  /// host. Each number is read as the shortest decimal that gives it. Used with
  /// NearestSiteOptions::weighting alone.
  View<const void> weights = {};
  /// A metric of each point, which then measures its squared distances S as dᵀMd, of the way d in
  /// units of the spacing: matrices M, symmetric and positive definite, of any element type except
  /// boolean, with the extents (points, axes, axes), on the host. Each entry is read as the
  /// shortest decimal that gives it. The axes of an ellipse dᵀMd = 1 may be at most 50,000 times as
  /// long as each other, in cells. Goes with Weighting::none and power.
  View<const void> metrics = {};
};

/// Arrays that receive the results. An empty view means that the output is not wanted. All arrays
/// have the extents of the raster of sites, or of the grid in voronoi(); some have one more axis in
/// front. They are in host memory or on the Context's device, and they may have any strides but 0.
/// The memory of an output, from its first to its last byte, must not overlap the memory of the
/// sites or of another output.
struct NearestSiteOutputs {
  /// Label of the nearest site, in the type of the sites. Boolean sites are numbered 1, 2, … in the
  /// order of their site index, as i32 or i64. i32 is allowed only if the number of cells fits in
  /// it.
  View<void> labels = {};

  /// Linear row-major index of the nearest site's cell, or position of the nearest point in its
  /// list.
  View<std::int64_t> site_index = {};

  /// Distance in units of the spacing; f32 or f64. A value that is too large for f32 becomes +inf.
  View<void> distance = {};

  /// The key of the cell's site: S − w (power), √S − w (additive) or √S / w (multiplicative), where
  /// √S is `distance` and w the weight of the site. f32 or f64. Exists only with weights. S − w is
  /// rounded from the exact number; the others are computed from `distance` in f64.
  View<void> weighted_distance = {};

  /// Squared distance in cells. Available only for the euclidean metric with a spacing of 1 on
  /// every axis.
  View<std::int64_t> squared = {};

  /// Position of the site minus position of the cell, in cells. There is one more axis in front,
  /// for the components in array order.
  View<std::int32_t> offset = {};

  /// Compass direction from the cell to its site in degrees, in 2-D only. Row 0 lies in the north:
  /// 90 is east, 180 south, 270 west, 360 north, and 0 marks the site itself.
  View<float> direction = {};

  /// Label, index and distance of the nearest site of another label: the results that the call
  /// would give if all sites with the cell's own label were removed. `other_labels` has the type of
  /// `labels`. Supported only by Method::exact on the CPU, with the metrics euclidean, manhattan
  /// and chessboard; cannot be combined with signed distance or distance to the boundary.
  View<void> other_labels = {};
  View<std::int64_t> other_site_index = {};
  View<void> other_distance = {};

  /// Number of labels that have a site at exactly the least distance, up to 255. It is 1 where
  /// there is no tie, and 0 in unreached and nodata cells. If the sites have no labels of their
  /// own, each site counts as a label. Supported only by Method::exact on the CPU, with the metrics
  /// euclidean, manhattan and chessboard; cannot be combined with signed distance or distance to
  /// the boundary.
  View<std::uint8_t> ties = {};
};

/// Which outputs to compute, for the overloads that return their results in new arrays.
struct NearestSiteWanted {
  bool labels = true;
  bool site_index = false;
  bool distance = true;
  bool weighted_distance = false;
  bool squared = false;
  bool offset = false;
  bool direction = false;
  bool other_labels = false;
  bool other_site_index = false;
  bool other_distance = false;
  bool ties = false;
};

/// Results that own their memory, on the host. An output that you did not request is empty: `if
/// (result.direction) …`.
struct NearestSite {
  /// In the type of the sites. For sites that are numbered (boolean sites, points without labels),
  /// the type is i32, or i64 if there are 2^31 cells or points or more.
  Raster labels = {};
  Array<std::int64_t> site_index = {};
  Raster distance = {};
  Raster weighted_distance = {};
  Array<std::int64_t> squared = {};
  Array<std::int32_t> offset = {};
  Array<float> direction = {};
  Raster other_labels = {};
  Array<std::int64_t> other_site_index = {};
  Raster other_distance = {};
  Array<std::uint8_t> ties = {};
  std::vector<Warning> warnings = {};  ///< as in Context::warnings()

  /// Views of the outputs that exist, for a later call that writes into the same memory.
  THIESSEN_API NearestSiteOutputs outputs();
};

/// Nearest site of every cell of a raster, by straight-line distance.
///
/// sites    2-D (y, x) or 3-D (z, y, x), any element type, any strides, on the host or on the
///          Context's device (docs/gpu.md). Every cell is a site unless it is zero, NaN or nodata.
///          The label of a site is the value of its cell. An axis has at most 2^30 cells. A raster
///          without cells, or without sites, is valid.
/// options  see NearestSiteOptions.
/// out      see NearestSiteOutputs.
/// domain   raster of integers or booleans. The cells where it is not 0 get an answer. All other
///          cells are nodata in every output, but sites there still count. It has the extents of
///          the outputs and any strides, and does not overlap the outputs. Empty: all cells.
/// weights  raster of integers or floats with the extents of the sites, on the host: the weight of
///          each cell that is a site. Others are not read. Given with options.weighting alone.
///
/// Special cells       labels            site_index  distance  squared  offset      direction
///   unreached         options.unreached -1          +inf      -1       INT32_MIN   NaN
///   nodata            options.nodata    -2          NaN       -2       INT32_MIN   NaN
///                     or nodata_label
/// `other_labels`, `other_site_index` and `other_distance` use the same special values as their
/// counterparts. If a cell has no second label in range, they have the unreached values.
///
/// Weights: with options.weighting the site with the least key wins, not the nearest one, so that a
/// cell that is a site may belong to another one. docs/weights.md describes the three kinds. Sites
/// with weights exist only for Method::exact on the CPU and, with Weighting::power, on one CUDA
/// device; the sites are on the host then, too.
/// Ties: of two sites at equal distance, the one with the smaller site index wins. Distances are
/// compared as integers, so every exact method, thread count and device gives the same bits
/// (docs/determinism.md). With the metrics of the Earth, distances are rounded to whole
/// micrometres. On a system with another C library, this rounding may differ, and so may results
/// (docs/earth.md).
/// Time and memory: Method::exact takes O(cells) time, and 4 to 20 bytes of scratch per cell
/// (docs/time-and-memory.md). `other_labels`, `other_site_index` and `other_distance` take O(cells
/// · log(labels)) time and up to 25 more bytes per cell. k and ties take O(sites · log(sites) +
/// cells · k) time if sites are spread out, and 60 bytes per site. So do weights, and 24 bytes per
/// cell; areas of one weight count only with their rims.
/// Source: A. Meijster, J. B. T. M. Roerdink, W. H. Hesselink, "A general algorithm for computing
/// distance transforms in linear time" (2000), with ties ordered as described in
/// docs/determinism.md.
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled, device_failed.
THIESSEN_API void nearest_site(Context& context, View<const void> sites,
                               const NearestSiteOptions& options, const NearestSiteOutputs& out,
                               View<const void> domain = {}, View<const void> weights = {});

/// Same as above, but runs on default_context() and returns the results in newly allocated memory:
/// nearest_site(sites, {.spacing = {2, 1}}).
///
/// sites and domain are on the host, unless default_context() belongs to a CUDA device. `wanted`
/// selects outputs other than labels and distance: {.site_index = true}.
///
/// Additional memory: the results.
THIESSEN_API NearestSite nearest_site(View<const void> sites,
                                      const NearestSiteOptions& options = {},
                                      const NearestSiteWanted& wanted = {},
                                      View<const void> domain = {}, View<const void> weights = {});

/// The nearest site in each raster of a batch, for many small rasters. Every array has one more
/// axis in front: (n, y, x) or (n, z, y, x). In `offset`, the axis of the components comes before
/// the axis of the batch: (2, n, y, x) or (3, n, z, y, x). Site indices, and the numbers of boolean
/// sites, start anew in each raster. `spacing` and `periodic` describe one raster.
///
/// Results, ties, cost and errors are the same as if nearest_site() were called for each raster. A
/// CUDA device computes all 2-D rasters of the batch at once.
THIESSEN_API void nearest_site_batch(Context& context, View<const void> sites,
                                     const NearestSiteOptions& options,
                                     const NearestSiteOutputs& out, View<const void> domain = {},
                                     View<const void> weights = {});

/// Same as above, but runs on default_context() and returns the results in newly allocated memory.
THIESSEN_API NearestSite nearest_site_batch(View<const void> sites,
                                            const NearestSiteOptions& options = {},
                                            const NearestSiteWanted& wanted = {},
                                            View<const void> domain = {},
                                            View<const void> weights = {});

/// Metrics of points that measure by ellipses or ellipsoids (PointList::metrics): those with
/// dᵀMd = 1 on the ellipse.
///
/// radii       lengths of the half axes, f64 with the extents (points, axes), from 1e-9 to 1e9,
///             in units of the spacing.
/// directions  f64 with the extents (points, axes, axes): the direction (y, x) or (z, y, x) of each
///             half axis. They have the length 1 and right angles, to within 1e-6. Empty: half axes
///             lie along the axes of the grid.
///
/// Returns the matrices one after the other. Each is rounded once, to 9 digits after the first one
/// of its greatest entry, or to 4 after the first one of 1/r² of the longest half axis r if these
/// are more: few enough for exact keys where radii differ little. Throws Error{invalid_argument}
/// naming the first point that breaks a rule. Time O(points).
THIESSEN_API std::vector<double> ellipse_metrics(View<const double> radii,
                                                 View<const double> directions = {});

/// Voronoi diagram of points: the nearest point of every cell of a grid.
///
/// points   see PointList. Coordinates must be finite and at most 2^31 in magnitude. At most 2^40
///          points. The list may be on the host or on the Context's device; docs/gpu.md describes
///          what differs there. Every point is a site, even with the label 0 or NaN. On a periodic
///          axis, a point outside the grid is first moved into it by whole periods.
/// grid     extents, 2-D (y, x) or 3-D (z, y, x). Its spacing is used if options.spacing is empty.
/// options  `values`, `zero_is_site`, `free_nodata`, `nodata`, `signed_distance` and `distance_to`
///          are only for rasters of sites.
/// out      arrays with the extents of the grid. `labels` has the type of the points' labels; for
///          points without labels it is i32, or i64 if there are 2^31 points or more. `site_index`
///          is the position in the list. `squared` and `offset` are available only if all points
///          lie at cell centres.
/// domain   as in nearest_site(); it has the extents of the grid.
///
/// Special cells: as in nearest_site(); `weighted_distance` as `distance`.
/// Weights: with options.weighting the point with the least key wins, not the nearest one. A point
/// may lose its own cell. docs/weights.md describes the three kinds. With points.metrics each point
/// measures S in its own metric: the key is dᵀMd, or dᵀMd − w with Weighting::power, and `distance`
/// is √(dᵀMd). On periodic axes, `offset` and `direction` do not exist then.
/// Ties: of several nearest points, or least keys, the one that comes first in the list wins.
/// Distances are exact distances to the rounded points, and keys are compared exactly.
/// Time and memory: Method::exact takes O(cells + points · log(cells)) time if points are spread
/// out, and about 70 bytes of scratch per point, with weights 100 (docs/time-and-memory.md).
/// Source: as in nearest_site(); docs/methods.md describes how lists of points are processed.
/// Throws Error as nearest_site() does.
THIESSEN_API void voronoi(Context& context, const PointList& points, const Grid& grid,
                          const NearestSiteOptions& options, const NearestSiteOutputs& out,
                          View<const void> domain = {});

/// Same as above, but runs on default_context() and returns the results in newly allocated memory.
THIESSEN_API NearestSite voronoi(const PointList& points, const Grid& grid,
                                 const NearestSiteOptions& options = {},
                                 const NearestSiteWanted& wanted = {},
                                 View<const void> domain = {});

}  // namespace thiessen
