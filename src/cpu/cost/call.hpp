// SPDX-License-Identifier: Apache-2.0
//
// What the methods of cost distance share on the CPU: what comes before the costs, and the labels
// after them.
#pragma once

#include <cstdint>

#include "backend/backend.hpp"
#include "core/cost_edges.hpp"
#include "core/cost_inputs.hpp"
#include "core/scratch.hpp"

namespace thiessen::cpu {

/// A call ready for its costs to be found.
template <class T>
struct CostCall {
  const CostProblem& problem;
  CostEdges<T> edges;
  T limit = 0;                    ///< the greatest cost that is not unreached
  const T* resistance = nullptr;  ///< C order
  CostSites<T> sites;
  T* cost = nullptr;  ///< the same: the least initial cost in cells with sites, else infinity
};

/// How a call's fronts went over the map: labels go the same ways, and flood as is faster there.
enum class Fronts {
  straight,  ///< through a tile at a time: by tiles
  winding,   ///< in and out of it, or nobody knows: one site after the other
};

/// What a cell's cost counts in the progress.
inline constexpr std::int64_t kUnitsOfCost = 8;

/// Lowers call.cost to the greatest fixed point, infinity where it would be above the limit. Counts
/// kUnitsOfCost for a cell when it is done, if it knows that before the end.
template <class T>
using Solver = Fronts (*)(ContextState& state, const CostCall<T>& call, CostDistanceReport& report);

/// A whole call by one solver of each type: inputs, costs, labels, outputs.
struct Solvers {
  Solver<float> narrow;
  Solver<double> wide;
};
void run_cost(ContextState& state, const CostProblem& problem, const CostViews& views,
              CostDistanceReport& report, const Solvers& solvers);

}  // namespace thiessen::cpu
