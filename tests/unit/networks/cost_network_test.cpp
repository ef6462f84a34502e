// SPDX-License-Identifier: Apache-2.0
#include "thiessen/cost_network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/message_of.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

using testing::message_of;

constexpr double kNoWay = std::numeric_limits<double>::infinity();
using Cells = std::vector<std::int64_t>;
using Costs = std::vector<double>;

/// A wall of five cells that cost 9, with a gap in its middle row, between two halves of ones.
struct Wall {
  std::vector<float> cells = std::vector<float>(35, 1);
  std::vector<double> west{0, 0}, east{4, 6};

  Wall() {
    for (const std::size_t y : {0u, 1u, 3u, 4u}) cells[y * 7 + 3] = 9;
  }
  CostMap map() const { return CostMap::cost(View<const float>(cells.data(), {5, 7})); }
  static PointList list(const std::vector<double>& points) {
    return {.coordinates = View<const double>(points.data(), {std::ssize(points) / 2, 2})};
  }
};

TEST(CostTable, HasWaysFromTheOriginToTheDestination) {
  const Wall wall;
  const std::vector<double> origins{0, 0, 4, 0}, destinations{4, 6};
  const CostTable table =
      cost_table(wall.map(), Wall::list(origins), Wall::list(destinations),
                 {.connectivity = Connectivity::faces, .spacing = {2, 1}}, {.paths = true});
  EXPECT_EQ(table.costs, (Costs{14, 14}));
  EXPECT_EQ(table.paths.lengths, (Costs{14, 6}));
  EXPECT_EQ(table.paths.cells.front(), 0);
  EXPECT_EQ(table.paths.cells[static_cast<std::size_t>(table.paths.points[1]) - 1], 34);
  EXPECT_EQ(table.paths.cells[static_cast<std::size_t>(table.paths.points[1])], 28);
  EXPECT_EQ(table.origins.view<std::int32_t>()(1), 2);
}

/// A walk from the origin goes up, and its reverse down.
TEST(CostTable, WalksFromTheOriginToTheDestination) {
  const std::vector<float> hill{0, 0, 40};
  const std::vector<double> low{0, 0}, high{0, 2};
  CostDistanceOptions options;
  options.elevation = View<const float>(hill.data(), {1, 3});
  options.spacing = {100, 100};
  const auto seconds = [&](const std::vector<double>& from, const std::vector<double>& to) {
    return cost_table({}, Wall::list(from), Wall::list(to), options).costs[0];
  };
  EXPECT_GT(seconds(low, high), seconds(high, low));
  options.walk_direction = WalkDirection::to_site;
  EXPECT_EQ(message_of([&] { seconds(low, high); }),
            "walk_direction = to-site; must not be given: walks lead from the first places to the "
            "second ones");
}

TEST(CostTable, EndsAtTheMaxDistance) {
  const Wall wall;
  const CostTable table = cost_table(wall.map(), Wall::list(wall.west), Wall::list(wall.east),
                                     {.max_distance = 3}, {.paths = true});
  EXPECT_EQ(table.costs, Costs{kNoWay});
  EXPECT_EQ(table.paths.points, (Cells{0, 0}));
  EXPECT_EQ(table.paths.lengths, Costs{0});
}

/// Fronts have the costs of cost_distance(), and ways of theirs end in the places.
TEST(CostTable, TakesEikonalFronts) {
  const Wall wall;
  const CostDistanceOptions options{.method = CostMethod::eikonal, .distance_type = FloatType::f64};
  const CostTable table = cost_table(wall.map(), Wall::list(wall.west), Wall::list(wall.east),
                                     options, {.paths = true});
  const CostDistance found = cost_distance(wall.map(), Wall::list(wall.west), options);
  EXPECT_EQ(table.costs[0], found.distance.view<double>()(4, 6));
  EXPECT_EQ(table.paths.cells.front(), 0);
  EXPECT_EQ(table.paths.cells.back(), 34);
}

TEST(CostTable, WarnsOfPlacesWithoutAWay) {
  const Wall wall;
  const std::vector<double> places{0, 0, 9, 9};
  Context context;
  const CostTable table =
      cost_table(context, wall.map(), Wall::list(places), Wall::list(wall.east));
  EXPECT_EQ(table.costs[1], kNoWay);
  ASSERT_EQ(context.warnings().size(), 1u);
  EXPECT_EQ(context.warnings()[0].message,
            "origins: 1 site on barriers or outside of the map is ignored, the first with the "
            "index 1");
  EXPECT_THROW(cost_table(wall.map(), Wall::list(places), Wall::list(wall.east), {.strict = true}),
               Error);
}

TEST(CostTable, RefusesWhatIsNoPair) {
  const Wall wall;
  const Cells pairs{0, 1};
  const auto table = [&](const Extents& extents) {
    cost_table(wall.map(), Wall::list(wall.west), Wall::list(wall.east), {},
               {.pairs = View<const std::int64_t>(pairs.data(), extents)});
  };
  EXPECT_EQ(message_of([&] {
              table({1, 2});
            }),
            "pairs[0][1] = 1; must be the position of a destination, 0 to 0");
  EXPECT_EQ(message_of([&] { table({2}); }),
            "pairs must have the extents (pairs, 2), an origin and a destination each");
  const std::vector<std::uint8_t> small(4);
  EXPECT_EQ(message_of([&] {
              cost_table(wall.map(), View<const std::uint8_t>(small.data(), {2, 2}),
                         Wall::list(wall.east));
            }),
            "origins has other extents than the map; must have the same");
  EXPECT_EQ(message_of([&] {
              cost_table(wall.map(), Wall::list(wall.west),
                         PointList{.coordinates = View<const double>(wall.east.data(), {1, 1})});
            }),
            "destinations have the extents (1, 1); must be (points, 2) for a grid of 2 axes");
  const std::vector<double> nowhere{0, std::nan("")};
  EXPECT_EQ(message_of([&] { cost_table(wall.map(), Wall::list(wall.west), Wall::list(nowhere)); }),
            "destinations[0, 1] = nan; must be finite and at most 2^31 cells away");
  EXPECT_EQ(message_of([&] { cost_table({}, Wall::list(wall.west), Wall::list(wall.east)); }),
            "map is missing; must be given, or an elevation");
}

TEST(LeastCostNetwork, JoinsNeighboursOverTheCheapestCrossing) {
  const Wall wall;
  const std::vector<double> sites{0, 0, 4, 6, 4, 0};
  const LeastCostNetwork network =
      least_cost_network(wall.map(), Wall::list(sites), {.connectivity = Connectivity::faces});
  EXPECT_EQ(network.costs, (Costs{10, 4, 14}));
  EXPECT_EQ(network.in_tree, (std::vector<std::uint8_t>{1, 1, 0}));
  EXPECT_EQ(network.a.view<std::int32_t>()(2), 2);
  EXPECT_EQ(network.b.view<std::int32_t>()(2), 3);
  EXPECT_EQ(network.paths.cells.front(), 0);
  const auto last = static_cast<std::size_t>(network.paths.points[1]) - 1;
  EXPECT_EQ(network.paths.cells[last], 34);
  EXPECT_EQ(network.paths.cell_costs[last], 10);
}

/// The first place in a cell has the region, and the others there are joined with it.
TEST(LeastCostNetwork, JoinsPlacesOfOneCellAtNoCost) {
  const Wall wall;
  const std::vector<double> sites{1, 1, 1, 1, 4, 6};
  const LeastCostNetwork network = least_cost_network(wall.map(), Wall::list(sites));
  ASSERT_EQ(network.costs.size(), 2u);
  EXPECT_EQ(network.costs[0], 0);
  EXPECT_EQ(network.paths.cells[0], 8);
  EXPECT_EQ(network.paths.points[1], 1);
  EXPECT_EQ(network.in_tree, (std::vector<std::uint8_t>{1, 1}));
}

TEST(LeastCostNetwork, HasMetresOfTheEarth) {
  const std::vector<float> level(12, 1);
  const std::vector<std::uint16_t> towns{7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 900};
  CostDistanceOptions options;
  options.metric = Metric::ellipsoidal;
  options.earth = Earth{.latitude = {61, 60, 59}, .longitude = {10, 11, 12, 13}};
  const LeastCostNetwork network =
      least_cost_network(CostMap::cost(View<const float>(level.data(), {3, 4})),
                         View<const std::uint16_t>(towns.data(), {3, 4}), options);
  ASSERT_EQ(network.costs.size(), 1u);
  EXPECT_EQ(network.b.view<std::uint16_t>()(0), 900);
  EXPECT_NEAR(network.costs[0], network.paths.lengths[0], 1e-6);
}

TEST(LeastCostNetwork, RefusesDirectedCosts) {
  const Wall wall;
  CostDistanceOptions options;
  options.elevation = wall.map();
  EXPECT_EQ(message_of([&] { least_cost_network(wall.map(), Wall::list(wall.west), options); }),
            "elevation is given; a walk back costs something else, and edges of a network have one "
            "cost: use cost_table()");
  EXPECT_EQ(message_of([&] {
              least_cost_network(wall.map(), Wall::list(wall.west),
                                 {.method = CostMethod::eikonal});
            }),
            "method = eikonal; a network is made of steps, whose costs the other methods have");
}

TEST(Corridor, IsZeroOnTheBestWay) {
  const Wall wall;
  Array<double> excess({5, 7});
  Array<std::uint8_t> inside({5, 7});
  Context context;
  const CorridorReport report =
      corridor(context, wall.map(), Wall::list(wall.west), Wall::list(wall.east),
               {.connectivity = Connectivity::faces}, {.within_percent = 20},
               {.excess_cost = excess.view(), .inside = inside.view()});
  EXPECT_EQ(report.least_cost, 10);
  EXPECT_EQ(excess(2, 3), 0);
  EXPECT_EQ(excess(0, 6), 4);
  EXPECT_EQ(excess(4, 0), 4);
  EXPECT_EQ(inside(2, 3), 1);
  EXPECT_EQ(inside(4, 0), 0);
}

/// Roundings of the sums along a way do not count.
TEST(Corridor, IsZeroDespiteRounding) {
  std::vector<double> cells(400);
  for (std::size_t i = 0; i < cells.size(); ++i)
    cells[i] = 0.1 + 0.013 * static_cast<double>(i % 7);
  const std::vector<double> first{0, 0}, second{0, 399};
  Array<double> excess({1, 400});
  Context context;
  corridor(context, CostMap::cost(View<const double>(cells.data(), {1, 400})), Wall::list(first),
           Wall::list(second), {}, {}, {.excess_cost = excess.view()});
  for (const double cost : excess) EXPECT_EQ(cost, 0);
}

TEST(Corridor, HasNothingInsideWithoutAWay) {
  std::vector<float> cells(9, 1);
  for (const std::size_t y : {0u, 1u, 2u}) cells[y * 3 + 1] = std::nanf("");
  const std::vector<double> first{0, 0}, second{0, 2};
  Array<float> excess({3, 3});
  Array<std::uint8_t> inside({3, 3});
  Context context;
  const CorridorReport report =
      corridor(context, CostMap::cost(View<const float>(cells.data(), {3, 3})), Wall::list(first),
               Wall::list(second), {}, {.within = 5},
               {.excess_cost = excess.view(), .inside = inside.view()});
  EXPECT_EQ(report.least_cost, kNoWay);
  for (const float cost : excess) EXPECT_EQ(cost, std::numeric_limits<float>::infinity());
  for (const std::uint8_t cell : inside) EXPECT_EQ(cell, 0);
}

TEST(Corridor, RefusesTwoLimits) {
  const Wall wall;
  Array<std::uint8_t> inside({5, 7});
  Context context;
  const auto make = [&](const CorridorOptions& options) {
    corridor(context, wall.map(), Wall::list(wall.west), Wall::list(wall.east), {}, options,
             {.inside = inside.view()});
  };
  EXPECT_EQ(message_of([&] { make({.within = 1, .within_percent = 1}); }),
            "within_percent is given beside within; must be one of them");
  EXPECT_EQ(message_of([&] { make({}); }), "inside is wanted; needs within or within_percent");
  EXPECT_EQ(message_of([&] { make({.within = -1}); }), "within = -1; must be >= 0");
}

}  // namespace
}  // namespace thiessen
