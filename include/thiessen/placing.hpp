// SPDX-License-Identifier: Apache-2.0
//
// Where to put sites: moved to the middle of their cells, or added where the nearest one is far.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "thiessen/choices/choice.hpp"
#include "thiessen/choices/weighting.hpp"
#include "thiessen/context.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/export.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

struct RelaxOptions {
  /// Greatest number of steps, >= 0.
  std::int64_t steps = 20;
  /// The relaxation ends after a step in which no site moves farther than this, in units of the
  /// spacing; >= 0 and finite. 0: it ends when all sites stay where they are.
  double tolerance = 0;
  /// The relaxation ends after a step in which the energy falls by less than this share of it, or
  /// rises; 0 to 1. 0: the energy does not end it.
  double least_fall = 0;
  /// As in NearestSiteOptions; for straight lines only, like the next one.
  std::vector<bool> periodic = {};
  /// The cells are those of voronoi() with weights of the points.
  Weighting weighting = Weighting::none;
};

/// The reason why a relaxation ended.
enum class RelaxEnd {
  steps,    ///< all steps were made
  settled,  ///< no site moved farther than the tolerance
  energy,   ///< the energy fell too little
};

inline constexpr std::string_view kRelaxEndNames[] = {"steps", "settled", "energy"};

constexpr std::string_view name_of(RelaxEnd end) {
  return detail::choice_name(kRelaxEndNames, end);
}

/// The course of a relaxation.
struct Relaxation {
  /// The energy before the first step and after each step: one more value than there are steps.
  std::vector<double> energy = {};
  /// The greatest move of a site in each step, in units of the spacing.
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
/// points   as PointList::coordinates, on the host. The result has the points in the same order.
/// grid     2-D or 3-D extents and the spacing
/// density  mass of each cell: any element type, any strides, with the extents of the grid, on the
///          host; >= 0 and finite in cells of the domain. Empty: 1.
/// domain   the cells that count, as in voronoi(). Empty: all.
/// weights  as PointList::weights. Given with options.weighting alone.
///
/// The centroid is the one of site_statistics(), in cells, rounded half to even to 2^-16 of a cell.
/// A point whose cell has no mass stays. Cells belong to points as in voronoi(), ties included. On
/// periodic axes a cell counts in the place where it is nearest to its point; of two such places
/// the greater coordinate counts. The resulting points lie in the first period.
///
/// The energy is the sum over the cells of density · squared distance to the cell's point. The
/// squared distance is the sum over the axes of (spacing · (cell - point))², by the shorter way.
/// Each term is computed in double. The sum of the terms is exact and rounded once. Without weights
/// a step never increases the energy, except by the rounding of points to 2^-16.
///
/// Results are the same bits for any number of threads and device. On a CUDA device the diagrams
/// are computed there, and the sums on the CPU. warnings() are the warnings of the last diagram.
///
/// Time: for each step one voronoi(), one site_statistics() with a field, and one pass over the
/// cells. Memory: 4 bytes a cell, besides the memory of these calls. An Error leaves everything as
/// it was.
/// Source: S. Lloyd, "Least squares quantization in PCM" (1982); Q. Du, V. Faber, M. Gunzburger,
/// "Centroidal Voronoi tessellations: applications and algorithms" (1999).
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled, device_failed.
THIESSEN_API RelaxedPoints relax_sites(Context& context, View<const void> points, const Grid& grid,
                                       const RelaxOptions& options = {},
                                       View<const void> density = {}, View<const void> domain = {},
                                       View<const void> weights = {});

/// The same for cost distance: each step moves every site to the cell of its own region that is
/// nearest to the mass centroid of the region.
///
/// map      as in cost_distance(), on the host
/// cells    linear indices of the cells of the sites. If several lie in one cell, the first one has
///          the region.
/// cost     as in cost_distance(); `nodata_label` and `unreached` have no meaning here
/// density  as above; >= 0 and finite in cells that are reached
///
/// The nearest cell is nearest along a straight line, with the spacing. Among cells at equal
/// distance the one with the smallest index is taken, in integers (docs/determinism.md). Regions
/// are disjoint, so sites never meet. A site whose region has no cell, or no mass, stays.
///
/// The energy is the sum over the reached cells of density · squared cost. A step may increase it,
/// because the centroid ignores the map.
///
/// Bits and errors: as above. Time: for each step one cost_distance(), one site_statistics() with a
/// field, and two passes over the cells. Memory: 12 bytes a cell, besides the memory of these
/// calls. Source: as above; taking the cell nearest to the centroid is a rule of this library.
THIESSEN_API RelaxedCells relax_cost_sites(Context& context, const CostMap& map,
                                           std::span<const std::int64_t> cells,
                                           const CostDistanceOptions& cost,
                                           const RelaxOptions& options = {},
                                           View<const void> density = {});

struct FitOptions {
  /// Greatest number of steps, >= 0.
  std::int64_t steps = 20;
  /// The fit ends when every load differs from its target by at most this share of the mean
  /// target; >= 0 and finite.
  double allowed_miss = 0.01;
  /// As in NearestSiteOptions.
  std::vector<bool> periodic = {};
};

/// The reason why a fit ended.
enum class FitEnd {
  fitted,  ///< every load is near enough to its target
  steps,   ///< all steps were made
  stuck,   ///< no step brings the loads closer to their targets
};

inline constexpr std::string_view kFitEndNames[] = {"fitted", "steps", "stuck"};

constexpr std::string_view name_of(FitEnd end) { return detail::choice_name(kFitEndNames, end); }

/// Weights of points, and what their cells hold.
struct FittedWeights {
  std::vector<double> weights = {};  ///< for Weighting::power
  std::vector<double> loads = {};    ///< the mass of the cell of each point
  double greatest_miss = 0;          ///< the greatest difference of a load from its target
  std::int64_t steps = 0;            ///< that were made
  FitEnd end = FitEnd::fitted;
};

/// Power weights with which the cell of each point holds a given load: districts of equal load,
/// grains of given volumes.
///
/// points   as PointList::coordinates, on the host
/// grid     2-D or 3-D extents and the spacing, each length from 1e-60 to 1e60
/// targets  the load of each point, >= 0, in any unit: their sum stands for the mass of all cells.
///          Empty: all loads are equal.
/// density  mass of each cell, as in relax_sites(). Empty: 1, so that loads are numbers of cells.
/// domain   the cells that count, as in voronoi(). Empty: all.
///
/// voronoi() with these weights and Weighting::power gives the cells, which are convex. Loads come
/// in whole cells, so that they meet their targets to within some cells at best: `greatest_miss`
/// tells how well. Weights are rounded to a millionth of a squared cell, or a little less.
///
/// Two points at one place cannot both have a cell, and then the fit ends as `stuck`. Cells without
/// mass belong to no target.
///
/// Results are the same bits for any number of threads. The context is that of the CPU. Time: for
/// each step one or more voronoi(), site_statistics() and adjacency(), and a linear system with a
/// row for each point; 5 to 20 steps are usual. Memory: 4 bytes a cell, and that of these calls.
/// Source: J. Kitagawa, Q. Mérigot, B. Thibert, "Convergence of a Newton algorithm for
/// semi-discrete optimal transport" (2019).
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled.
THIESSEN_API FittedWeights fit_weights(Context& context, View<const void> points, const Grid& grid,
                                       std::span<const double> targets = {},
                                       const FitOptions& options = {},
                                       View<const void> density = {}, View<const void> domain = {});

struct FarthestOptions {
  /// Greatest number of new sites, >= 0. For a cover: the number of cells.
  std::int64_t count = 1;
  /// Adding ends when no cell is farther than this from its site, in units of the spacing; >= 0. 0:
  /// it ends when every cell has a site of its own, or costs nothing to reach.
  double max_distance = 0;
  /// As in NearestSiteOptions; for straight lines only.
  std::vector<bool> periodic = {};
};

struct FarthestSites {
  std::vector<std::int64_t> cells = {};  ///< linear indices of the new sites, in their order
  /// Distance of each new site from the sites before it, times the density; infinite if it was
  /// unreached.
  std::vector<double> distance = {};
  /// The greatest remaining distance, times the density; 0 if there is no cell.
  double radius = 0;
};

/// Adds sites one after the other, each in the cell that is farthest from the sites so far.
///
/// grid     2-D or 3-D extents and the spacing
/// points   the existing sites, as PointList::coordinates, on the host; empty: none
/// density  if it is given, the greatest density · distance counts, rounded to double. As in
///          relax_sites(). Cells of density 0 get no site and need none.
/// domain   as in relax_sites()
///
/// Distances are the f64 distances of voronoi(). Among cells at equal distance the one with the
/// smallest index gets the site. Unreached cells are the farthest. Without sites, the first new one
/// is therefore in the first cell of the domain.
///
/// If there are no sites at first and no density, the greatest distance is at most twice the least
/// that any choice of as many cells can reach.
///
/// On the CPU, with the limits of NearestSiteSolver. Results are the same bits for any number of
/// threads. Time: 16 calls of voronoi(), and for each new site the cells that it wins. Memory: 8
/// bytes a cell, with density 16, besides the memory of NearestSiteSolver.
/// Source: T. Gonzalez, "Clustering to minimize the maximum intercluster distance" (1985).
/// Throws Error: invalid_argument, unsupported, out_of_memory, cancelled.
THIESSEN_API FarthestSites farthest_sites(Context& context, const Grid& grid,
                                          const FarthestOptions& options,
                                          View<const void> points = {},
                                          View<const void> density = {},
                                          View<const void> domain = {});

/// The same for cost distance, with the limits of CostSolver.
///
/// map      as in cost_distance(), on the host; barriers get no site
/// cost     as in CostSolver
/// cells    linear indices of the existing sites
///
/// Regions that no site reaches get one first, in the cell with the smallest index of all of them.
/// Costs are the same in both directions here, so the bound above holds, except for rounding. Time:
/// 64 calls of cost_distance(), and for each new site the cells that it wins. Memory: 16 bytes a
/// cell, besides the memory of CostSolver.
THIESSEN_API FarthestSites farthest_cost_sites(Context& context, const CostMap& map,
                                               const CostDistanceOptions& cost,
                                               const FarthestOptions& options,
                                               std::span<const std::int64_t> cells = {},
                                               View<const void> density = {});

}  // namespace thiessen
