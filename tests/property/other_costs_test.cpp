// SPDX-License-Identifier: Apache-2.0
//
// The outputs of another label of cost_distance(), by their definition: for each label the oracle
// without its sites, at the cells that have that label.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "oracle/cost_oracle.hpp"
#include "support/problems/cost_case.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::CostCase;
using testing::draw_case;
using testing::ground_of;
using testing::kHole;
using testing::kTwoApart;
using testing::label_of;
using testing::passable_sites;
using testing::problem_of;

/// What is said of each cell.
struct Said {
  std::vector<std::int32_t> labels;
  std::vector<std::int64_t> site_index;
  std::vector<double> distance;

  explicit Said(std::int64_t cells)
      : labels(static_cast<std::size_t>(cells)),
        site_index(static_cast<std::size_t>(cells)),
        distance(static_cast<std::size_t>(cells)) {}
};

/// The oracle's answer from the sites that `counts(place in the list)`.
template <class T, class Counts>
oracle::CostResult answer(const CostCase& given, const CostProblem& problem,
                          const oracle::CostGround<T>& ground, const Counts& counts) {
  return oracle::cost_distance(problem, ground, passable_sites(given, ground, counts));
}

template <class T>
Said expect(const CostCase& given, const CostProblem& problem) {
  const oracle::CostGround<T> ground = ground_of<T>(given, problem);
  const oracle::CostResult all = answer(given, problem, ground, [](std::size_t) { return true; });
  std::map<std::int32_t, oracle::CostResult> without;
  for (const std::int32_t label : given.labels)
    if (!without.contains(label))
      without[label] =
          answer(given, problem, ground, [&](std::size_t i) { return given.labels[i] != label; });
  Said said(given.cells());
  for (std::size_t cell = 0; cell < given.map.size(); ++cell) {
    const bool hole = given.map[cell] == kHole;
    std::int64_t site = kUnreached;
    double cost = std::numeric_limits<double>::infinity();
    if (all.site[cell] >= 0) {
      const oracle::CostResult& other = without.at(label_of(given, all.site[cell]));
      site = other.site[cell];
      cost = other.cost[cell];
    }
    said.site_index[cell] = hole ? kNodata : site;
    said.labels[cell] = hole ? static_cast<std::int32_t>(kHole) : label_of(given, site);
    said.distance[cell] = hole ? std::nan("") : cost;
  }
  return said;
}

/// The outputs of a call; only those of another label, or with the others.
Said call(const CostCase& given, int threads, bool all) {
  Context context({.threads = threads});
  Said said(given.cells());
  Said first(given.cells());
  const auto view = [&]<class T>(std::vector<T>& cells) {
    return View<T>(cells.data(), given.extents);
  };
  CostDistanceOutputs out{.other_labels = view(said.labels),
                          .other_site_index = view(said.site_index),
                          .other_distance = view(said.distance)};
  if (all) {
    out.labels = view(first.labels);
    out.distance = view(first.distance);
  }
  call_cost_distance(context, given, given.options, out);
  return said;
}

void check(const CostCase& given) {
  const CostProblem problem = problem_of(given);
  const Said expected =
      problem.wide ? expect<double>(given, problem) : expect<float>(given, problem);
  for (const int threads : {1, 4}) {
    const Said said = call(given, threads, threads == 4);
    ASSERT_EQ(said.labels, expected.labels);
    ASSERT_EQ(said.site_index, expected.site_index);
    for (std::size_t cell = 0; cell < said.distance.size(); ++cell)
      ASSERT_TRUE(said.distance[cell] == expected.distance[cell] ||
                  (std::isnan(said.distance[cell]) && std::isnan(expected.distance[cell])))
          << "cell " << cell << ": " << said.distance[cell] << ", " << expected.distance[cell];
  }
}

TEST(OtherCosts, EqualTheOracleWithoutTheSitesOfTheLabel) {
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(draw_case(seed));
    if (HasFatalFailure()) return;
  }
}

/// So large that they have several tiles.
TEST(OtherCosts, EqualTheOracleOnLargerMaps) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    check(draw_case(seed, 200));
    if (HasFatalFailure()) return;
  }
}

/// A row of cells 0 to 3, each with a site. Without the label 3 the cost of cell 1 comes from cell
/// 0 and is greater by 2; both are rounded to the cost that cell 2 has from its own site. So site 0
/// is that of cell 2 then, and, from there, of cell 3.
TEST(OtherCosts, ALesserRankLeavesARegionThroughRounding) {
  CostCase given;
  given.extents = {1, 4};
  given.map = {1, 3, 3, 1};
  given.weight = EdgeWeight::cost;
  given.options.map_nodata = kHole;
  given.options.unreached = std::int64_t{-7};
  given.by_cell = false;
  given.points = {0, 0, 0, 2, 0, 1, 0, 3};
  given.labels = given.point_labels = {1, 2, 3, 3};
  given.initial = {kTwoApart, kTwoApart + 4, kTwoApart, kTwoApart + 2};
  const std::int64_t cells[] = {0, 2, 1, 3};
  for (std::size_t i = 0; i < std::size(cells); ++i)
    given.sites.push_back({static_cast<std::int64_t>(i), cells[i], given.initial[i]});
  check(given);
  EXPECT_EQ(call(given, 1, false).site_index[3], 0);
}

/// Two NaN are one label, as are 0 and -0.
TEST(OtherCosts, LabelsAreComparedByValue) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> map(6, 1);
  const std::vector<float> labels{nan, 0, 2, -nan, -0.0f, 1};
  const std::vector<double> points{0, 0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5};
  std::vector<std::int64_t> site(6);
  Context context;
  cost_distance(context, CostMap::stiffness(View<const float>(map.data(), {1, 6})),
                {.coordinates = View<const double>(points.data(), {6, 2}),
                 .labels = View<const float>(labels.data(), {6})},
                {}, {.other_site_index = View<std::int64_t>(site.data(), {1, 6})});
  EXPECT_EQ(site, (std::vector<std::int64_t>{1, 0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace thiessen
