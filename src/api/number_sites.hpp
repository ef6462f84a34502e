// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"

namespace thiessen {

/// Labels of the sites of a boolean raster of three axes: `before` + 1, `before` + 2, … in the
/// order of their index, as i32 or i64 in contiguous memory of `scratch`; other cells have 0.
View<const void> number_sites(ContextState& state, Scratch::Frame& scratch, const SiteRule& rule,
                              const View<const void>& mask, ElementType type, std::int64_t before);

/// Labels of points in contiguous memory, as methods read them: those of the list or, if that has
/// none, the numbers 1, 2, … in this type. `place` is that of each point in the list; null: they
/// count up.
View<const void> labels_of_points(Scratch::Frame& scratch, const View<const void>& labels,
                                  ElementType type, std::int64_t count,
                                  const std::int64_t* place = nullptr);

}  // namespace thiessen
