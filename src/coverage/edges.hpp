// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"
#include "coverage/cell_edge.hpp"
#include "coverage/cells.hpp"

namespace thiessen::coverage {

/// Number of an edge: its place among all, in the order of their cells, and 1 more. 0: no edge.
using EdgeNumber = std::uint32_t;

/// The edges of all cells.
struct Edges {
  std::int64_t count = 0;
  const CellEdge* edges = nullptr;      ///< of number 1, 2, …
  const EdgeNumber* numbers = nullptr;  ///< of each cell

  const CellEdge& edge(EdgeNumber number) const { return edges[number - 1]; }
};

/// Finds the edges, in memory of `scratch`. Throws Error{invalid_argument} naming the first cell
/// whose coverage is NaN or beyond 0 to 1. Time O(cells).
Edges find_edges(ContextState& state, const CoverageProblem& problem, Scratch::Frame& scratch);

}  // namespace thiessen::coverage
