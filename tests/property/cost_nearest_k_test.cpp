// SPDX-License-Identifier: Apache-2.0
//
// The k nearest sites by cost, by their definition: a call with each site alone, and all sites of
// each cell in the order (cost, site index).
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of 100.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "oracle/cost_oracle.hpp"
#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "support/problems/cost_case.hpp"
#include "support/problems/tile_problems.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::CostCase;
using testing::Draw;
using testing::kHole;
using testing::message_of;

using Ranked = std::vector<std::vector<oracle::RankedSite>>;

/// What a call says of each cell at each place.
struct Said {
  Extents extents;
  std::vector<std::int32_t> labels;
  std::vector<std::int64_t> site_index;
  std::vector<double> distance;

  Said(const Extents& cells, std::int64_t k) {
    std::vector<std::int64_t> sizes;
    if (k > 0) sizes.push_back(k);
    for (int axis = 0; axis < cells.rank(); ++axis) sizes.push_back(cells[axis]);
    extents = Extents(sizes);
    const auto count = static_cast<std::size_t>(extents.count());
    labels.resize(count);
    site_index.resize(count);
    distance.resize(count);
  }

  CostDistanceOutputs out() {
    return {.labels = View<std::int32_t>(labels.data(), extents),
            .site_index = View<std::int64_t>(site_index.data(), extents),
            .distance = View<double>(distance.data(), extents)};
  }
};

Said call(const CostCase& given, std::int64_t k, int threads) {
  CostDistanceOptions options = given.options;
  options.method = CostMethod::exact;
  options.k = k;
  Said said(given.extents, k);
  Context context({.threads = threads});
  call_cost_distance(context, given, options, said.out());
  return said;
}

template <class T>
Ranked rank_sites(const CostCase& given, const CostProblem& problem) {
  const oracle::CostGround<T> ground = testing::ground_of<T>(given, problem);
  const auto all = [](std::size_t) { return true; };
  return oracle::rank_sites(problem, ground, testing::passable_sites(given, ground, all));
}

Ranked rank_sites(const CostCase& given) {
  const CostProblem problem = testing::problem_of(given);
  return problem.wide ? rank_sites<double>(given, problem) : rank_sites<float>(given, problem);
}

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void expect_ranked(const CostCase& given, const Ranked& ranked, const Said& said, std::int64_t k) {
  const std::size_t cells = ranked.size();
  for (std::size_t place = 0; place < static_cast<std::size_t>(k); ++place)
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const bool is_hole = given.map[cell] == kHole;
      oracle::RankedSite site{is_hole ? std::nan("") : std::numeric_limits<double>::infinity(),
                              is_hole ? kNodata : kUnreached};
      if (!is_hole && place < ranked[cell].size()) site = ranked[cell][place];
      const std::size_t at = place * cells + cell;
      ASSERT_EQ(said.site_index[at], site.index) << "cell " << cell << ", place " << place;
      ASSERT_TRUE(is_same(said.distance[at], site.cost)) << "cell " << cell << ", place " << place;
      ASSERT_EQ(said.labels[at],
                is_hole ? static_cast<std::int32_t>(kHole) : testing::label_of(given, site.index));
    }
}

/// The first of the k costs is that of the call without k, and so is the site, if no other site
/// costs the same.
void expect_first_is_nearest(const CostCase& given, const Ranked& ranked, const Said& said) {
  const Said nearest = call(given, 0, 1);
  for (std::size_t cell = 0; cell < ranked.size(); ++cell) {
    ASSERT_TRUE(is_same(said.distance[cell], nearest.distance[cell])) << "cell " << cell;
    const bool is_tied = ranked[cell].size() > 1 && ranked[cell][0].cost == ranked[cell][1].cost;
    if (!is_tied) {
      ASSERT_EQ(said.site_index[cell], nearest.site_index[cell]) << "cell " << cell;
    }
  }
}

void check(const CostCase& given, Draw& draw) {
  const Ranked ranked = rank_sites(given);
  for (const std::int64_t k : {std::int64_t{1}, 2 + draw.below(3), 2 + draw.below(30)}) {
    SCOPED_TRACE("k = " + std::to_string(k));
    const Said said = call(given, k, draw.once_in(2) ? 1 : 3);
    expect_ranked(given, ranked, said, k);
    if (::testing::Test::HasFatalFailure()) return;
    expect_first_is_nearest(given, ranked, said);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(CostNearestK, EqualsACallForEachSite) {
  for (std::uint64_t seed = 0; seed < 20 * testing::problem_count(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw(seed + 4'000'000);
    check(testing::draw_case(seed + 10'000), draw);
    if (HasFatalFailure()) return;
  }
}

/// Wider maps with a few sites, on even ground or of costs that make ties.
TEST(CostNearestK, EqualsACallForEachSiteOnLargerMaps) {
  for (std::uint64_t seed = 0; seed < testing::problem_count(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Draw draw(seed + 5'000'000);
    CostCase given = testing::draw_case(seed + 20'000, 60);
    if (given.by_cell) continue;
    check(given, draw);
    if (HasFatalFailure()) return;
  }
}

/// A row of cells whose costs are rounded to one float at the last cell. There the first index
/// counts, though another site is nearer in every cell on the way.
TEST(CostNearestK, SitesThatRoundingMakesEqualGoByTheirIndex) {
  CostCase given;
  given.extents = {1, 4};
  given.map = {1, 1, 1, 1e9F};
  given.weight = EdgeWeight::cost;
  given.options.map_nodata = kHole;
  given.options.unreached = std::int64_t{-7};
  given.by_cell = false;
  given.points = {0, 0, 0, 1, 0, 2};
  given.labels = given.point_labels = {1, 2, 3};
  for (std::int64_t i = 0; i < 3; ++i) given.sites.push_back({i, i, 0});
  Draw draw(0);
  check(given, draw);
  EXPECT_EQ(call(given, 1, 1).site_index[3], 0);
  EXPECT_EQ(call(given, 0, 1).site_index[3], 2);
}

/// Points that share a cell, and a plateau that costs nothing: all sites cost the same.
TEST(CostNearestK, ManySitesOfOneCostGoByTheirIndex) {
  CostCase given;
  given.extents = {30, 40};
  given.map.assign(1200, 0);
  given.weight = EdgeWeight::cost;
  given.options.map_nodata = kHole;
  given.options.unreached = std::int64_t{-7};
  given.by_cell = false;
  for (std::int64_t i = 0; i < 50; ++i) {
    const std::int64_t cell = (i * 37 % 20) * 40 + i * 11 % 7;
    given.points.insert(given.points.end(),
                        {static_cast<double>(cell / 40), static_cast<double>(cell % 40)});
    given.point_labels.push_back(static_cast<std::int32_t>(i % 5));
    given.sites.push_back({i, cell, 0});
  }
  given.labels = given.point_labels;
  Draw draw(1);
  check(given, draw);
  const Said said = call(given, 3, 1);
  EXPECT_EQ(said.site_index[0], 0);
  EXPECT_EQ(said.site_index[2 * 1200 + 1199], 2);
}

TEST(CostNearestK, IsRefusedWithAReason) {
  const std::vector<float> cells{1, 1, 1, 2};
  const CostMap map = CostMap::cost(View<const float>(cells.data(), {1, 4}));
  const std::vector<std::int32_t> labels{1, 0, 0, 2};
  const View<const std::int32_t> sites(labels.data(), {1, 4});
  const auto reason = [&](const CostDistanceOptions& options,
                          const CostDistanceWanted& wanted = {}) {
    return message_of([&] { cost_distance(map, sites, options, wanted); });
  };
  EXPECT_EQ(reason({.k = -1}), "k = -1; must be from 0 to 1024");
  EXPECT_EQ(reason({.k = 1025}), "k = 1025; must be from 0 to 1024");
  EXPECT_EQ(reason({.k = 2}, {.back_link = true}),
            "k = 2 and back_link are given; the k nearest have labels, site_index and distance");
  EXPECT_EQ(reason({.k = 2}, {.other_labels = true}),
            "k = 2 and outputs of another label are given; the k nearest have labels, site_index "
            "and distance");
  EXPECT_EQ(reason({.method = CostMethod::relaxation, .k = 2}),
            "method = relaxation on cpu: the k nearest are wanted, which only exact on cpu has");
  EXPECT_EQ(reason({.method = CostMethod::eikonal, .k = 2}),
            "method = eikonal on cpu: the k nearest are wanted, which only exact on cpu has");
  Context context;
  EXPECT_EQ(message_of([&] { CostSolver(context, map, sites, {.k = 2}, {}); }),
            "k = 2; it is for cost_distance(), not for a CostSolver");
  EXPECT_EQ(message_of([&] {
              relax_cost_sites(context, map, std::vector<std::int64_t>{1}, {.k = 2}, {}, {});
            }),
            "k = 2; it is for cost_distance(), not for placing sites");
}

}  // namespace
}  // namespace thiessen
