// SPDX-License-Identifier: Apache-2.0
#include "oracle/cost_oracle.hpp"

#include <queue>
#include <tuple>

namespace thiessen::oracle {
template <class T>
std::vector<Edge<T>> edges_of(const CostProblem& problem, const std::vector<T>& map,
                              std::size_t p) {
  const CostEdges<T> edges = make_edges<T>(problem);
  const Axes& n = problem.extent;
  const Axes at = to_cell(n, static_cast<std::int64_t>(p));
  std::vector<Edge<T>> found;
  for (int k = 0; k < edges.count; ++k) {
    const CostOffset o = edges.offset[static_cast<std::size_t>(k)];
    const Axes q{at[0] + o.z, at[1] + o.y, at[2] + o.x};
    if (q[0] < 0 || q[0] >= n[0] || q[1] < 0 || q[1] >= n[1] || q[2] < 0 || q[2] >= n[2]) continue;
    const T weight = step_weight(edges, k, map.data() + p, n[1] * n[2], n[2]);
    if (weight >= 0) found.push_back({k, static_cast<std::size_t>(to_index(n, q)), weight});
  }
  return found;
}

template <class T>
CostResult cost_distance(const CostProblem& problem, const std::vector<T>& map,
                         const std::vector<CostSite>& sites) {
  const T infinity = std::numeric_limits<T>::infinity();
  std::vector<T> cost(map.size(), infinity);
  using Entry = std::pair<T, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  const auto lower = [&](T value, std::size_t p) {
    if (!(value < cost[p]) || value > greatest_cost<T>(problem)) return;
    cost[p] = value;
    queue.push({value, p});
  };
  for (const CostSite& site : sites)
    lower(static_cast<T>(site.initial), static_cast<std::size_t>(site.cell));
  CostResult result;
  while (!queue.empty()) {
    const auto [value, p] = queue.top();
    queue.pop();
    if (value > cost[p]) continue;
    for (const Edge<T>& e : edges_of(problem, map, p)) lower(value + e.weight, e.to);
  }
  // Roots come in the order of their index: the first one in a cell keeps it. Steps go breadth
  // first.
  result.site.assign(map.size(), kUnreached);
  result.back_link.assign(map.size(), kBackLinkUnreached);
  std::vector<std::int64_t> hops(map.size(), 0);
  for (const CostSite& site : sites) {
    const auto root = static_cast<std::size_t>(site.cell);
    if (result.site[root] != kUnreached || cost[root] != static_cast<T>(site.initial)) continue;
    result.site[root] = site.index;
    std::vector<std::size_t> reached{root};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const Edge<T>& e : edges_of(problem, map, reached[i])) {
        if (result.site[e.to] != kUnreached || cost[reached[i]] + e.weight != cost[e.to] ||
            cost[e.to] == infinity)
          continue;
        result.site[e.to] = site.index;
        hops[e.to] = hops[reached[i]] + 1;
        reached.push_back(e.to);
      }
    // Steps cost the same both ways, so the edges of p are those into p, in ascending order.
    for (const std::size_t p : reached) {
      result.back_link[p] = 0;
      for (const Edge<T>& e : edges_of(problem, map, p))
        if (hops[p] > 0 && result.back_link[p] == 0 && result.site[e.to] == site.index &&
            cost[e.to] + e.weight == cost[p] && hops[e.to] < hops[p])
          result.back_link[p] = static_cast<std::uint8_t>(e.k + 1);
    }
  }
  result.cost.assign(cost.begin(), cost.end());
  return result;
}

template CostResult cost_distance(const CostProblem&, const std::vector<float>&,
                                  const std::vector<CostSite>&);
template CostResult cost_distance(const CostProblem&, const std::vector<double>&,
                                  const std::vector<CostSite>&);

}  // namespace thiessen::oracle
