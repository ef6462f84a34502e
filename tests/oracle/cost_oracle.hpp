// SPDX-License-Identifier: Apache-2.0
//
// The truth of cost distance: costs by Dijkstra's algorithm, then labels along tight edges, with
// nothing clever.
#pragma once

#include <cstdint>
#include <vector>

#include "core/cost_problem.hpp"

namespace thiessen::oracle {

/// A site that takes part.
struct CostSite {
  std::int64_t index;
  std::int64_t cell;
  double initial;
};

/// One element a cell. Costs are those of the float type, held in double.
struct CostResult {
  std::vector<double> cost;
  std::vector<std::int64_t> site;  ///< site index or kUnreached
  std::vector<std::uint8_t> back_link;
};

/// A step that passes: neighbour k (from 0), the cell there and what the step costs.
template <class T>
struct Edge {
  int k;
  std::size_t to;
  T weight;
};

/// The steps from a cell, which cost the same both ways. `resistance` in the float type of the
/// problem, NaN for barriers.
template <class T>
std::vector<Edge<T>> edges_of(const CostProblem& problem, const std::vector<T>& resistance,
                              std::size_t cell);

template <class T>
CostResult cost_distance(const CostProblem& problem, const std::vector<T>& resistance,
                         const std::vector<CostSite>& sites);

/// How many iterations the relaxation takes: one more than the greatest number, of all cells, of
/// steps of the shortest path whose rounded cost is the cell's final one.
template <class T>
std::int64_t count_iterations(const CostProblem& problem, const std::vector<T>& resistance,
                              const std::vector<CostSite>& sites);

}  // namespace thiessen::oracle
