// SPDX-License-Identifier: Apache-2.0
//
// Finds the edge in every cell that has one, and a point on it; then for every cell the nearest of
// these points by the public voronoi(), and from there the nearest edge.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "coverage/edges.hpp"
#include "coverage/nearest_edges.hpp"
#include "coverage/points.hpp"
#include "operations/checks/options.hpp"
#include "thiessen/coverage.hpp"
#include "thiessen/error.hpp"
#include "thiessen/nearest_site.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace coverage {
namespace {

void check_coverage_type(ElementType type) {
  switch (type) {
    case ElementType::boolean:
    case ElementType::u8:
    case ElementType::u16:
    case ElementType::f32:
    case ElementType::f64:
      return;
    default:
      refuse("coverage",
             "is " + std::string(name_of(type)) + "; must be u8, u16, f32, f64 or bool");
  }
}

void check_views(const ContextState& state, const View<const void>& coverage,
                 const View<void>& distance) {
  if (state.device != "cpu")
    throw Error(ErrorCode::unsupported,
                "coverage_distance on " + state.device + "; it is on the CPU only");
  const ReachableMemory reachable(state);
  check_cells("coverage", coverage, reachable);
  check_coverage_type(coverage.element_type());
  check_output({"distance", distance}, coverage.extents(), reachable);
  check_distance_type({"distance", distance});
  check_overlaps({{"coverage", coverage}}, {{"distance", distance}});
}

void set_spacing(CoverageProblem& problem, const std::vector<double>& given) {
  const std::vector<double> spacing = checked_spacing(given, problem.rank);
  problem.unit = *std::max_element(spacing.begin(), spacing.end());
  problem.spacing = {1, 1, 1};
  for (std::size_t axis = 0; axis < spacing.size(); ++axis)
    problem.spacing[kAxes - spacing.size() + axis] = spacing[axis] / problem.unit;
}

CoverageProblem make_problem(const View<const void>& coverage,
                             const CoverageDistanceOptions& options) {
  CoverageProblem problem;
  problem.rank = coverage.rank();
  problem.extent = to_axes(coverage.extents());
  check_options(kCoverageDistance.fields, &options, problem.rank);
  set_spacing(problem, options.spacing);
  problem.max_distance = options.max_distance;
  problem.coverage = with_three_axes(coverage);
  return problem;
}

/// The length from corner to corner of a cell.
double diagonal_of(const CoverageProblem& problem) {
  double square = 0;
  for (const double length : problem.spacing) square += length * length;
  return std::sqrt(square) * problem.unit;
}

/// The number of the edge with the nearest point, for each cell from which an edge may be in range.
void find_nearest_points(Context& context, const View<const void>& coverage,
                         const CoverageDistanceOptions& options, double diagonal,
                         const EdgePoints& points, EdgeNumber* nearest) {
  const Extents& extents = coverage.extents();
  const View<const double> places(points.places, {points.count, extents.rank()});
  const View<const EdgeNumber> numbers(points.numbers, {points.count});
  // No place of an edge is farther from its points than a diagonal.
  voronoi(context, {.coordinates = places, .labels = numbers},
          {.extents = extents, .spacing = options.spacing},
          {.max_distance = options.max_distance + diagonal},
          {.labels = View<EdgeNumber>(nearest, extents)});
  context.state().warnings.clear();  // of points that are not the caller's
}

void run(Context& context, const View<const void>& coverage, const CoverageDistanceOptions& options,
         const View<void>& distance) {
  ContextState& state = context.state();
  check_views(state, coverage, distance);
  const CoverageProblem problem = make_problem(coverage, options);
  if (problem.cells() == 0) return;
  const View<void> out = with_three_axes(distance);
  Scratch::Frame scratch(state.scratch);
  constexpr int kParts = 3;
  state.progress.begin_part(0, kParts);
  const Edges edges = find_edges(state, problem, scratch);
  if (edges.count == 0) return write_without_edges(state, problem, edges, out);
  state.progress.begin_part(1, kParts);
  auto* const nearest = scratch.array<EdgeNumber>(problem.cells());
  find_nearest_points(context, coverage, options, diagonal_of(problem),
                      make_points(state, problem, edges, scratch), nearest);
  state.progress.begin_part(2, kParts);
  write_distances(state, problem, edges, nearest, out);
}

}  // namespace
}  // namespace coverage

void coverage_distance(Context& context, View<const void> coverage,
                       const CoverageDistanceOptions& options, View<void> distance) {
  guarded(context.state(), [&] { coverage::run(context, coverage, options, distance); });
}

}  // namespace thiessen
