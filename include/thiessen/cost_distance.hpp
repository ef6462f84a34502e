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

/// The meaning of the values of a map. It decides the cost of a step from cell p to its neighbour
/// q. |p-q| is the distance between the centres of the two cells (see CostDistanceOptions::metric).
/// W_p or C_p is the value of the map at p.
enum class EdgeWeight {
  stiffness,  ///< 2·|p-q| / (W_p + W_q)
  cost,       ///< |p-q|·(C_p + C_q) / 2
};

inline constexpr std::string_view kEdgeWeightNames[] = {"stiffness", "cost"};

constexpr std::string_view name_of(EdgeWeight weight) {
  return detail::choice_name(kEdgeWeightNames, weight);
}

/// The edge weight with this name, or nullopt.
constexpr std::optional<EdgeWeight> find_edge_weight(std::string_view name) {
  return detail::find_choice<EdgeWeight>(kEdgeWeightNames, name);
}

/// A map, together with the meaning of its values. The meaning has no default: a friction raster
/// that is read as a stiffness would give plausible but reversed results.
///
///     cost_distance(CostMap::cost(friction), sites, {…});
class CostMap : public View<const void> {
 public:
  /// No map: stands for a map of ones; allowed only together with an elevation.
  CostMap() = default;
  CostMap(View<const void> cells, EdgeWeight weight) : View(cells), weight_(weight) {}

  static CostMap cost(View<const void> cells) { return {cells, EdgeWeight::cost}; }
  static CostMap stiffness(View<const void> cells) { return {cells, EdgeWeight::stiffness}; }

  EdgeWeight weight() const { return weight_; }
  const View<const void>& cells() const { return *this; }

 private:
  EdgeWeight weight_ = EdgeWeight::stiffness;
};

/// How fast one walks on a slope: the time of a step over ground with an elevation, in seconds.
/// `length` is the distance between the two cells on the map, and `rise` is the difference of their
/// elevations, both in metres. The slope is rise / length, which is negative downhill.
enum class Walk {
  /// length · 0.6 · exp(3.5·|slope + 0.05|): 6 km/h on a gentle descent, 5 km/h on level ground.
  tobler,
  /// 0.72·length, and 6 s more for each metre of ascent. For each metre of descent, 1.9998 s less
  /// on slopes down to -0.2125 (12 degrees), and 1.9998 s more on steeper ones. Other coefficients
  /// can be set with `walk_coefficients` and `slope_factor`.
  langmuir,
  /// √(length² + rise²): the length along the ground, in metres in the place of seconds.
  surface,
  /// That length, times a factor that `walk_slopes` and `walk_factors` give for the slope.
  table,
};

inline constexpr std::string_view kWalkNames[] = {"tobler", "langmuir", "surface", "table"};

constexpr std::string_view name_of(Walk walk) { return detail::choice_name(kWalkNames, walk); }

/// The Walk value with this name, or nullopt.
constexpr std::optional<Walk> find_walk(std::string_view name) {
  return detail::find_choice<Walk>(kWalkNames, name);
}

/// How a map changes the walking time.
enum class WalkMap {
  /// The walking time takes the place of |p-q| in the formula of the edge weight. A cost then
  /// multiplies the walking time; a stiffness multiplies the walking speed.
  multiplies,
  /// A step costs its walking time plus the cost it would have on the map alone, without elevation.
  adds,
};

inline constexpr std::string_view kWalkMapNames[] = {"multiplies", "adds"};

constexpr std::string_view name_of(WalkMap map) { return detail::choice_name(kWalkMapNames, map); }

/// The WalkMap value with this name, or nullopt.
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

/// The WalkDirection value with this name, or nullopt.
constexpr std::optional<WalkDirection> find_walk_direction(std::string_view name) {
  return detail::find_choice<WalkDirection>(kWalkDirectionNames, name);
}

struct CostDistanceOptions {
  CostMethod method = CostMethod::exact;

  /// Neighbours of a cell: 8, 4 or 16 in 2-D; 26, 6 or 18 in 3-D.
  Connectivity connectivity = Connectivity::corners;

  /// For CostMethod::eikonal: cells within so many cells (of the widest spacing) of a site get the
  /// exact cost of the straight line from it. 0 … 32.
  double exact_radius = 5;

  /// If not 0, every cell gets its k nearest sites instead of only the nearest one: those with the
  /// least (cost, site index). The cost of a site is the one of the call with this site alone. k is
  /// at most 1024. labels, site_index and distance then have one more axis in front, of length k;
  /// other outputs are not available. If fewer than k sites reach a cell, the remaining places have
  /// the unreached values. Supported only by CostMethod::exact on the CPU; not by solvers, slabs
  /// and placing sites. The first of the k costs is the cost of the call without k, and so is the
  /// site, unless rounding makes the costs of two sites equal on the way to the cell
  /// (docs/cost-distance.md).
  std::int64_t k = 0;

  /// Type in which costs are computed. Arrays of distances that the call allocates have this type.
  /// If you pass an array of your own, the costs are rounded to the type of this array.
  FloatType distance_type = FloatType::f32;

  /// World length of one cell along each axis, in array order; finite and > 0. Empty: 1. With an
  /// elevation, the spacing is in metres. Must be empty with the metrics ellipsoidal and
  /// great-circle.
  std::vector<double> spacing = {};

  /// Length |p-q| of a step. Metric::euclidean is in units of the spacing. Metric::ellipsoidal and
  /// Metric::great_circle are for 2-D rasters in degrees: a step is as long as the shortest way on
  /// the Earth between the centres of the two cells, in metres. These two metrics work on the CPU
  /// only.
  Metric metric = Metric::euclidean;
  /// Where the cells lie on the Earth. Required for the metrics ellipsoidal and great-circle, and
  /// not used otherwise. The intervals between neighbouring longitudes must be equal to within 1 %;
  /// their mean is used.
  std::optional<Earth> earth = std::nullopt;

  /// Axes on which the raster continues at its other end, a value for each axis: a step over an end
  /// leads to the other end, at the cost of any other step. A periodic axis has at least 3 cells,
  /// and 5 with 16 neighbours, so that the neighbours of a cell are different cells. On the Earth
  /// only the last axis can be periodic, with longitudes that go all round. Supported on the CPU
  /// only, in calls and not in slabs, and not with CostMethod::eikonal. Empty: no axis is periodic.
  std::vector<bool> periodic = {};

  /// Which cells of the sites raster are sites; see NearestSiteOptions.
  std::vector<LabelValue> values = {};
  bool zero_is_site = false;
  /// Cells with this value in the raster of sites are not sites.
  std::optional<LabelValue> site_nodata = std::nullopt;

  /// Cells with this value in the map lie outside the domain. They are barriers, and they are
  /// nodata in every output.
  std::optional<LabelValue> map_nodata = std::nullopt;
  /// Label of nodata cells. Empty: `map_nodata` if a label can have this value, otherwise
  /// `unreached`.
  std::optional<LabelValue> nodata_label = std::nullopt;
  /// Label of cells that no site reaches.
  LabelValue unreached = std::int64_t{0};

  /// A diagonal step from one cell to another is allowed only if there is also a way between them
  /// by steps across faces, through cells that are not barriers. This way must stay in the smallest
  /// box around the two cells. In 2-D, a diagonal step therefore cannot slip between two barriers.
  bool tight_barriers = false;

  /// Faces between cells that nothing crosses: cuts that cost no cell, and walls thinner than one.
  /// An array with the extents of the map, any strides, in host memory. Bit 0 of a cell blocks its
  /// face towards the next cell along x, bit 1 along y, bit 2 along z; those of the last cell along
  /// an axis are read only if the axis is periodic, and no other bit may be set. A diagonal or
  /// knight's step is allowed if there is a way between its cells across open faces, in the
  /// smallest box around the two; with `tight_barriers` through cells that are not barriers. It
  /// costs what it costs without blocked faces. Supported on the CPU only, not with
  /// CostMethod::eikonal. Empty: all faces are open.
  View<const std::uint8_t> blocked_faces = {};

  /// Every warning becomes an error. This includes sites on barriers and points outside the raster,
  /// which are otherwise ignored with a warning.
  bool strict = false;

  /// Propagates labels as in Toss and Comba (2013). Only for CostMethod::relaxation on the CPU. A
  /// cell takes the current label of a neighbour that lowers its cost or offers an equal cost.
  /// Cells are processed in ascending order, on one thread, so that the result is deterministic.
  /// Costs do not change, but a cell may get the label of a wrong site, from which every path to
  /// the cell costs more than the cell's cost. Cannot be combined with back links.
  bool labels_carried = false;

  /// A site on a barrier or on nodata moves to the nearest cell that is neither, if the centres lie
  /// at most so far apart, in units of the spacing; >= 0. Among several nearest cells it takes the
  /// one with the smallest linear index. Its site index is that of its new cell, or its position in
  /// the list of points as before. Supported on the CPU only, in calls, and not on the Earth.
  double snap_distance = 0;

  /// Search limit, inclusive; >= 0. Cells with a greater cost are unreached.
  double max_distance = std::numeric_limits<double>::infinity();

  /// Elevation of the cells of a 2-D map, in metres. The cost of a step is then a walking time in
  /// seconds, given by `walk`; the map multiplies that time or adds to it (`walk_map`). The map may
  /// be empty, which stands for a map of ones. The elevation has the extents of the map, any
  /// element type but boolean and any strides, in host memory. NaN is a barrier. Infinite values,
  /// and values above a quarter of the greatest float, are errors; the message names the first such
  /// cell. Supported on the CPU only. Empty: no elevation.
  View<const void> elevation = {};
  /// How fast one walks. Only with an elevation. Default: tobler.
  std::optional<Walk> walk = std::nullopt;
  /// Seconds per metre of horizontal distance, ascent, descent and steep descent, as in walk_coeff
  /// of GRASS r.walk. A descent is a negative number of metres, so that a positive coefficient
  /// saves time. For Walk::langmuir only. The first two are >= 0, the last one is <= 0, and all are
  /// finite. The time must not be negative on any slope. Default: 0.72, 6, 1.9998, -1.9998.
  std::optional<std::array<double, 4>> walk_coefficients = std::nullopt;
  /// Slopes below this one are steep; finite and <= 0. For Walk::langmuir only. Default: -0.2125.
  std::optional<double> slope_factor = std::nullopt;
  /// For Walk::table: slopes in ascending order, at least two, and the factor of each, >= 0; all
  /// are finite. Between two slopes factors are interpolated linearly. A step with a slope below
  /// the first one or above the last one does not pass.
  std::vector<double> walk_slopes = {};
  std::vector<double> walk_factors = {};
  /// How the map changes the walking time. Only with an elevation and a map. Default: multiplies.
  std::optional<WalkMap> walk_map = std::nullopt;
  /// Direction of the walk. Only with an elevation. Default: from-site.
  std::optional<WalkDirection> walk_direction = std::nullopt;
  /// Cells with this elevation lie outside the domain, as cells with `map_nodata` do.
  std::optional<LabelValue> elevation_nodata = std::nullopt;
};

/// Arrays that receive the results. An empty view means that the output is not wanted. All arrays
/// have the extents of the map, behind the axis of CostDistanceOptions::k if it is not 0. They are
/// in host memory or on the Context's device, and they may have any strides but 0. An output must
/// not overlap another output, the map, the elevation, the blocked
/// faces, the sites or the initial costs.
struct CostDistanceOutputs {
  /// Label of the site, in the type of the sites. Boolean sites and points without labels are
  /// numbered, as in nearest_site().
  View<void> labels = {};
  /// Linear row-major index of the site's cell, or position of the point in its list.
  View<std::int64_t> site_index = {};
  /// Least cost of a path from a site; f32 or f64. Costs of type f64 are rounded for an f32 array.
  View<void> distance = {};
  /// Next cell on a least-cost path back to the site: 0 at the site, and n for the n-th neighbour
  /// in ascending linear index; otherwise kBackLinkUnreached or kBackLinkNodata. least_cost_path()
  /// follows these links. If several neighbours lie on least-cost paths to the site, the link leads
  /// to the one with the fewest remaining steps. If several have equally few, it leads to the one
  /// at the end of the shortest step. If these steps are equally long, too, it leads to the one
  /// with the smallest linear index.
  View<std::uint8_t> back_link = {};
  /// Compass direction in which the way back to the site leaves the cell, in degrees, in 2-D only.
  /// Row 0 lies in the north: 90 is east, 180 south, 270 west and 360 north; 0 at a site. It is the
  /// direction of the back link; with CostMethod::eikonal it is any direction, that against which
  /// the front runs. Supported on the CPU only, and not on the Earth.
  View<float> direction = {};

  /// Label, index and cost of the nearest site of another label: the results that the call would
  /// give if all sites with the cell's own label were removed. `other_labels` has the type of
  /// `labels`, and `other_distance` is f32 or f64. Supported on the CPU only; cannot be combined
  /// with labels_carried.
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
  std::int64_t moved_sites = 0;         ///< by CostDistanceOptions::snap_distance
  /// For method "relaxation": for each iteration, the number of cells that passed their cost on to
  /// their neighbours. The last iteration lowered no cost.
  std::vector<std::int64_t> active_cells = {};
};

/// Which outputs to compute, for the overloads that return their results in new arrays.
struct CostDistanceWanted {
  bool labels = true;
  bool site_index = false;
  bool distance = true;  ///< in the type CostDistanceOptions::distance_type
  bool back_link = false;
  bool direction = false;
  bool other_labels = false;
  bool other_site_index = false;
  bool other_distance = false;  ///< as `distance`
};

/// Results that own their memory, on the host. An output that you did not request is empty: `if
/// (result.back_link) …`.
struct CostDistance {
  /// In the type of the sites. For sites that are numbered (boolean sites, points without labels),
  /// the type is i32, or i64 if there are 2^31 cells or points or more.
  Raster labels = {};
  Array<std::int64_t> site_index = {};
  Raster distance = {};
  Array<std::uint8_t> back_link = {};
  Array<float> direction = {};
  Raster other_labels = {};
  Array<std::int64_t> other_site_index = {};
  Raster other_distance = {};
  CostDistanceReport report = {};
  std::vector<Warning> warnings = {};  ///< as in Context::warnings()

  /// Views of the outputs that exist, for a later call that writes into the same memory.
  THIESSEN_API CostDistanceOutputs outputs();
};

/// For every cell of a map, the cost of the cheapest path from a site, and the site where this path
/// starts. Geographers call the raster of labels cost allocation. It is also a Voronoi diagram
/// whose distance is weighted by a map of material properties.
///
/// map      costs or stiffnesses: 2-D (y, x) or 3-D (z, y, x), any element type but boolean, any
///          strides. They are converted to options.distance_type. Barriers are stiffness 0, cost
///          +inf, NaN and nodata. A cost of 0 is valid. Negative values, stiffness +inf, and finite
///          values above a quarter of the greatest float are errors; the message names the first
///          such cell. The map may be empty if options.elevation is given.
/// sites    raster with the extents of the map, as in nearest_site(). A raster without sites is
///          valid.
/// options  see CostDistanceOptions.
/// out      see CostDistanceOutputs.
/// initial_cost  the cost with which a path starts: f32 or f64, with the extents of the raster of
///          sites. It is read at sites only. It is >= 0 and at most a quarter of the greatest
///          float. Empty: 0.
///
/// Special cells       labels                site_index  distance  back_link  direction
///   unreached         options.unreached     -1          +inf      254        NaN
///   nodata            options.nodata_label  -2          NaN       255        NaN
/// `other_labels`, `other_site_index` and `other_distance` use the same special values as their
/// counterparts. If a cell has no second label in reach, they have the unreached values.
///
/// Ties: if several sites have least-cost paths to a cell, the cell gets the label of the site with
/// the smallest index. The results have the same bits for every method, thread count and device
/// (docs/cost-distance.md), unless labels_carried is set.
///
/// CostMethod::eikonal has results of its own, with the same bits for every thread count
/// (docs/eikonal.md): fronts run in any direction, so that costs do not depend on the directions of
/// the grid. It is for the CPU, without walks, the Earth and outputs of another label.
/// `connectivity` only numbers the back links, which lead across faces; they end with 0 at a site,
/// or at a cell near one from which the way goes straight to it.
///
/// Time and memory: CostMethod::exact takes O(cells) time if there are many sites and the map
/// varies smoothly, and more if paths wind. It takes 5 to 24 bytes of scratch per cell for f32
/// (docs/time-and-memory.md). `other_labels`, `other_site_index` and `other_distance` take O(cells
/// · log(labels)) more time in 2-D with 4 or 8 neighbours, and one more run of Dijkstra's algorithm
/// otherwise. They take up to 16 more bytes per cell for f32. `k` takes O(cells · k · log(cells))
/// time on one thread, and 8 · (k + 1) + 8 bytes per cell for f32 besides the queue. Walks
/// (options.elevation) take several times as long, and one or two more floats per cell. On the
/// Earth each row takes some microseconds and 24 to 60 bytes more. Blocked faces take 5 bytes
/// per cell more. CostMethod::eikonal takes 40 bytes per cell, in 3-D 48.
///
/// Source: J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled distance planes using
/// CUDA" (2013); labels here do not depend on the order of relaxation. Walks: W. Tobler, "Three
/// presentations on geographical analysis and modeling" (1993); E. Langmuir, "Mountaincraft and
/// leadership" (1984), with the coefficients of GRASS r.walk. Eikonal: E. Rouy and A. Tourin, "A
/// viscosity solutions approach to shape-from-shading" (1992); J. Sethian, "Fast marching methods"
/// (1999).
///
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled, device_failed.
THIESSEN_API CostDistanceReport cost_distance(Context& context, const CostMap& map,
                                              View<const void> sites,
                                              const CostDistanceOptions& options,
                                              const CostDistanceOutputs& out,
                                              View<const void> initial_cost = {});

/// The same call for points. Each point is a site in the cell that contains it, after rounding to
/// 2^-16 of a cell. A cell includes its left and upper edge, but not its right and lower edge.
/// Several points may share a cell; CostMethod::eikonal measures from each point itself.
/// `initial_cost` has the extents (points).
THIESSEN_API CostDistanceReport cost_distance(Context& context, const CostMap& map,
                                              const PointList& sites,
                                              const CostDistanceOptions& options,
                                              const CostDistanceOutputs& out,
                                              View<const void> initial_cost = {});

/// Same as above, but runs on default_context() and returns the results in newly allocated memory:
/// cost_distance(CostMap::cost(map), sites, {…}).
///
/// `wanted` selects outputs other than labels and distance: {.back_link = true}.
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
/// path follows back links from a call of cost_distance() with the same connectivity, and goes on
/// at the other end where a link leads over an end of a periodic axis. It is empty if `from` is
/// unreached or nodata.
///
/// back_link     2-D or 3-D view on the host.
/// connectivity  as in CostDistanceOptions.
/// from          coordinates in array order, one for each axis.
///
/// Time and memory: O(length of the path). Throws Error{invalid_argument} for invalid arguments,
/// and if the links form a cycle.
THIESSEN_API std::vector<std::int64_t> least_cost_path(View<const std::uint8_t> back_link,
                                                       Connectivity connectivity,
                                                       const std::vector<std::int64_t>& from);

/// What least_cost_line() reads: 2-D outputs of one call of cost_distance(), on the host.
struct LeastCostLineInputs {
  View<const float> direction = {};
  View<const std::uint8_t> back_link = {};
  View<const std::int64_t> site_index = {};
  /// If the sites were points: their coordinates, as in PointList.
  View<const void> points = {};
};

/// The way of least cost from a place back to its site as a line that crosses cells in any
/// direction: (y, x) of one point after the other, in cells. It runs along `direction`, which is
/// interpolated between cells, in steps of a quarter of a cell (midpoint rule), and ends with a
/// straight line to the site. Where it would enter a barrier, or a cell that it has left before, it
/// goes to the centre of the next cell on the way of back links instead. It is meant for
/// CostMethod::eikonal; other methods know the directions of steps alone. The line is empty if the
/// place is unreached or nodata.
///
/// connectivity  as in CostDistanceOptions.
/// spacing       as in CostDistanceOptions.
/// from          (y, x) in cells, in the raster: -0.5 <= y < height - 0.5, and likewise x.
///
/// Time and memory: O(length of the line), and a bit for each cell. Throws Error{invalid_argument}
/// for invalid arguments, and if links or site indices are not those of cost_distance().
THIESSEN_API std::vector<double> least_cost_line(const LeastCostLineInputs& inputs,
                                                 Connectivity connectivity,
                                                 const std::vector<double>& spacing,
                                                 const std::vector<double>& from);

/// Built-in maps for trying out cost distance.
enum class Material : std::uint8_t {
  uniform,   ///< all 1
  gradient,  ///< from 0.1 in the first column to 1 in the last
  noise,     ///< each cell is random, from 0.1 to 1
  /// Corridors three cells wide (value 1) between walls one cell thick (value 0). In a stiffness
  /// map, the walls are barriers. There is exactly one way from any place to any other. In 3-D
  /// every plane is the same.
  maze,
};

inline constexpr std::string_view kMaterialNames[] = {"uniform", "gradient", "noise", "maze"};

constexpr std::string_view name_of(Material material) {
  return detail::choice_name(kMaterialNames, material);
}

/// The material with this name, or nullopt. Toss and Comba call the gradient "Degrade".
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

/// Same as above, but runs on default_context() and returns a new map.
THIESSEN_API Array<float> material_map(const Extents& extents, Material material,
                                       std::uint64_t seed = 0);

}  // namespace thiessen
