// SPDX-License-Identifier: Apache-2.0
//
// Views of a call with three axes: rows of them, and in an order that suits tiles.
#include <algorithm>
#include <array>
#include <span>

#include "core/problem/outputs.hpp"
#include "core/problem/problem.hpp"

namespace thiessen {
namespace {

/// The part of a view from `begin` on along an axis.
template <class AnyView>
AnyView range_of(const AnyView& view, int axis, std::int64_t begin, std::int64_t count) {
  std::array<std::int64_t, kMaxAxes> sizes{};
  typename AnyView::Strides strides{};
  for (int each = 0; each < view.rank(); ++each) {
    const auto at = static_cast<std::size_t>(each);
    sizes[at] = each == axis ? count : view.extent(each);
    strides[at] = view.stride(each);
  }
  const Extents extents(
      std::span<const std::int64_t>(sizes.data(), static_cast<std::size_t>(view.rank())));
  auto* const first = view.bytes() + begin * view.stride(axis);
  if constexpr (requires { view.data(); })
    return {reinterpret_cast<decltype(view.data())>(first), extents, strides, view.space()};
  else
    return {first, view.element_type(), extents, strides, view.space()};
}

/// A view of three axes in another order of them.
template <class AnyView>
void reorder(AnyView& view, const std::array<std::size_t, kAxes>& order) {
  if (!view) return;
  std::array<std::int64_t, kAxes> sizes;
  typename AnyView::Strides strides{};
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    sizes[axis] = view.extent(static_cast<int>(order[axis]));
    strides[axis] = view.stride(static_cast<int>(order[axis]));
  }
  const Extents extents{sizes[0], sizes[1], sizes[2]};
  if constexpr (requires { view.data(); })
    view = {view.data(), extents, strides, view.space()};
  else
    view = {view.bytes(), view.element_type(), extents, strides, view.space()};
}

template <class Array>
void reorder_values(Array& values, const std::array<std::size_t, kAxes>& order) {
  const Array old = values;
  for (std::size_t axis = 0; axis < kAxes; ++axis) values[axis] = old[order[axis]];
}

}  // namespace

NearestSiteOutputs rows_of(const NearestSiteOutputs& out, int axis, std::int64_t begin,
                           std::int64_t count) {
  return map_outputs(out, [&](const Output&, const View<void>& view) {
    return range_of(view, axis + view.rank() - kAxes, begin, count);
  });
}

View<const void> rows_of(const View<const void>& view, int axis, std::int64_t begin,
                         std::int64_t count) {
  return view ? range_of(view, axis, begin, count) : view;
}

NearestSiteOutputs with_three_axes(const NearestSiteOutputs& out, std::int64_t k) {
  return views_with_three_axes(out, k);
}

void drop_thin_axes(Problem& problem, ProblemViews& views) {
  if (views.out.offset || views.out.direction || problem.earth != nullptr || problem.k > 0) return;
  // The axes of one cell come first, the others keep their order.
  std::array<std::size_t, kAxes> order{0, 1, 2};
  const auto thick = std::stable_partition(
      order.begin(), order.end(), [&](std::size_t axis) { return problem.extent[axis] == 1; });
  const int rank = std::max(2, static_cast<int>(order.end() - thick));
  if (rank == problem.rank && order[2] == 2) return;
  problem.rank = rank;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (problem.extent[axis] == 1) problem.period[axis] = kNoPeriod;
  reorder_values(problem.extent, order);
  reorder_values(problem.period, order);
  reorder_values(problem.spacing, order);
  reorder_values(problem.weights.factor, order);
  for (View<const void>* view : {&views.sites, &views.labels, &views.domain}) reorder(*view, order);
  views.out = map_outputs(views.out, [&](const Output&, View<void> view) {
    reorder(view, order);
    return view;
  });
}

ProblemViews make_views(View<const void> sites, const NearestSiteOutputs& out,
                        const View<const void>& domain, std::int64_t k) {
  ProblemViews views;
  views.domain = with_three_axes(domain);
  views.sites = with_three_axes(sites);
  views.labels = views.sites;
  views.out = with_three_axes(out, k);
  return views;
}

}  // namespace thiessen
