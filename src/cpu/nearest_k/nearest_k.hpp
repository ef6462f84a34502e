// SPDX-License-Identifier: Apache-2.0
//
// The k nearest sites of every cell, or the nearest sites of its k nearest labels; and how many are
// equally near.
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cpu {

/// Fills labels, site_index, distance and squared of views whose first axis counts the k nearest.
///
/// Both count candidates_units() of progress. Memory: some 110 bytes a site that is not deep
/// (NearSites), and three bytes a cell of a raster. The k nearest labels: 115 bytes a site, eight a
/// cell.
void find_nearest_k(ContextState& state, const Problem& problem, const ProblemViews& views);

/// Fills `ties`, and the labels if tied cells are to be unreached.
void count_ties(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cpu
