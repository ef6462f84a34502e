// SPDX-License-Identifier: Apache-2.0
//
// Points that measure by metrics of their own; unit/cpu/candidates_test.cpp compares them with
// integers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "thiessen/slabs/slabs.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::message_of;

/// Points on a plane, and a matrix of each.
struct Plane {
  std::vector<double> places;   ///< (y, x) of one point after the other
  std::vector<double> metrics;  ///< two rows of each

  std::int64_t count() const { return static_cast<std::int64_t>(places.size()) / 2; }
  PointList list() const {
    return {.coordinates = View<const double>(places.data(), Extents{count(), 2}),
            .metrics = View<const double>(metrics.data(), Extents{count(), 2, 2})};
  }
};

Plane draw_plane(int count) {
  Plane plane;
  Draw draw(5);
  for (int i = 0; i < count; ++i) {
    plane.places.insert(plane.places.end(), {60 * draw.real() - 10, 30 * draw.real()});
    const double cross = std::round(100 * draw.real()) / 100;
    plane.metrics.insert(plane.metrics.end(), {1.25, cross, cross, 2.5});
  }
  return plane;
}

template <class T>
std::vector<T> list_of(const Raster& raster) {
  const auto* const first = reinterpret_cast<const T*>(raster.bytes());
  return {first, first + raster.extents().count()};
}

TEST(PointMetrics, OfOneAreThoseOfTheGrid) {
  Plane plane = draw_plane(40);
  const Grid grid{.extents = {40, 30}, .spacing = {0.3, 0.7}};
  const NearestSiteWanted wanted{.labels = true, .distance = true};
  const NearestSiteOptions options{.distance_type = FloatType::f64};
  const NearestSite expected =
      voronoi({.coordinates = plane.list().coordinates}, grid, options, wanted);
  for (std::size_t i = 0; i < plane.metrics.size(); ++i)
    plane.metrics[i] = i % 4 == 0 || i % 4 == 3 ? 1 : 0;
  const NearestSite found = voronoi(plane.list(), grid, options, wanted);
  EXPECT_EQ(list_of<std::int32_t>(found.labels), list_of<std::int32_t>(expected.labels));
  const auto distances = list_of<double>(found.distance);
  const auto others = list_of<double>(expected.distance);
  for (std::size_t i = 0; i < distances.size(); ++i) ASSERT_DOUBLE_EQ(distances[i], others[i]);
}

TEST(PointMetrics, TieByIndexWhereKeysAreEqual) {
  // x² · 4 and (6 − x)²: equal at x = 2.
  const Plane plane{{0, 6, 0, 0}, {1, 0, 0, 1, 1, 0, 0, 4}};
  const NearestSite found =
      voronoi(plane.list(), {.extents = {1, 7}}, {},
              {.site_index = true, .distance = true, .weighted_distance = true});
  const std::vector<std::int64_t> index(found.site_index.data(), found.site_index.data() + 7);
  EXPECT_EQ(index, (std::vector<std::int64_t>{1, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(list_of<float>(found.distance), (std::vector<float>{0, 2, 4, 3, 2, 1, 0}));
  EXPECT_EQ(list_of<float>(found.weighted_distance), (std::vector<float>{0, 4, 16, 9, 4, 1, 0}));
}

TEST(PointMetrics, GoWithPowerWeightsAndALimit) {
  const Plane plane{{0, 0, 0, 6}, {1, 0, 0, 1, 1, 0, 0, 4}};
  PointList list = plane.list();
  const std::vector<double> weights{0, 60};
  list.weights = View<const double>(weights.data(), Extents{2});
  const NearestSite found =
      voronoi(list, {.extents = {1, 7}}, {.weighting = Weighting::power, .max_distance = 0},
              {.labels = true, .weighted_distance = true});
  // x² against 4·(6 − x)² − 60
  EXPECT_EQ(list_of<std::int32_t>(found.labels), (std::vector<std::int32_t>{1, 0, 0, 2, 2, 2, 2}));
}

TEST(PointMetrics, LimitDistancesWithoutWeights) {
  const Plane plane{{0, 0, 0, 6}, {1, 0, 0, 1, 1, 0, 0, 1}};
  const NearestSite found =
      voronoi(plane.list(), {.extents = {1, 7}}, {.max_distance = 2}, {.labels = true});
  EXPECT_EQ(list_of<std::int32_t>(found.labels), (std::vector<std::int32_t>{1, 1, 1, 0, 2, 2, 2}));
}

/// Matrices of many digits fit where the grid is small.
TEST(PointMetrics, MayHaveManyDigits) {
  const double third = 1.0 / 3;
  const Plane plane{{0, 0, 0, 6}, {1.23456789012345, 0.1, 0.1, third, 17, third, third, 1}};
  const NearestSite found = voronoi(plane.list(), {.extents = {1, 7}}, {}, {.labels = true});
  // x²/3 against (6 − x)²
  EXPECT_EQ(list_of<std::int32_t>(found.labels), (std::vector<std::int32_t>{1, 1, 1, 1, 2, 2, 2}));
}

TEST(PointMetrics, SlabsAreRowsOfTheWhole) {
  const Plane plane = draw_plane(25);
  const Grid grid{.extents = {40, 30}};
  const NearestSiteOptions options{.periodic = {false, true}};
  const NearestSite whole = voronoi(plane.list(), grid, options, {.site_index = true});
  constexpr std::int64_t kRows = 12;
  for (std::int64_t first = 0; first < 40; first += kRows) {
    const std::int64_t rows = std::min(kRows, 40 - first);
    Array<std::int64_t> index({rows, 30});
    voronoi_slab(default_context(), plane.list(), grid, first, rows, options,
                 {.site_index = index.view()});
    for (std::int64_t i = 0; i < rows * 30; ++i)
      ASSERT_EQ(index.data()[i], whole.site_index.data()[first * 30 + i]) << first << ", " << i;
  }
}

TEST(PointMetrics, RefusalsNameWhatIsWrong) {
  const Plane plane = draw_plane(3);
  std::vector<std::int64_t> index(7);
  const NearestSiteOutputs out{.site_index = View<std::int64_t>(index.data(), Extents{1, 7})};
  const Grid grid{.extents = {1, 7}};
  const auto holds = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  holds(message_of([&] { NearestSiteSolver(default_context(), plane.list(), grid, {}, out); }),
        "metrics are given; its sites have none");
  holds(
      message_of([&] {
        voronoi_slab(default_context(), plane.list(), grid, 0, 1, {.periodic = {true, false}}, out);
      }),
      "not periodic along its first axis");
  holds(message_of([&] {
          voronoi_polygons(plane.list(), {1, 7});
        }),
        "metrics are given; they bend edges");
  PointList list = plane.list();
  list.metrics = View<const double>(plane.metrics.data(), Extents{3, 4});
  holds(message_of([&] { voronoi(list, grid); }), "metrics have other extents");
  holds(message_of([&] { voronoi(plane.list(), grid, {}, {.labels = true, .offset = true}, {}); }),
        "offset");
}

/// The metric of an ellipse with these half axes, of which the first points to (0.6, 0.8).
std::vector<double> metric_of(double first, double second) {
  const std::vector<double> radii{first, second}, directions{0.6, 0.8, -0.8, 0.6};
  return ellipse_metrics(View<const double>(radii.data(), Extents{1, 2}),
                         View<const double>(directions.data(), Extents{1, 2, 2}));
}

/// dᵀMd at the end of the first half axis.
double at_end(const std::vector<double>& metric, double first) {
  const double y = first * 0.6, x = first * 0.8;
  return metric[0] * y * y + 2 * metric[1] * y * x + metric[3] * x * x;
}

TEST(PointMetrics, OfLongEllipsesKeepTheirLength) {
  EXPECT_NEAR(at_end(metric_of(30000, 1), 30000), 1, 1e-3);
}

TEST(PointMetrics, OfEllipsesAreOneOnThem) {
  const std::vector<double> metric = metric_of(3, 0.5);
  EXPECT_NEAR(at_end(metric, 3), 1, 1e-8);
  EXPECT_EQ(metric[1], metric[2]);
}

/// The images of a point lie along a skew valley, and one far round the torus is the nearest.
TEST(PointMetrics, ReachRoundPeriodicAxesManyTimes) {
  constexpr std::int64_t kCells = 40;
  // Cheap along (1, 3): rows 1, columns 3.
  const Plane plane{{0, 0}, {9.01, -3, -3, 1.01}};
  const NearestSite found = voronoi(plane.list(), {.extents = {kCells, kCells}},
                                    {.periodic = {true, true}, .distance_type = FloatType::f64},
                                    {.weighted_distance = true});
  const auto keys = list_of<double>(found.weighted_distance);
  for (std::int64_t y = 0; y < kCells; ++y)
    for (std::int64_t x = 0; x < kCells; ++x) {
      double least = 1e300;
      for (std::int64_t i = -6; i <= 6; ++i)
        for (std::int64_t j = -16; j <= 16; ++j) {
          const auto dy = static_cast<double>(y + kCells * i);
          const auto dx = static_cast<double>(x + kCells * j);
          least = std::min(least, 9.01 * dy * dy - 6 * dy * dx + 1.01 * dx * dx);
        }
      ASSERT_NEAR(keys[static_cast<std::size_t>(y * kCells + x)], least, 1e-9) << y << ", " << x;
    }
}

}  // namespace
}  // namespace thiessen
