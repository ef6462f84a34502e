// SPDX-License-Identifier: Apache-2.0
#include "thiessen/cost_distance.hpp"

#include <cstring>
#include <string>

#include "api/guarded.hpp"
#include "backend/backend.hpp"
#include "core/cost_labels.hpp"
#include "core/cost_problem.hpp"
#include "core/refuse.hpp"

namespace thiessen {
namespace {

const CostMethod& supported_method(const ContextState& state, const CostDistanceOptions& options,
                                   const CostProblem& problem) {
  const CostMethod& method = find_cost_method(*find_backend(state.device), options.method);
  if (const Support support = method.supports(state, problem); !support)
    throw Error(ErrorCode::unsupported,
                "method = " + options.method + " on " + state.device + ": " + support.reason);
  return method;
}

CostViews make_views(const View<const void>& map, const CostDistanceOutputs& out) {
  CostViews views;
  views.map = with_three_axes(map);
  views.out = with_three_axes(out);
  return views;
}

CostDistanceReport run(ContextState& state, const View<const void>& map,
                       const View<const void>& sites, const CostDistanceOptions& options,
                       const CostDistanceOutputs& out) {
  CostDistanceReport report;
  const CostProblem problem = make_cost_problem(map, sites, options, out, Reach(state));
  const CostMethod& method = supported_method(state, options, problem);
  if (problem.cells() == 0) return report;
  CostViews views = make_views(map, out);
  views.sites = with_three_axes(sites);
  views.initial_cost = with_three_axes(options.initial_cost);
  if (sites.element_type() != ElementType::boolean) views.labels = views.sites;
  method.run(state, problem, views, report);
  return report;
}

CostDistanceReport run(ContextState& state, const View<const void>& map, const PointList& points,
                       const CostDistanceOptions& options, const CostDistanceOutputs& out) {
  CostDistanceReport report;
  const CostProblem problem = make_cost_problem(map, points, options, out, Reach(state));
  const CostMethod& method = supported_method(state, options, problem);
  if (problem.cells() == 0) return report;
  CostViews views = make_views(map, out);
  views.points = points.coordinates;
  views.labels = points.labels;
  views.initial_cost = options.initial_cost;
  method.run(state, problem, views, report);
  return report;
}

/// Follows links until a site; as many steps as there are cells lead in a circle.
class PathFollower {
 public:
  PathFollower(const View<const std::uint8_t>& links, int connectivity)
      : links_(with_three_axes(links)), extent_(to_axes(links.extents())) {
    set_neighbours(edges_, checked_connectivity(connectivity, links.rank()));
  }

  std::vector<std::int64_t> follow(Axes cell) const {
    std::vector<std::int64_t> path;
    const std::int64_t cells = links_.extents().count();
    for (;;) {
      const std::int64_t index = to_index(extent_, cell);
      const auto link = static_cast<std::uint8_t>(*address_of(links_, cell));
      if (path.empty() && (link == kBackLinkUnreached || link == kBackLinkNodata)) return path;
      path.push_back(index);
      if (link == 0) return path;
      if (link > edges_.count || static_cast<std::int64_t>(path.size()) > cells)
        refuse("back_links lead " +
               std::string(link > edges_.count ? "to no neighbour" : "in a circle") + " at cell " +
               std::to_string(index) + "; must be what cost_distance() wrote");
      step(cell, edges_.offset[link - std::size_t{1}], index);
    }
  }

 private:
  void step(Axes& cell, const CostOffset& offset, std::int64_t index) const {
    cell = {cell[0] + offset.z, cell[1] + offset.y, cell[2] + offset.x};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      if (cell[axis] < 0 || cell[axis] >= extent_[axis])
        refuse("back_links lead out of the raster at cell " + std::to_string(index) +
               "; must be what cost_distance() wrote");
  }

  View<const std::uint8_t> links_;
  Axes extent_;
  CostEdges<float> edges_;
};

}  // namespace

CostDistanceReport cost_distance(Context& context, View<const void> map, View<const void> sites,
                                 const CostDistanceOptions& options,
                                 const CostDistanceOutputs& out) {
  ContextState& state = context.state();
  CostDistanceReport report;
  guarded(state, [&] { report = run(state, map, sites, options, out); });
  return report;
}

CostDistanceReport cost_distance(Context& context, View<const void> map, const PointList& sites,
                                 const CostDistanceOptions& options,
                                 const CostDistanceOutputs& out) {
  ContextState& state = context.state();
  CostDistanceReport report;
  guarded(state, [&] { report = run(state, map, sites, options, out); });
  return report;
}

std::vector<std::int64_t> least_cost_path(View<const std::uint8_t> back_links, int connectivity,
                                          const std::vector<std::int64_t>& from) {
  check_cells("back_links", back_links);
  const int rank = back_links.rank();
  if (from.size() != static_cast<std::size_t>(rank))
    refuse("from has " + std::to_string(from.size()) + " values; must have one for each of the " +
           std::to_string(rank) + " axes");
  Axes cell{};
  for (int axis = 0; axis < rank; ++axis) {
    const std::int64_t place = from[static_cast<std::size_t>(axis)];
    if (place < 0 || place >= back_links.extent(axis))
      refuse("from[" + std::to_string(axis) + "] = " + std::to_string(place) + "; must be 0 to " +
             std::to_string(back_links.extent(axis) - 1));
    cell[static_cast<std::size_t>(kAxes - rank + axis)] = place;
  }
  return PathFollower(back_links, connectivity).follow(cell);
}

}  // namespace thiessen
