// SPDX-License-Identifier: Apache-2.0
//
// How far into a slab sites beyond its ends can be nearest.
#pragma once

#include <cstdint>

#include "core/context_state.hpp"
#include "core/problem.hpp"
#include "core/slab.hpp"
#include "cpu/lines/faces.hpp"

namespace thiessen::cpu {

/// A number of rows or planes at one end of a slab: no site beyond that end is the nearest one of
/// any cell farther inside. Reads the slab as far as it needs to.
std::int64_t rows_in_outer_reach(ContextState& state, const Problem& problem, const Slab& slab,
                                 const View<const void>& sites, End end);

}  // namespace thiessen::cpu
