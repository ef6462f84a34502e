// SPDX-License-Identifier: Apache-2.0
//
// Where to put sites: moved to the middle of their cells, or added where the nearest one is far.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "thiessen/choices/choice.hpp"
#include "thiessen/context.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/export.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

struct RelaxOptions {
  /// Most steps that are made, >= 0.
  std::int64_t steps = 20;
  /// Ends after a step in which no site moves farther than this, in units of the spacing; >= 0 and
  /// finite. 0: when all sites stay where they are.
  double tolerance = 0;
  /// Ends after a step in which the energy falls by less than this share of it, or rises; 0 to 1.
  /// 0: the energy ends nothing.
  double least_fall = 0;
  /// As in NearestSiteOptions; for straight lines only.
  std::vector<bool> periodic = {};
};

/// Why a relaxation ended.
enum class RelaxEnd {
  steps,    ///< all steps were made
  settled,  ///< no site moved farther than the tolerance
  energy,   ///< the energy fell too little
};

inline constexpr std::string_view kRelaxEndNames[] = {"steps", "settled", "energy"};

constexpr std::string_view name_of(RelaxEnd end) {
  return detail::choice_name(kRelaxEndNames, end);
}

/// What the steps of a relaxation did.
struct Relaxation {
  /// The energy before the first step, and after each step: one more than there are steps.
  std::vector<double> energy = {};
  /// The farthest way that a site went in each step, in units of the spacing.
  std::vector<double> farthest_move = {};
  RelaxEnd end = RelaxEnd::steps;
};

struct RelaxedPoints {
  std::vector<double> coordinates = {};  ///< as many for each point as there are axes
  Relaxation relaxation = {};
};

struct RelaxedCells {
  std::vector<std::int64_t> cells = {};  ///< linear indices
  Relaxation relaxation = {};
};

/// Lloyd's relaxation: each step moves every point to the mass centroid of its Voronoi cell.
///
/// points   as PointList::coordinates, on the host; the points that come back are in its order.
/// grid     2-D or 3-D extents and the spacing
/// density  mass of each cell: any element type, strides and the extents of the grid, on the host;
///          >= 0 and finite in cells of the domain. Empty: 1.
/// domain   the cells that count, as of voronoi(). Empty: all.
///
/// The centroid is that of site_statistics(), in cells, rounded half to even to 2^-16 of a cell. A
/// point whose cell has no mass stays. Cells belong to points as voronoi() says, ties included. On
/// periodic axes a cell counts where it is nearest to its point; of two such places the greater
/// coordinate counts. Points come back in the first period.
///
/// The energy is the sum over the cells of density · squared distance to the own point, which is
/// that over the axes of the square of spacing · (cell - point), by the shorter way. Each term is
/// made in double; the sum of the terms is exact and rounded once. A step never increases it,
/// except for what the rounding of points to 2^-16 does.
///
/// Results are the same bits for any number of threads and device. On a CUDA device the diagrams
/// are made there, and the sums on the CPU. warnings() are those of the last diagram.
///
/// Time: for each step that of voronoi() and site_statistics() with a field, and of one pass over
/// the cells. Memory: 4 bytes a cell, besides theirs. An Error leaves everything as it was.
/// Source: S. Lloyd, "Least squares quantization in PCM" (1982); Q. Du, V. Faber, M. Gunzburger,
/// "Centroidal Voronoi tessellations: applications and algorithms" (1999).
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled, device_failed.
THIESSEN_API RelaxedPoints relax_sites(Context& context, View<const void> points, const Grid& grid,
                                       const RelaxOptions& options = {},
                                       View<const void> density = {}, View<const void> domain = {});

/// The same for cost distance: each step moves every site to the cell of its own region that is
/// nearest to the mass centroid of the region.
///
/// map      as of cost_distance(), on the host
/// cells    linear indices of the cells of the sites; the first of those in one cell has the region
/// cost     as of cost_distance(); `nodata_label` and `unreached` have no meaning here
/// density  as above; >= 0 and finite in cells that are reached
///
/// Nearest to the centroid is meant along a straight line, with the spacing; of cells at equal
/// distance the one with the smallest index is taken, in integers (docs/determinism.md). Regions do
/// not meet, so neither do sites. A site whose region has no cell, or no mass, stays.
///
/// The energy is the sum over the reached cells of density · squared cost. A step may increase it,
/// as the centroid takes no notice of the map.
///
/// Bits and errors: as above. Time: for each step that of cost_distance() and site_statistics()
/// with a field, and of two passes over the cells. Memory: 12 bytes a cell, besides theirs.
/// Source: as above; the cell nearest to the centroid is a rule of this library.
THIESSEN_API RelaxedCells relax_cost_sites(Context& context, const CostMap& map,
                                           std::span<const std::int64_t> cells,
                                           const CostDistanceOptions& cost,
                                           const RelaxOptions& options = {},
                                           View<const void> density = {});

struct FarthestOptions {
  /// Most sites that are added, >= 0. For a cover: the number of cells.
  std::int64_t count = 1;
  /// Ends when no cell is farther than this from its site, in units of the spacing; >= 0. 0: when
  /// every cell has a site of its own, or costs nothing to reach.
  double max_distance = 0;
  /// As in NearestSiteOptions; for straight lines only.
  std::vector<bool> periodic = {};
};

struct FarthestSites {
  std::vector<std::int64_t> cells = {};  ///< linear indices of the new sites, in their order
  /// How far each was from the sites before it, times the density; infinite if it was unreached.
  std::vector<double> distance = {};
  /// The greatest distance, times the density, that is left; 0 if there is no cell.
  double radius = 0;
};

/// Adds sites one after the other, each in the cell that is farthest from the sites so far.
///
/// grid     2-D or 3-D extents and the spacing
/// points   the sites that are there already, as PointList::coordinates, on the host; empty: none
/// density  if it is given, the greatest density · distance counts, rounded to double. As of
///          relax_sites(); cells of density 0 get no site and need none.
/// domain   as of relax_sites()
///
/// Distances are the f64 ones of voronoi(), and of cells at equal distance the one with the
/// smallest index gets the site. Unreached cells are the farthest: without sites the first new one
/// is in the first cell of the domain.
///
/// Without density the greatest distance is at most twice that which any choice of as many cells
/// has, if there were no sites at first.
///
/// On the CPU, with the limits of NearestSiteSolver. Results are the same bits for any number of
/// threads. Time: that of 16 calls of voronoi() and, for each new site, of the cells that it wins.
/// Memory: 8 bytes a cell, with density 16, besides that of NearestSiteSolver.
/// Source: T. Gonzalez, "Clustering to minimize the maximum intercluster distance" (1985).
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled.
THIESSEN_API FarthestSites farthest_sites(Context& context, const Grid& grid,
                                          const FarthestOptions& options,
                                          View<const void> points = {},
                                          View<const void> density = {},
                                          View<const void> domain = {});

/// The same for cost distance, with the limits of CostSolver.
///
/// map    as of cost_distance(), on the host; barriers get no site
/// cost   as of CostSolver
/// cells  linear indices of the sites that are there already
///
/// Regions that no site reaches get one first: the smallest index of all of them. Where costs are
/// the same in both directions, as they are here, the bound above holds but for rounding.
/// Time: that of 64 calls of cost_distance() and, for each new site, of the cells that it wins.
/// Memory: 16 bytes a cell, besides that of CostSolver.
THIESSEN_API FarthestSites farthest_cost_sites(Context& context, const CostMap& map,
                                               const CostDistanceOptions& cost,
                                               const FarthestOptions& options,
                                               std::span<const std::int64_t> cells = {},
                                               View<const void> density = {});

}  // namespace thiessen
