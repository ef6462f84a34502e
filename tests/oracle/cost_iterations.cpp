// SPDX-License-Identifier: Apache-2.0
#include "oracle/cost_oracle.hpp"

namespace thiessen::oracle {

// Rounding addition is monotone, so the least cost of paths with at most n + 1 steps follows from
// that of paths with at most n.
template <class T>
std::int64_t count_iterations(const CostProblem& problem, const CostGround<T>& ground,
                              const std::vector<CostSite>& sites) {
  const T limit = greatest_cost<T>(problem);
  const std::size_t cells = ground.resistance.size();
  std::vector<T> cost(cells, std::numeric_limits<T>::infinity());
  for (const CostSite& site : sites) {
    T& own = cost[static_cast<std::size_t>(site.cell)];
    if (static_cast<T>(site.initial) <= limit) own = std::min(own, static_cast<T>(site.initial));
  }
  std::vector<std::vector<Edge<T>>> edges;
  for (std::size_t p = 0; p < cells; ++p) edges.push_back(edges_of(problem, ground, p));
  for (std::int64_t steps = 1;; ++steps) {
    const std::vector<T> shorter = cost;
    for (std::size_t p = 0; p < cost.size(); ++p)
      for (const Edge<T>& edge : edges[p])
        if (const T c = shorter[p] + edge.weight; c <= limit)
          cost[edge.to] = std::min(cost[edge.to], c);
    if (cost == shorter) return steps;
  }
}

template std::int64_t count_iterations(const CostProblem&, const CostGround<float>&,
                                       const std::vector<CostSite>&);
template std::int64_t count_iterations(const CostProblem&, const CostGround<double>&,
                                       const std::vector<CostSite>&);

}  // namespace thiessen::oracle
