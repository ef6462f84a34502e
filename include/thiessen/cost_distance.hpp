// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// What the values of a map are, and so what a step from cell p to its neighbour q costs; |p-q| is
/// the distance of their centres in units of the spacing.
enum class EdgeWeight {
  stiffness,  ///< 2·|p-q| / (W_p + W_q)
  cost,       ///< |p-q|·(C_p + C_q) / 2
};

struct CostDistanceOptions {
  /// Way of computing, all with the same results: "exact" (the fastest), "dijkstra" (one thread,
  /// a heap), "relaxation" (all cells again and again; counts its iterations).
  std::string method = "exact";

  EdgeWeight edge_weight = EdgeWeight::stiffness;

  /// Neighbours of a cell: 4, 8 or 16 in 2-D, where 16 are 8 and the knight's moves; 6, 18 or 26 in
  /// 3-D. 0: 8, and 26 in 3-D.
  int connectivity = 0;

  /// Float type that costs are computed in: f32 or f64.
  ElementType computed_in = ElementType::f32;

  /// World length of one cell along each axis, in array order; finite and > 0. Empty: 1.
  std::vector<double> spacing = {};

  /// Which cells of a raster of sites are the sites, as in NearestSiteOptions.
  std::vector<LabelValue> values = {};
  bool zero_is_site = false;
  /// Cells of this value in the raster of sites are no sites.
  std::optional<LabelValue> site_nodata = std::nullopt;

  /// Cells of the map of this value lie outside the domain: barriers, and nodata in every output.
  std::optional<LabelValue> nodata = std::nullopt;
  /// Label of nodata cells. Empty: `nodata` if a label can be that, else `unreached`.
  std::optional<LabelValue> nodata_label = std::nullopt;
  /// Label of cells that no site reaches.
  LabelValue unreached = std::int64_t{0};

  /// What a path starts with: f32 or f64, of the extents of the sites' raster (read at sites only),
  /// or one for each point; >= 0 and at most a quarter of the greatest float. Empty: 0.
  View<const void> initial_cost = {};

  /// A diagonal step needs a way round: face to face through cells of the box between its two ends
  /// that are no barriers. In 2-D it does not pass between two barriers.
  bool tight_barriers = false;

  /// A site on a barrier, or a point outside of the raster, is an error instead of ignored.
  bool strict = false;

  /// Search limit, inclusive; >= 0. Cells that cost more are unreached.
  double max_distance = std::numeric_limits<double>::infinity();
};

/// Where the results go. An empty view means "not wanted". All have the extents of the map, in
/// memory of the host or of the Context's device, any strides but 0. No two of the map, the sites,
/// the initial costs and the outputs may overlap.
struct CostDistanceOutputs {
  /// Label of the site, in the type of the sites' (boolean sites and points without labels are
  /// numbered, as for nearest_site()).
  View<void> labels = {};
  /// Linear row-major index of the site's cell, or the place of the point in its list.
  View<std::int64_t> site_index = {};
  /// Least cost of a path from a site; f32 or f64. From f64 to f32 it is rounded.
  View<void> distance = {};
  /// Next cell on a least-cost path back: 0 at the site, k the k-th neighbour in ascending linear
  /// index (least_cost_path()), kBackLinkUnreached, kBackLinkNodata.
  View<std::uint8_t> back_link = {};
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

/// Least-cost distance of every cell of a map from the sites, and the site that it belongs to: cost
/// allocation, or the Voronoi diagram where distance is scaled by a material.
///
/// map      2-D (y, x) or 3-D (z, y, x) raster, any element type but boolean, any strides;
/// converted
///          to options.computed_in. Barriers: stiffness 0, cost +inf, NaN, nodata. A cost of 0 is
///          legal. Negative values, stiffness +inf, and finite values above a quarter of the
///          greatest float are errors that name the first such cell.
/// sites    raster of the same extents, as for nearest_site(). None at all is not an error.
/// options  see CostDistanceOptions.
/// out      see CostDistanceOutputs.
///
/// Special cells       labels                site_index  distance  back_link
///   unreached         options.unreached     -1          +inf      254
///   nodata            options.nodata_label  -2          NaN       255
///
/// The cost of p is the greatest fixed point of d(p) = min(i(p), min over neighbours q of
/// fl(d(q) + w(q, p))), i the least initial cost of the sites in p, fl rounding to the float type;
/// a cost that overflows is unreached. Labels are settled afterwards: a step is tight if fl(d(q) +
/// w) = d(p); of the sites that keep their own initial cost and from which p is reached along tight
/// steps, the one with the smallest site index gives p its label. The back link is the first
/// neighbour, in ascending linear index, that is tight, has the same site and lies fewer tight
/// steps from it. So results are the same bits for every method, thread count and device
/// (docs/cost-distance.md).
///
/// Cost: "exact" O(cells) time for many sites and smooth maps, more where paths wind; "dijkstra"
/// O(cells · log(cells)); "relaxation" O(cells · iterations). Scratch kept in `context`, in bytes a
/// cell, for f32: 5 with labels (8 in 3-D or with 16 neighbours; "relaxation" 5 also without;
/// "dijkstra", and "exact" in 3-D or with 16 neighbours and up to 6 threads, 24), 4 more where the
/// distance is no contiguous output of that type, 4 more for a map of another type, with nodata or
/// with barriers of 0, 8 more with back links; 8 a site, 24 more for points, and the size of labels
/// and initial costs; half a MB a thread. Devices have methods and needs of their own
/// (docs/cost-distance.md).
///
/// Source: J. Toss, J. Comba, "Parallel Voronoi Diagram computation on scaled distance planes using
/// CUDA" (2013), with labels made independent of the order of relaxation.
///
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled, device_failed.
THIESSEN_API CostDistanceReport cost_distance(Context& context, View<const void> map,
                                              View<const void> sites,
                                              const CostDistanceOptions& options,
                                              const CostDistanceOutputs& out);

/// The same from points: each is a site in its nearest cell (of two equally near the one with the
/// smaller coordinate). Several may share a cell.
THIESSEN_API CostDistanceReport cost_distance(Context& context, View<const void> map,
                                              const PointList& sites,
                                              const CostDistanceOptions& options,
                                              const CostDistanceOutputs& out);

/// The linear indices of the cells from `from` back to its site, both included, along back links
/// that cost_distance() wrote with the same connectivity. Empty if `from` is unreached or nodata.
///
/// back_links    2-D or 3-D host view.
/// connectivity  as in CostDistanceOptions.
/// from          coordinates in array order, one for each axis.
///
/// Time and memory O(length of the path). Throws Error{invalid_argument}, also if the links lead
/// out of the raster or in a circle.
THIESSEN_API std::vector<std::int64_t> least_cost_path(View<const std::uint8_t> back_links,
                                                       int connectivity,
                                                       const std::vector<std::int64_t>& from);

/// Fills a map with a material: "uniform", all 1; "gradient", from 0.1 in the first column to 1 in
/// the last; "noise", each cell drawn from 0.1 to 1; "maze", corridors of 1, three cells wide,
/// between walls of 0, one cell thick, that leave exactly one way from any place to any other.
///
/// map   2-D or 3-D host view of f32 or f64, any strides, aligned; overwritten. A maze in 3-D is
/// the
///       same in every plane.
/// seed  of "noise" and "maze": the same seed and extents give the same map on every machine.
///
/// Time O(cells); "maze" takes 9 bytes for each 16 cells of a plane. Throws Error:
/// invalid_argument, cancelled.
THIESSEN_API void material_map(Context& context, View<void> map, std::string_view material,
                               std::uint64_t seed);

}  // namespace thiessen
