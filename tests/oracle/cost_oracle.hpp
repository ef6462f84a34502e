// SPDX-License-Identifier: Apache-2.0
//
// The reference for cost distance: costs by Dijkstra's algorithm, then labels along tight edges, in
// the plainest way.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/cost/problem.hpp"

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

/// What paths lead over, in the float type of the problem.
template <class T>
struct CostGround {
  std::vector<T> resistance;      ///< NaN for barriers
  std::vector<T> elevation = {};  ///< of a walk; anything in barriers
  /// On the Earth: the metres of a step from a cell of a row.
  std::function<double(const CostOffset& step, std::int64_t row)> length = {};
  std::vector<std::uint8_t> blocked_faces = {};  ///< in C order; empty: none
};

/// The steps along which costs spread from a cell.
template <class T>
std::vector<Edge<T>> edges_of(const CostProblem& problem, const CostGround<T>& ground,
                              std::size_t cell);

template <class T>
CostResult cost_distance(const CostProblem& problem, const CostGround<T>& ground,
                         const std::vector<CostSite>& sites);

/// A site of a cell: its cost is that of a call with this site alone.
struct RankedSite {
  double cost;
  std::int64_t index;

  auto operator<=>(const RankedSite&) const = default;
};

/// All sites that reach each cell, by (cost, site index): a call for each of them.
template <class T>
std::vector<std::vector<RankedSite>> rank_sites(const CostProblem& problem,
                                                const CostGround<T>& ground,
                                                const std::vector<CostSite>& sites);

/// The number of iterations of the relaxation: over all cells, the greatest number of steps of the
/// shortest path whose rounded cost is the cell's final one, plus one.
template <class T>
std::int64_t count_iterations(const CostProblem& problem, const CostGround<T>& ground,
                              const std::vector<CostSite>& sites);

}  // namespace thiessen::oracle
