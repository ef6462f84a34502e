// SPDX-License-Identifier: Apache-2.0
//
// Walks: cost distance over an elevation, by numbers that were found by hand.
#include "core/cost/walk.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "support/message_of.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

constexpr float kUnreachedCost = std::numeric_limits<float>::infinity();
constexpr float kNanCell = std::numeric_limits<float>::quiet_NaN();

TEST(WalkingSeconds, OfTobler) {
  EXPECT_NEAR(100 / tobler_seconds(100, 0) * 3.6, 5.0367, 1e-4) << "km/h on level ground";
  EXPECT_EQ(tobler_seconds(100, -5), 60) << "6 km/h is the greatest speed";
  EXPECT_DOUBLE_EQ(tobler_seconds(100, 0), tobler_seconds(100, -10));
  EXPECT_DOUBLE_EQ(tobler_seconds(30, 12), 30 * 0.6 * std::exp(3.5 * 0.45));
  EXPECT_DOUBLE_EQ(tobler_seconds(30, -12), 30 * 0.6 * std::exp(3.5 * 0.35));
  EXPECT_EQ(tobler_seconds(1, 1e30), std::numeric_limits<double>::infinity());
}

TEST(WalkingSeconds, OfLangmuir) {
  EXPECT_DOUBLE_EQ(langmuir_seconds(100, 0), 72);
  EXPECT_DOUBLE_EQ(langmuir_seconds(100, 10), 132);
  EXPECT_DOUBLE_EQ(langmuir_seconds(100, -10), 72 - 19.998);
  EXPECT_DOUBLE_EQ(langmuir_seconds(100, -21.25), 72 - 21.25 * 1.9998) << "not steep yet";
  EXPECT_DOUBLE_EQ(langmuir_seconds(100, -30), 72 + 59.994);
  EXPECT_GT(langmuir_seconds(1, -0.2125), 0.29);
}

TEST(WalkingSeconds, OfOtherCoefficients) {
  const Langmuir rule{.level = 1, .up = 5, .down = 2, .steep_down = -3, .steep = -0.25};
  EXPECT_EQ(langmuir_seconds(100, 10, rule), 150);
  EXPECT_EQ(langmuir_seconds(100, -20, rule), 60);
  EXPECT_EQ(langmuir_seconds(100, -25, rule), 50) << "not steep yet";
  EXPECT_EQ(langmuir_seconds(100, -30, rule), 190);
  const double steep = -0.8 / 9;
  EXPECT_LT(0.8 * 15 + 9 * (15 * steep), 0) << "by rounding";
  EXPECT_EQ(langmuir_seconds(15, 15 * steep, {.level = 0.8, .down = 9, .steep = steep}), 0);
}

/// From a cell at a pole to another one.
TEST(WalkingSeconds, OfNoLength) {
  EXPECT_EQ(tobler_seconds(0, 0), 0);
  EXPECT_EQ(langmuir_seconds(0, 0), 0);
}

/// Seconds are the same bits on every machine.
TEST(WalkingSeconds, Golden) {
  EXPECT_EQ(tobler_seconds(100, 0), 0x1.1de62ae4781d4p+6);
  EXPECT_EQ(tobler_seconds(25, 7), 0x1.7ce1ffd7ca4dbp+5);
}

/// A walk over cells of 100 m, in seconds.
class WalkTest : public ::testing::Test {
 protected:
  WalkTest() {
    options.spacing = {100, 100};
    options.walk = Walk::langmuir;
    options.distance_type = FloatType::f64;
    options.unreached = std::int64_t{0};
  }

  /// Over these heights, from sites of these labels.
  CostDistance walk(const std::vector<float>& heights, const std::vector<std::uint8_t>& labels,
                    const Extents& extents) {
    options.elevation = View<const float>(heights.data(), extents);
    const View<const void> ground =
        map.empty() ? View<const void>() : View<const float>(map.data(), extents);
    return cost_distance(CostMap(ground, weight), View<const std::uint8_t>(labels.data(), extents),
                         options, {.site_index = true, .back_link = true});
  }

  static std::vector<double> costs(const CostDistance& found) {
    const View<const double> view = found.distance.view<double>();
    return {view.data(), view.data() + view.extents().count()};
  }
  static void expect_costs(const CostDistance& found, const std::vector<double>& expected) {
    const std::vector<double> own = costs(found);
    ASSERT_EQ(own.size(), expected.size());
    for (std::size_t i = 0; i < own.size(); ++i) EXPECT_NEAR(own[i], expected[i], 1e-9) << i;
  }
  static std::vector<int> labels(const CostDistance& found) {
    const View<const std::uint8_t> view = found.labels.view<std::uint8_t>();
    return {view.data(), view.data() + view.extents().count()};
  }

  void expect_error(const std::string& part, ErrorCode code = ErrorCode::invalid_argument) {
    const std::vector<float> heights(3);
    try {
      walk(heights, {1, 0, 0}, {1, 3});
      ADD_FAILURE() << "no error; expected: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }

  CostDistanceOptions options;
  std::vector<float> map;  ///< empty: none
  EdgeWeight weight = EdgeWeight::stiffness;
};

TEST_F(WalkTest, UpIsNotAsFastAsDown) {
  const std::vector<float> hill{0, 10, 30, 20, 0};
  // 10 m up take 132 s, 20 m 192 s; 10 m down 52.002 s, 20 m 32.004 s.
  expect_costs(walk(hill, {1, 0, 0, 0, 0}, {1, 5}), {0, 132, 324, 376.002, 408.006});
  options.walk_direction = WalkDirection::to_site;
  expect_costs(walk(hill, {1, 0, 0, 0, 0}, {1, 5}), {0, 52.002, 84.006, 216.006, 408.006});
}

/// The cell in the middle of a slope is nearer from the site above, and nearer to the one below.
TEST_F(WalkTest, LabelsFollowTheDirection) {
  const std::vector<float> slope{0, 10, 20, 30, 40};
  for (const Walk rule : {Walk::tobler, Walk::langmuir}) {
    options.walk = rule;
    options.walk_direction = WalkDirection::from_site;
    EXPECT_EQ(labels(walk(slope, {7, 0, 0, 0, 9}, {1, 5})), (std::vector<int>{7, 7, 9, 9, 9}));
    options.walk_direction = WalkDirection::to_site;
    EXPECT_EQ(labels(walk(slope, {7, 0, 0, 0, 9}, {1, 5})), (std::vector<int>{7, 7, 7, 9, 9}));
  }
}

/// The way round a peak is shorter than the way over it, and back links lead along it.
TEST_F(WalkTest, PathsLeadRoundAPeak) {
  const std::vector<float> heights{0, 0, 0, 0, 500, 0};
  const CostDistance found = walk(heights, {0, 0, 0, 1, 0, 0}, {2, 3});
  const double diagonal = 72 * std::sqrt(2.0);
  EXPECT_DOUBLE_EQ(costs(found)[5], 2 * diagonal);
  EXPECT_EQ(least_cost_path(found.back_link.view(), Connectivity::corners, {1, 2}),
            (std::vector<std::int64_t>{5, 1, 3}));
}

TEST_F(WalkTest, KnightsTakeTheSlopeFromEndToEnd) {
  options.connectivity = Connectivity::knights;
  const std::vector<float> heights{0, 900, 900, 900, 900, 20};
  const CostDistance found = walk(heights, {1, 0, 0, 0, 0, 0}, {2, 3});
  EXPECT_DOUBLE_EQ(costs(found)[5], langmuir_seconds(std::sqrt(5.0) * 100, 20));
}

TEST_F(WalkTest, TheMapMultipliesSeconds) {
  weight = EdgeWeight::cost;
  map = {1, 3, 3};
  expect_costs(walk({0, 0, 10}, {1, 0, 0}, {1, 3}), {0, 144, 144 + 3 * 132});
  weight = EdgeWeight::stiffness;
  map = {0.5f, 0.5f, 0};
  const CostDistance found = walk({0, 0, 10}, {1, 0, 0}, {1, 3});
  EXPECT_NEAR(costs(found)[1], 144, 1e-9);
  EXPECT_EQ(labels(found), (std::vector<int>{1, 1, 0})) << "a stiffness of 0 is a barrier";
}

/// What r.walk does with its friction.
TEST_F(WalkTest, TheMapMayAdd) {
  weight = EdgeWeight::cost;
  options.walk_map = WalkMap::adds;
  map = {1, 3, 0};
  expect_costs(walk({0, 0, 10}, {1, 0, 0}, {1, 3}), {0, 72 + 200, 72 + 200 + 132 + 150});
  weight = EdgeWeight::stiffness;
  map = {1, 1, 0};
  const CostDistance found = walk({0, 0, 10}, {1, 0, 0}, {1, 3});
  EXPECT_NEAR(costs(found)[1], 172, 1e-9);
  EXPECT_EQ(labels(found), (std::vector<int>{1, 1, 0})) << "a stiffness of 0 is a barrier";
}

TEST_F(WalkTest, CoefficientsMayBeOthers) {
  options.walk_coefficients = {1, 5, 2, -3};
  options.slope_factor = -0.25;
  expect_costs(walk({0, 10, -10, -40}, {1, 0, 0, 0}, {1, 4}), {0, 150, 210, 400});
  options.walk_coefficients = std::nullopt;
  expect_costs(walk({0, 0, -22, 0}, {1, 0, 0, 0}, {1, 4}),
               {0, 72, 144 - 22 * 1.9998, 216 - 22 * 1.9998 + 132});
}

TEST_F(WalkTest, UnknownElevationsAreBarriersAndNodataLiesOutside) {
  options.elevation_nodata = -9.0;
  options.nodata_label = std::int64_t{250};
  const CostDistance found = walk({0, kNanCell, 0, 0, -9, 0}, {1, 2, 0, 0, 0, 0}, {2, 3});
  EXPECT_EQ(labels(found), (std::vector<int>{1, 0, 0, 1, 250, 0}));
  EXPECT_EQ(found.report.ignored_sites, 1);
  EXPECT_TRUE(std::isnan(costs(found)[4]));
  EXPECT_EQ(found.back_link.view().data()[4], kBackLinkNodata);
  EXPECT_EQ(found.back_link.view().data()[1], kBackLinkUnreached);
}

TEST_F(WalkTest, TooManySecondsAreUnreached) {
  options.walk = Walk::tobler;
  EXPECT_EQ(labels(walk({0, 1e30f, 0}, {1, 0, 0}, {1, 3})), (std::vector<int>{1, 0, 0}));
  options.distance_type = FloatType::f32;
  options.walk = Walk::langmuir;
  const CostDistance found = walk({0, 6e37f, 0}, {1, 0, 0}, {1, 3});
  EXPECT_EQ(found.distance.view<float>()(0, 1), kUnreachedCost);
}

TEST_F(WalkTest, TakesEveryTypeAndStride) {
  options.walk = std::nullopt;
  const std::vector<std::int16_t> heights{5, 0, 0, 0, 3, 0};
  const std::vector<std::int16_t> in_order{3, 0, 5};
  const std::vector<std::uint8_t> sites{1, 0, 0};
  const View<const std::uint8_t> all(sites.data(), {1, 3});
  options.elevation = View<const std::int16_t>(in_order.data(), {1, 3});
  const CostDistance expected = cost_distance(CostMap(), all, options);
  options.elevation = View<const void>(heights.data() + 4, ElementType::i16, {1, 3}, {0, -4});
  EXPECT_EQ(costs(cost_distance(CostMap(), all, options)), costs(expected));
  EXPECT_DOUBLE_EQ(costs(expected)[1], tobler_seconds(100, -3));
}

TEST_F(WalkTest, RefusesWhatIsNotForWalks) {
  options.map_nodata = 3.0;
  expect_error("map_nodata is given; needs a map, cost or stiffness");
  options.map_nodata = std::nullopt;
  options.elevation_nodata = 1e300;
  expect_error("elevation_nodata = 1e+300");
  options.elevation_nodata = std::nullopt;
  options.walk_map = WalkMap::adds;
  expect_error("walk_map is given; needs a map, cost or stiffness");
}

TEST_F(WalkTest, RefusesCoefficients) {
  const auto refuses = [&](const std::array<double, 4>& coefficients, const std::string& message) {
    options.walk_coefficients = coefficients;
    expect_error(message);
  };
  refuses({-1, 6, 2, -2}, "walk_coefficients[0] = -1; must be finite and >= 0");
  refuses({1, -6, 2, -2}, "walk_coefficients[1] = -6; must be finite and >= 0");
  refuses({1, 6, kUnreachedCost, -2}, "walk_coefficients[2] = inf; must be finite");
  refuses({1, 6, 2, 2}, "walk_coefficients[3] = 2; must be finite and <= 0");
  refuses({1, 6, 8, -2},
          "walk_coefficients[2] = 8; must be less, as a metre down a slope of -0.2125 would take "
          "-0.7 s");
  options.walk_coefficients = std::nullopt;
  options.slope_factor = 0.1;
  expect_error("slope_factor = 0.1; must be finite and <= 0");
  options.walk = Walk::tobler;
  options.slope_factor = -0.1;
  expect_error("slope_factor is given; it is for walk langmuir, not for tobler");
}

TEST_F(WalkTest, RefusesArrays) {
  const std::vector<float> cells(12, 1);
  const std::vector<std::uint8_t> sites(12, 1);
  const auto refuses = [&](const View<const void>& elevation, const Extents& extents,
                           const std::string& message) {
    options.elevation = elevation;
    options.spacing = {};
    try {
      cost_distance(CostMap::stiffness(View<const float>(cells.data(), extents)),
                    View<const std::uint8_t>(sites.data(), extents), options);
      ADD_FAILURE() << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), message);
    }
  };
  refuses(View<const float>(cells.data(), {2, 2, 3}), {2, 2, 3},
          "elevation has 3 axes; must have 2, (y, x)");
  refuses(View<const float>(cells.data(), {4, 3}), {3, 4},
          "elevation has other extents than the map; must have the same");
  refuses(View<const void>(cells.data(), ElementType::boolean, {3, 4}), {3, 4},
          "elevation is bool; must be integers or floats");
  Raster distance = Raster::of<float>({3, 4});
  options.elevation = distance.view();
  Context context;
  EXPECT_THROW(cost_distance(context, CostMap(), View<const std::uint8_t>(sites.data(), {3, 4}),
                             options, {.distance = distance.view()}),
               Error)
      << "they overlap";
}

TEST_F(WalkTest, NamesTheFirstIllegalElevation) {
  const std::vector<float> heights{0, kNanCell, -kUnreachedCost, kUnreachedCost};
  options.elevation = View<const float>(heights.data(), {2, 2});
  const std::vector<std::uint8_t> sites(4, 1);
  try {
    cost_distance(CostMap(), View<const std::uint8_t>(sites.data(), {2, 2}), options);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "elevation[1, 0] = -inf; must be NaN, or finite and at most a quarter of the "
                 "greatest float");
  }
}

/// What is for walks alone is refused without an elevation, and elevations where nobody walks.
TEST(Walks, AreOfCostDistanceAlone) {
  const std::vector<float> map(6, 1);
  const View<const float> cells(map.data(), {2, 3});
  const std::vector<double> at{0, 0};
  const PointList points{.coordinates = View<const double>(at.data(), {1, 2})};
  std::vector<float> costs(6);
  const CostDistanceOutputs out{.distance = View<float>(costs.data(), {2, 3})};
  const auto expect_refused = [](const auto& call, const std::string& message) {
    try {
      call();
      ADD_FAILURE() << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.what(), message);
    }
  };
  const std::string without = " is given; needs elevation";
  expect_refused([&] { cost_distance(CostMap::stiffness(cells), points, {.walk = Walk::tobler}); },
                 "walk" + without);
  expect_refused(
      [&] {
        cost_distance(CostMap::stiffness(cells), points,
                      {.walk_direction = WalkDirection::to_site});
      },
      "walk_direction" + without);
  expect_refused([&] { cost_distance(CostMap::stiffness(cells), points, {.slope_factor = -0.1}); },
                 "slope_factor is given; it is for walk langmuir, not for tobler");
  expect_refused(
      [&] { cost_distance(CostMap::stiffness(cells), points, {.walk_map = WalkMap::adds}); },
      "walk_map" + without);
  expect_refused(
      [&] { cost_distance(CostMap::stiffness(cells), points, {.elevation_nodata = 3.0}); },
      "elevation_nodata" + without);
  Context context;
  const CostDistanceOptions walked{.elevation = cells};
  const std::string only = "elevation is given; it is for cost_distance(), not for ";
  expect_refused([&] { CostSolver(context, CostMap::stiffness(cells), points, walked, out); },
                 only + "a CostSolver");
  const std::vector<std::int64_t> first{0};
  expect_refused([&] { relax_cost_sites(context, CostMap::stiffness(cells), first, walked, {}); },
                 only + "placing sites");
  expect_refused(
      [&] { farthest_cost_sites(context, CostMap::stiffness(cells), walked, {}, first); },
      only + "placing sites");
  expect_refused([&] { cost_distance(CostMap(), points, {}); }, "map has 0 axes; must have 2 or 3");
}

TEST_F(WalkTest, GoesAlongTheGround) {
  options.walk = Walk::surface;
  const double up = std::hypot(100.0, 75.0), far = std::hypot(100 * std::sqrt(2.0), 75.0);
  expect_costs(walk({0, 75, 0, 0, 75, 75}, {1, 0, 0, 0, 0, 0}, {2, 3}),
               {0, up, up + up, 100, far, far + 100});
}

/// A table is linear between its slopes, and what lies beyond does not pass.
TEST_F(WalkTest, TakesFactorsOfATable) {
  options.walk = Walk::table;
  options.walk_slopes = {-0.5, 0, 1};
  options.walk_factors = {3, 1, 5};
  const double up = std::hypot(100.0, 50.0) * 3, down = std::hypot(100.0, 25.0) * 2;
  expect_costs(walk({0, 50, 25}, {1, 0, 0}, {1, 3}), {0, up, up + down});
  const CostDistance steep = walk({0, 120, 0, 0, -60, 0}, {0, 0, 1, 1, 0, 0}, {1, 6});
  EXPECT_EQ(costs(steep)[1], std::numeric_limits<double>::infinity());
  EXPECT_EQ(costs(steep)[4], std::numeric_limits<double>::infinity());
  const auto message = [&](std::vector<double> slopes, std::vector<double> factors) {
    options.walk_slopes = std::move(slopes);
    options.walk_factors = std::move(factors);
    return testing::message_of([&] { walk({0, 1}, {1, 0}, {1, 2}); });
  };
  EXPECT_EQ(message({0}, {1}), "walk_slopes has 1 values; must have 2 or more");
  EXPECT_EQ(message({0, 1}, {1}),
            "walk_factors has 1 values; must have 2, one for each of walk_slopes");
  EXPECT_EQ(message({0, 0}, {1, 1}), "walk_slopes[1] = 0; must be greater than the one before, 0");
  EXPECT_EQ(message({0, 1}, {1, -1}), "walk_factors[1] = -1; must be finite and >= 0");
}

}  // namespace
}  // namespace thiessen
