// SPDX-License-Identifier: Apache-2.0
//
// E. W. Dijkstra's algorithm with one heap for all sites, on one thread.
#pragma once

#include <functional>

#include "cpu/cost/cost.hpp"

namespace thiessen::cpu {

/// See Solver in cost/cost.hpp.
template <class T>
Fronts solve_by_heap(ContextState& state, const CostJob<T>& job, CostDistanceReport& report);

/// Goes on from costs of which some have fallen: starts(add) calls add(cell) for every cell whose
/// cost has not been passed on, and perhaps for others. Leaves the progress to the caller.
template <class T>
void continue_by_heap(ContextState& state, const CostJob<T>& job,
                      const std::function<void(const std::function<void(std::int64_t)>&)>& starts);

/// Goes on from costs of which any may have fallen, but only from cell to cell of one region.
/// Counts kUnitsOfCost when a cell is done.
template <class T>
void solve_within_regions(ContextState& state, const CostJob<T>& job, const std::uint32_t* region);

}  // namespace thiessen::cpu
