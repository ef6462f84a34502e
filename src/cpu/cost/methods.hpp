// SPDX-License-Identifier: Apache-2.0
//
// The methods of cost distance on the CPU.
#pragma once

#include "backend/backend.hpp"

namespace thiessen::cpu {

/// All methods take all problems.
Support supports_cost(const ContextState& state, const CostProblem& problem);

/// E. W. Dijkstra's algorithm with one heap for all sites, on one thread.
void run_dijkstra(ContextState& state, const CostProblem& problem, const CostViews& views,
                  CostDistanceReport& report);

/// The scheme of J. Toss and J. Comba: relaxes all cells again and again until nothing changes.
void run_relaxation(ContextState& state, const CostProblem& problem, const CostViews& views,
                    CostDistanceReport& report);

/// The fastest way: tile by tile on all threads, or with the heap.
void run_exact_cost(ContextState& state, const CostProblem& problem, const CostViews& views,
                    CostDistanceReport& report);

/// The k nearest sites of each cell, on one thread.
void run_nearest_k_by_cost(ContextState& state, const CostProblem& problem, const CostViews& views,
                           CostDistanceReport& report);

/// Fronts in any direction (core/cost/eikonal.hpp), without steps.
Support supports_eikonal(const ContextState& state, const CostProblem& problem);
void run_eikonal(ContextState& state, const CostProblem& problem, const CostViews& views,
                 CostDistanceReport& report);

}  // namespace thiessen::cpu
