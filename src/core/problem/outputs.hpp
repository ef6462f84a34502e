// SPDX-License-Identifier: Apache-2.0
//
// Loops over outputs that the checks and the engines need.
#pragma once

#include <vector>

#include "core/base/cells.hpp"
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
