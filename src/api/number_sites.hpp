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

}  // namespace thiessen
