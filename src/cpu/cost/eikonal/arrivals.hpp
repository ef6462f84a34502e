// SPDX-License-Identifier: Apache-2.0
//
// The second order of Eikonal cost distance (core/cost/eikonal.hpp): costs, and the sites and
// directions that follow from them.
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"
#include "cpu/cost/eikonal/starts.hpp"

namespace thiessen::cpu::eikonal {

/// Finds the answers in the cells that `order` reaches from those that are known and that it keeps.
/// `link` may be null; else it gets the face over which the way of each cell leads back, as
/// 2·axis, plus 1 where that is the upper one; kNoLink at sites and where there is no way.
void find_arrivals(ContextState& state, const Ground& ground, const CostSites<double>& sites,
                   const double* order, const Answers& answers, std::uint8_t* link);

inline constexpr std::uint8_t kNoLink = 255;

}  // namespace thiessen::cpu::eikonal
