// SPDX-License-Identifier: Apache-2.0
#include "thiessen/nearest_site.hpp"

#include <cstring>

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
  if (const Support support = method.supports(problem); !support)
    throw Error(ErrorCode::unsupported,
                "method = " + options.method + " on " + state.device + ": " + support.reason);
  return method;
}

void run(ContextState& state, const PointList& list, const Grid& grid,
         const NearestSiteOptions& options, const NearestSiteOutputs& out) {
  check_extents("grid", grid.extents);
  check_points(list, grid.extents.rank());
  Scratch::Frame scratch(state.scratch);
  ProblemViews views;
  views.points = snap_points(list.coordinates, scratch.array<Axes>(list.coordinates.extent(0)));
  const Problem problem = make_problem(list, views.points, grid, options, out);
  const Method& method = supported_method(state, options, problem);
  if (problem.cells() == 0) return;
  wrap_points(views.points, problem.period);
  views.out = with_three_axes(out);
  if (out.labels && list.labels)
    views.labels = pack_labels(scratch, list.labels);
  else if (out.labels)
    views.labels = out.labels.element_type() == ElementType::i32
                       ? number_points<std::int32_t>(scratch, views.points.count)
                       : number_points<std::int64_t>(scratch, views.points.count);
  method.run(state, problem, views);
}

void run(ContextState& state, View<const void> sites, const NearestSiteOptions& options,
         const NearestSiteOutputs& out) {
  const Problem problem = make_problem(sites, options, out);
  const Method& method = supported_method(state, options, problem);
  if (problem.cells() == 0) return;

  ProblemViews views = make_views(sites, out);
  Scratch::Frame scratch(state.scratch);
  if (out.labels && problem.rule.type == ElementType::boolean)
    views.labels = out.labels.element_type() == ElementType::i32
                       ? number_sites<std::int32_t>(state, scratch, views.sites)
                       : number_sites<std::int64_t>(state, scratch, views.sites);
  method.run(state, problem, views);
}

}  // namespace

void nearest_site(Context& context, View<const void> sites, const NearestSiteOptions& options,
                  const NearestSiteOutputs& out) {
  ContextState& state = context.state();
  guarded(state, [&] { run(state, sites, options, out); });
}

void nearest_site(Context& context, const PointList& sites, const Grid& grid,
                  const NearestSiteOptions& options, const NearestSiteOutputs& out) {
  ContextState& state = context.state();
  guarded(state, [&] { run(state, sites, grid, options, out); });
}

}  // namespace thiessen
