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

/// What the outputs `distance` and `squared` measure to.
enum class DistanceTo {
  sites,     ///< the nearest site
  zeros,     ///< the nearest cell that holds 0: such cells are the sites, and no others
  boundary,  ///< the nearest cell that does not hold the same value; a nodata cell never does
};

inline constexpr std::string_view kDistanceToNames[] = {"sites", "zeros", "boundary"};

constexpr std::string_view name_of(DistanceTo distance_to) {
  return detail::choice_name(kDistanceToNames, distance_to);
}

/// The choice of a name, or nothing.
constexpr std::optional<DistanceTo> find_distance_to(std::string_view name) {
  return detail::find_choice<DistanceTo>(kDistanceToNames, name);
}

struct NearestSiteOptions {
  Method method = Method::exact;

  Metric metric = Metric::euclidean;

  /// In place of `metric`, on the CPU and by Method::brute_force or jump flooding: distances are
  /// what it returns. No periodic axes, no signed distance. What it throws ends the call; NaN or
  /// less than 0 is an error.
  MetricFunction metric_function = {};

  /// Where the cells lie on the Earth, for the metrics ellipsoidal and great-circle alone, by
  /// Method::exact and brute_force on the CPU: no spacing, no periodic axes, no signed distance, no
  /// distance to the boundary, no `squared`. Distances are in metres, `direction` is the azimuth.
  std::optional<Earth> earth = std::nullopt;

  /// World length of one cell along each axis, in array order; finite and > 0. Empty: 1.
  std::vector<double> spacing = {};

  /// For each axis in array order whether the raster goes on with its other end there, as a torus
  /// does; a periodic axis has at most 2^29 cells. Empty: no axis.
  std::vector<bool> periodic = {};

  /// If not empty: exactly the cells with these values are the sites, also zero and NaN if they are
  /// listed; for boolean sites 0 or 1.
  std::vector<LabelValue> values = {};

  /// Every cell that is not nodata is a site, whatever it holds (NaN too, unless it is the nodata
  /// value). Not together with `values`.
  bool zero_is_site = false;

  /// The cells of the value `nodata`, which must be given, are the free ones, in the domain as any;
  /// all others are sites, zero and NaN too. For rasters that hold sites and nodata alone. Not
  /// together with `values`.
  bool free_nodata = false;

  /// Search limit in units of the spacing, inclusive; >= 0. Cells farther away are unreached.
  double max_distance = std::numeric_limits<double>::infinity();

  /// Cells of this value in the raster of sites lie outside of the domain: never a site, and nodata
  /// in every output. They do not block straight lines. NaN is a value here.
  std::optional<LabelValue> nodata = std::nullopt;

  /// Label of the cells outside of the argument `domain`. Empty: `nodata`; without it -1 where
  /// sites are numbered, and an error where they have labels of their own.
  std::optional<LabelValue> nodata_label = std::nullopt;

  /// Label of an unreached cell.
  LabelValue unreached = std::int64_t{0};

  /// A warning is an error instead, and nothing is written. Sites on the host are read once more
  /// for it, up to the first.
  bool strict = false;

  /// Makes `distance` signed: a site cell gets minus the distance to the nearest cell that is not a
  /// site (minus infinity where there is none in range). Not with a distance to the boundary.
  bool signed_distance = false;

  DistanceTo distance_to = DistanceTo::sites;

  /// If not 0: the k nearest sites of every cell instead of the nearest one, at most 1024, in the
  /// order (distance, site index). labels, site_index, distance and squared then have one more axis
  /// in front, of k, the nearest first; where there are fewer sites the rest is unreached. Other
  /// outputs do not exist then. Method::exact on the CPU only, and no signed distance or distance
  /// to the boundary.
  std::int64_t k = 0;

  /// The k nearest labels, each by its nearest site, in place of the k nearest sites.
  bool distinct_labels = false;

  /// Cells at equal distance from several labels get the label `unreached`. As the output `ties`,
  /// which need not be wanted.
  bool ties_unreached = false;

  /// Type of distances that the call makes memory for; arrays that are given have their own.
  FloatType distance_type = FloatType::f32;

  /// For the jump flooding family only.
  FloodingOptions flooding = {};

  /// For Method::raster_gpu and Method::circle_growing only.
  RasterOptions raster = {};
};

/// Sites given as points.
struct PointList {
  /// f32 or f64 of extents (points, axes): (y, x) or (z, y, x) of each point in cells, where the
  /// centre of the first cell is 0. Rounded half to even to 2^-16 of a cell. Points outside of the
  /// grid count; the first of points at the same place wins.
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

  /// The same as the three above for the nearest site of another label: what the call would find at
  /// a cell if all sites of the cell's own label were taken away. Method::exact on the CPU only,
  /// and no signed distance or distance to the boundary. `other_labels` has the type of `labels`.
  View<void> other_labels = {};
  View<std::int64_t> other_site_index = {};
  View<void> other_distance = {};

  /// How many labels have a site at exactly the least distance, up to 255: 1 where there is no tie,
  /// 0 in unreached and nodata cells. Sites without labels of their own have one each.
  /// Method::exact on the CPU only, and no signed distance or distance to the boundary.
  View<std::uint8_t> ties = {};
};

/// Which outputs a call that returns its results computes.
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

/// Results that own their memory, on the host. An output that was not wanted is empty:
/// `if (result.direction) …`.
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
  std::vector<Warning> warnings = {};  ///< what the call found odd

  /// Views of what is there, for a later call that writes into the same memory.
  THIESSEN_API NearestSiteOutputs outputs();
};

/// Nearest site of every cell of a raster, by straight-line distance.
///
/// sites    2-D (y, x) or 3-D (z, y, x), any element type, any strides, on the host or on the
///          Context's device (docs/gpu.md). Cells that are neither zero, NaN nor nodata are the
///          sites; a cell's value is its site's label. At most 2^30 cells an axis; no cell, or no
///          site at all, is not an error.
/// options  see NearestSiteOptions.
/// out      see NearestSiteOutputs.
/// domain   which cells are to have an answer: those where this raster of integers or booleans
///          is not 0. It has any strides and the extents of the outputs, and lies apart from them.
///          The others are nodata in every output; but sites there count. Empty: all cells.
///
/// Special cells       labels            site_index  distance  squared  offset      direction
///   unreached         options.unreached -1          +inf      -1       INT32_MIN   NaN
///   nodata            options.nodata    -2          NaN       -2       INT32_MIN   NaN
///                     or nodata_label
/// The outputs of another label have those of labels, site_index and distance; cells without a
/// site of another label in range are unreached in them.
///
/// Ties: of two sites at equal distance the one with the smaller site index wins, decided in
/// integers: the same bits for every exact method, thread count and device (docs/determinism.md).
/// On the Earth these are whole micrometres (docs/earth.md tells on what their bits depend).
/// Cost: Method::exact O(cells) time, 4 to 20 bytes of scratch a cell (docs/time-and-memory.md).
/// With outputs of another label O(cells · log(labels)) time and up to 25 bytes more a cell. With k
/// or ties O(sites · log(sites) + cells · k) time where sites are spread, and 60 bytes a site.
/// Source: A. Meijster, J. B. T. M. Roerdink, W. H. Hesselink, "A general algorithm for computing
/// distance transforms in linear time" (2000), with the order of docs/determinism.md.
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled, device_failed.
THIESSEN_API void nearest_site(Context& context, View<const void> sites,
                               const NearestSiteOptions& options, const NearestSiteOutputs& out,
                               View<const void> domain = {});

/// The same on default_context(), with results of its own:
/// nearest_site(sites, {.spacing = {2, 1}}).
///
/// sites, domain  on the host, unless default_context() is that of a CUDA device.
/// wanted         labels and distance, unless it says otherwise: {.site_index = true}.
///
/// Memory besides: the results.
THIESSEN_API NearestSite nearest_site(View<const void> sites,
                                      const NearestSiteOptions& options = {},
                                      const NearestSiteWanted& wanted = {},
                                      View<const void> domain = {});

/// The nearest site in each raster of a batch, for many small ones: every array has one more axis
/// in front, (n, y, x) or (n, z, y, x), but the offset's components stay before it: (2, n, y, x) or
/// (3, n, z, y, x). Site indices and the numbers of boolean sites count within their own raster.
/// `spacing` and `periodic` are those of a raster.
///
/// Results, ties, cost and errors are those of a call of nearest_site() for each raster. A CUDA
/// device does 2-D rasters all at once.
THIESSEN_API void nearest_site_batch(Context& context, View<const void> sites,
                                     const NearestSiteOptions& options,
                                     const NearestSiteOutputs& out, View<const void> domain = {});

/// The same on default_context(), with results of its own, as of nearest_site().
THIESSEN_API NearestSite nearest_site_batch(View<const void> sites,
                                            const NearestSiteOptions& options = {},
                                            const NearestSiteWanted& wanted = {},
                                            View<const void> domain = {});

/// Voronoi diagram of points: the nearest point of every cell of a grid.
///
/// points   see PointList; finite coordinates, at most 2^31 cells away, at most 2^40 points, on the
///          host or on the Context's device (docs/gpu.md tells what is different there). Every
///          point is a site, one with the label 0 or NaN too. On a periodic axis points anywhere
///          belong to the first period.
/// grid     extents, 2-D (y, x) or 3-D (z, y, x), and the spacing if options.spacing is empty.
/// options  `values`, `zero_is_site`, `free_nodata`, `nodata`, `signed_distance` and `distance_to`
///          are for raster sites only.
/// out      of the grid's extents. `labels` in the type of the points' labels, or i32 (i64 for 2^31
///          points and more) if they have none; `site_index` is the position in the list; `squared`
///          and `offset` exist only if all points lie on centres of cells.
/// domain   as of nearest_site(); of the grid's extents.
///
/// Special cells: as of nearest_site().
/// Ties: the point that comes first in the list. Distances are to the rounded points, and exact.
/// Cost: Method::exact O(cells + points · log(cells)) time where points are spread, about 70 bytes
/// of scratch a point (docs/time-and-memory.md).
/// Source: as of nearest_site(); docs/methods.md has the proof for blocks.
/// Throws Error as nearest_site().
THIESSEN_API void voronoi(Context& context, const PointList& points, const Grid& grid,
                          const NearestSiteOptions& options, const NearestSiteOutputs& out,
                          View<const void> domain = {});

/// The same on default_context(), with results of its own, as of nearest_site().
THIESSEN_API NearestSite voronoi(const PointList& points, const Grid& grid,
                                 const NearestSiteOptions& options = {},
                                 const NearestSiteWanted& wanted = {},
                                 View<const void> domain = {});

}  // namespace thiessen
