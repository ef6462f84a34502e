// SPDX-License-Identifier: Apache-2.0
//
// A plan that looks less far than it could gives the same results, only later: what it says is
// compared with what follows by hand from its limits.
#include "cpu/tiles/near/window_plan.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace thiessen::cpu::tiles {
namespace {

using Reaches = std::array<std::int64_t, 2>;

Problem problem_of(const Axes& extent, Metric metric = Metric::euclidean,
                   std::int64_t factor_of_x = 1) {
  Problem problem;
  problem.rank = extent[0] == 1 ? 2 : 3;
  problem.extent = extent;
  problem.metric = metric;
  problem.weights.factor = {1, 1, factor_of_x};
  return problem;
}

void limit(Problem& problem, std::int64_t greatest) {
  problem.limited = true;
  problem.limit = greatest;
}

TEST(WindowPlan, LooksAsFarAsItsLimitsAllow) {
  const auto plan = plan_windows(problem_of({1, 1000, 1000}), {}, false);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->wide);
  EXPECT_FALSE(plan->takes_greatest);
  EXPECT_TRUE(plan->squared);
  EXPECT_EQ(plan->far, 32767);
  EXPECT_EQ(plan->columns, 127);
  EXPECT_EQ(plan->factor, 1);
  EXPECT_EQ(plan->reach, (Reaches{0, 80}));
  EXPECT_EQ(plan->bound, 81 * 81 - 1);
  EXPECT_FALSE(plan->complete);
  EXPECT_EQ(plan->fewest_sites, 24);
  for (std::uint32_t delta = 0; delta <= 81; ++delta)
    EXPECT_EQ(plan->part[1][delta], delta * delta) << delta;
}

TEST(WindowPlan, OfSitesHasLimitsOfItsOwn) {
  const auto plan = plan_windows(problem_of({1, 1000, 1000}), {}, true);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->reach, (Reaches{0, 48}));
  EXPECT_EQ(plan->bound, 49 * 49 - 1);
  EXPECT_EQ(plan->fewest_sites, 512);
}

TEST(WindowPlan, LooksNoFartherThanTheRasterInStepsOfTwo) {
  const auto plan = plan_windows(problem_of({30, 32, 100}), {}, false);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->reach, (Reaches{30, 32}));
  EXPECT_EQ(plan->bound, 32766);  // all rows, planes and columns are in reach: a lane ends it
  EXPECT_EQ(plan->fewest_sites, 64);
}

TEST(WindowPlan, LooksNoFartherThanAMaxDistance) {
  Problem problem = problem_of({1, 1000, 1000});
  limit(problem, 11 * 11);
  const auto plan = plan_windows(problem, {}, false);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->reach, (Reaches{0, 12}));
  EXPECT_EQ(plan->bound, 13 * 13 - 1);
  EXPECT_TRUE(plan->complete);
  problem.period[2] = 1000;
  EXPECT_TRUE(plan_windows(problem, {}, false)->complete);
  EXPECT_FALSE(plan_windows(problem, {}, true)->complete);
}

TEST(WindowPlan, PartsThatNoLaneHoldsAreFar) {
  Problem problem = problem_of({1, 1000, 1000});
  problem.weights.factor = {100, 100, 100};
  limit(problem, 100 * 18 * 18);
  const auto plan = plan_windows(problem, {}, false);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->wide);
  EXPECT_EQ(plan->columns, 18);
  EXPECT_EQ(plan->reach, (Reaches{0, 18}));
  EXPECT_EQ(plan->bound, 32766);
  EXPECT_EQ(plan->part[1][18], 32400U);
  EXPECT_EQ(plan->part[1][19], 32767U);
}

TEST(WindowPlan, HasWideLanesWhereNarrowOnesDoNotLookFar) {
  Problem problem = problem_of({1, 1000, 1000});
  problem.weights.factor = {100, 100, 100};
  const auto plan = plan_windows(problem, {}, false);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->wide);
  EXPECT_EQ(plan->far, 1 << 30);
  EXPECT_EQ(plan->columns, 127);
  EXPECT_EQ(plan->factor, 100);
  EXPECT_EQ(plan->reach, (Reaches{0, 80}));
  EXPECT_EQ(plan->bound, 100 * 81 * 81 - 1);
}

TEST(WindowPlan, NarrowLanesLook24CellsFar) {
  // 32767 / 24² is 56.9.
  Problem problem = problem_of({1, 1000, 1000});
  problem.weights.factor = {56, 56, 56};
  EXPECT_FALSE(plan_windows(problem, {}, false)->wide);
  problem.weights.factor = {57, 57, 57};
  EXPECT_TRUE(plan_windows(problem, {}, false)->wide);
}

TEST(WindowPlan, WideLanesLook4CellsFarOrThereIsNone) {
  const auto has_plan = [](std::int64_t factor) {
    return plan_windows(problem_of({1, 50, 1000}, Metric::manhattan, factor), {}, false)
        .has_value();
  };
  EXPECT_TRUE(has_plan((1 << 28) - 1));
  EXPECT_FALSE(has_plan(1 << 28));  // four times this is 2^30, which stands for what is far
}

TEST(WindowPlan, IsRefusedWhereWindowsCannotTell) {
  const Problem chessboard = problem_of({1, 1000, 1000}, Metric::chessboard);
  EXPECT_FALSE(plan_windows(chessboard, {}, true));
  const auto distances = plan_windows(chessboard, {}, false);
  ASSERT_TRUE(distances);
  EXPECT_TRUE(distances->takes_greatest);
  EXPECT_FALSE(distances->squared);
  EXPECT_EQ(distances->bound, 80);

  Problem points = problem_of({1, 1000, 1000});
  points.point_sites = true;
  EXPECT_FALSE(plan_windows(points, {}, true));
  EXPECT_TRUE(plan_windows(points, {}, false));

  // In 3-D a place in the strips has 32 bits.
  EXPECT_TRUE(plan_windows(problem_of({100, 1 << 18, 100}), {}, true));
  EXPECT_FALSE(plan_windows(problem_of({100, (1 << 18) + 1, 100}), {}, true));

  EngineLimits none;
  none.distance_windows.reach = {0, 80};
  EXPECT_FALSE(plan_windows(problem_of({1, 1000, 1000}), none, false));
  EXPECT_TRUE(plan_windows(problem_of({100, 100, 100}), none, false));
}

}  // namespace
}  // namespace thiessen::cpu::tiles
