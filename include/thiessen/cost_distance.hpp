// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "thiessen/choices/choice.hpp"
#include "thiessen/choices/connectivity.hpp"
#include "thiessen/choices/earth.hpp"
#include "thiessen/choices/float_type.hpp"
#include "thiessen/choices/method.hpp"
#include "thiessen/choices/metric.hpp"
#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"
#include "thiessen/warning.hpp"

namespace thiessen {

/// What the values of a map are, and so what a step from cell p to its neighbour q costs; |p-q| is
/// the distance of their centres, see CostDistanceOptions::metric.
enum class EdgeWeight {
  stiffness,  ///< 2·|p-q| / (W_p + W_q)
  cost,       ///< |p-q|·(C_p + C_q) / 2
};

inline constexpr std::string_view kEdgeWeightNames[] = {"stiffness", "cost"};

constexpr std::string_view name_of(EdgeWeight weight) {
  return detail::choice_name(kEdgeWeightNames, weight);
}

/// The edge weight of a name, or nothing.
constexpr std::optional<EdgeWeight> find_edge_weight(std::string_view name) {
  return detail::find_choice<EdgeWeight>(kEdgeWeightNames, name);
}

/// A map, and what it says of its cells, for which there is no default: a friction raster that is
/// taken for a stiffness gives plausible, reversed answers.
///
///     cost_distance(CostMap::cost(friction), sites, {…});
class CostMap : public View<const void> {
 public:
  CostMap() = default;  ///< none: all ones, over an elevation
  CostMap(View<const void> cells, EdgeWeight weight) : View(cells), weight_(weight) {}

  static CostMap cost(View<const void> cells) { return {cells, EdgeWeight::cost}; }
  static CostMap stiffness(View<const void> cells) { return {cells, EdgeWeight::stiffness}; }

  EdgeWeight weight() const { return weight_; }
  const View<const void>& cells() const { return *this; }

 private:
  EdgeWeight weight_ = EdgeWeight::stiffness;
};

/// How fast one walks on a slope: what a step over ground of a given elevation costs, in seconds.
/// `length` is the distance of the two cells on the map and `rise` the difference of their
/// elevations, both in metres; the slope is rise / length, negative downhill.
enum class Walk {
  /// length · 0.6 · exp(3.5·|slope + 0.05|): 6 km/h on a gentle way down, 5 km/h on level ground.
  tobler,
  /// 0.72·length, and for each metre of rise 6 s more; for each metre of descent 1.9998 s less on
  /// slopes down to -0.2125 (12 degrees), and 1.9998 s more on steeper ones; or other coefficients.
  langmuir,
};

inline constexpr std::string_view kWalkNames[] = {"tobler", "langmuir"};

constexpr std::string_view name_of(Walk walk) { return detail::choice_name(kWalkNames, walk); }

/// The walk of a name, or nothing.
constexpr std::optional<Walk> find_walk(std::string_view name) {
  return detail::find_choice<Walk>(kWalkNames, name);
}

/// What a map does to the seconds of a walk.
enum class WalkMap {
  /// They take the place of |p-q| in the formula of the edge weight: the map tells how many times
  /// as long (cost), or as fast (stiffness), one walks.
  multiplies,
  /// A step takes its seconds, and what it would cost by the map without an elevation.
  adds,
};

inline constexpr std::string_view kWalkMapNames[] = {"multiplies", "adds"};

constexpr std::string_view name_of(WalkMap map) { return detail::choice_name(kWalkMapNames, map); }

/// What a map does, by its name, or nothing.
constexpr std::optional<WalkMap> find_walk_map(std::string_view name) {
  return detail::find_choice<WalkMap>(kWalkMapNames, name);
}

/// Which way one walks.
enum class WalkDirection {
  from_site,  ///< from the site to the cell
  to_site,    ///< from the cell to the site
};

inline constexpr std::string_view kWalkDirectionNames[] = {"from-site", "to-site"};

constexpr std::string_view name_of(WalkDirection direction) {
  return detail::choice_name(kWalkDirectionNames, direction);
}

/// The walk direction of a name, or nothing.
constexpr std::optional<WalkDirection> find_walk_direction(std::string_view name) {
  return detail::find_choice<WalkDirection>(kWalkDirectionNames, name);
}

struct CostDistanceOptions {
  CostMethod method = CostMethod::exact;

  /// Neighbours of a cell: 8, 4 or 16 in 2-D; 26, 6 or 18 in 3-D.
  Connectivity connectivity = Connectivity::corners;

  /// Type that costs are computed in, and of distances that the call makes memory for; arrays that
  /// are given have their own.
  FloatType distance_type = FloatType::f32;

  /// World length of one cell along each axis, in array order; finite and > 0. Empty: 1. With an
  /// elevation in metres. Not on the Earth.
  std::vector<double> spacing = {};

  /// What |p-q| is: Metric::euclidean in units of the spacing; or, on 2-D rasters in degrees,
  /// Metric::ellipsoidal or Metric::great_circle, the length in metres of the shortest way on the
  /// Earth between the centres of the two cells. On the CPU only. Columns do not join at the date
  /// line: paths end at the sides of the raster.
  Metric metric = Metric::euclidean;
  /// Where the cells lie, for the last two and for these alone. The steps of the longitude must be
  /// even, within a hundredth of a step, and the mean of them counts.
  std::optional<Earth> earth = std::nullopt;

  /// Which cells of a raster of sites are the sites, as in NearestSiteOptions.
  std::vector<LabelValue> values = {};
  bool zero_is_site = false;
  /// Cells of this value in the raster of sites are no sites.
  std::optional<LabelValue> site_nodata = std::nullopt;

  /// Cells of this value in the map lie outside of the domain: barriers, and nodata in every
  /// output.
  std::optional<LabelValue> map_nodata = std::nullopt;
  /// Label of nodata cells. Empty: `map_nodata` if a label can be that, else `unreached`.
  std::optional<LabelValue> nodata_label = std::nullopt;
  /// Label of cells that no site reaches.
  LabelValue unreached = std::int64_t{0};

  /// A diagonal step needs a way round: face to face through cells of the box between its two ends
  /// that are no barriers. In 2-D it does not pass between two barriers.
  bool tight_barriers = false;

  /// A site on a barrier, or a point outside of the raster, is an error instead of ignored; and so
  /// is every other warning.
  bool strict = false;

  /// For CostMethod::relaxation on the CPU: labels as Toss and Comba have them. Whoever lowers the
  /// cost of a cell, or finds it lowered as far already, gives it the label that it has at that
  /// time; cells pass on in ascending order, on one thread, so that this is deterministic. Costs
  /// are the same; labels of some cells may be those of sites that do not explain their cost. Not
  /// with back links.
  bool labels_carried = false;

  /// Search limit, inclusive; >= 0. Cells that cost more are unreached.
  double max_distance = std::numeric_limits<double>::infinity();

  /// Elevation of the cells of a 2-D map in metres, of its extents, in memory of the host, any
  /// element type but boolean, any strides. Steps are walked then: `walk` gives their seconds,
  /// which the map multiplies, or to which it adds. The map may be empty: all ones. NaN is a
  /// barrier; infinities, and what is above a quarter of the greatest float, are errors that
  /// name the first such cell. On the CPU only. Empty: there are no slopes.
  View<const void> elevation = {};
  /// How fast one walks. Only with an elevation; nothing: tobler.
  std::optional<Walk> walk = std::nullopt;
  /// For Walk::langmuir only: the seconds of a metre of length, and of a metre up, down and steeply
  /// down, as walk_coeff of r.walk; the first two >= 0, the last one <= 0, all finite.
  /// No slope may take less than no time. Nothing: 0.72, 6, 1.9998, -1.9998.
  std::optional<std::array<double, 4>> walk_coefficients = std::nullopt;
  /// Slopes below it are steep; finite and <= 0. With Walk::langmuir only; nothing: -0.2125.
  std::optional<double> slope_factor = std::nullopt;
  /// What the map does. Only with an elevation and a map; nothing: multiplies.
  std::optional<WalkMap> walk_map = std::nullopt;
  /// Which way one walks. Only with an elevation; nothing: from-site.
  std::optional<WalkDirection> walk_direction = std::nullopt;
  /// Cells of this elevation lie outside of the domain, as those of `map_nodata` do.
  std::optional<LabelValue> elevation_nodata = std::nullopt;
};

/// Where the results go. An empty view means "not wanted". All have the extents of the map, in
/// memory of the host or of the Context's device, any strides but 0. No output may overlap another
/// one, the map, the elevation, the sites or the initial costs.
struct CostDistanceOutputs {
  /// Label of the site, in the type of the sites' (boolean sites and points without labels are
  /// numbered, as for nearest_site()).
  View<void> labels = {};
  /// Linear row-major index of the site's cell, or the place of the point in its list.
  View<std::int64_t> site_index = {};
  /// Least cost of a path from a site; f32 or f64. From f64 to f32 it is rounded.
  View<void> distance = {};
  /// Next cell on a least-cost path back: 0 at the site, k the k-th neighbour in ascending linear
  /// index (least_cost_path()), kBackLinkUnreached, kBackLinkNodata. It leads to a cell that lies
  /// fewer steps from the site, by the shortest step; by the first of equally short ones.
  View<std::uint8_t> back_link = {};

  /// The same as the first three for the nearest site of another label: what the call would find at
  /// a cell if all sites of the cell's own label were taken away. On the CPU only, and not with
  /// labels_carried. `other_labels` has the type of `labels`; `other_distance` is f32 or f64.
  View<void> other_labels = {};
  View<std::int64_t> other_site_index = {};
  View<void> other_distance = {};
};

inline constexpr std::uint8_t kBackLinkUnreached = 254;
inline constexpr std::uint8_t kBackLinkNodata = 255;

/// What a call has to say besides its outputs.
struct CostDistanceReport {
  std::int64_t ignored_sites = 0;       ///< on barriers, nodata, or outside of the raster
  std::int64_t first_ignored_site = 0;  ///< index of the first of them
  /// By method "relaxation": how many cells passed their cost on to their neighbours, iteration by
  /// iteration; the last one is the iteration that found nothing to lower.
  std::vector<std::int64_t> active_cells = {};
};

/// Which outputs a call that returns its results computes.
struct CostDistanceWanted {
  bool labels = true;
  bool site_index = false;
  bool distance = true;  ///< in the type CostDistanceOptions::distance_type
  bool back_link = false;
  bool other_labels = false;
  bool other_site_index = false;
  bool other_distance = false;  ///< as `distance`
};

/// Results that own their memory, on the host. An output that was not wanted is empty:
/// `if (result.back_link) …`.
struct CostDistance {
  Raster labels = {};  ///< in the type of the sites; numbers are i32, or i64 for 2^31 of them
  Array<std::int64_t> site_index = {};
  Raster distance = {};
  Array<std::uint8_t> back_link = {};
  Raster other_labels = {};
  Array<std::int64_t> other_site_index = {};
  Raster other_distance = {};
  CostDistanceReport report = {};
  std::vector<Warning> warnings = {};  ///< what the call found odd

  /// Views of what is there, for a later call that writes into the same memory.
  THIESSEN_API CostDistanceOutputs outputs();
};

/// Least-cost distance of every cell of a map from the sites, and the site that it belongs to: cost
/// allocation, or the Voronoi diagram where distance is scaled by a material.
///
/// map      a cost or a stiffness: 2-D (y, x) or 3-D (z, y, x), any element type but boolean, any
///          strides; converted to options.distance_type. Barriers: stiffness 0, cost +inf, NaN,
///          nodata. A cost of 0 is legal. Negative values, stiffness +inf, and finite values above
///          a quarter of the greatest float are errors that name the first such cell. May be empty
///          if options.elevation is given.
/// sites    raster of the same extents, as of nearest_site(). None at all is not an error.
/// options  see CostDistanceOptions.
/// out      see CostDistanceOutputs.
/// initial_cost  what a path starts with: f32 or f64, of the extents of the sites' raster, read at
///          sites only; >= 0 and at most a quarter of the greatest float. Empty: 0.
///
/// Special cells       labels                site_index  distance  back_link
///   unreached         options.unreached     -1          +inf      254
///   nodata            options.nodata_label  -2          NaN       255
/// The outputs of another label have those of labels, site_index and distance; cells that no site
/// of another label reaches are unreached in them.
///
/// Ties: of the sites with least-cost paths to a cell, the one with the smallest index gives it its
/// label; results are the same bits for every method, thread count and device
/// (docs/cost-distance.md).
/// Cost: CostMethod::exact O(cells) time for many sites and smooth maps, more where paths wind; 5
/// to 24 bytes of scratch a cell for f32 (docs/time-and-memory.md). With outputs of another label
/// O(cells · log(labels)) in 2-D with 4 or 8 neighbours, else one more run of Dijkstra's algorithm;
/// 16 bytes more.
/// Walks (options.elevation) take several times as long, and one or two floats a cell more. On the
/// Earth each row takes some microseconds and 24 to 60 bytes besides.
/// Source: J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled distance planes using
/// CUDA" (2013), with labels made independent of the order of relaxation. Walks: W. Tobler, "Three
/// presentations on geographical analysis and modeling" (1993); E. Langmuir, "Mountaincraft and
/// leadership" (1984), with the coefficients of GRASS r.walk.
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled, device_failed.
THIESSEN_API CostDistanceReport cost_distance(Context& context, const CostMap& map,
                                              View<const void> sites,
                                              const CostDistanceOptions& options,
                                              const CostDistanceOutputs& out,
                                              View<const void> initial_cost = {});

/// The same from points: each is a site in the cell that it lies in. A cell has its left and upper
/// edge, not the others (rounded to 2^-16 of a cell). Several may share a cell. `initial_cost` has
/// the extents (points).
THIESSEN_API CostDistanceReport cost_distance(Context& context, const CostMap& map,
                                              const PointList& sites,
                                              const CostDistanceOptions& options,
                                              const CostDistanceOutputs& out,
                                              View<const void> initial_cost = {});

/// The same on default_context(), with results of their own: cost_distance(CostMap::cost(map),
/// sites, {…}).
///
/// wanted   labels and distance, unless it says otherwise: {.back_link = true}.
///
/// Memory besides: the results.
THIESSEN_API CostDistance cost_distance(const CostMap& map, View<const void> sites,
                                        const CostDistanceOptions& options = {},
                                        const CostDistanceWanted& wanted = {},
                                        View<const void> initial_cost = {});
THIESSEN_API CostDistance cost_distance(const CostMap& map, const PointList& sites,
                                        const CostDistanceOptions& options = {},
                                        const CostDistanceWanted& wanted = {},
                                        View<const void> initial_cost = {});

/// The linear indices of the cells from `from` back to its site, both included, along back links
/// that cost_distance() wrote with the same connectivity. Empty if `from` is unreached or nodata.
///
/// back_link     2-D or 3-D host view.
/// connectivity  as in CostDistanceOptions.
/// from          coordinates in array order, one for each axis.
///
/// Time and memory O(length of the path). Throws Error{invalid_argument}, also if the links lead
/// out of the raster or in a circle.
THIESSEN_API std::vector<std::int64_t> least_cost_path(View<const std::uint8_t> back_link,
                                                       Connectivity connectivity,
                                                       const std::vector<std::int64_t>& from);

/// Maps to try cost distance on.
enum class Material : std::uint8_t {
  uniform,   ///< all 1
  gradient,  ///< from 0.1 in the first column to 1 in the last
  noise,     ///< each cell drawn from 0.1 to 1
  /// Corridors of 1, three cells wide, between walls of 0, one cell thick, that leave exactly one
  /// way from any place to any other; in 3-D the same in every plane.
  maze,
};

inline constexpr std::string_view kMaterialNames[] = {"uniform", "gradient", "noise", "maze"};

constexpr std::string_view name_of(Material material) {
  return detail::choice_name(kMaterialNames, material);
}

/// The material of a name, or nothing. "Degrade" is what Toss and Comba call the gradient.
constexpr std::optional<Material> find_material(std::string_view name) {
  if (name == "Degrade") return Material::gradient;
  return detail::find_choice<Material>(kMaterialNames, name);
}

/// Fills a map with a material.
///
/// map   2-D or 3-D host view of f32 or f64, any strides, aligned; overwritten.
/// seed  of `noise` and `maze`: the same seed and extents give the same map on every machine.
///
/// Time O(cells); `maze` takes 9 bytes for each 16 cells of a plane.
/// Throws Error: invalid_argument, cancelled.
THIESSEN_API void material_map(Context& context, View<void> map, Material material,
                               std::uint64_t seed);

/// The same on default_context(), as a map of its own.
THIESSEN_API Array<float> material_map(const Extents& extents, Material material,
                                       std::uint64_t seed = 0);

}  // namespace thiessen
