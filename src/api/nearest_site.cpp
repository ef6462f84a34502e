// SPDX-License-Identifier: Apache-2.0
#include "thiessen/nearest_site.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "api/guarded.hpp"
#include "backend/backend.hpp"
#include "core/context_state.hpp"
#include "core/problem.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

/// Numbers the true cells of a boolean raster 1, 2, … in the order of their index.
template <class Label>
View<const void> number_sites(ContextState& state, Scratch::Frame& scratch,
                              const View<const void>& mask) {
  const PhaseTimer phase(state, "number sites");
  auto* const numbers = scratch.array<Label>(mask.extents().count());
  Label* label = numbers;
  Label next = 0;
  for (std::int64_t z = 0; z < mask.extent(0); ++z)
    for (std::int64_t y = 0; y < mask.extent(1); ++y) {
      const std::byte* cell = address_of(mask, {z, y, 0});
      for (std::int64_t x = 0; x < mask.extent(2); ++x, cell += mask.stride(2))
        *label++ = *cell != std::byte{0} ? ++next : 0;
      state.progress.check();
    }
  return View<const Label>(numbers, mask.extents());
}

/// Labels of points one after the other, as the methods read them: numbers 1, 2, … without a list.
template <class Label>
View<const void> number_points(Scratch::Frame& scratch, std::int64_t count) {
  auto* const numbers = scratch.array<Label>(count);
  for (std::int64_t i = 0; i < count; ++i) numbers[i] = static_cast<Label>(i + 1);
  return View<const Label>(numbers, {count});
}

View<const void> pack_labels(Scratch::Frame& scratch, const View<const void>& labels) {
  const std::int64_t count = labels.extent(0);
  const auto element = static_cast<std::int64_t>(size_of(labels.element_type()));
  auto* const packed = scratch.array<std::byte>(count * element);
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(packed + i * element, labels.bytes() + i * labels.stride(0),
                static_cast<std::size_t>(element));
  return {packed, labels.element_type(), Extents{count}};
}

const Method& supported_method(const ContextState& state, const NearestSiteOptions& options,
                               const Problem& problem) {
  const Method& method = find_method(*find_backend(state.device), options.method);
  if (problem.metric_function != nullptr && !method.takes_metric_function)
    throw Error(ErrorCode::unsupported, "metric_function is given; method = " + options.method +
                                            " on " + state.device + " has its own metrics only");
  if (const Support support = method.supports(state, problem); !support)
    throw Error(ErrorCode::unsupported,
                "method = " + options.method + " on " + state.device + ": " + support.reason);
  return method;
}

/// Points in device memory stay there, unseen: they need all fraction bits, unless outputs are
/// wanted that exist for whole cells only. What comes out has the same bits.
PointSites take_points(Scratch::Frame& scratch, const View<const void>& coordinates,
                       const NearestSiteOutputs& out) {
  const std::int64_t count = coordinates.extent(0);
  if (coordinates.space() == MemorySpace::host)
    return snap_points(coordinates, scratch.array<Axes>(count));
  return {.count = count, .fraction_bits = out.squared || out.offset ? 0 : kFractionBits};
}

View<const void> labels_of_points(const ContextState& state, Scratch::Frame& scratch,
                                  const PointList& list, ElementType type) {
  if (state.session->makes_labels()) return list.labels;
  if (list.labels) return pack_labels(scratch, list.labels);
  const std::int64_t count = list.coordinates.extent(0);
  return type == ElementType::i32 ? number_points<std::int32_t>(scratch, count)
                                  : number_points<std::int64_t>(scratch, count);
}

void run(ContextState& state, const PointList& list, const Grid& grid,
         const NearestSiteOptions& options, const NearestSiteOutputs& out) {
  const Reach reach(state);
  check_extents("grid", grid.extents);
  check_points(list, grid.extents.rank(), reach);
  Scratch::Frame scratch(state.scratch);
  ProblemViews views;
  views.points = take_points(scratch, list.coordinates, out);
  const Problem problem = make_problem(list, views.points, grid, options, out, reach);
  const Method& method = supported_method(state, options, problem);
  if (problem.cells() == 0) return;
  if (views.points.at != nullptr)
    wrap_points(views.points, problem.period);
  else
    views.coordinates = list.coordinates;
  views.out = with_three_axes(out);
  if (out.labels) views.labels = labels_of_points(state, scratch, list, out.labels.element_type());
  method.run(state, problem, views);
}

void run_method(ContextState& state, const Method& method, const Problem& problem,
                ProblemViews views) {
  Scratch::Frame scratch(state.scratch);
  if (views.out.labels && problem.rule.type == ElementType::boolean) {
    if (state.session->makes_labels())
      views.labels = {};
    else
      views.labels = views.out.labels.element_type() == ElementType::i32
                         ? number_sites<std::int32_t>(state, scratch, views.sites)
                         : number_sites<std::int64_t>(state, scratch, views.sites);
  }
  method.run(state, problem, views);
}

void run(ContextState& state, View<const void> sites, const NearestSiteOptions& options,
         const NearestSiteOutputs& out) {
  const Problem problem = make_problem(sites, options, out, Reach(state));
  const Method& method = supported_method(state, options, problem);
  if (problem.cells() > 0) run_method(state, method, problem, make_views(sites, out));
}

/// Joins the phases from `first` on with those before them that have the same name, and if there
/// are any the same detail.
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

void run_batch(ContextState& state, View<const void> sites, const NearestSiteOptions& options,
               const NearestSiteOutputs& out) {
  Problem problem = make_batch_problem(sites, options, out, Reach(state));
  const Method& method = supported_method(state, options, problem);
  const std::int64_t rasters = sites.extent(0);
  if (rasters == 0 || problem.cells() == 0) return;
  if (method.takes_batch != nullptr && method.takes_batch(problem) && rasters <= kMaxExtent) {
    problem.layers = rasters;
    return run_method(state, method, problem, make_views(sites, out));
  }
  for (std::int64_t raster = 0; raster < rasters; ++raster) {
    state.progress.begin_part(raster, rasters);
    const std::size_t phases = state.phases.size();
    run_method(state, method, problem,
               make_views(raster_of(sites, raster), raster_of(out, raster)));
    if (raster > 0) join_phases(state.phases, phases);
  }
}

}  // namespace

void nearest_site(Context& context, View<const void> sites, const NearestSiteOptions& options,
                  const NearestSiteOutputs& out) {
  ContextState& state = context.state();
  guarded(state, [&] { run(state, sites, options, out); });
}

void nearest_site_batch(Context& context, View<const void> sites, const NearestSiteOptions& options,
                        const NearestSiteOutputs& out) {
  ContextState& state = context.state();
  guarded(state, [&] { run_batch(state, sites, options, out); });
}

void nearest_site(Context& context, const PointList& sites, const Grid& grid,
                  const NearestSiteOptions& options, const NearestSiteOutputs& out) {
  ContextState& state = context.state();
  guarded(state, [&] { run(state, sites, grid, options, out); });
}

}  // namespace thiessen
