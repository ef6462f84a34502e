// SPDX-License-Identifier: Apache-2.0
//
// Tables, networks and corridors of random maps, by their definitions: a search of its own for each
// place, all steps over all borders, and a spanning tree of all pairs.
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of a few.
#include "thiessen/cost_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "core/cost/labels.hpp"
#include "core/cost/problem.hpp"
#include "support/draw.hpp"
#include "support/problems/tile_problems.hpp"

namespace thiessen {
namespace {

using testing::Draw;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A map, and cells with labels: of a raster, or as points.
struct NetworkCase {
  Extents extents;
  std::vector<double> map;
  std::vector<float> elevation;
  std::vector<std::int32_t> labels;  ///< of the cells of a raster, or of points
  std::vector<double> points;        ///< empty: places are a raster
  CostDistanceOptions options;
  EdgeWeight weight = EdgeWeight::cost;

  CostMap cost_map() const { return {View<const double>(map.data(), extents), weight}; }
  Places places() const {
    if (points.empty()) return View<const std::int32_t>(labels.data(), extents);
    const std::int64_t count = std::ssize(labels);
    return PointList{.coordinates = View<const double>(points.data(), {count, extents.rank()}),
                     .labels = View<const std::int32_t>(labels.data(), {count})};
  }
  /// The cells of each label.
  std::map<std::int32_t, std::set<std::int64_t>> cells() const {
    std::map<std::int32_t, std::set<std::int64_t>> cells;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      std::int64_t cell = points.empty() ? static_cast<std::int64_t>(i) : 0;
      const auto rank = static_cast<std::size_t>(extents.rank());
      for (std::size_t axis = 0; axis < rank && !points.empty(); ++axis)
        cell = cell * extents[static_cast<int>(axis)] +
               static_cast<std::int64_t>(points[i * rank + axis]);
      if (labels[i] != 0) cells[labels[i]].insert(cell);
    }
    return cells;
  }
};

/// Whole costs, of which many sums are equal, or any.
void draw_map(Draw& draw, NetworkCase& problem) {
  const bool whole = draw.once_in(2);
  const std::int64_t barriers = draw.once_in(2) ? 0 : 3 + draw.below(5);
  problem.weight = draw.once_in(3) ? EdgeWeight::stiffness : EdgeWeight::cost;
  const std::int64_t least = problem.weight == EdgeWeight::cost && draw.once_in(3) ? 0 : 1;
  for (std::int64_t i = 0; i < problem.extents.count(); ++i) {
    double value = whole ? static_cast<double>(least + draw.below(3)) : 0.1 + draw.real();
    if (barriers > 0 && draw.once_in(barriers)) value = std::nan("");
    problem.map.push_back(value);
  }
}

void draw_places(Draw& draw, NetworkCase& problem) {
  const std::int64_t labels = 1 + draw.below(8);
  if (draw.once_in(2)) {
    for (std::int64_t i = 0; i < problem.extents.count(); ++i)
      problem.labels.push_back(draw.once_in(6) ? static_cast<std::int32_t>(1 + draw.below(labels))
                                               : 0);
    return;
  }
  for (std::int64_t i = 0; i < 1 + draw.below(10); ++i) {
    problem.labels.push_back(static_cast<std::int32_t>(1 + draw.below(labels)));
    for (int axis = 0; axis < problem.extents.rank(); ++axis)
      problem.points.push_back(static_cast<double>(draw.below(problem.extents[axis])));
  }
}

NetworkCase draw_case(Draw& draw) {
  NetworkCase problem;
  const bool volume = draw.once_in(4);
  std::vector<std::int64_t> sizes;
  for (int axis = 0; axis < (volume ? 3 : 2); ++axis)
    sizes.push_back(1 + draw.below(volume ? 5 : 12));
  problem.extents = Extents(sizes);
  draw_map(draw, problem);
  draw_places(draw, problem);
  constexpr Connectivity kFlat[] = {Connectivity::corners, Connectivity::faces,
                                    Connectivity::knights};
  constexpr Connectivity kDeep[] = {Connectivity::corners, Connectivity::faces,
                                    Connectivity::edges};
  CostDistanceOptions& options = problem.options;
  options.connectivity = (volume ? kDeep : kFlat)[draw.below(3)];
  options.method = static_cast<CostMethod>(draw.below(3));
  options.tight_barriers = draw.once_in(3);
  if (draw.once_in(3))
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
      options.spacing.push_back(draw.once_in(2) ? 2 : 0.5 + draw.real());
  return problem;
}

void draw_elevation(Draw& draw, NetworkCase& problem) {
  for (std::int64_t i = 0; i < problem.extents.count(); ++i)
    problem.elevation.push_back(static_cast<float>(5 * draw.real()));
  problem.options.elevation = View<const float>(problem.elevation.data(), problem.extents);
}

/// The costs from the cells of one label, by a search of its own.
Array<double> costs_from(const NetworkCase& problem, const std::set<std::int64_t>& cells,
                         WalkDirection direction = WalkDirection::from_site) {
  std::vector<std::uint8_t> sites(problem.map.size());
  for (const std::int64_t cell : cells) sites[static_cast<std::size_t>(cell)] = 1;
  CostDistanceOptions options = problem.options;
  if (options.elevation) options.walk_direction = direction;
  options.distance_type = FloatType::f64;
  Array<double> costs(problem.extents);
  Context context({.threads = 1});
  cost_distance(context, problem.cost_map(),
                View<const std::uint8_t>(sites.data(), problem.extents), options,
                {.distance = costs.view()});
  return costs;
}

double least_of(const Array<double>& costs, const std::set<std::int64_t>& cells) {
  double least = kInfinity;
  for (const std::int64_t cell : cells) least = std::min(least, costs.data()[cell]);
  return least;
}

/// The costs from all labels to all.
std::map<std::pair<std::int32_t, std::int32_t>, double> all_costs(const NetworkCase& problem) {
  std::map<std::pair<std::int32_t, std::int32_t>, double> all;
  const auto cells = problem.cells();
  for (const auto& [from, own] : cells) {
    const Array<double> costs = costs_from(problem, own);
    for (const auto& [to, theirs] : cells) all[{from, to}] = least_of(costs, theirs);
  }
  return all;
}

/// The weights of a minimum spanning forest, ascending; those of every such forest are the same.
std::vector<double> tree_weights(
    const std::map<std::pair<std::int32_t, std::int32_t>, double>& costs) {
  std::vector<std::pair<double, std::pair<std::int32_t, std::int32_t>>> edges;
  std::map<std::int32_t, std::int32_t> part;
  for (const auto& [pair, cost] : costs) {
    part[pair.first] = pair.first;
    if (pair.first < pair.second && cost < kInfinity) edges.push_back({cost, pair});
  }
  std::sort(edges.begin(), edges.end());
  std::vector<double> weights;
  for (const auto& [cost, pair] : edges) {
    const std::int32_t a = part[pair.first], b = part[pair.second];
    if (a == b) continue;
    weights.push_back(cost);
    for (auto& [label, own] : part)
      if (own == b) own = a;
  }
  return weights;
}

void expect_near(double found, double expected, const char* what) {
  if (std::isinf(expected))
    EXPECT_EQ(found, expected) << what;
  else
    EXPECT_NEAR(found, expected, 1e-12 * (1 + expected)) << what;
}

/// The sum of the steps of a way; NaN if it has none that passes.
double walked(const NetworkCase& problem, std::span<const std::int64_t> cells) {
  const Array<double> none({0, problem.extents.rank()});
  CostDistanceOptions options = problem.options;
  options.distance_type = FloatType::f64;
  const CostProblem checked =
      make_cost_problem(problem.cost_map(), PointList{.coordinates = none.view()}, options, {});
  const auto edges = make_edges<double>(checked);
  auto placed = make_placed_steps<double>(checked);
  std::vector<double> heights(problem.elevation.begin(), problem.elevation.end());
  if (!heights.empty()) placed.elevation = heights.data();
  const auto deltas = neighbour_deltas(edges, checked.extent);
  double sum = 0;
  for (std::size_t i = 1; i < cells.size(); ++i) {
    std::uint32_t inside =
        neighbours_inside(edges, checked.extent, to_cell(checked.extent, cells[i - 1]));
    double step = std::nan("");
    for (int k = 0; k < edges.count; ++k)
      if ((inside >> k & 1) != 0 && cells[i - 1] + deltas[static_cast<std::size_t>(k)] == cells[i])
        step = step_weight(edges, &placed, k, problem.map.data(), cells[i - 1], checked.extent);
    sum += step;
  }
  return sum;
}

std::span<const std::int64_t> way_of(const LeastCostPaths& paths, std::size_t i) {
  return std::span(paths.cells)
      .subspan(static_cast<std::size_t>(paths.points[i]),
               static_cast<std::size_t>(paths.points[i + 1] - paths.points[i]));
}

/// A way leads from one label to another, and its steps add up to its cost.
void expect_way(const NetworkCase& problem, const LeastCostPaths& paths, std::size_t i,
                const std::set<std::int64_t>& from, const std::set<std::int64_t>& to, double cost) {
  const auto cells = way_of(paths, i);
  ASSERT_EQ(cells.empty(), std::isinf(cost));
  if (cells.empty()) return;
  EXPECT_TRUE(from.contains(cells.front()));
  EXPECT_TRUE(to.contains(cells.back()));
  expect_near(walked(problem, cells), cost, "way");
  const auto last = static_cast<std::size_t>(paths.points[i + 1]) - 1;
  EXPECT_NEAR(paths.cell_costs[static_cast<std::size_t>(paths.points[i])], 0, 1e-12);
  expect_near(paths.cell_costs[last], cost, "cost of the last cell");
}

TEST(CostTableProperty, HasTheCostsOfSearches) {
  for (std::uint64_t seed = 0; seed < 4 * testing::problem_count(); ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    NetworkCase problem = draw_case(draw);
    if (problem.extents.rank() == 2 && draw.once_in(3)) draw_elevation(draw, problem);
    const CostTable table = cost_table(problem.cost_map(), problem.places(), problem.places(),
                                       problem.options, {.paths = true});
    const auto cells = problem.cells();
    const auto expected = all_costs(problem);
    ASSERT_EQ(table.costs.size(), expected.size());
    std::size_t i = 0;
    for (const auto& [pair, cost] : expected) {
      ASSERT_EQ(table.costs[i], cost) << pair.first << " to " << pair.second;
      expect_way(problem, table.paths, i, cells.at(pair.first), cells.at(pair.second), cost);
      ++i;
    }
  }
}

/// With fewer destinations the searches go back from them, and walks keep their direction.
TEST(CostTableProperty, SearchesBackFromFewerDestinations) {
  for (std::uint64_t seed = 0; seed < testing::problem_count(); ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    NetworkCase problem = draw_case(draw);
    if (problem.extents.rank() == 2) draw_elevation(draw, problem);
    const auto cells = problem.cells();
    if (cells.size() < 2) continue;
    const std::vector<std::int64_t> pairs{0, 1, std::ssize(cells) - 1, 1};
    const CostTable table =
        cost_table(problem.cost_map(), problem.places(), problem.places(), problem.options,
                   {.pairs = View<const std::int64_t>(pairs.data(), {2, 2}), .paths = true});
    ASSERT_EQ(table.costs.size(), 2u);
    const auto& to = std::next(cells.begin())->second;
    for (const std::size_t i : {0u, 1u}) {
      const auto& from = i == 0 ? cells.begin()->second : cells.rbegin()->second;
      const double cost = least_of(costs_from(problem, from), to);
      expect_near(table.costs[i], cost, "cost");
      expect_way(problem, table.paths, i, from, to, table.costs[i]);
    }
  }
}

/// The labels of an edge with the edge.
std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> edges_of(
    const LeastCostNetwork& network) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> edges;
  for (std::size_t i = 0; i < network.costs.size(); ++i)
    edges[{network.a.view<std::int32_t>().data()[i], network.b.view<std::int32_t>().data()[i]}] = i;
  return edges;
}

TEST(LeastCostNetworkProperty, SpansThePlacesAsAllPairsDo) {
  for (std::uint64_t seed = 0; seed < 8 * testing::problem_count(); ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const NetworkCase problem = draw_case(draw);
    const LeastCostNetwork network =
        least_cost_network(problem.cost_map(), problem.places(), problem.options);
    const auto all = all_costs(problem);
    const auto cells = problem.cells();
    std::vector<double> tree;
    for (const auto& [pair, i] : edges_of(network)) {
      ASSERT_LT(pair.first, pair.second);
      EXPECT_GE(network.costs[i], all.at(pair) * (1 - 1e-12));
      expect_way(problem, network.paths, i, cells.at(pair.first), cells.at(pair.second),
                 network.costs[i]);
      if (network.in_tree[i] != 0) tree.push_back(network.costs[i]);
    }
    std::sort(tree.begin(), tree.end());
    const std::vector<double> expected = tree_weights(all);
    ASSERT_EQ(tree.size(), expected.size());
    for (std::size_t i = 0; i < tree.size(); ++i) expect_near(tree[i], expected[i], "tree");
  }
}

/// The least sum over each border, of all steps that cross it.
TEST(LeastCostNetworkProperty, CrossesBordersWhereItCostsLeast) {
  for (std::uint64_t seed = 0; seed < 2 * testing::problem_count(); ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    NetworkCase problem = draw_case(draw);
    problem.options.distance_type = FloatType::f64;
    if (!problem.points.empty()) continue;
    for (double& value : problem.map)
      if (value == 0) value = 1;
    const CostDistance found = cost_distance(
        problem.cost_map(), View<const std::int32_t>(problem.labels.data(), problem.extents),
        problem.options);
    const auto* const label = found.labels.view<std::int32_t>().data();
    const auto* const cost = found.distance.view<double>().data();
    std::map<std::pair<std::int32_t, std::int32_t>, double> least;
    const std::int64_t count = problem.extents.count();
    for (std::int64_t p = 0; p < count; ++p)
      for (std::int64_t q = 0; q < count; ++q) {
        if (label[p] == 0 || label[q] == 0 || label[p] >= label[q]) continue;
        const std::vector<std::int64_t> step{p, q};
        const double sum = (cost[p] + cost[q]) + walked(problem, step);
        if (std::isnan(sum)) continue;
        auto& own = least.try_emplace({label[p], label[q]}, kInfinity).first->second;
        own = std::min(own, sum);
      }
    const LeastCostNetwork network =
        least_cost_network(problem.cost_map(), problem.places(), problem.options);
    const auto edges = edges_of(network);
    ASSERT_EQ(edges.size(), least.size());
    for (const auto& [pair, sum] : least) ASSERT_EQ(network.costs[edges.at(pair)], sum);
  }
}

TEST(LeastCostNetworkProperty, IsTheSameOnThreads) {
  for (std::uint64_t seed = 0; seed < testing::problem_count(); ++seed) {
    Draw draw(seed);
    const NetworkCase problem = draw_case(draw);
    Context one({.threads = 1}), three({.threads = 3});
    const auto a = least_cost_network(one, problem.cost_map(), problem.places(), problem.options);
    const auto b = least_cost_network(three, problem.cost_map(), problem.places(), problem.options);
    EXPECT_EQ(a.costs, b.costs);
    EXPECT_EQ(a.in_tree, b.in_tree);
    EXPECT_EQ(a.paths.cells, b.paths.cells);
    EXPECT_EQ(a.paths.lengths, b.paths.lengths);
  }
}

TEST(CorridorProperty, IsTheSumOfBothCosts) {
  for (std::uint64_t seed = 0; seed < 2 * testing::problem_count(); ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    NetworkCase problem = draw_case(draw);
    if (problem.extents.rank() == 2 && draw.once_in(2)) draw_elevation(draw, problem);
    const auto cells = problem.cells();
    if (cells.size() < 2) continue;
    std::vector<std::int32_t> ends[2];
    for (auto& own : ends) own.resize(problem.map.size());
    for (const std::int64_t cell : cells.begin()->second)
      ends[0][static_cast<std::size_t>(cell)] = 1;
    for (const std::int64_t cell : cells.rbegin()->second)
      ends[1][static_cast<std::size_t>(cell)] = 1;
    Array<double> excess(problem.extents);
    Array<std::uint8_t> inside(problem.extents);
    Context context({.threads = 2});
    const auto end = [&](int i) {
      return View<const std::int32_t>(ends[i].data(), problem.extents);
    };
    const double within = draw.once_in(2) ? 0 : 2 * draw.real();
    const CorridorReport report =
        corridor(context, problem.cost_map(), end(0), end(1), problem.options, {.within = within},
                 {.excess_cost = excess.view(), .inside = inside.view()});
    const Array<double> there = costs_from(problem, cells.begin()->second);
    const Array<double> on = costs_from(problem, cells.rbegin()->second, WalkDirection::to_site);
    EXPECT_EQ(report.least_cost, [&] {
      double least = kInfinity;
      for (std::int64_t i = 0; i < there.size(); ++i)
        least = std::min(least, there.data()[i] + on.data()[i]);
      return least;
    }());
    for (std::int64_t i = 0; i < there.size(); ++i) {
      const double sum = there.data()[i] + on.data()[i];
      if (std::isinf(sum))
        ASSERT_EQ(excess.data()[i], sum);
      else
        ASSERT_NEAR(excess.data()[i], sum - report.least_cost, 1e-10 * report.least_cost);
      ASSERT_EQ(inside.data()[i] != 0, excess.data()[i] <= within && !std::isinf(sum));
    }
  }
}

}  // namespace
}  // namespace thiessen
