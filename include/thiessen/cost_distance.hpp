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

/// The meaning of the values of a map, which decides the cost of a step from cell p to its
/// neighbour q. |p-q| is the distance of their centres, see CostDistanceOptions::metric.
enum class EdgeWeight {
  stiffness,  ///< 2·|p-q| / (W_p + W_q)
  cost,       ///< |p-q|·(C_p + C_q) / 2
};

inline constexpr std::string_view kEdgeWeightNames[] = {"stiffness", "cost"};

constexpr std::string_view name_of(EdgeWeight weight) {
  return detail::choice_name(kEdgeWeightNames, weight);
}

/// The edge weight that has this name, or nothing.
constexpr std::optional<EdgeWeight> find_edge_weight(std::string_view name) {
  return detail::find_choice<EdgeWeight>(kEdgeWeightNames, name);
}

/// A map, together with the meaning of its values. The meaning has no default, because a friction
/// raster that is taken for a stiffness gives plausible, reversed answers.
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

/// How fast one walks on a slope: the seconds of a step over ground with an elevation. `length` is
/// the distance of the two cells on the map, and `rise` is the difference of their elevations, both
/// in metres. The slope is rise / length, and negative downhill.
enum class Walk {
  /// length · 0.6 · exp(3.5·|slope + 0.05|): 6 km/h on a gentle way down, 5 km/h on level ground.
  tobler,
  /// 0.72·length, and 6 s more for each metre of rise. For each metre of descent, 1.9998 s less on
  /// slopes down to -0.2125 (12 degrees), and 1.9998 s more on steeper ones. Or with other
  /// coefficients.
  langmuir,
};

inline constexpr std::string_view kWalkNames[] = {"tobler", "langmuir"};

constexpr std::string_view name_of(Walk walk) { return detail::choice_name(kWalkNames, walk); }

/// The walk that has this name, or nothing.
constexpr std::optional<Walk> find_walk(std::string_view name) {
  return detail::find_choice<Walk>(kWalkNames, name);
}

/// How a map changes the seconds of a walk.
enum class WalkMap {
  /// The seconds take the place of |p-q| in the formula of the edge weight. The map then says how
  /// many times as long (cost), or as fast (stiffness), one walks.
  multiplies,
  /// A step costs its seconds, plus the cost that it has by the map without an elevation.
  adds,
};

inline constexpr std::string_view kWalkMapNames[] = {"multiplies", "adds"};

constexpr std::string_view name_of(WalkMap map) { return detail::choice_name(kWalkMapNames, map); }

/// The way that has this name, or nothing.
constexpr std::optional<WalkMap> find_walk_map(std::string_view name) {
  return detail::find_choice<WalkMap>(kWalkMapNames, name);
}

/// Direction of a walk.
enum class WalkDirection {
  from_site,  ///< from the site to the cell
  to_site,    ///< from the cell to the site
};

inline constexpr std::string_view kWalkDirectionNames[] = {"from-site", "to-site"};

constexpr std::string_view name_of(WalkDirection direction) {
  return detail::choice_name(kWalkDirectionNames, direction);
}

/// The walk direction that has this name, or nothing.
constexpr std::optional<WalkDirection> find_walk_direction(std::string_view name) {
  return detail::find_choice<WalkDirection>(kWalkDirectionNames, name);
}

struct CostDistanceOptions {
  CostMethod method = CostMethod::exact;

  /// Neighbours of a cell: 8, 4 or 16 in 2-D; 26, 6 or 18 in 3-D.
  Connectivity connectivity = Connectivity::corners;

  /// Type in which costs are computed. Distances for which the call allocates memory have it, too;
  /// an array that the caller gives has its own type.
  FloatType distance_type = FloatType::f32;

  /// World length of one cell along each axis, in array order; finite and > 0. Empty: 1. With an
  /// elevation it is in metres. Not on the Earth.
  std::vector<double> spacing = {};

  /// Length |p-q| of a step. Metric::euclidean is in units of the spacing. Metric::ellipsoidal and
  /// Metric::great_circle are for 2-D rasters in degrees: the length in metres of the shortest way
  /// on the Earth between the centres of the two cells. These two work on the CPU only. Columns do
  /// not join at the date line, so paths end at the sides of the raster.
  Metric metric = Metric::euclidean;
  /// Where the cells lie on the Earth. Only the metrics ellipsoidal and great-circle need it. The
  /// steps of the longitude must be even within a hundredth of a step, and their mean counts.
  std::optional<Earth> earth = std::nullopt;

  /// The cells of a raster of sites that are sites, as in NearestSiteOptions.
  std::vector<LabelValue> values = {};
  bool zero_is_site = false;
  /// Cells of this value in the raster of sites are no sites.
  std::optional<LabelValue> site_nodata = std::nullopt;

  /// Cells of this value in the map lie outside of the domain. They are barriers, and they are
  /// nodata in every output.
  std::optional<LabelValue> map_nodata = std::nullopt;
  /// Label of nodata cells. Empty: `map_nodata` if a label can have this value, else `unreached`.
  std::optional<LabelValue> nodata_label = std::nullopt;
  /// Label of cells that no site reaches.
  LabelValue unreached = std::int64_t{0};

  /// A diagonal step needs a way round: face to face through cells of the box between its two ends
  /// that are no barriers. In 2-D it therefore does not pass between two barriers.
  bool tight_barriers = false;

  /// Every warning becomes an error. One of them is a site on a barrier or a point outside of the
  /// raster, which is otherwise ignored.
  bool strict = false;

  /// Labels are the labels of Toss and Comba, for CostMethod::relaxation on the CPU. A neighbour
  /// gives a cell its current label if it lowers the cost of the cell, or finds it already as low.
  /// Cells pass on in ascending order, on one thread, so that the result is deterministic. Costs do
  /// not change, but the labels of some cells may belong to sites that do not explain their cost.
  /// Not with back links.
  bool labels_carried = false;

  /// Search limit, inclusive; >= 0. Cells that cost more are unreached.
  double max_distance = std::numeric_limits<double>::infinity();

  /// Elevation of the cells of a 2-D map, in metres. Steps are then walked: `walk` gives their
  /// seconds, and the map multiplies them or adds to them. The map may be empty, which means all
  /// ones. The elevation has the extents of the map, any element type but boolean and any strides,
  /// in memory of the host. NaN is a barrier. Infinite values, and values above a quarter of the
  /// greatest float, are errors that name the first such cell. On the CPU only. Empty: there are no
  /// slopes.
  View<const void> elevation = {};
  /// How fast one walks. Only with an elevation. Nothing: tobler.
  std::optional<Walk> walk = std::nullopt;
  /// Seconds of a metre of length, and of a metre up, down and steeply down, as walk_coeff of
  /// r.walk. For Walk::langmuir only. The first two are >= 0, the last one is <= 0, and all are
  /// finite. No slope may take less than no time. Nothing: 0.72, 6, 1.9998, -1.9998.
  std::optional<std::array<double, 4>> walk_coefficients = std::nullopt;
  /// Slopes below this one are steep; finite and <= 0. For Walk::langmuir only. Nothing: -0.2125.
  std::optional<double> slope_factor = std::nullopt;
  /// How the map changes the seconds of a walk. Only with an elevation and a map. Nothing:
  /// multiplies.
  std::optional<WalkMap> walk_map = std::nullopt;
  /// Direction of the walk. Only with an elevation. Nothing: from-site.
  std::optional<WalkDirection> walk_direction = std::nullopt;
  /// Cells of this elevation lie outside of the domain, like the cells of `map_nodata`.
  std::optional<LabelValue> elevation_nodata = std::nullopt;
};

/// Arrays that receive the results. An empty view means "not wanted". All have the extents of the
/// map. They lie in memory of the host or of the Context's device and may have any strides but 0.
/// No output may overlap another output, the map, the elevation, the sites or the initial costs.
struct CostDistanceOutputs {
  /// Label of the site, in the type of the sites. Boolean sites and points without labels are
  /// numbered, as in nearest_site().
  View<void> labels = {};
  /// Linear row-major index of the site's cell, or position of the point in its list.
  View<std::int64_t> site_index = {};
  /// Least cost of a path from a site; f32 or f64. Costs of type f64 are rounded for an f32 array.
  View<void> distance = {};
  /// Next cell on a least-cost path back to the site: 0 at the site, and k for the k-th neighbour
  /// in ascending linear index. Or kBackLinkUnreached, or kBackLinkNodata. least_cost_path()
  /// follows these links. A link leads to a cell that lies fewer steps from the site. Among several
  /// such cells it takes the one by the shortest step, and among equally short steps the first.
  View<std::uint8_t> back_link = {};

  /// Label, index and cost of the nearest site of another label: the answers of the call if all
  /// sites of the cell's own label were taken away. `other_labels` has the type of `labels`, and
  /// `other_distance` is f32 or f64. On the CPU only, and not with labels_carried.
  View<void> other_labels = {};
  View<std::int64_t> other_site_index = {};
  View<void> other_distance = {};
};

inline constexpr std::uint8_t kBackLinkUnreached = 254;
inline constexpr std::uint8_t kBackLinkNodata = 255;

/// Facts about a call besides its outputs.
struct CostDistanceReport {
  std::int64_t ignored_sites = 0;       ///< on barriers, nodata, or outside of the raster
  std::int64_t first_ignored_site = 0;  ///< index of the first of them
  /// For method "relaxation": the number of cells that passed their cost on to their neighbours,
  /// for each iteration. The last iteration found nothing to lower.
  std::vector<std::int64_t> active_cells = {};
};

/// The outputs that a call computes if it returns its results.
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
  std::vector<Warning> warnings = {};  ///< as in Context::warnings()

  /// Views of the outputs that exist, for a later call that writes into the same memory.
  THIESSEN_API CostDistanceOutputs outputs();
};

/// Least-cost distance of every cell of a map, and the site from which this cost is reached.
/// Geographers call it cost allocation; it is also the Voronoi diagram for a distance that a
/// material scales.
///
/// map      costs or stiffnesses: 2-D (y, x) or 3-D (z, y, x), any element type but boolean, any
///          strides. They are converted to options.distance_type. Barriers are stiffness 0, cost
///          +inf, NaN and nodata. A cost of 0 is legal. Negative values, stiffness +inf, and finite
///          values above a quarter of the greatest float are errors that name the first such cell.
///          The map may be empty if options.elevation is given.
/// sites    raster of the same extents, as in nearest_site(). A raster without sites is no error.
/// options  see CostDistanceOptions.
/// out      see CostDistanceOutputs.
/// initial_cost the cost with which a path starts: f32 or f64, with the extents of the sites'
///          raster. It is read at sites only, and is >= 0 and at most a quarter of the greatest
///          float. Empty: 0.
///
/// Special cells       labels                site_index  distance  back_link
///   unreached         options.unreached     -1          +inf      254
///   nodata            options.nodata_label  -2          NaN       255
/// The outputs of another label have the special values of labels, site_index and distance. A cell
/// with no second label in reach gets the unreached values in them.
///
/// Ties: if several sites have least-cost paths to a cell, the cell gets the label of the site with
/// the smallest index. The results are the same bits for every method, thread count and device
/// (docs/cost-distance.md).
/// Cost: CostMethod::exact takes O(cells) time for many sites and smooth maps, and more if paths
/// wind. It takes 5 to 24 bytes of scratch a cell for f32 (docs/time-and-memory.md). Outputs of
/// another label take O(cells · log(labels)) in 2-D with 4 or 8 neighbours, else one more run of
/// Dijkstra's algorithm, and 16 bytes more a cell. Walks (options.elevation) take several times as
/// long, and one or two floats more a cell. On the Earth each row takes some microseconds and 24 to
/// 60 bytes more.
/// Source: J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled distance planes using
/// CUDA" (2013); labels here do not depend on the order of relaxation. Walks: W. Tobler, "Three
/// presentations on geographical analysis and modeling" (1993); E. Langmuir, "Mountaincraft and
/// leadership" (1984), with the coefficients of GRASS r.walk.
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled, device_failed.
THIESSEN_API CostDistanceReport cost_distance(Context& context, const CostMap& map,
                                              View<const void> sites,
                                              const CostDistanceOptions& options,
                                              const CostDistanceOutputs& out,
                                              View<const void> initial_cost = {});

/// The same call for points. Each point is a site in the cell in which it lies, after rounding to
/// 2^-16 of a cell. A cell includes its left and upper edge and excludes the other two. Several
/// points may share a cell. `initial_cost` has the extents (points).
THIESSEN_API CostDistanceReport cost_distance(Context& context, const CostMap& map,
                                              const PointList& sites,
                                              const CostDistanceOptions& options,
                                              const CostDistanceOutputs& out,
                                              View<const void> initial_cost = {});

/// The same call on default_context(), which returns its results in new memory:
/// cost_distance(CostMap::cost(map), sites, {…}).
///
/// wanted   other outputs than labels and distance: {.back_link = true}.
///
/// Additional memory: the results.
THIESSEN_API CostDistance cost_distance(const CostMap& map, View<const void> sites,
                                        const CostDistanceOptions& options = {},
                                        const CostDistanceWanted& wanted = {},
                                        View<const void> initial_cost = {});
THIESSEN_API CostDistance cost_distance(const CostMap& map, const PointList& sites,
                                        const CostDistanceOptions& options = {},
                                        const CostDistanceWanted& wanted = {},
                                        View<const void> initial_cost = {});

/// The cells of a least-cost path: linear indices from `from` back to its site, both included. The
/// path follows back links that cost_distance() wrote with the same connectivity. It is empty if
/// `from` is unreached or nodata.
///
/// back_link     2-D or 3-D view on the host.
/// connectivity  as in CostDistanceOptions.
/// from          coordinates in array order, one for each axis.
///
/// Time and memory: O(length of the path). Throws Error{invalid_argument}, also if the links lead
/// out of the raster or in a circle.
THIESSEN_API std::vector<std::int64_t> least_cost_path(View<const std::uint8_t> back_link,
                                                       Connectivity connectivity,
                                                       const std::vector<std::int64_t>& from);

/// Maps on which to try cost distance.
enum class Material : std::uint8_t {
  uniform,   ///< all 1
  gradient,  ///< from 0.1 in the first column to 1 in the last
  noise,     ///< each cell drawn from 0.1 to 1
  /// Corridors of 1, three cells wide, between walls of 0, one cell thick. There is exactly one way
  /// from any place to any other. In 3-D every plane is the same.
  maze,
};

inline constexpr std::string_view kMaterialNames[] = {"uniform", "gradient", "noise", "maze"};

constexpr std::string_view name_of(Material material) {
  return detail::choice_name(kMaterialNames, material);
}

/// The material that has this name, or nothing. Toss and Comba call the gradient "Degrade".
constexpr std::optional<Material> find_material(std::string_view name) {
  if (name == "Degrade") return Material::gradient;
  return detail::find_choice<Material>(kMaterialNames, name);
}

/// Fills a map with a material.
///
/// map      2-D or 3-D view of f32 or f64 on the host, any strides, aligned; overwritten.
/// seed     for `noise` and `maze`. The same seed and extents give the same map on every machine.
///
/// Time O(cells); `maze` takes 9 bytes for each 16 cells of a plane.
/// Throws Error: invalid_argument, cancelled.
THIESSEN_API void material_map(Context& context, View<void> map, Material material,
                               std::uint64_t seed);

/// The same call on default_context(), which returns a new map.
THIESSEN_API Array<float> material_map(const Extents& extents, Material material,
                                       std::uint64_t seed = 0);

}  // namespace thiessen
