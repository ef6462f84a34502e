// SPDX-License-Identifier: Apache-2.0
//
// Loops over the outputs of a call, by the table of the struct of its views: what walks all outputs
// walks them here. For source files only, because the tables take time to compile.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "operations/rows/output.hpp"
#include "operations/tables/distances/cost_distance.hpp"
#include "operations/tables/distances/nearest_site.hpp"

namespace thiessen {

/// Calls visit(output, view) for the outputs that are wanted.
template <class Outputs, class Visit>
void for_each_output(const Outputs& out, const Visit& visit) {
  for (const Output& output : TableOf<Outputs>::kRows)
    if (const View<void> view = output.get(&out)) visit(output, view);
}

/// The outputs with the view change(output, view) in place of each.
template <class Outputs, class Change>
Outputs map_outputs(const Outputs& out, const Change& change) {
  Outputs changed;
  for_each_output(out, [&](const Output& output, const View<void>& view) {
    output.set(&changed, change(output, view));
  });
  return changed;
}

/// Whether an output of one of the subjects is wanted.
template <class Outputs>
bool wants_any(const Outputs& out, std::initializer_list<Subject> subjects) {
  return std::ranges::any_of(TableOf<Outputs>::kRows, [&](const Output& output) {
    return std::ranges::find(subjects, output.subject) != subjects.end() && output.get(&out);
  });
}

/// The axes in front of the axes of the raster.
inline int front_axes(const Output& output, std::int64_t k) {
  return output.axis == FrontAxis::component || (output.axis == FrontAxis::rank && k > 0) ? 1 : 0;
}

/// The extents of an output of a call on `grid`, which may have an axis of a batch in front of the
/// `rank` axes of a raster.
inline Extents extents_of(const Output& output, const Extents& grid, int rank, std::int64_t k) {
  if (front_axes(output, k) == 0) return grid;
  std::array<std::int64_t, kMaxAxes> sizes{output.axis == FrontAxis::component ? rank : k};
  for (int axis = 0; axis < grid.rank(); ++axis)
    sizes[static_cast<std::size_t>(axis) + 1] = grid[axis];
  return Extents(std::span(sizes).first(static_cast<std::size_t>(grid.rank()) + 1));
}

/// Views of results that own their memory.
template <class Outputs, class Results>
Outputs views_of_results(Results& results) {
  Outputs out;
  for (const Output& output : TableOf<Outputs>::kRows) output.set(&out, output.view(&results));
  return out;
}

/// What memory for results depends on.
struct ResultShape {
  Grid grid;  ///< as in extents_of()
  int rank = 2;
  std::int64_t k = 0;
  ElementType labels = ElementType::i32;
  ElementType distances = ElementType::f32;
};

inline ElementType type_of(const Output& output, const ResultShape& shape) {
  if (output.type == TypeRule::labels) return shape.labels;
  return output.type == TypeRule::distance ? shape.distances : output.element;
}

/// Makes memory for the results that are wanted.
template <class Outputs, class Wanted, class Results>
void allocate_results(Results& results, const Wanted& wanted, const ResultShape& shape) {
  for (const Output& output : TableOf<Outputs>::kRows) {
    if (!output.is_wanted(&wanted)) continue;
    const Extents extents = extents_of(output, shape.grid.extents, shape.rank, shape.k);
    const Grid grid = extents == shape.grid.extents ? shape.grid : Grid{.extents = extents};
    output.allocate(&results, type_of(output, shape), grid);
  }
}

}  // namespace thiessen
