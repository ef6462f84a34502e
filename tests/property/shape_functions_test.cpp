// SPDX-License-Identifier: Apache-2.0
//
// Shape functions by their definition, and on a body while a thin cut grows through it.
#include "thiessen/shape_functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "oracle/cost_oracle.hpp"
#include "support/c/call.hpp"
#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "support/problems/cost_case.hpp"
#include "support/problems/tile_problems.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::CostCase;
using testing::Draw;
using testing::message_of;

/// The counts of a cell by the definition: a call with the cell alone.
template <class T>
std::map<std::int64_t, std::int64_t> counts_of(const CostProblem& problem,
                                               const oracle::CostGround<T>& ground,
                                               const oracle::CostResult& nearest,
                                               std::int64_t cell) {
  std::map<std::int64_t, std::int64_t> counts;
  const auto at = static_cast<std::size_t>(cell);
  if (nearest.site[at] < 0) return counts;
  if (nearest.cost[at] == 0) return {{nearest.site[at], 1}};
  const oracle::CostResult alone = oracle::cost_distance(problem, ground, {{0, cell, 0}});
  for (std::size_t i = 0; i < alone.cost.size(); ++i)
    if (nearest.site[i] >= 0 && alone.cost[i] < nearest.cost[i]) ++counts[nearest.site[i]];
  return counts;
}

template <class T>
void expect_natural(const CostCase& given, const CostProblem& problem) {
  const oracle::CostGround<T> ground = testing::ground_of<T>(given, problem);
  const auto all = [](std::size_t) { return true; };
  const oracle::CostResult nearest =
      oracle::cost_distance(problem, ground, testing::passable_sites(given, ground, all));
  const std::vector<T> costs(nearest.cost.begin(), nearest.cost.end());
  std::vector<std::int64_t> cells;
  for (std::int64_t cell = given.cells() - 1; cell >= 0; --cell) cells.push_back(cell);
  Context context;
  const NaturalCoordinates found = natural_coordinates(
      context, CostMap(View<const float>(given.map.data(), given.extents), given.weight),
      View<const std::int64_t>(nearest.site.data(), given.extents),
      View<const T>(costs.data(), given.extents), cells, given.options);
  ASSERT_EQ(found.first.size(), cells.size() + 1);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    std::map<std::int64_t, std::int64_t> counts;
    for (auto at = static_cast<std::size_t>(found.first[i]);
         at < static_cast<std::size_t>(found.first[i + 1]); ++at)
      counts[found.site_index[at]] = found.count[at];
    ASSERT_EQ(counts, counts_of(problem, ground, nearest, cells[i])) << "cell " << cells[i];
  }
}

TEST(NaturalCoordinates, CountTheCellsThatANewSiteTakes) {
  for (std::uint64_t seed = 0; seed < 4 * testing::problem_count(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    CostCase given = testing::draw_case(seed + 30'000);
    if (given.options.elevation || given.options.earth || !given.options.periodic.empty()) continue;
    given.options.method = CostMethod::exact;
    const CostProblem problem = testing::problem_of(given);
    if (problem.wide)
      expect_natural<double>(given, problem);
    else
      expect_natural<float>(given, problem);
    if (HasFatalFailure()) return;
  }
}

/// The same bits for any number of threads, and in C by the same names.
TEST(ShapeFunctions, AreTheSameForAnyNumberOfThreads) {
  const Extents extents{30, 90};
  const Extents ranked{3, 30, 90};
  Draw draw(11);
  std::vector<float> map;
  std::vector<double> places;
  for (std::int64_t i = 0; i < extents.count(); ++i)
    map.push_back(static_cast<float>(0.5 + draw.real()));
  for (int i = 0; i < 20; ++i) {
    places.push_back(static_cast<double>(draw.below(30)));
    places.push_back(static_cast<double>(draw.below(90)));
  }
  std::vector<std::int64_t> site(static_cast<std::size_t>(ranked.count()));
  std::vector<float> cost(site.size());
  const CostMap stiffness = CostMap::stiffness(View<const float>(map.data(), extents));
  Context alone({.device = "cpu", .threads = 1});
  cost_distance(alone, stiffness, {.coordinates = View<const double>(places.data(), {20, 2})},
                {.k = 3},
                {.site_index = View<std::int64_t>(site.data(), ranked),
                 .distance = View<float>(cost.data(), ranked)});
  std::vector<std::int64_t> cells;
  for (std::int64_t cell = 0; cell < extents.count(); cell += 7) cells.push_back(cell);
  const View<const std::int64_t> sites(site.data(), extents);
  const View<const float> costs(cost.data(), extents);
  const View<const float> all_costs(cost.data(), ranked);
  const NaturalCoordinates expected = natural_coordinates(alone, stiffness, sites, costs, cells);
  std::vector<double> weights(cost.size());
  shepard_weights(alone, all_costs, {.power = 3}, View<double>(weights.data(), ranked));
  for (const int threads : {2, 5}) {
    Context context({.device = "cpu", .threads = threads});
    const NaturalCoordinates found = natural_coordinates(context, stiffness, sites, costs, cells);
    EXPECT_EQ(found.first, expected.first);
    EXPECT_EQ(found.site_index, expected.site_index);
    EXPECT_EQ(found.count, expected.count);
    std::vector<double> own(cost.size());
    shepard_weights(context, all_costs, {.power = 3}, View<double>(own.data(), ranked));
    EXPECT_EQ(own, weights);
  }
  testing::CContext c;
  testing::CCall natural("natural_coordinates"), shepard("shepard_weights");
  natural.input("stiffness", View<const float>(map.data(), extents)).input("site_index", sites);
  natural.input("distance", costs).input("cells", testing::list_view(cells)).run(c);
  EXPECT_EQ(natural.list<std::int64_t>("first"), expected.first);
  EXPECT_EQ(natural.list<std::int64_t>("count"), expected.count);
  EXPECT_EQ(natural.list<std::int64_t>("site_index"), expected.site_index);
  shepard.input("distance", all_costs).integer("power", 3).want("weights").run(c);
  shepard.expect_same("weights", View<const double>(weights.data(), ranked));
}

TEST(ShepardWeights, AreInverseCostsOverTheirSum) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> costs{1, 0, 0, 2, kInfinity, 3, 1, 0, kInfinity, kInfinity};
  std::vector<double> weights(costs.size());
  Context context;
  shepard_weights(context, View<const float>(costs.data(), {2, 1, 5}), {.power = 1},
                  View<double>(weights.data(), {2, 1, 5}));
  EXPECT_EQ(weights, (std::vector<double>{0.75, 1, 0.5, 1, 0, 0.25, 0, 0.5, 0, 0}));
  shepard_weights(context, View<const float>(costs.data(), {2, 1, 5}), {},
                  View<double>(weights.data(), {2, 1, 5}));
  EXPECT_DOUBLE_EQ(weights[0], 0.9);
  EXPECT_EQ(message_of([&] {
              shepard_weights(context, View<const float>(costs.data(), {2, 1, 5}), {.power = 0},
                              View<double>(weights.data(), {2, 1, 5}));
            }),
            "power = 0; must be from 1 to 16");
}

/// A body of stiffness with nodes, and an oblique plane of barriers that grows from frame to frame.
class CutBody {
 public:
  CutBody(std::int64_t side, std::int64_t nodes, std::int64_t k)
      : extents_{side, side, side}, ranked_{k, side, side, side} {
    Draw draw(7);
    const auto cells = static_cast<std::size_t>(extents_.count());
    for (std::size_t i = 0; i < cells; ++i) map_.push_back(static_cast<float>(0.5 + draw.real()));
    for (std::int64_t i = 0; i < 3 * nodes; ++i)
      points_.push_back(static_cast<double>(draw.below(side)));
    options_ = {.k = k, .tight_barriers = true};
    site_.resize(cells * static_cast<std::size_t>(k));
    cost_.resize(site_.size());
  }

  /// Cuts the cells of the plane z + y / 2 = 3/4 of a side as far as `share` of the columns.
  void cut(double share) {
    const std::int64_t side = extents_[0];
    const auto end = static_cast<std::int64_t>(share * static_cast<double>(side));
    for (std::int64_t y = 0; y < side; ++y)
      for (std::int64_t x = 0; x < end; ++x) {
        const std::int64_t z = 3 * side / 4 - y / 2;
        map_[static_cast<std::size_t>((z * side + y) * side + x)] = 0;
      }
  }

  void solve() {
    cost_distance(context_, map(), points(), options_,
                  {.site_index = View<std::int64_t>(site_.data(), ranked_),
                   .distance = View<float>(cost_.data(), ranked_)});
  }

  /// The cost of the first node alone, at each cell.
  std::vector<float> costs_of_first() {
    std::vector<float> cost(static_cast<std::size_t>(extents_.count()));
    cost_distance(context_, map(), {.coordinates = View<const double>(points_.data(), {1, 3})},
                  {.tight_barriers = true}, {.distance = View<float>(cost.data(), extents_)});
    return cost;
  }

  NaturalCoordinates natural(const std::vector<std::int64_t>& cells) {
    return natural_coordinates(context_, map(), View<const std::int64_t>(site_.data(), extents_),
                               View<const float>(cost_.data(), extents_), cells,
                               {.tight_barriers = true});
  }

  std::vector<double> shepard() {
    std::vector<double> weights(cost_.size());
    shepard_weights(context_, View<const float>(cost_.data(), ranked_), {},
                    View<double>(weights.data(), ranked_));
    return weights;
  }

  std::int64_t cells() const { return extents_.count(); }
  const std::vector<std::int64_t>& sites() const { return site_; }
  const std::vector<float>& costs() const { return cost_; }

 private:
  CostMap map() const { return CostMap::stiffness(View<const float>(map_.data(), extents_)); }
  PointList points() const {
    return {.coordinates = View<const double>(points_.data(),
                                              {static_cast<std::int64_t>(points_.size()) / 3, 3})};
  }

  Extents extents_, ranked_;
  std::vector<float> map_;
  std::vector<double> points_;
  CostDistanceOptions options_;
  std::vector<std::int64_t> site_;
  std::vector<float> cost_;
  Context context_;
};

/// The body of 64^3 cells with 200 nodes is in bench/cost_nearest_k.cpp.
TEST(ShapeFunctions, SumToOneWhileACutGrows) {
  CutBody body(20, 24, 4);
  std::vector<std::int64_t> chosen;
  for (std::int64_t cell = 0; cell < body.cells(); cell += 97) chosen.push_back(cell);
  std::vector<float> before;
  std::int64_t raised = 0;
  for (int frame = 0; frame < 25; ++frame) {
    body.cut(frame / 24.0);
    body.solve();
    const std::vector<float> first = body.costs_of_first();
    for (std::size_t cell = 0; cell < first.size(); ++cell) {
      // A cut only makes ways longer, and the costs of the k are those of the nodes alone.
      if (!before.empty()) {
        ASSERT_GE(first[cell], before[cell]);
        raised += first[cell] > before[cell] ? 1 : 0;
      }
      for (std::size_t at = cell; at < body.sites().size(); at += first.size())
        if (body.sites()[at] == 0) {
          ASSERT_EQ(body.costs()[at], first[cell]);
        }
    }
    before = first;
    const std::vector<double> weights = body.shepard();
    for (std::size_t cell = 0; cell < first.size(); ++cell) {
      double sum = 0;
      for (std::size_t at = cell; at < weights.size(); at += first.size()) sum += weights[at];
      const double wanted = body.sites()[cell] < 0 ? 0 : 1;
      ASSERT_LE(std::abs(sum - wanted), std::ldexp(1, -50)) << "cell " << cell;
    }
    const NaturalCoordinates natural = body.natural(chosen);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      std::int64_t own = 0;
      for (auto at = static_cast<std::size_t>(natural.first[i]);
           at < static_cast<std::size_t>(natural.first[i + 1]); ++at) {
        ASSERT_GT(natural.count[at], 0);
        own += natural.site_index[at] == body.sites()[static_cast<std::size_t>(chosen[i])] ? 1 : 0;
      }
      // The cell itself is taken from its own site.
      ASSERT_EQ(own, body.sites()[static_cast<std::size_t>(chosen[i])] < 0 ? 0 : 1);
    }
  }
  EXPECT_GT(raised, 100);
}

}  // namespace
}  // namespace thiessen
