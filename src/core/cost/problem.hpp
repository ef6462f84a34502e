// SPDX-License-Identifier: Apache-2.0
//
// A call of cost_distance(), normalised once: the form that backends and the oracle see.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/label_bits.hpp"
#include "core/cost/edges.hpp"
#include "core/cost/placed_steps.hpp"
#include "core/problem/call_checks.hpp"
#include "core/problem/cell_class.hpp"
#include "core/problem/problem.hpp"
#include "thiessen/cost_distance.hpp"

namespace thiessen {

/// Sites are ordered by their index: place in the list, or linear index of the cell.
struct CostProblem {
  int rank = 2;          ///< axes of the caller's map: 2 or 3
  Axes extent{1, 0, 0};  ///< (z, y, x)
  Axes origin{};         ///< its first cell, if the map is a part of a larger raster
  EdgeWeight edge_weight = EdgeWeight::stiffness;
  int connectivity = 8;
  std::array<double, kAxes> spacing{1, 1, 1};
  Metric metric = Metric::euclidean;
  const Earth* earth = nullptr;        ///< if not null, lengths are in metres on it
  double longitude_step = 0;           ///< from one column to the next, in degrees
  std::array<bool, kAxes> periodic{};  ///< axes whose ends join
  bool wide = false;                   ///< computed in double, else in float
  bool tight_barriers = false;
  bool has_blocked_faces = false;
  bool strict = false;
  bool labels_carried = false;
  bool wants_other_labels = false;  ///< outputs of another label are wanted
  bool wants_direction = false;
  double max_distance = std::numeric_limits<double>::infinity();
  double snap_distance = 0;
  bool has_fronts = false;   ///< CostMethod::eikonal, whose costs are computed in double
  double exact_radius = 0;   ///< of the same
  std::int64_t k = 0;        ///< sites of a cell that are wanted; 0: the nearest, without an axis
  std::optional<Walk> walk;  ///< over the elevation, of which there is none without a walk
  Langmuir langmuir;         ///< of that walk
  std::vector<double> walk_slopes, walk_factors;
  WalkMap walk_map = WalkMap::multiplies;
  WalkDirection walk_direction = WalkDirection::from_site;
  std::optional<LabelBits> nodata;            ///< in the type of the map
  std::optional<LabelBits> elevation_nodata;  ///< in the type of the elevation
  LabelBits nodata_label;
  LabelBits unreached;
  SiteRule rule;             ///< for a raster of sites
  bool point_sites = false;  ///< else a raster

  bool is_periodic() const { return std::ranges::count(periodic, true) > 0; }
  /// What the methods of the CPU alone have.
  bool computes_in_double() const { return wide || has_fronts; }
  bool wants_extra_outputs() const { return wants_other_labels || wants_direction; }
  /// Points into the problem.
  WalkRule walk_rule() const {
    return {walk.value_or(Walk::tobler),
            langmuir,
            {walk_slopes.data(), walk_factors.data(), std::ssize(walk_slopes)}};
  }
  std::int64_t cells() const { return extent[0] * extent[1] * extent[2]; }
};

/// Inputs and outputs with the axes (z, y, x).
struct CostViews {
  View<const void> map;        ///< empty: all ones, over the elevation
  View<const void> elevation;  ///< of a walk
  View<const std::uint8_t> blocked_faces;
  View<const void> sites;   ///< or empty, and then:
  View<const void> points;  ///< coordinates, (points, axes)
  View<const void> initial_cost;
  /// The labels of the sites, see ProblemViews::labels.
  View<const void> labels;
  CostDistanceOutputs out;
};

/// CostDistanceOptions::periodic as (z, y, x).
inline std::array<bool, kAxes> periodic_axes(const std::vector<bool>& given) {
  std::array<bool, kAxes> axes{};
  std::copy(given.begin(), given.end(), axes.end() - std::ssize(given));
  return axes;
}

/// Fills `offset` and `count` with the neighbours of a connectivity, in ascending linear index.
template <class T>
void set_neighbours(CostEdges<T>& edges, int connectivity) {
  const int depth = connectivity == 4 || connectivity == 8 || connectivity == 16 ? 0 : 1;
  const int reach = connectivity == 16 ? 2 : 1;
  const int most = connectivity == 4 || connectivity == 6 ? 1 : connectivity == 18 ? 2 : 3;
  edges.count = 0;
  for (int z = -depth; z <= depth; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        const int longest = std::max({std::abs(z), std::abs(y), std::abs(x)});
        const int axes = (z != 0) + (y != 0) + (x != 0);
        const bool knight = std::abs(y) + std::abs(x) == 3;
        if (axes == 0 || axes > most || (longest == 2 && !knight)) continue;
        edges.offset[static_cast<std::size_t>(edges.count++)] = {
            static_cast<std::int8_t>(z), static_cast<std::int8_t>(y), static_cast<std::int8_t>(x),
            longest == 2 ? CostStep::knight
            : axes == 1  ? CostStep::face
                         : CostStep::diagonal};
      }
}

/// The neighbours and the formula of a problem in the type T. Throws Error{invalid_argument} naming
/// the spacing if the length of a step is out of the range of T.
template <class T>
CostEdges<T> make_edges(const CostProblem& problem);

/// Whether the cost of a step depends on where it is, or where it is stops it.
bool has_placed_steps(const CostProblem& problem);

/// Such steps, without the elevation of a walk, the lengths of rows and the steps that are open.
template <class T>
PlacedSteps<T> make_placed_steps(const CostProblem& problem);

/// The max distance in T, like the costs that it is compared with; infinity without one.
template <class T>
T greatest_cost(const CostProblem& problem) {
  const double limit = problem.max_distance;
  if (limit >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::isinf(limit) ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  return static_cast<T>(limit);
}

/// Checks everything that a caller can get wrong, except the values in cells of the map and the
/// sites, and normalises it. Throws Error{invalid_argument} naming the argument, its value and the
/// rule.
CostProblem make_cost_problem(const CostMap& map, const View<const void>& sites,
                              const CostDistanceOptions& options, const CostDistanceOutputs& out,
                              const ReachableMemory& reachable = {},
                              const View<const void>& initial_cost = {});
CostProblem make_cost_problem(const CostMap& map, const PointList& sites,
                              const CostDistanceOptions& options, const CostDistanceOutputs& out,
                              const ReachableMemory& reachable = {},
                              const View<const void>& initial_cost = {});

/// The same of a map without sites and outputs.
CostProblem make_cost_problem(const CostMap& map, const CostDistanceOptions& options,
                              const ReachableMemory& reachable = {});

/// Throws Error{unsupported} if what only cost_distance() takes is given to `what`: an elevation,
/// blocked faces, a metric on the Earth, periodic axes, snap_distance or k.
void refuse_single_call_options(const CostDistanceOptions& options, const char* what);

/// Checks outputs of the extents `grid`, behind the axis of `k` if it is not 0, beside these
/// inputs.
void check_cost_outputs(const Extents& grid, const std::vector<NamedView>& inputs,
                        const CostDistanceOutputs& out, const ReachableMemory& reachable,
                        std::int64_t k = 0);

/// Sets the labels of cells without a site in the type of `labels`, if these are wanted.
void set_special_labels(CostProblem& problem, const CostDistanceOptions& options,
                        const View<void>& labels);

/// The number of neighbours of a connectivity in a raster of `rank` axes, which must have it.
int checked_connectivity(Connectivity connectivity, int rank);

/// Whether some output tells of sites of another label.
bool wants_other_labels(const CostDistanceOutputs& out);

/// The same outputs with three axes, behind that of CostProblem::k if it is not 0.
CostDistanceOutputs with_three_axes(const CostDistanceOutputs& out, std::int64_t k = 0);

/// Outputs of one of the k nearest.
CostDistanceOutputs outputs_of_rank(const CostDistanceOutputs& out, std::int64_t rank);

}  // namespace thiessen
