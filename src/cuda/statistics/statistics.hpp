// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/context_state.hpp"
#include "core/statistics/problem.hpp"

namespace thiessen::cuda::statistics {

/// Labels in memory of the device; fields are refused.
SiteStatistics run_site_statistics(ContextState& state, const StatisticsProblem& problem);
Adjacency run_adjacency(ContextState& state, const AdjacencyProblem& problem);

}  // namespace thiessen::cuda::statistics
