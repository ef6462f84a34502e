// SPDX-License-Identifier: Apache-2.0
//
// Cost distance on the Earth: lengths by hand and by GeographicLib, poles, the date line, walks,
// and what is refused. The conformance suite compares all methods with the oracle there.
#include <gtest/gtest.h>

#include <GeographicLib/Geodesic.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "core/cost/walk.hpp"
#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::message_of;

constexpr double kPi = 3.14159265358979323846;

/// Columns of this step, from a first one on.
std::vector<double> columns(double first, double step, int count) {
  std::vector<double> longitude;
  for (int i = 0; i < count; ++i) longitude.push_back(first + step * i);
  return longitude;
}

/// Whole micrometres, as steps are long.
double to_micrometres(double metres) { return std::nearbyint(metres * 1e6) / 1e6; }

class CostOnEarth : public ::testing::Test {
 protected:
  CostOnEarth() {
    options.distance_type = FloatType::f64;
    options.metric = Metric::ellipsoidal;
  }

  /// Over a map of ones, from the cell (y, x).
  CostDistance from(double y, double x) {
    const Extents extents{static_cast<std::int64_t>(options.earth->latitude.size()),
                          static_cast<std::int64_t>(options.earth->longitude.size())};
    const std::vector<float> map(static_cast<std::size_t>(extents.count()), 1);
    const std::vector<double> point{y, x};
    return cost_distance(CostMap::cost(View<const float>(map.data(), extents)),
                         PointList{.coordinates = View<const double>(point.data(), {1, 2})},
                         options, {.back_link = true});
  }
  static double cost(const CostDistance& found, std::int64_t y, std::int64_t x) {
    return found.distance.view<double>()(y, x);
  }

  CostDistanceOptions options;
};

/// On a sphere on which a degree is a metre long.
TEST_F(CostOnEarth, ByHand) {
  options.metric = Metric::great_circle;
  options.earth = Earth{{2, 1, 0}, {10, 11}, 180 / kPi};
  options.connectivity = Connectivity::faces;
  const CostDistance found = from(2, 0);
  // At latitude 2 a step along the row is 2·asin(cos 2° · sin ½°) long.
  const double along_top = 2 * std::asin(std::cos(kPi / 90) * std::sin(kPi / 360)) * 180 / kPi;
  EXPECT_EQ(cost(found, 2, 1), 1);
  EXPECT_EQ(cost(found, 0, 0), 2);
  EXPECT_DOUBLE_EQ(cost(found, 0, 1), 2 + to_micrometres(along_top));
  EXPECT_EQ(least_cost_path(found.back_link.view(), options.connectivity, {0, 1}),
            (std::vector<std::int64_t>{1, 0, 2, 4}));
}

TEST_F(CostOnEarth, LengthsAreThoseOfGeographicLib) {
  options.connectivity = Connectivity::knights;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Draw draw(seed);
    const double step = 0.001 + draw.real();
    const double first = 180 * draw.real() - 90;
    const double rise = first > 0 ? -step : step;
    options.earth = Earth{{first, first + rise, first + 2 * rise}, columns(170, step, 3)};
    const CostDistance found = from(0, 0);
    const GeographicLib::Geodesic& geodesic = GeographicLib::Geodesic::WGS84();
    constexpr std::int64_t kNeighbours[][2] = {{0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}};
    for (const auto& [y, x] : kNeighbours) {
      double metres = 0;
      geodesic.Inverse(first, 0, first + static_cast<double>(y) * rise,
                       static_cast<double>(x) * step, metres);
      EXPECT_NEAR(cost(found, y, x), metres, 1e-6) << seed << ": " << y << ", " << x;
    }
  }
}

/// All cells of a row at a pole are one place, over which paths lead to the other side.
TEST_F(CostOnEarth, PathsLeadOverThePole) {
  options.earth = Earth{{90, 89, 88}, columns(-180, 10, 36)};
  const CostDistance found = from(1, 0);
  double metres = 0;
  GeographicLib::Geodesic::WGS84().Inverse(90, 0, 89, 0, metres);
  EXPECT_EQ(cost(found, 0, 0), to_micrometres(metres));
  EXPECT_EQ(cost(found, 0, 30), to_micrometres(metres));
  EXPECT_EQ(cost(found, 1, 18), 2 * to_micrometres(metres));
}

/// Over free ground they take the shorter of two steps in each row: far north along the row.
TEST_F(CostOnEarth, PathsOverFreeGroundTakeShortSteps) {
  options.connectivity = Connectivity::faces;
  options.earth = Earth{{80, 70, 60}, {0, 25, 50}};
  const std::vector<float> free(9);
  const std::vector<double> point{0, 0};
  const CostDistance found =
      cost_distance(CostMap::cost(View<const float>(free.data(), {3, 3})),
                    PointList{.coordinates = View<const double>(point.data(), {1, 2})}, options,
                    {.back_link = true});
  EXPECT_EQ(least_cost_path(found.back_link.view(), options.connectivity, {2, 2}),
            (std::vector<std::int64_t>{8, 5, 4, 3, 0}));
}

TEST_F(CostOnEarth, TheDateLineIsNoBorderWithinARaster) {
  const std::vector<double> latitude = columns(51, -0.5, 4);
  options.earth = Earth{latitude, columns(178, 0.5, 9)};
  const CostDistance over = from(3, 1);
  options.earth = Earth{latitude, columns(8, 0.5, 9)};
  const CostDistance elsewhere = from(3, 1);
  for (std::int64_t y = 0; y < 4; ++y)
    for (std::int64_t x = 0; x < 9; ++x) EXPECT_EQ(cost(over, y, x), cost(elsewhere, y, x));
}

/// The first and the last column of a global raster are as far from each other as they are within.
TEST_F(CostOnEarth, PathsEndAtTheSides) {
  options.earth = Earth{{0}, columns(-175, 10, 36)};
  const CostDistance found = from(0, 0);
  EXPECT_NEAR(cost(found, 0, 35), 6378137 * kPi / 18 * 35, 1e-3);
}

TEST_F(CostOnEarth, WalksTakeTheLengthsOfRows) {
  options.earth = Earth{{60, 59}, {0, 0.001}};
  const std::vector<float> heights{0, 5, 0, 0};
  options.elevation = View<const float>(heights.data(), {2, 2});
  options.walk = Walk::langmuir;
  double metres = 0;
  GeographicLib::Geodesic::WGS84().Inverse(60, 0, 60, 0.001, metres);
  EXPECT_DOUBLE_EQ(cost(from(0, 0), 0, 1), langmuir_seconds(to_micrometres(metres), 5));
}

TEST_F(CostOnEarth, RoundingInTheCoordinatesIsNoUnevenness) {
  options.earth = Earth{{10, 9}, {179.98333740234375, 179.99166870117188, 180}};  // of float
  EXPECT_GT(cost(from(0, 0), 0, 2), 0);
}

TEST_F(CostOnEarth, Refuses) {
  const auto refusal = [&](const auto& change) {
    options.metric = Metric::ellipsoidal;
    options.earth = Earth{{10, 9}, {179, 180, 181}};
    options.spacing = {};
    change();
    const std::vector<float> map(6, 1);
    const std::vector<std::uint8_t> sites(6, 1);
    return message_of([&] {
      cost_distance(CostMap::cost(View<const float>(map.data(), {2, 3})),
                    View<const std::uint8_t>(sites.data(), {2, 3}), options);
    });
  };
  EXPECT_EQ(refusal([] {}), "");
  EXPECT_EQ(refusal([&] { options.metric = Metric::manhattan; }),
            "metric = manhattan; must be one of euclidean, ellipsoidal, great-circle");
  EXPECT_EQ(refusal([&] { options.metric = Metric::euclidean; }),
            "earth is given; it is for the metrics ellipsoidal and great-circle");
  EXPECT_EQ(refusal([&] { options.earth.reset(); }),
            "metric = ellipsoidal; needs earth, the latitude of each row and the longitude of each "
            "column");
  EXPECT_EQ(refusal([&] {
              options.spacing = {1, 1};
            }),
            "spacing and metric = ellipsoidal are given; distances on the Earth need no spacing");
  EXPECT_EQ(refusal([&] { options.earth->longitude[1] = 180.5; }),
            "earth.longitude[1] = 180.5; the steps must be even, which makes it 180");
  EXPECT_EQ(refusal([&] { options.earth->latitude.pop_back(); }),
            "earth.latitude has 1 values; must have one for each of 2");
}

TEST_F(CostOnEarth, IsOfCostDistanceAlone) {
  const std::vector<float> map(6, 1);
  const View<const float> cells(map.data(), {2, 3});
  const std::vector<double> at{0, 0};
  const PointList points{.coordinates = View<const double>(at.data(), {1, 2})};
  std::vector<float> costs(6);
  const CostDistanceOutputs out{.distance = View<float>(costs.data(), {2, 3})};
  options.earth = Earth{{10, 9}, {179, 180, 181}};
  Context context;
  const std::string only = "metric = ellipsoidal; it is for cost_distance(), not for ";
  EXPECT_EQ(message_of([&] { CostSolver(context, CostMap::cost(cells), points, options, out); }),
            only + "a CostSolver");
  const std::vector<std::int64_t> first{0};
  EXPECT_EQ(
      message_of([&] { relax_cost_sites(context, CostMap::cost(cells), first, options, {}); }),
      only + "placing sites");
  EXPECT_EQ(
      message_of([&] { farthest_cost_sites(context, CostMap::cost(cells), options, {}, first); }),
      only + "placing sites");
}

}  // namespace
}  // namespace thiessen
