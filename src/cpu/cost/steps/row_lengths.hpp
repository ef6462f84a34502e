// SPDX-License-Identifier: Apache-2.0
//
// The lengths of steps on the Earth. Columns are evenly far from each other, so the row, and how
// far a step leads along both axes, decide.
#pragma once

#include "core/base/scratch.hpp"
#include "core/cost/inputs.hpp"
#include "core/cost/problem.hpp"

namespace thiessen::cpu {

/// Sets the lengths and the factors of rows. Lengths are those of the shortest ways between the
/// centres of cells, in whole micrometres.
template <class T>
void set_row_lengths(const CostProblem& problem, const CostEdges<T>& edges, const Loop& loop,
                     Scratch::Frame& scratch, PlacedSteps<T>& steps);

}  // namespace thiessen::cpu
