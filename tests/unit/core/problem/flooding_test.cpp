// SPDX-License-Identifier: Apache-2.0
#include "core/problem/flooding.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "operations/checks/options.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

using Steps = std::vector<std::int64_t>;

Steps steps_of(Method method, const Axes& extent, std::int64_t sites = 1) {
  return flooding_steps(*make_flooding(method, {}), extent, sites);
}

/// Steps begin with the power of two that is at least half the longest axis.
TEST(FloodingSteps, Halve) {
  EXPECT_EQ(steps_of(Method::jfa, {1, 1, 1}), Steps({1}));
  EXPECT_EQ(steps_of(Method::jfa, {1, 1, 2}), Steps({1}));
  EXPECT_EQ(steps_of(Method::jfa, {1, 3, 2}), Steps({2, 1}));
  EXPECT_EQ(steps_of(Method::jfa, {1, 9, 16}), Steps({8, 4, 2, 1}));
  EXPECT_EQ(steps_of(Method::jfa, {17, 9, 16}), Steps({16, 8, 4, 2, 1}));
  EXPECT_EQ(steps_of(Method::one_jfa, {1, 9, 16}), Steps({1, 8, 4, 2, 1}));
  EXPECT_EQ(steps_of(Method::jfa_one, {1, 9, 16}), Steps({8, 4, 2, 1, 1}));
  EXPECT_EQ(steps_of(Method::jfa_two, {1, 9, 16}), Steps({8, 4, 2, 1, 2, 1}));
  EXPECT_EQ(steps_of(Method::jfa2, {1, 9, 16}), Steps({8, 4, 2, 1, 8, 4, 2, 1}));
  EXPECT_EQ(steps_of(Method::jfa_noise, {1, 9, 16}), Steps({8, 4, 2, 1}));
}

TEST(FloodingSteps, QuarterInJfaPlus) {
  EXPECT_EQ(steps_of(Method::jfa_plus, {1, 1, 1}), Steps({1}));
  EXPECT_EQ(steps_of(Method::jfa_plus, {1, 720, 720}), Steps({360, 90, 23, 6, 2, 1}));
  EXPECT_EQ(steps_of(Method::jfa_plus, {1, 4096, 9}), Steps({2048, 512, 128, 32, 8, 2, 1}));
}

/// The document calls the second of these four steps; there are six passes.
TEST(FloodingSteps, FollowTheIteratedLogarithmInJfaStar) {
  EXPECT_EQ(steps_of(Method::jfa_star, {1, 720, 720}, 0), Steps({240, 1}));
  EXPECT_EQ(steps_of(Method::jfa_star, {1, 720, 720}, 2000), Steps({240, 80, 27, 9, 3, 1}));
  EXPECT_EQ(steps_of(Method::jfa_star, {1, 720, 720}, 8), Steps({240, 80, 1}));
  EXPECT_EQ(steps_of(Method::jfa_star, {1, 720, 720}, 64), Steps({240, 80, 27, 1}));
  EXPECT_EQ(steps_of(Method::jfa_star, {1, 720, 720}, 1024), Steps({240, 80, 27, 9, 1}));
  EXPECT_EQ(steps_of(Method::jfa_star, {1, 720, 720}, 65537), Steps({240, 80, 27, 9, 3, 1, 1}));
  EXPECT_EQ(steps_of(Method::jfa_star, {1, 3, 3}, 2000), Steps({1, 1}));
  EXPECT_EQ(steps_of(Method::jfa_star, {1, 1, 1}, 1), Steps({1, 1}));
}

TEST(FloodingSteps, AreThoseOfThePapers) {
  const Axes of_720{1, 720, 720};
  EXPECT_EQ(steps_of(Method::jfa_coeurjolly, {1, 1280, 1280}),
            Steps({1, 640, 320, 160, 80, 40, 20, 10, 5, 2, 1}));
  EXPECT_EQ(steps_of(Method::jfa_one_paper, of_720), Steps({360, 180, 90, 45, 22, 11, 5, 2, 1, 1}));
  EXPECT_EQ(steps_of(Method::jfa_plus_paper, of_720), Steps({360, 180, 90, 45, 22}));
  EXPECT_EQ(steps_of(Method::jfa_star_paper, of_720, 2000), Steps({240, 80, 27, 1}));
  EXPECT_EQ(steps_of(Method::jfa_star_one_paper, of_720, 2000), Steps({240, 80, 27, 9, 1}));
  EXPECT_EQ(steps_of(Method::jfa_star_paper, of_720, 1), Steps({1}));
  EXPECT_EQ(steps_of(Method::jfa_star_one_paper, of_720, 65537), Steps({240, 80, 27, 9, 3, 1}));
}

/// Passes before, after and again stay.
TEST(FloodingSteps, FollowAnotherRule) {
  const auto by = [](Method method, StepRule rule, std::int64_t longest, std::int64_t sites = 1) {
    return flooding_steps(*make_flooding(method, {.step_rule = rule}), {1, 1, longest}, sites);
  };
  EXPECT_EQ(by(Method::jfa, StepRule::half, 11), Steps({5, 2, 1}));
  EXPECT_EQ(by(Method::jfa, StepRule::half, 1), Steps({1}));
  EXPECT_EQ(by(Method::jfa_two, StepRule::quarter, 33), Steps({17, 5, 2, 1, 2, 1}));
  EXPECT_EQ(by(Method::one_jfa, StepRule::third, 27), Steps({1, 9, 3, 1}));
  EXPECT_EQ(by(Method::jfa2, StepRule::third, 4), Steps({2, 1, 2, 1}));
  EXPECT_EQ(by(Method::jfa_plus, StepRule::pow2, 20), Steps({16, 8, 4, 2, 1}));
  EXPECT_EQ(by(Method::jfa_star, StepRule::half, 720, 64), Steps({360, 180, 90, 1}));
}

TEST(FloodingSteps, LogStarIsTheIteratedBinaryLogarithm) {
  for (const std::int64_t n : {0, 1, 2, 3, 4, 5, 16, 17, 2000, 65536, 65537, 1 << 30}) {
    int count = 0;
    for (double rest = static_cast<double>(n); rest > 1; rest = std::log2(rest)) ++count;
    EXPECT_EQ(log_star(n), count) << n;
  }
}

TEST(FloodingDirections, AreSineAndCosine) {
  for (std::int64_t count = 1; count <= kDirections; ++count)
    for (std::int64_t i = 0; i < count; ++i) {
      const long double angle = 2 * 3.14159265358979323846264338328L * static_cast<long double>(i) /
                                static_cast<long double>(count);
      const UnitVector unit = unit_vector(i, count);
      EXPECT_EQ(unit.y, std::llroundl(std::ldexp(std::sin(angle), 30))) << i << " of " << count;
      EXPECT_EQ(unit.x, std::llroundl(std::ldexp(std::cos(angle), 30))) << i << " of " << count;
    }
  EXPECT_EQ(unit_vector(1, 12).y, 1 << 29);
  EXPECT_EQ(unit_vector(0, 7).x, 1 << 30);
  EXPECT_EQ(unit_vector(0, 7).y, 0);
}

TEST(FloodingDirections, RoundHalfAwayFromZero) {
  EXPECT_EQ(along_direction(1, 1 << 29), 1);
  EXPECT_EQ(along_direction(1, -(1 << 29)), -1);
  EXPECT_EQ(along_direction(3, 1 << 29), 2);
  EXPECT_EQ(along_direction(3, -(1 << 29)), -2);
  EXPECT_EQ(along_direction(std::int64_t{1} << 30, 1 << 30), std::int64_t{1} << 30);
}

TEST(FloodingOffsets, OfACircleReachAllNeighbours) {
  const auto circle = make_flooding(Method::jfa_star, {});
  EXPECT_EQ(flooding_offsets(*circle, 2, 1),
            flooding_offsets(*make_flooding(Method::jfa, {}), 2, 1));
  const std::vector<Axes> five{{0, -5, 0}, {0, -4, -3}, {0, -4, 3}, {0, -3, -4},
                               {0, -3, 4}, {0, 0, -5},  {0, 0, 5},  {0, 3, -4},
                               {0, 3, 4},  {0, 4, -3},  {0, 4, 3},  {0, 5, 0}};
  EXPECT_EQ(flooding_offsets(*circle, 2, 5), five);
  for (int points = 1; points <= kMostCirclePoints; ++points) {
    const auto flooding = make_flooding(Method::jfa, {.pattern = Pattern::circle(points)});
    for (const Axes& offset : flooding_offsets(*flooding, 2, 1)) EXPECT_NE(offset, (Axes{0, 0, 0}));
    if (points >= 8) {
      EXPECT_EQ(flooding_offsets(*flooding, 2, 1).size(), 8u) << points;
    }
  }
}

TEST(FloodingOffsets, OfASquare) {
  EXPECT_EQ(flooding_offsets(*make_flooding(Method::jfa, {}), 2, 4).size(), 8u);
  EXPECT_EQ(flooding_offsets(*make_flooding(Method::jfa, {}), 3, 4).size(), 26u);
}

TEST(FloodingNoise, IsTheSameEverywhere) {
  EXPECT_EQ(noise_rank(0, 0, 1), 0);
  std::vector<int> counts(7);
  for (std::int64_t cell = 0; cell < 7000; ++cell)
    ++counts[static_cast<std::size_t>(noise_rank(1, cell, 7))];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 120);
}

TEST(FloodingStart, IsTheNearestCellOfThePoint) {
  EXPECT_EQ(start_of(5, 1, 10, false), 2) << "the first of two that are equally near";
  EXPECT_EQ(start_of(5 << 15, 16, 10, false), 2);
  EXPECT_EQ(start_of((5 << 15) + 1, 16, 10, false), 3);
  EXPECT_EQ(start_of(-70000, 16, 10, false), 0);
  EXPECT_EQ(start_of(99, 0, 10, false), 9);
  EXPECT_EQ(start_of(39, 2, 10, true), 0) << "9.75 lies nearest to the image of the first cell";
  EXPECT_EQ(start_of(39, 2, 10, false), 9);
}

void expect_refused(Method method, const FloodingOptions& options, const std::string& message) {
  try {
    const NearestSiteOptions all{.method = method, .flooding = options};
    check_options(kNearestSite.fields, &all, 2);
    make_flooding(method, options);
    ADD_FAILURE() << "no error: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_EQ(std::string(error.what()), message);
  }
}

TEST(FloodingOptions, BadOnesAreRefused) {
  expect_refused(Method::jfa, {.steps = {4, 0}}, "steps[1] = 0; must be from 1 to 2^30");
  expect_refused(Method::jfa, {.steps = {-1}}, "steps[0] = -1; must be from 1 to 2^30");
  expect_refused(Method::jfa, {.steps = {(std::int64_t{1} << 30) + 1}},
                 "steps[0] = 1073741825; must be from 1 to 2^30");
  const std::string rule = "; must be square, circle:N or random-circle:N, N from 1 to 64";
  expect_refused(Method::jfa, {.pattern = Pattern::circle(0)}, "pattern = circle:0" + rule);
  expect_refused(Method::jfa, {.pattern = Pattern::random_circle(65)},
                 "pattern = random-circle:65" + rule);
  expect_refused(Method::jfa, {.pattern = Pattern{.points = 3}}, "pattern = square" + rule);
  expect_refused(Method::jfa, {.steps = {1}, .step_rule = StepRule::half},
                 "step_rule is given; must not be with steps");
  expect_refused(Method::jfa_one_paper, {.literal = true},
                 "literal is given; it is for jfa-coeurjolly and jfa-thrust, not for jfa+1-paper");
}

TEST(FloodingOptions, OtherMethodsRefuseThem) {
  const std::string rest = " is given; it is for methods of jump flooding, not for exact";
  expect_refused(Method::exact, {.steps = {1}}, "steps" + rest);
  expect_refused(Method::exact, {.pattern = Pattern::square()}, "pattern" + rest);
  expect_refused(Method::exact, {.noise = Noise::none}, "noise" + rest);
  expect_refused(Method::exact, {.seed = 1}, "seed" + rest);
  expect_refused(Method::exact, {.on_pass = [](const FloodingPass&) {}}, "on_pass" + rest);
  expect_refused(Method::exact, {.step_rule = StepRule::half}, "step_rule" + rest);
  expect_refused(Method::exact, {.literal = true},
                 "literal is given; it is for jfa-coeurjolly and jfa-thrust, not for exact");
  EXPECT_FALSE(make_flooding(Method::exact, {}));
}

}  // namespace
}  // namespace thiessen
