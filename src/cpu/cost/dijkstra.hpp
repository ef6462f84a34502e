// SPDX-License-Identifier: Apache-2.0
//
// E. W. Dijkstra's algorithm with one heap for all sites, on one thread.
#pragma once

#include "cpu/cost/call.hpp"

namespace thiessen::cpu {

/// As Solver says.
template <class T>
Fronts solve_by_heap(ContextState& state, const CostCall<T>& call, CostDistanceReport& report);

}  // namespace thiessen::cpu
