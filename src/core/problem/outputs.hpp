// SPDX-License-Identifier: Apache-2.0
//
// Loops over outputs that the checks and the engines need.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/refuse.hpp"
#include "core/problem/call_checks.hpp"
#include "operations/outputs.hpp"

namespace thiessen {

/// The outputs with three axes of the raster each.
template <class Outputs>
Outputs views_with_three_axes(const Outputs& out, std::int64_t k = 0) {
  return map_outputs(out, [&](const Output& output, const View<void>& view) {
    return with_three_axes(view, front_axes(output, k));
  });
}

/// The extents without those of an axis.
inline Extents without_axis(const Extents& extents, int axis) {
  std::vector<std::int64_t> sizes;
  for (int each = 0; each < extents.rank(); ++each)
    if (each != axis) sizes.push_back(extents[each]);
  return Extents(sizes);
}

/// The part of a view at `index` of an axis.
template <class AnyView>
AnyView part_of(const AnyView& view, int axis, std::int64_t index) {
  if (!view) return view;
  typename AnyView::Strides strides{};
  for (int each = 0, to = 0; each < view.rank(); ++each)
    if (each != axis) strides[static_cast<std::size_t>(to++)] = view.stride(each);
  auto* const first = view.bytes() + index * view.stride(axis);
  const Extents extents = without_axis(view.extents(), axis);
  if constexpr (requires { view.data(); })
    return {reinterpret_cast<decltype(view.data())>(first), extents, strides, view.space()};
  else
    return {first, view.element_type(), extents, strides, view.space()};
}

/// The outputs of one raster of a batch, or of one of the k nearest.
template <class Outputs>
Outputs parts_of_outputs(const Outputs& out, std::int64_t index) {
  return map_outputs(out, [&](const Output& output, const View<void>& view) {
    return part_of(view, output.axis == FrontAxis::component ? 1 : 0, index);
  });
}

/// "labels, site_index and distance": the outputs that the k nearest have.
template <class Outputs>
std::string names_of_ranked_outputs() {
  std::vector<std::string> names;
  for (const Output& output : TableOf<Outputs>::kRows)
    if (output.axis == FrontAxis::rank) names.emplace_back(output.name);
  std::string text = names.front();
  for (std::size_t i = 1; i < names.size(); ++i)
    text += (i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

/// Throws Error{invalid_argument} for what the k nearest do not have.
template <class Outputs>
[[noreturn]] void refuse_beside_k(std::int64_t k, std::string_view what) {
  refuse("k = " + std::to_string(k) + " and " + std::string(what) +
         " are given; the k nearest have " + names_of_ranked_outputs<Outputs>());
}

/// Checks that the k nearest have all outputs that are wanted. Throws Error{invalid_argument}.
template <class Outputs>
void check_outputs_of_k(const Outputs& out, std::int64_t k) {
  for_each_output(out, [&](const Output& output, const View<void>&) {
    if (output.axis == FrontAxis::rank) return;
    refuse_beside_k<Outputs>(
        k, output.subject == Subject::other_label ? "outputs of another label" : output.name);
  });
}

/// Checks that each output has the extents extents_of(output), is memory of its own that can be
/// reached, and holds distances if it is to. Throws Error{invalid_argument}.
template <class Outputs, class ExtentsOf>
void check_views(const Outputs& out, const std::vector<NamedView>& inputs,
                 const ReachableMemory& reachable, const ExtentsOf& extents_of) {
  std::vector<NamedView> outputs;
  for_each_output(out, [&](const Output& output, const View<void>& view) {
    outputs.push_back({output.name.data(), view});
    check_output(outputs.back(), extents_of(output), reachable);
  });
  for_each_output(out, [&](const Output& output, const View<void>& view) {
    if (output.type == TypeRule::distance) check_distance_type({output.name.data(), view});
  });
  check_overlaps(inputs, outputs);
}

}  // namespace thiessen
