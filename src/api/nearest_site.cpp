// SPDX-License-Identifier: Apache-2.0
//
// The public nearest_site() and nearest_site_batch(): they check and normalise the call, choose
// backend and method, number sites that have no labels, and warn.
#include "thiessen/nearest_site.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "api/domain.hpp"
#include "api/number_sites.hpp"
#include "api/warnings.hpp"
#include "backend/backend.hpp"
#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "core/problem/site_weights.hpp"
#include "core/search/site_cells.hpp"
#include "thiessen/error.hpp"
#include "threads/guarded.hpp"

namespace thiessen {
namespace {

const MethodEntry& supported_method(const ContextState& state, const NearestSiteOptions& options,
                                    const Problem& problem) {
  const MethodEntry& method = find_method(*find_backend(state.device), options.method);
  const std::string text =
      "method = " + std::string(name_of(options.method)) + " on " + state.device;
  if (problem.metric_function != nullptr && !method.takes_metric_function)
    throw Error(ErrorCode::unsupported,
                {"metric_function", {}, "is given; " + text + " has its own metrics only"});
  if (problem.wants_extra_outputs() && !method.finds_extra_outputs)
    throw Error(ErrorCode::unsupported, text + ": " + name_of_extra_output(problem) +
                                            " wanted, which only exact on cpu has");
  if (problem.has_weights() && !method.takes_weights)
    throw Error(ErrorCode::unsupported, text + ": " + weights_are_given(problem));
  if (const Support support = method.supports(state, problem); !support)
    throw Error(ErrorCode::unsupported, text + ": " + support.reason);
  return method;
}

/// Points in device memory stay there, unread: they need all fraction bits, unless outputs are
/// wanted that exist only for whole cells. The results have the same bits.
PointSites snap_or_keep_points(Scratch::Frame& scratch, const View<const void>& coordinates,
                               const NearestSiteOutputs& out) {
  const std::int64_t count = coordinates.extent(0);
  if (coordinates.space() == MemorySpace::host)
    return snap_points(coordinates, scratch.array<Axes>(count));
  return {.count = count, .fraction_bits = out.squared || out.offset ? 0 : kFractionBits};
}

void run_in_domain(ContextState& state, const MethodEntry& method, const Problem& problem,
                   const ProblemViews& views) {
  method.run(state, problem, views);
  if (!views.domain || state.session->marks_outside()) return;
  for (std::int64_t rank = 0; rank < std::max<std::int64_t>(problem.k, 1); ++rank)
    mark_outside(state, problem, problem.k == 0 ? views : views_of_rank(views, rank));
}

// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
void run(ContextState& state, const PointList& list, const Grid& grid,
         const View<const void>& domain, const NearestSiteOptions& options,
         const NearestSiteOutputs& out) {
  const ReachableMemory reachable(state);
  check_extents("grid", grid.extents);
  check_points(list, grid.extents.rank(), reachable);
  Scratch::Frame scratch(state.scratch);
  ProblemViews views;
  views.points = snap_or_keep_points(scratch, list.coordinates, out);
  Problem problem = make_problem(list, views.points, grid, options, out, reachable, domain);
  const MethodEntry& method = supported_method(state, options, problem);
  if (problem.has_weights()) set_weights(problem, views, list, scratch);
  if (grid.extents.count() == 0) return;
  views.out = with_three_axes(out, problem.k);
  views.domain = with_three_axes(domain);
  if (views.points.at != nullptr)
    wrap_points(views.points, problem.period);
  else
    views.coordinates = list.coordinates;
  warn_of_points(state, options.strict, problem, views, list.labels);
  const std::int64_t count = list.coordinates.extent(0);
  if (const View<void>& labels = label_output(out); labels && state.session->makes_labels())
    views.labels = list.labels;
  else if (labels)
    views.labels = labels_of_points(scratch, list.labels, labels.element_type(), count);
  else if (problem.wants_extra_outputs() && list.labels)
    views.labels = labels_of_points(scratch, list.labels, list.labels.element_type(), count);
  run_in_domain(state, method, problem, views);
}

void run_method(ContextState& state, const MethodEntry& method, const Problem& problem,
                ProblemViews views) {
  Scratch::Frame scratch(state.scratch);
  const View<void>& labels = label_output(views.out);
  if (labels && problem.rule.type == ElementType::boolean) {
    if (state.session->makes_labels())
      views.labels = {};
    else
      views.labels =
          number_sites(state, scratch, problem.rule, views.sites, labels.element_type(), 0);
  }
  run_in_domain(state, method, problem, views);
}

/// Warns of the rasters without a site, of which `views_of(raster)` tells. What was written says at
/// once that there is one; where it would be an error, all sites are read before anything is
/// written.
template <class ViewsOf>
void warn_of_no_site(ContextState& state, bool strict, const Problem& problem, std::int64_t rasters,
                     const ViewsOf& views_of) {
  std::int64_t first = -1;
  std::int64_t count = 0;
  for (std::int64_t raster = 0; raster < rasters; ++raster) {
    const ProblemViews views = views_of(raster);
    if (strict ? has_sites(state, views.sites, problem.rule)
               : !is_without_site(state, problem, views))
      continue;
    if (count++ == 0) first = raster;
  }
  warn_of_no_site(state, strict, problem.rule, count, first, rasters);
}

/// Warns if no raster has a free cell, as nodata cells are in the place of these.
template <class ViewsOf>
void warn_of_no_free_cell(ContextState& state, bool strict, const Problem& problem,
                          std::int64_t rasters, const ViewsOf& views_of) {
  if (!needs_free_cells(problem)) return;
  FoundClasses found{};
  for (std::int64_t raster = 0; raster < rasters && !found[kFreeCell]; ++raster)
    find_classes(state, views_of(raster).sites, problem.rule, found);
  if (lacks_free_cells(found)) warn_of_no_free_cell(state, strict, rasters);
}

/// Reads the weights of the cells that are sites.
void set_weights_of_raster(const ContextState& state, Problem& problem, ProblemViews& views,
                           const View<const void>& weights, Scratch::Frame& scratch) {
  std::vector<std::int64_t> cells;
  list_site_cells(
      problem, views.sites, state.progress,
      [&](std::int64_t count) { cells.reserve(static_cast<std::size_t>(count)); },
      [&](const Axes& cell) { cells.push_back(to_index(problem.extent, cell)); });
  set_weights_of_cells(problem, views, weights, cells, scratch);
}

// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
void run(ContextState& state, View<const void> sites, const View<const void>& domain,
         const View<const void>& weights, const NearestSiteOptions& options,
         const NearestSiteOutputs& out) {
  Problem problem = make_problem(sites, options, out, ReachableMemory(state), domain, weights);
  const MethodEntry& method = supported_method(state, options, problem);
  if (problem.cells() == 0) return;
  ProblemViews views = make_views(sites, out, domain, problem.k);
  Scratch::Frame scratch(state.scratch);
  if (problem.has_weights()) set_weights_of_raster(state, problem, views, weights, scratch);
  if (options.method == Method::exact) drop_thin_axes(problem, views);
  const bool watched = sites.space() == MemorySpace::host && needs_sites(problem, out);
  const auto check = [&] {
    const auto views_of = [&](std::int64_t) {
      return problem.k == 0 ? views : views_of_rank(views, 0);
    };
    warn_of_no_site(state, options.strict, problem, 1, views_of);
    warn_of_no_free_cell(state, options.strict, problem, 1, views_of);
  };
  if (watched && options.strict) check();
  run_method(state, method, problem, views);
  if (watched && !options.strict) check();
}

/// Joins the phases from `first` on with earlier ones of the same name and, if they have details,
/// the same detail.
void join_phases(std::vector<Phase>& phases, std::size_t first) {
  std::size_t kept = first;
  for (std::size_t i = first; i < phases.size(); ++i) {
    const auto end = phases.begin() + static_cast<std::ptrdiff_t>(kept);
    const auto find = [&](bool by_detail) {
      return std::find_if(phases.begin(), end, [&](const Phase& phase) {
        return phase.name == phases[i].name && (!by_detail || phase.detail == phases[i].detail);
      });
    };
    auto same = find(true);
    if (same == end) same = find(false);
    if (same != end)
      same->milliseconds += phases[i].milliseconds;
    else
      phases[kept++] = phases[i];
  }
  phases.resize(kept);
}

/// The same of a raster of a batch, whose number messages have in front.
// NOLINTNEXTLINE(readability-function-size): a raster, and which one
void set_weights_of_one(const ContextState& state, Problem& problem, ProblemViews& views,
                        const View<const void>& weights, std::int64_t raster,
                        Scratch::Frame& scratch) {
  try {
    set_weights_of_raster(state, problem, views, raster_of(weights, raster), scratch);
  } catch (const Error& error) {
    constexpr std::string_view kPlace = "weights[";
    BrokenRule broken = error.broken_rule();
    if (!broken.argument.starts_with(kPlace)) throw;
    broken.argument.insert(kPlace.size(), std::to_string(raster) + ", ");
    throw Error(error.code(), broken);
  }
}

// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
void run_one_by_one(ContextState& state, const MethodEntry& method, const Problem& problem,
                    const View<const void>& sites, const View<const void>& domain,
                    const View<const void>& weights, const NearestSiteOutputs& out) {
  const std::int64_t rasters = sites.extent(0);
  for (std::int64_t raster = 0; raster < rasters; ++raster) {
    state.progress.begin_part(raster, rasters);
    const std::size_t phases = state.phases.size();
    Scratch::Frame scratch(state.scratch);
    Problem own = problem;
    ProblemViews views =
        make_views(raster_of(sites, raster), raster_of(out, raster), raster_of(domain, raster));
    if (problem.has_weights()) set_weights_of_one(state, own, views, weights, raster, scratch);
    run_method(state, method, own, views);
    if (raster > 0) join_phases(state.phases, phases);
  }
}

// NOLINTNEXTLINE(readability-function-size): each argument is one of the caller's
void run_batch(ContextState& state, View<const void> sites, const View<const void>& domain,
               const View<const void>& weights, const NearestSiteOptions& options,
               const NearestSiteOutputs& out) {
  if (options.k != 0)
    throw Error(ErrorCode::unsupported,
                {"k", std::to_string(options.k), "of a batch there is the nearest site alone"});
  Problem problem =
      make_batch_problem(sites, options, out, ReachableMemory(state), domain, weights);
  const MethodEntry& method = supported_method(state, options, problem);
  const std::int64_t rasters = sites.extent(0);
  if (rasters == 0 || problem.cells() == 0) return;
  const bool watched = sites.space() == MemorySpace::host && needs_sites(problem, out);
  const auto check = [&] {
    const auto views_of = [&](std::int64_t raster) {
      return make_views(raster_of(sites, raster), raster_of(out, raster),
                        raster_of(domain, raster));
    };
    warn_of_no_site(state, options.strict, problem, rasters, views_of);
    warn_of_no_free_cell(state, options.strict, problem, rasters, views_of);
  };
  if (watched && options.strict) check();
  if (method.takes_batch != nullptr && method.takes_batch(problem) && rasters <= kMaxExtent) {
    problem.layers = rasters;
    run_method(state, method, problem, make_views(sites, out, domain));
  } else {
    run_one_by_one(state, method, problem, sites, domain, weights, out);
  }
  if (watched && !options.strict) check();
}

}  // namespace

void nearest_site(Context& context, View<const void> sites, const NearestSiteOptions& options,
                  const NearestSiteOutputs& out, View<const void> domain,
                  View<const void> weights) {
  ContextState& state = context.state();
  guarded(state, [&] { run(state, sites, domain, weights, options, out); });
}

void nearest_site_batch(Context& context, View<const void> sites, const NearestSiteOptions& options,
                        const NearestSiteOutputs& out, View<const void> domain,
                        View<const void> weights) {
  ContextState& state = context.state();
  guarded(state, [&] { run_batch(state, sites, domain, weights, options, out); });
}

void voronoi(Context& context, const PointList& points, const Grid& grid,
             const NearestSiteOptions& options, const NearestSiteOutputs& out,
             View<const void> domain) {
  ContextState& state = context.state();
  guarded(state, [&] { run(state, points, grid, domain, options, out); });
}

}  // namespace thiessen
