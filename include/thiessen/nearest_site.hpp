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
  boundary,  ///< the nearest cell that does not hold the same value; a nodata cell never does
};

inline constexpr std::string_view kDistanceToNames[] = {"sites", "zeros", "boundary"};

constexpr std::string_view name_of(DistanceTo distance_to) {
  return detail::choice_name(kDistanceToNames, distance_to);
}

/// The choice that has this name, or nothing.
constexpr std::optional<DistanceTo> find_distance_to(std::string_view name) {
  return detail::find_choice<DistanceTo>(kDistanceToNames, name);
}

struct NearestSiteOptions {
  Method method = Method::exact;

  Metric metric = Metric::euclidean;

  /// A metric of your own, in place of `metric`. The values that the function returns are the
  /// distances. Only Method::brute_force and jump flooding on the CPU take it, without periodic
  /// axes and signed distance. An exception that it throws ends the call. NaN or a negative value
  /// is an error.
  MetricFunction metric_function = {};

  /// Where the cells lie on the Earth. Only the metrics ellipsoidal and great-circle need it, and
  /// they need it always. Distances are then in metres, and `direction` is the azimuth. Only
  /// Method::exact and brute_force on the CPU take it, without spacing, periodic axes, signed
  /// distance, distance to the boundary and `squared`.
  std::optional<Earth> earth = std::nullopt;

  /// World length of one cell along each axis, in array order; finite and > 0. Empty: 1.
  std::vector<double> spacing = {};

  /// For each axis, in array order: whether the raster continues at its other end, as on a torus. A
  /// periodic axis has at most 2^29 cells. Empty: no axis.
  std::vector<bool> periodic = {};

  /// If not empty, exactly the cells with these values are the sites. Zero and NaN are sites if
  /// they are listed. For boolean sites the values are 0 or 1.
  std::vector<LabelValue> values = {};

  /// Every cell that is not nodata is a site, whatever it holds. NaN is a site too, unless it is
  /// the nodata value. Not together with `values`.
  bool zero_is_site = false;

  /// The cells of the value `nodata` are the free cells and belong to the domain. All other cells
  /// are sites, also zero and NaN. This is for rasters that hold only sites and nodata. It needs
  /// `nodata`, and excludes `values`.
  bool free_nodata = false;

  /// Search limit in units of the spacing, inclusive; >= 0. Cells farther away are unreached.
  double max_distance = std::numeric_limits<double>::infinity();

  /// Cells of this value in the raster of sites lie outside of the domain. They are never sites,
  /// and they are nodata in every output. They do not block straight lines. NaN may be the value.
  std::optional<LabelValue> nodata = std::nullopt;

  /// Label of the cells outside of the argument `domain`. Empty: `nodata`. If that is not given, -1
  /// where sites are numbered, and an error where they have labels of their own.
  std::optional<LabelValue> nodata_label = std::nullopt;

  /// Label of an unreached cell.
  LabelValue unreached = std::int64_t{0};

  /// Every warning becomes an error, and the call writes nothing. To find the warnings first, it
  /// reads sites on the host once more, up to the first site.
  bool strict = false;

  /// `distance` is signed: a site cell gets minus the distance to the nearest cell that is not a
  /// site. If there is no such cell in range, it gets minus infinity. Not with a distance to the
  /// boundary.
  bool signed_distance = false;

  DistanceTo distance_to = DistanceTo::sites;

  /// If not 0, every cell gets its k nearest sites instead of the nearest one, in the order
  /// (distance, site index). k is at most 1024. labels, site_index, distance and squared then have
  /// one more axis in front, of length k; other outputs do not exist. If there are fewer sites than
  /// k, the rest is unreached. Method::exact on the CPU only, without signed distance and distance
  /// to the boundary.
  std::int64_t k = 0;

  /// Every cell gets its k nearest labels, each by its nearest site, instead of its k nearest
  /// sites.
  bool distinct_labels = false;

  /// A cell at equal distance from several labels gets the label `unreached`. The limits of the
  /// output `ties` hold, and that output need not be wanted.
  bool ties_unreached = false;

  /// Type of the distances for which the call allocates memory. An array that the caller gives has
  /// its own type.
  FloatType distance_type = FloatType::f32;

  /// For the methods of jump flooding only.
  FloodingOptions flooding = {};

  /// For Method::raster_gpu and Method::circle_growing only.
  RasterOptions raster = {};
};

/// Sites that are points.
struct PointList {
  /// Coordinates of the points: f32 or f64 of extents (points, axes), (y, x) or (z, y, x) for each
  /// point. They are in cells, and the centre of the first cell is 0. They are rounded half to even
  /// to 2^-16 of a cell. Points outside of the grid count. If several points lie at the same place,
  /// the first one wins.
  View<const void> coordinates;
  /// Labels of the points, of any element type except boolean, with the extents (points). Empty: 1,
  /// 2, ….
  View<const void> labels = {};
};

/// Arrays that receive the results. An empty view means "not wanted". All have the extents of the
/// sites. They lie in memory of the host or of the Context's device and may have any strides but 0.
/// The memory of an output, from its first to its last byte, must not overlap the memory of the
/// sites or of another output.
struct NearestSiteOutputs {
  /// Label of the nearest site, in the type of the sites. Boolean sites are numbered 1, 2, … in the
  /// order of their site index, as i32 or i64. i32 must be able to hold the number of cells.
  View<void> labels = {};

  /// Linear row-major index of the nearest site's cell.
  View<std::int64_t> site_index = {};

  /// Distance in units of the spacing; f32 or f64. A value too large for f32 becomes +inf.
  View<void> distance = {};

  /// Squared distance in cells. Only for the euclidean metric with a spacing of 1 on every axis.
  View<std::int64_t> squared = {};

  /// Site minus cell, in cells. There is one more axis in front, for the components in array order.
  View<std::int32_t> offset = {};

  /// Compass direction from the cell to its site in degrees, in 2-D only. Row 0 lies in the north:
  /// 90 is east, 180 south, 270 west, 360 north, and 0 marks the site itself.
  View<float> direction = {};

  /// Label, index and distance of the nearest site of another label: the answers of the call if all
  /// sites of the cell's own label were taken away. `other_labels` has the type of `labels`.
  /// Method::exact on the CPU only, without signed distance and distance to the boundary.
  View<void> other_labels = {};
  View<std::int64_t> other_site_index = {};
  View<void> other_distance = {};

  /// Number of labels that have a site at exactly the least distance, up to 255. It is 1 where
  /// there is no tie, and 0 in unreached and nodata cells. Sites without labels of their own count
  /// as one label each. Method::exact on the CPU only, without signed distance and distance to the
  /// boundary.
  View<std::uint8_t> ties = {};
};

/// The outputs that a call computes if it returns its results.
struct NearestSiteWanted {
  bool labels = true;
  bool site_index = false;
  bool distance = true;
  bool squared = false;
  bool offset = false;
  bool direction = false;
  bool other_labels = false;
  bool other_site_index = false;
  bool other_distance = false;
  bool ties = false;
};

/// Results that own their memory, on the host. An output that was not wanted is empty: `if
/// (result.direction) …`.
struct NearestSite {
  Raster labels = {};  ///< in the type of the sites; numbers are i32, or i64 for 2^31 of them
  Array<std::int64_t> site_index = {};
  Raster distance = {};
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
///          Context's device (docs/gpu.md). The sites are all cells except zero, NaN and nodata.
///          The value of the cell is the label of its site. An axis has at most 2^30 cells. A
///          raster without cells, or without sites, is no error.
/// options  see NearestSiteOptions.
/// out      see NearestSiteOutputs.
/// domain   raster of integers or booleans that says which cells get an answer: the cells where it
///          is not 0. All other cells are nodata in every output, but sites there count. It has the
///          extents of the outputs and any strides, and does not overlap them. Empty: all cells.
///
/// Special cells       labels            site_index  distance  squared  offset      direction
///   unreached         options.unreached -1          +inf      -1       INT32_MIN   NaN
///   nodata            options.nodata    -2          NaN       -2       INT32_MIN   NaN
///                     or nodata_label
/// The outputs of another label have the special values of labels, site_index and distance. A cell
/// with no second label in range gets the unreached values in them.
///
/// Ties: of two sites at equal distance, the one with the smaller site index wins. Distances are
/// compared as integers, so every exact method, thread count and device gives the same bits
/// (docs/determinism.md). On the Earth the integers are whole micrometres; docs/earth.md says on
/// what their bits depend.
/// Cost: Method::exact takes O(cells) time, and 4 to 20 bytes of scratch a cell
/// (docs/time-and-memory.md). Outputs of another label take O(cells · log(labels)) time and up to
/// 25 bytes more a cell. k and ties take O(sites · log(sites) + cells · k) time if sites are spread
/// out, and 60 bytes a site.
/// Source: A. Meijster, J. B. T. M. Roerdink, W. H. Hesselink, "A general algorithm for computing
/// distance transforms in linear time" (2000), with the order of docs/determinism.md.
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled, device_failed.
THIESSEN_API void nearest_site(Context& context, View<const void> sites,
                               const NearestSiteOptions& options, const NearestSiteOutputs& out,
                               View<const void> domain = {});

/// The same call on default_context(), which returns its results in new memory: nearest_site(sites,
/// {.spacing = {2, 1}}).
///
/// sites and domain lie on the host, unless default_context() belongs to a CUDA device. wanted asks
/// for other outputs than labels and distance: {.site_index = true}.
///
/// Additional memory: the results.
THIESSEN_API NearestSite nearest_site(View<const void> sites,
                                      const NearestSiteOptions& options = {},
                                      const NearestSiteWanted& wanted = {},
                                      View<const void> domain = {});

/// The nearest site in each raster of a batch, for many small rasters. Every array has one more
/// axis in front: (n, y, x) or (n, z, y, x). The components of the offset stay before it: (2, n, y,
/// x) or (3, n, z, y, x). Site indices, and the numbers of boolean sites, count within their own
/// raster. `spacing` and `periodic` describe one raster.
///
/// Results, ties, cost and errors equal those of one call of nearest_site() for each raster. A CUDA
/// device computes all 2-D rasters of the batch at once.
THIESSEN_API void nearest_site_batch(Context& context, View<const void> sites,
                                     const NearestSiteOptions& options,
                                     const NearestSiteOutputs& out, View<const void> domain = {});

/// The same call on default_context(), which returns its results in new memory.
THIESSEN_API NearestSite nearest_site_batch(View<const void> sites,
                                            const NearestSiteOptions& options = {},
                                            const NearestSiteWanted& wanted = {},
                                            View<const void> domain = {});

/// Voronoi diagram of points: the nearest point of every cell of a grid.
///
/// points   see PointList. Coordinates are finite and at most 2^31 cells away. There are at most
///          2^40 points, on the host or on the Context's device (docs/gpu.md describes the
///          differences). Every point is a site, even with the label 0 or NaN. On a periodic axis,
///          a point anywhere stands for its place in the first period.
/// grid     extents, 2-D (y, x) or 3-D (z, y, x). Its spacing counts if options.spacing is empty.
/// options  `values`, `zero_is_site`, `free_nodata`, `nodata`, `signed_distance` and `distance_to`
///          are for rasters of sites only.
/// out      arrays of the grid's extents. `labels` has the type of the points' labels, or i32 (i64
///          from 2^31 points on) if they have none. `site_index` is the position in the list.
///          `squared` and `offset` exist only if all points lie at centres of cells.
/// domain   as in nearest_site(); it has the grid's extents.
///
/// Special cells: as in nearest_site().
/// Ties: the point that comes first in the list wins. Distances are exact distances to the rounded
/// points.
/// Cost: Method::exact takes O(cells + points · log(cells)) time if points are spread out, and
/// about 70 bytes of scratch a point (docs/time-and-memory.md).
/// Source: as in nearest_site(); docs/methods.md has the proof for blocks.
/// Throws Error as nearest_site().
THIESSEN_API void voronoi(Context& context, const PointList& points, const Grid& grid,
                          const NearestSiteOptions& options, const NearestSiteOutputs& out,
                          View<const void> domain = {});

/// The same call on default_context(), which returns its results in new memory.
THIESSEN_API NearestSite voronoi(const PointList& points, const Grid& grid,
                                 const NearestSiteOptions& options = {},
                                 const NearestSiteWanted& wanted = {},
                                 View<const void> domain = {});

}  // namespace thiessen
