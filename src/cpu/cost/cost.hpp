// SPDX-License-Identifier: Apache-2.0
//
// What the CPU's methods of cost distance share: the steps before the costs, and the labels after
// them.
#pragma once

#include <cstdint>

#include "backend/backend.hpp"
#include "core/base/scratch.hpp"
#include "core/cost/edges.hpp"
#include "core/cost/inputs.hpp"
#include "core/cost/placed_steps.hpp"

namespace thiessen::cpu {

/// A call whose inputs are ready and whose costs are still to be found.
template <class T>
struct CostJob {
  const CostProblem& problem;
  CostEdges<T> edges;
  T limit = 0;                             ///< the greatest cost that is not unreached
  const T* resistance = nullptr;           ///< C order
  const PlacedSteps<T>* placed = nullptr;  ///< null: steps depend on the resistances alone
  CostSites<T> sites;
  T* cost = nullptr;  ///< C order: the least initial cost in cells with sites, else infinity
  /// C order, for a solver that carries labels along: the first site of that cost, else kNoRank.
  /// Null: labels are found on final costs.
  Rank* carried = nullptr;
};

/// Loads the map into `job`, and into `steps` what those that depend on their place need.
template <class T>
void load_ground(const CostViews& views, const Loop& loop, Scratch::Frame& scratch, CostJob<T>& job,
                 PlacedSteps<T>& steps);
/// Loads the map and the sites of a call. The job refers to `problem` and `steps`, and to memory of
/// `scratch`; it has no costs yet.
template <class T>
CostJob<T> load_job(const CostProblem& problem, const CostViews& views, CostDistanceReport& report,
                    const Loop& loop, Scratch::Frame& scratch, PlacedSteps<T>& steps);

/// How the fronts of a call went over the map. Labels go the same ways, and spread fastest like
/// that.
enum class Fronts {
  straight,  ///< through a tile at a time: by tiles
  winding,   ///< in and out of tiles, or unknown: one site after the other
};

/// Units of progress for the cost of a cell.
inline constexpr std::int64_t kUnitsOfCost = 8;

/// Lowers job.cost to the greatest fixed point, and to infinity where it would be above the limit.
/// Counts kUnitsOfCost when a cell is done, if it knows that before the end.
template <class T>
using Solver = Fronts (*)(ContextState& state, const CostJob<T>& job, CostDistanceReport& report);

/// The solver of method "exact".
template <class T>
Fronts solve_exactly(ContextState& state, const CostJob<T>& job, CostDistanceReport& report);

/// Whether that goes by passes over the rows of tiles, many times as fast as one cell after the
/// other.
template <class T>
bool solves_by_passes(const ContextState& state, const CostJob<T>& job);

/// Finds the costs of a job by method "exact", and the ranks of all cells; and the hops, unless
/// they are null.
template <class T>
void find_answer(ContextState& state, const CostJob<T>& job, Rank* rank, std::int64_t* hops);

/// Finds the ranks of all cells on the final costs of a job.
template <class T>
void find_ranks(ContextState& state, const CostJob<T>& job, Rank* rank);

/// Does a whole call with the solver of the float type: inputs, costs, labels, outputs.
struct Solvers {
  Solver<float> narrow;
  Solver<double> wide;
};
void run_cost(ContextState& state, const CostProblem& problem, const CostViews& views,
              CostDistanceReport& report, const Solvers& solvers);

}  // namespace thiessen::cpu
