// SPDX-License-Identifier: Apache-2.0
//
// The public cost_distance(): checks and normalises the call, chooses backend and method, and
// warns.
#include "thiessen/cost_distance.hpp"

#include <cstring>
#include <string>

#include "api/back_links.hpp"
#include "api/warnings.hpp"
#include "backend/backend.hpp"
#include "core/base/refuse.hpp"
#include "core/cost/inputs.hpp"
#include "core/cost/labels.hpp"
#include "core/cost/problem.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

const CostMethodEntry& supported_method(const ContextState& state,
                                        const CostDistanceOptions& options,
                                        const CostProblem& problem) {
  const CostMethodEntry& method = find_cost_method(*find_backend(state.device), options.method);
  const std::string text =
      "method = " + std::string(name_of(options.method)) + " on " + state.device;
  if (problem.k > 0 && !method.finds_nearest_k)
    throw Error(ErrorCode::unsupported,
                text + ": the k nearest are wanted, which only exact on cpu has");
  if (problem.wants_extra_outputs() && !method.finds_extra_outputs)
    throw Error(ErrorCode::unsupported,
                text + ": " +
                    (problem.wants_other_labels ? "outputs of another label are" : "direction is") +
                    " wanted, which only the cpu has");
  if (const Support support = method.supports(state, problem); !support)
    throw Error(ErrorCode::unsupported, text + ": " + support.reason);
  return method;
}

void set_sites(const View<const void>& sites, const View<const void>& initial_cost,
               CostViews& views) {
  views.sites = with_three_axes(sites);
  if (sites.element_type() != ElementType::boolean) views.labels = views.sites;
  views.initial_cost = with_three_axes(initial_cost);
}
void set_sites(const PointList& points, const View<const void>& initial_cost, CostViews& views) {
  views.points = points.coordinates;
  views.labels = points.labels;
  views.initial_cost = initial_cost;
}

// What would be an error (`strict`) is looked for before anything is written; the method itself
// refuses sites that it would ignore. Else warnings come after the run, which counts those.

/// Warns of points on the host; those outside of the grid are ignored sites here.
void warn_of_sites(ContextState& state, bool strict, const CostProblem& problem,
                   const PointList& list, const CostViews& views,
                   const CostDistanceReport& report) {
  if (list.coordinates.space() != MemorySpace::host) return;
  Scratch::Frame scratch(state.scratch);
  const CostDistanceOutputs& out = views.out;
  const bool labels = label_output(out) && list.labels.space() == MemorySpace::host;
  const std::int64_t count = list.coordinates.extent(0);
  const WarnedPoints points{.places = snap_points(list.coordinates, scratch.array<Axes>(count)),
                            .labels = labels ? list.labels : View<const void>{},
                            .unreached = problem.unreached};
  warn_of_no_point(state, strict, points);
  if (count > 0 && report.ignored_sites == count) warn(state, strict, no_site_left(report));
  if (out.labels || out.site_index) warn_of_same_places(state, strict, points);
  warn_of_unreached_labels(state, strict, points);
}

/// The same of a raster of sites on the host; sites that are ignored do not count.
void warn_of_sites(ContextState& state, bool strict, const CostProblem& problem,
                   const View<const void>& sites, const CostViews& views,
                   const CostDistanceReport& report) {
  if (sites.space() != MemorySpace::host) return;
  if (has_sites(state, views.sites, problem.rule, report.ignored_sites)) return;
  if (report.ignored_sites > 0) return warn(state, strict, no_site_left(report));
  warn_of_no_site(state, strict, problem.rule, 1, 0, 1);
}

template <class Sites>
CostDistanceReport run(ContextState& state, const CostMap& map, const Sites& sites,
                       const View<const void>& initial_cost, const CostDistanceOptions& options,
                       const CostDistanceOutputs& out) {
  CostDistanceReport report;
  const CostProblem problem =
      make_cost_problem(map, sites, options, out, ReachableMemory(state), initial_cost);
  const CostMethodEntry& method = supported_method(state, options, problem);
  if (problem.cells() == 0) return report;
  CostViews views;
  views.map = with_three_axes<View<const void>>(map);
  views.elevation = with_three_axes(options.elevation);
  views.blocked_faces = with_three_axes(options.blocked_faces);
  views.out = with_three_axes(out, problem.k);
  set_sites(sites, initial_cost, views);
  const auto check = [&] { warn_of_sites(state, options.strict, problem, sites, views, report); };
  if (options.strict) check();
  method.run(state, problem, views, report);
  if (options.strict) return report;
  if (report.ignored_sites > 0) warn(state, false, ignored_sites(report));
  check();
  return report;
}

/// Follows links to a site. As many steps as there are cells mean that they lead in a circle.
std::vector<std::int64_t> follow(const BackLinks& links, Axes cell) {
  std::vector<std::int64_t> path;
  if (links.at(cell) == kBackLinkUnreached || links.at(cell) == kBackLinkNodata) return path;
  for (;;) {
    path.push_back(to_index(links.extent(), cell));
    if (links.at(cell) == 0) return path;
    if (static_cast<std::int64_t>(path.size()) > links.cells())
      links.refuse_link("in a circle", cell);
    cell = links.next(cell);
  }
}

}  // namespace

CostDistanceReport cost_distance(Context& context, const CostMap& map, View<const void> sites,
                                 const CostDistanceOptions& options, const CostDistanceOutputs& out,
                                 View<const void> initial_cost) {
  ContextState& state = context.state();
  return guarded(state, [&] { return run(state, map, sites, initial_cost, options, out); });
}

CostDistanceReport cost_distance(Context& context, const CostMap& map, const PointList& sites,
                                 const CostDistanceOptions& options, const CostDistanceOutputs& out,
                                 View<const void> initial_cost) {
  ContextState& state = context.state();
  return guarded(state, [&] { return run(state, map, sites, initial_cost, options, out); });
}

std::vector<std::int64_t> least_cost_path(View<const std::uint8_t> back_link,
                                          Connectivity connectivity,
                                          const std::vector<std::int64_t>& from) {
  check_cells("back_link", back_link);
  const int rank = back_link.rank();
  if (from.size() != static_cast<std::size_t>(rank))
    refuse("from", "has " + std::to_string(from.size()) +
                       " values; must have one for each of the " + std::to_string(rank) + " axes");
  Axes cell{};
  for (int axis = 0; axis < rank; ++axis) {
    const std::int64_t place = from[static_cast<std::size_t>(axis)];
    if (place < 0 || place >= back_link.extent(axis))
      refuse("from[" + std::to_string(axis) + "]", std::to_string(place),
             "must be 0 to " + std::to_string(back_link.extent(axis) - 1));
    cell[static_cast<std::size_t>(kAxes - rank + axis)] = place;
  }
  return follow(BackLinks(back_link, connectivity, true), cell);
}

}  // namespace thiessen
