// SPDX-License-Identifier: Apache-2.0
//
// Ways of least cost between places: tables of costs, networks and corridors.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "thiessen/context.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/export.hpp"
#include "thiessen/nearest_site.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// Where ways begin or end: the sites of a raster, or points, as cost_distance() takes them, on the
/// host. All cells, or points, of one label are one place, and a way may use any of them. Places
/// are ordered by their labels. Cells of a boolean raster, and points without labels, are a place
/// each.
struct Places {
  View<const void> raster = {};
  PointList points = {};

  Places() = default;
  Places(View<const void> sites) : raster(sites) {}  // NOLINT(google-explicit-constructor)
  Places(const PointList& list) : points(list) {}    // NOLINT(google-explicit-constructor)
};

/// Ways as lines through the centres of their cells. Way i has the cells points[i] … points[i + 1]
/// - 1. The list `points` ends with the number of cells. A way that there is not has no cells.
struct LeastCostPaths {
  std::vector<double> lengths = {};       ///< in units of the spacing; in metres on the Earth
  std::vector<std::int64_t> points = {};  ///< one more than there are ways
  std::vector<std::int64_t> cells = {};   ///< linear indices, from the beginning to the end
  std::vector<double> cell_costs = {};    ///< cost of the way from its beginning to each cell
};

struct CostTableOptions {
  /// Which ways are wanted, (pairs, 2): the positions of an origin and a destination in their order
  /// of labels. Empty: all, origin by origin.
  View<const std::int64_t> pairs = {};
  /// Also gives the ways themselves.
  bool paths = false;
};

struct CostTable {
  Raster origins = {};             ///< labels, one axis
  Raster destinations = {};        ///< labels, one axis
  std::vector<double> costs = {};  ///< of each pair; infinity where there is no way
  LeastCostPaths paths = {};       ///< of each pair, if they are wanted
};

/// The costs of the ways from places to other places: an origin–destination table.
///
/// map           as in cost_distance(), on the host.
/// origins       where ways begin.
/// destinations  where they end.
/// options       as in cost_distance(). Costs are computed in f64, whatever distance_type says.
///               `values`, `zero_is_site` and `site_nodata` are for both rasters of places.
///               `walk_direction` must be empty: a walk goes from the origin to the destination.
///               Ways that cost more than `max_distance` count as none.
///
/// A table has the bits of cost_distance() from each origin, if there are no more origins than
/// destinations; and otherwise the bits of cost_distance() to each destination, which round sums in
/// another order. A way follows the back links of that call. Among several cells of a place the way
/// takes the cheapest, the first of equal ones. With CostMethod::eikonal, ways lead across faces,
/// and their lengths are those of such steps.
///
/// Time: a search for each origin or destination, whichever are fewer. Memory: 8 bytes a cell and 1
/// more for ways, besides those of the search; and the result.
/// Throws Error: as cost_distance(); unsupported for arrays on a device.
THIESSEN_API CostTable cost_table(Context& context, const CostMap& map, const Places& origins,
                                  const Places& destinations,
                                  const CostDistanceOptions& options = {},
                                  const CostTableOptions& wanted = {});

/// Same as above, but runs on default_context().
THIESSEN_API CostTable cost_table(const CostMap& map, const Places& origins,
                                  const Places& destinations,
                                  const CostDistanceOptions& options = {},
                                  const CostTableOptions& wanted = {});

/// The edges between neighbouring places, ascending by a, then by b.
struct LeastCostNetwork {
  Raster labels = {};                      ///< of all places, ascending: the nodes
  Raster a = {};                           ///< label where the edge begins, the lesser one
  Raster b = {};                           ///< label where it ends
  std::vector<double> costs = {};          ///< of the way from a to b
  std::vector<std::uint8_t> in_tree = {};  ///< 1 in the minimum spanning tree, else 0
  LeastCostPaths paths = {};
};

/// Joins neighbouring places by ways of least cost. Places are neighbours if their regions, as
/// cost_distance() finds them, touch: a step leads from the one into the other. Each such
/// step, from a cell p of the one to a cell q of the other, has a sum: the cost to p, the step, and
/// the cost to q. The way takes the step with the least sum. The cheapest of several is that with
/// the least indices.
///
/// The edges in the tree are a minimum spanning tree of all places by their costs from each to each
/// (but for rounding), although only neighbours were looked at (K. Mehlhorn, "A faster
/// approximation algorithm for the Steiner problem in graphs", 1988). Edges of equal cost enter the
/// tree in the order of a, then b. Where places cannot reach each other there is a tree for each
/// part. Two places that share a cell are joined at no cost.
///
/// An edge costs as much as the least way that crosses one border only. A way through the region of
/// a third place may be cheaper; cost_table() finds it.
///
/// options  as in cost_distance(). Costs are computed in f64, whatever distance_type says. Cells
///          that cost more than `max_distance` belong to no region. An elevation is refused: a walk
///          from a to b costs something else than the way back. CostMethod::eikonal is refused: its
///          costs are not those of steps, which the tree is made of.
///
/// The result has the same bits for every method, thread count and device. Time: one search, and
/// O(cells · neighbours + edges · log edges). Memory: 13 bytes a cell besides those of the search,
/// 4 more for places of a raster, and the result.
/// Throws Error: as cost_distance(); unsupported for arrays on a device.
THIESSEN_API LeastCostNetwork least_cost_network(Context& context, const CostMap& map,
                                                 const Places& sites,
                                                 const CostDistanceOptions& options = {});

/// Same as above, but runs on default_context().
THIESSEN_API LeastCostNetwork least_cost_network(const CostMap& map, const Places& sites,
                                                 const CostDistanceOptions& options = {});

/// Which cells are inside of a corridor: those of at most this excess cost. One of the two is
/// given, or none if nothing is asked for that.
struct CorridorOptions {
  std::optional<double> within = std::nullopt;          ///< an excess cost, >= 0
  std::optional<double> within_percent = std::nullopt;  ///< the same in percent of the least cost
};

/// Arrays with the extents of the map, on the host; an empty view for what is not wanted.
struct CorridorOutputs {
  /// What the best way from `first` over this cell to `second` costs more than the best way of all;
  /// f32 or f64. It is 0 on that way, infinite in cells that are not reached, NaN in nodata cells.
  View<void> excess_cost = {};
  /// 1 in the cells that `within` or `within_percent` allow, else 0.
  View<std::uint8_t> inside = {};
};

struct CorridorReport {
  double least_cost = 0;  ///< of the best way; infinity if there is none
};

/// A least-cost corridor: for every cell the cost from `first` to it plus that from it to `second`,
/// less the least such sum.
///
/// first, second  where ways begin and end. All their cells or points count as one place each.
/// options   as for cost_table(); cells whose cost from either end is beyond `max_distance` are not
///           reached.
///
/// Both costs, and their sum, are in f64. Sums that exceed the least one by less than 2^-36 of it
/// count as equal to it: so much is due to the rounding of paths. With CostMethod::eikonal, sums
/// along the best way differ by the errors of that method (docs/eikonal.md), and only the least of
/// them is 0.
///
/// Time: two searches. Memory: 16 bytes a cell besides those of the search.
/// Throws Error: as cost_distance(); unsupported for arrays on a device.
THIESSEN_API CorridorReport corridor(Context& context, const CostMap& map, const Places& first,
                                     const Places& second, const CostDistanceOptions& options,
                                     const CorridorOptions& inside, const CorridorOutputs& out);

}  // namespace thiessen
