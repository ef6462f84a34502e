// SPDX-License-Identifier: Apache-2.0
//
// The second order of Eikonal cost distance (core/cost/eikonal.hpp): costs, and the sites and
// directions that follow from them.
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"
#include "cpu/cost/eikonal/starts.hpp"

namespace thiessen::cpu::eikonal {

/// Finds the answers in the cells that `order` reaches, from those that are known and that it
/// keeps. `links` may be null; else each cell gets the side over which its way leads back, or
/// kNoSide.
void find_arrivals(ContextState& state, const Ground& ground, const CostSites<double>& sites,
                   const double* order, const Answers& answers, std::uint8_t* links);

}  // namespace thiessen::cpu::eikonal
