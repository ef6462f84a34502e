// SPDX-License-Identifier: Apache-2.0
#include "oracle/cost_oracle.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace thiessen::oracle {
namespace {

/// The index of a cell, which may lie beyond the ends of periodic axes; -1 outside of the raster.
std::int64_t index_of(const CostProblem& problem, Axes cell) {
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const std::int64_t cells = problem.extent[axis];
    if (problem.periodic[axis]) cell[axis] = (cell[axis] % cells + cells) % cells;
    if (cell[axis] < 0 || cell[axis] >= cells) return -1;
  }
  return to_index(problem.extent, cell);
}

/// The sum of the resistances that step k from p touches: as in the middle of five cells along each
/// axis.
template <class T>
T sum_from(const CostProblem& problem, const CostEdges<T>& edges, const CostGround<T>& ground,
           int k, std::size_t p) {
  std::array<T, 125> around;
  const Axes at = to_cell(problem.extent, static_cast<std::int64_t>(p));
  for (std::size_t i = 0; i < around.size(); ++i) {
    const Axes way = to_cell({5, 5, 5}, static_cast<std::int64_t>(i));
    const std::int64_t cell =
        index_of(problem, {at[0] + way[0] - 2, at[1] + way[1] - 2, at[2] + way[2] - 2});
    around[i] = cell < 0 ? std::numeric_limits<T>::quiet_NaN()
                         : ground.resistance[static_cast<std::size_t>(cell)];
  }
  return sum_along(edges, k, &around[around.size() / 2], 25, 5);
}

/// The cost of step k from p to q where that depends on their place, if costs spread that way: who
/// walks to the site goes from q to p.
template <class T>
T placed_weight(const CostProblem& problem, const CostGround<T>& ground, int k, std::size_t p,
                std::size_t q) {
  const CostEdges<T> edges = make_edges<T>(problem);
  const T sum = sum_from(problem, edges, ground, k, p);
  if (!is_passable(sum)) return sum;
  const PlacedSteps<T> steps = make_placed_steps<T>(problem);
  const auto step = static_cast<std::size_t>(k);
  const auto row = static_cast<std::int64_t>(p) / problem.extent[2];
  const double length = ground.length ? ground.length(edges.offset[step], row) : steps.length[step];
  const T by_length = edges.weight_by(static_cast<T>(length * steps.scale[step]), sum);
  if (!problem.walk) return by_length;
  const bool back = problem.walk_direction == WalkDirection::to_site;
  const double begin = static_cast<double>(ground.elevation[back ? q : p]);
  const double end = static_cast<double>(ground.elevation[back ? p : q]);
  const double seconds = walking_seconds(problem.walk_rule(), length, end - begin);
  if (problem.walk_map == WalkMap::adds) return static_cast<T>(seconds) + by_length;
  return edges.weight_by(static_cast<T>(seconds * steps.scale[step]), sum);
}

/// Whether cells p and q, next to each other, have an open face between them.
template <class T>
bool is_face_open(const CostProblem& problem, const CostGround<T>& ground, const Axes& p,
                  const Axes& q) {
  const Axes& first = p < q ? p : q;
  const int bit = p[2] != q[2] ? 1 : p[1] != q[1] ? 2 : 4;
  return (ground.blocked_faces[static_cast<std::size_t>(index_of(problem, first))] & bit) == 0;
}

/// Whether a way across faces leads from p to q in the box around both.
template <class T>
bool has_way(const CostProblem& problem, const CostGround<T>& ground, const Axes& p,
             const Axes& q) {
  std::vector<Axes> reached{p};
  std::set<Axes> seen{p};
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      for (const std::int64_t way : {-1, 1}) {
        const Axes from = reached[i];
        Axes next = from;
        next[axis] += way;
        if (next[axis] < std::min(p[axis], q[axis]) || next[axis] > std::max(p[axis], q[axis]))
          continue;
        const auto cell = static_cast<std::size_t>(index_of(problem, next));
        if (problem.tight_barriers && !is_passable(ground.resistance[cell])) continue;
        if (is_face_open(problem, ground, from, next) && seen.insert(next).second)
          reached.push_back(next);
      }
  return seen.contains(q);
}

/// Tells which of two steps k from a cell is shorter: as a squared length, or in metres on the
/// Earth.
template <class T>
std::pair<Int128, double> length_from(const CostProblem& problem, const CostGround<T>& ground,
                                      int k, std::size_t cell) {
  const CostOffset o = make_edges<T>(problem).offset[static_cast<std::size_t>(k)];
  if (ground.length)
    return {0, ground.length(o, static_cast<std::int64_t>(cell) / problem.extent[2])};
  const auto spacing = std::span(problem.spacing).last(static_cast<std::size_t>(problem.rank));
  const auto factor = make_weights({2, 2, 2}, spacing, Metric::euclidean).factor;
  return {factor[0] * o.z * o.z + factor[1] * o.y * o.y + factor[2] * o.x * o.x, 0};
}

}  // namespace

template <class T>
std::vector<Edge<T>> edges_of(const CostProblem& problem, const CostGround<T>& ground,
                              std::size_t p) {
  const CostEdges<T> edges = make_edges<T>(problem);
  const Axes at = to_cell(problem.extent, static_cast<std::int64_t>(p));
  std::vector<Edge<T>> found;
  for (int k = 0; k < edges.count; ++k) {
    const CostOffset o = edges.offset[static_cast<std::size_t>(k)];
    const Axes q{at[0] + o.z, at[1] + o.y, at[2] + o.x};
    if (index_of(problem, q) < 0) continue;
    const auto to = static_cast<std::size_t>(index_of(problem, q));
    if (!ground.blocked_faces.empty() && !has_way(problem, ground, at, q)) continue;
    const T weight = problem.walk || problem.earth != nullptr
                         ? placed_weight(problem, ground, k, p, to)
                         : edges.weight(k, sum_from(problem, edges, ground, k, p));
    if (weight >= 0) found.push_back({k, to, weight});
  }
  return found;
}

/// The cost of every cell.
template <class T>
std::vector<T> find_costs(const CostProblem& problem, const CostGround<T>& ground,
                          const std::vector<CostSite>& sites) {
  const T infinity = std::numeric_limits<T>::infinity();
  std::vector<T> cost(ground.resistance.size(), infinity);
  using Entry = std::pair<T, std::size_t>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  const auto lower = [&](T value, std::size_t p) {
    if (!(value < cost[p]) || value > greatest_cost<T>(problem)) return;
    cost[p] = value;
    queue.push({value, p});
  };
  for (const CostSite& site : sites)
    lower(static_cast<T>(site.initial), static_cast<std::size_t>(site.cell));
  while (!queue.empty()) {
    const auto [value, p] = queue.top();
    queue.pop();
    if (value > cost[p]) continue;
    for (const Edge<T>& e : edges_of(problem, ground, p)) lower(value + e.weight, e.to);
  }
  return cost;
}

template <class T>
CostResult cost_distance(const CostProblem& problem, const CostGround<T>& ground,
                         const std::vector<CostSite>& sites) {
  const T infinity = std::numeric_limits<T>::infinity();
  const std::size_t cells = ground.resistance.size();
  const std::vector<T> cost = find_costs(problem, ground, sites);
  CostResult result;
  // Roots come in the order of their index: the first one in a cell keeps it. Steps go breadth
  // first.
  result.site.assign(cells, kUnreached);
  result.back_link.assign(cells, kBackLinkUnreached);
  std::vector<std::int64_t> hops(cells, 0);
  for (const CostSite& site : sites) {
    const auto root = static_cast<std::size_t>(site.cell);
    if (result.site[root] != kUnreached || cost[root] != static_cast<T>(site.initial)) continue;
    result.site[root] = site.index;
    std::vector<std::size_t> reached{root};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const Edge<T>& e : edges_of(problem, ground, reached[i])) {
        if (result.site[e.to] != kUnreached || cost[reached[i]] + e.weight != cost[e.to] ||
            cost[e.to] == infinity)
          continue;
        result.site[e.to] = site.index;
        hops[e.to] = hops[reached[i]] + 1;
        reached.push_back(e.to);
      }
    for (const std::size_t p : reached) result.back_link[p] = 0;
    // The step back from q is the opposite one. Among neighbours with equally short steps the first
    // one has the least number.
    const int count = make_edges<T>(problem).count;
    const auto key = [&](int k, std::size_t q) {
      return std::pair(length_from(problem, ground, k, q), k);
    };
    for (const std::size_t p : reached)
      for (const Edge<T>& e : edges_of(problem, ground, p)) {
        const int back = count - 1 - e.k;
        std::uint8_t& link = result.back_link[e.to];
        if (result.site[e.to] == site.index && hops[p] < hops[e.to] &&
            cost[p] + e.weight == cost[e.to] &&
            (link == 0 || key(back, e.to) < key(link - 1, e.to)))
          link = static_cast<std::uint8_t>(back + 1);
      }
  }
  result.cost.assign(cost.begin(), cost.end());
  return result;
}

template <class T>
std::vector<std::vector<RankedSite>> rank_sites(const CostProblem& problem,
                                                const CostGround<T>& ground,
                                                const std::vector<CostSite>& sites) {
  std::vector<std::vector<RankedSite>> ranked(ground.resistance.size());
  for (const CostSite& site : sites) {
    const std::vector<T> cost = find_costs(problem, ground, {site});
    for (std::size_t cell = 0; cell < cost.size(); ++cell)
      if (cost[cell] < std::numeric_limits<T>::infinity())
        ranked[cell].push_back({static_cast<double>(cost[cell]), site.index});
  }
  for (std::vector<RankedSite>& each : ranked) std::sort(each.begin(), each.end());
  return ranked;
}

template std::vector<std::vector<RankedSite>> rank_sites(const CostProblem&,
                                                         const CostGround<float>&,
                                                         const std::vector<CostSite>&);
template std::vector<std::vector<RankedSite>> rank_sites(const CostProblem&,
                                                         const CostGround<double>&,
                                                         const std::vector<CostSite>&);

template CostResult cost_distance(const CostProblem&, const CostGround<float>&,
                                  const std::vector<CostSite>&);
template CostResult cost_distance(const CostProblem&, const CostGround<double>&,
                                  const std::vector<CostSite>&);

}  // namespace thiessen::oracle
