// SPDX-License-Identifier: Apache-2.0
//
// How much each node weighs in each cell: shape functions of simulations, by costs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "thiessen/context.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/export.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

struct ShepardOptions {
  /// Exponent of the inverse costs, 1 to 16.
  std::int64_t power = 2;
};

/// Shepard's weights of the k nearest sites of each cell: cost^-power over the sum of these.
///
/// distance  costs of cost_distance() with k, or distances of nearest_site() with k: (k, y, x) or
///           (k, z, y, x), f32 or f64, in ascending order along k; on the host.
/// weights   receives the weights: f64 of the same extents, on the host.
///
/// The weights of a cell sum to 1 within 2^-50. Sites at cost 0 share the weight 1 equally, so that
/// a site weighs 1 in its own cell. Places without a site have the weight 0; cells without any site
/// have no other. The bits are the same on every machine.
///
/// With k = 2 and power 1 two nodes at the costs a <= b weigh b / (a + b) and a / (a + b): on the
/// way from one node to the other this falls evenly from 1, by ½ at the border of the regions.
///
/// Time: O(k · cells), on all threads. Source: D. Shepard, "A two-dimensional interpolation
/// function for irregularly-spaced data" (1968).
///
/// Throws Error: invalid_argument, cancelled.
THIESSEN_API void shepard_weights(Context& context, View<const void> distance,
                                  const ShepardOptions& options, View<double> weights);

/// Natural coordinates of a list of cells, as rows of entries: those of cell i are the ones from
/// first[i] to before first[i + 1].
struct NaturalCoordinates {
  std::vector<std::int64_t> first = {};       ///< one more than there are cells
  std::vector<std::int64_t> site_index = {};  ///< ascending within a cell
  /// Cells that a new site would take from this site. The coordinate is the count over the sum of
  /// the counts of the cell, so that coordinates sum to 1 exactly.
  std::vector<std::int64_t> count = {};
};

/// Natural-neighbour coordinates by cost, on the raster. A new site at a cell p would take the
/// cells that cost less from p than from their nearest site; the coordinate of a site is its share
/// of them. A cell whose cost is 0 has the coordinate 1 of its site. Unreached and nodata cells,
/// and barriers, have no entries.
///
/// map         as in cost_distance(); its values are read again.
/// site_index  and
/// distance    the outputs of cost_distance() on this map, without k, with the same options, of the
///             type options.distance_type; in C order, on the host.
/// cells       linear indices of the cells p, in any order.
/// options     those of the steps: connectivity, spacing, tight_barriers, blocked_faces,
///             distance_type and map_nodata. Elevations and metrics on the Earth are not supported.
///
/// Time: O(n · log(n)) for the n cells that p takes, on one thread: in a raster with evenly spread
/// sites a few times cells / sites. Threads share the list of cells. Memory: for each thread 4
/// bytes a cell of the map for f32. Results are the same for any number of threads.
///
/// Source: R. Sibson, "A vector identity for the Dirichlet tessellation" (1980); discrete and by
/// distance S. Park, L. Linsen, O. Kreylos, J. Owens, B. Hamann, "Discrete Sibson interpolation"
/// (2006). docs/adr/0016-k-nearest-by-cost.md says why the search finds all cells.
///
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled.
THIESSEN_API NaturalCoordinates natural_coordinates(Context& context, const CostMap& map,
                                                    View<const std::int64_t> site_index,
                                                    View<const void> distance,
                                                    std::span<const std::int64_t> cells,
                                                    const CostDistanceOptions& options = {});

}  // namespace thiessen
