// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/context_state.hpp"
#include "coverage/edges.hpp"
#include "thiessen/view.hpp"

namespace thiessen::coverage {

/// Writes the signed distances of all cells. `nearest` has for each cell the number of the edge
/// with the nearest point, or 0 if that is out of range.
void write_distances(ContextState& state, const CoverageProblem& problem, const Edges& edges,
                     const EdgeNumber* nearest, const View<void>& distance);

/// The same where there is no edge: infinities.
void write_without_edges(ContextState& state, const CoverageProblem& problem, const Edges& edges,
                         const View<void>& distance);

}  // namespace thiessen::coverage
