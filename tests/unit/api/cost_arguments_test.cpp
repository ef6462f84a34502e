// SPDX-License-Identifier: Apache-2.0
//
// The refusals of cost_distance(), and their messages.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "core/problem/point_cell.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

constexpr float kUnreachedCost = std::numeric_limits<float>::infinity();
constexpr float kNanCell = std::numeric_limits<float>::quiet_NaN();

class CostArguments : public ::testing::Test {
 protected:
  CostArguments() {
    for (int i = 0; i < 12; ++i) map.view<float>()(i / 4, i % 4) = 1;
    for (int i = 0; i < 12; ++i) sites.view<std::int32_t>()(i / 4, i % 4) = i == 5 ? 9 : 0;
  }

  CostDistanceReport call() {
    return cost_distance(context, {map.view(), weight}, sites.view(), options,
                         {.labels = labels.view(), .distance = distance.view()}, initial_cost);
  }

  void expect_error(const std::string& part, ErrorCode code = ErrorCode::invalid_argument) {
    try {
      call();
      ADD_FAILURE() << "no error; expected: " << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  }

  /// Expects an error for a map with one such cell.
  void expect_illegal(float value, const std::string& part) {
    map.view<float>()(1, 2) = value;
    expect_error("map[1, 2] = " + part);
    map.view<float>()(1, 2) = 1;
  }

  Context context;
  Raster map = Raster::of<float>({3, 4});
  Raster sites = Raster::of<std::int32_t>({3, 4});
  Raster labels = Raster::of<std::int32_t>({3, 4});
  Raster distance = Raster::of<float>({3, 4});
  View<const void> initial_cost;
  CostDistanceOptions options;
  EdgeWeight weight = EdgeWeight::stiffness;
};

TEST_F(CostArguments, NamesTheFirstIllegalCell) {
  expect_illegal(-1, "-1; a stiffness must be >= 0, finite");
  expect_illegal(-kUnreachedCost, "-inf");
  expect_illegal(kUnreachedCost, "inf");
  expect_illegal(1e38f, "9.999999680285692e+37");
  weight = EdgeWeight::cost;
  expect_illegal(-0.5f, "-0.5; a cost must be >= 0 and");
  map.view<float>()(2, 3) = -2;
  map.view<float>()(2, 1) = -3;
  expect_error("map[2, 1] = -3");
}

TEST_F(CostArguments, LabelsCarriedAreOfRelaxation) {
  options.labels_carried = true;
  expect_error("labels_carried is given; it is for method relaxation, not for exact");
  options.method = CostMethod::relaxation;
  call();
}

/// Zero, NaN and infinity are barriers where the edge weight says so.
TEST_F(CostArguments, TakesBarriers) {
  map.view<float>()(0, 0) = 0;
  map.view<float>()(0, 1) = kNanCell;
  call();
  EXPECT_EQ(distance.view<float>()(0, 0), kUnreachedCost);
  EXPECT_EQ(labels.view<std::int32_t>()(0, 1), 0);
  weight = EdgeWeight::cost;
  map.view<float>()(0, 2) = kUnreachedCost;
  call();
  EXPECT_NE(distance.view<float>()(0, 0), kUnreachedCost);  // a cost of 0
  EXPECT_EQ(distance.view<float>()(0, 2), kUnreachedCost);
}

TEST_F(CostArguments, OverflowIsUnreached) {
  weight = EdgeWeight::cost;
  for (int i = 0; i < 12; ++i) map.view<float>()(i / 4, i % 4) = 8e37f;
  options.spacing = {3, 3};
  call();
  EXPECT_EQ(distance.view<float>()(1, 1), 0);
  EXPECT_LT(distance.view<float>()(1, 2), kUnreachedCost);
  EXPECT_EQ(distance.view<float>()(1, 3), kUnreachedCost);
  EXPECT_EQ(labels.view<std::int32_t>()(1, 3), 0);
}

/// Each option that breaks its rule is refused by name.
TEST_F(CostArguments, RefusesOptions) {
  const auto refuses = [&](const std::function<void(CostDistanceOptions&)>& change,
                           const std::string& part) {
    const CostDistanceOptions old = options;
    change(options);
    expect_error(part);
    options = old;
  };
  using Options = CostDistanceOptions;
  refuses([](Options& o) { o.connectivity = Connectivity::edges; },
          "connectivity = edges; must be corners, faces or knights in 2-D");
  refuses([](Options& o) { o.spacing = {1}; }, "spacing has 1 values");
  refuses([](Options& o) { o.spacing = {1, -2}; }, "spacing[1] = -2; must be finite and > 0");
  refuses([](Options& o) { o.spacing = {1, 1e300}; }, "must be in the range of the float type");
  refuses([](Options& o) { o.max_distance = -1; }, "max_distance = -1; must be >= 0");
  refuses([](Options& o) { o.unreached = 0.5; }, "unreached = 0.5");
  refuses([](Options& o) { o.nodata_label = 0.5; }, "nodata_label = 0.5");
  refuses([](Options& o) { o.map_nodata = 1e300; }, "map_nodata = 1e+300");
  refuses([](Options& o) { o.site_nodata = 1e300; }, "site_nodata = 1e+300");
}

/// Arrays of wrong extents, types or places are refused by name.
TEST_F(CostArguments, RefusesArrays) {
  map = Raster::of<float>({3, 5});
  expect_error("sites has other extents than the map");
  map = Raster(ElementType::boolean, {3, 4});
  expect_error("map is bool; must be integers or floats");
  map = Raster::of<float>({3, 4});
  labels = Raster::of<std::uint8_t>({3, 4});
  expect_error("labels are u8; must be of the sites' type i32");
  labels = Raster::of<std::int32_t>({3, 4});
  distance = Raster::of<std::int32_t>({3, 4});
  expect_error("distance is i32; must be f32 or f64");
  EXPECT_THROW(cost_distance(context, CostMap::stiffness(map.view()), sites.view(), options,
                             {.distance = map.view()}),
               Error);
}

/// Initial costs are read at sites only, and must be legal there.
TEST_F(CostArguments, InitialCosts) {
  Raster initial = Raster::of<double>({3, 4});
  for (int i = 0; i < 12; ++i) initial.view<double>()(i / 4, i % 4) = -1;
  initial_cost = initial.view();
  expect_error("initial_cost of site [1, 1] = -1; must be >= 0");
  initial.view<double>()(1, 1) = 7;  // elsewhere it does not count
  call();
  EXPECT_EQ(distance.view<float>()(1, 2), 8);
  const std::vector<float> two(2);
  initial_cost = View<const float>(two.data(), {2});
  expect_error("initial_cost has other extents than the sites");
}

TEST_F(CostArguments, SitesOnBarriers) {
  sites.view<std::int32_t>()(0, 3) = 4;
  map.view<float>()(0, 3) = 0;
  const CostDistanceReport report = call();
  EXPECT_EQ(report.ignored_sites, 1);
  EXPECT_EQ(report.first_ignored_site, 3);
  EXPECT_EQ(labels.view<std::int32_t>()(0, 3), 0);
  options.strict = true;
  expect_error("site [0, 3] lies on a barrier; strict sites must not");
}

/// Points outside of the raster are ignored and counted.
TEST_F(CostArguments, PointsOutside) {
  const std::vector<double> at = {-0.75, 0, 1, 1.5, 9, 9};
  const PointList points{.coordinates = View<const double>(at.data(), {3, 2})};
  const CostDistanceReport report = cost_distance(context, CostMap::stiffness(map.view()), points,
                                                  options, {.labels = labels.view()});
  EXPECT_EQ(report.ignored_sites, 2);
  EXPECT_EQ(report.first_ignored_site, 0);
  EXPECT_EQ(labels.view<std::int32_t>()(2, 3), 2);
  options.strict = true;
  try {
    cost_distance(context, CostMap::stiffness(map.view()), points, options,
                  {.labels = labels.view()});
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("site 0 lies outside of the raster"),
              std::string::npos);
  }
}

TEST_F(CostArguments, ACellHasItsLeftAndUpperEdge) {
  const std::vector<double> at = {-0.5, 0.5, 2.5, 0, 0, 3.5, 1.5, 2.499};
  const PointList points{.coordinates = View<const double>(at.data(), {4, 2})};
  options.max_distance = 0;
  const CostDistanceReport report = cost_distance(context, CostMap::stiffness(map.view()), points,
                                                  options, {.labels = labels.view()});
  EXPECT_EQ(report.ignored_sites, 2) << "on the lower and on the right edge of the map";
  EXPECT_EQ(report.first_ignored_site, 1);
  for (std::int64_t y = 0; y < 3; ++y)
    for (std::int64_t x = 0; x < 4; ++x)
      EXPECT_EQ(labels.view<std::int32_t>()(y, x), y == 0 && x == 1   ? 1
                                                   : y == 2 && x == 2 ? 4
                                                                      : 0)
          << y << ", " << x;
}

TEST(CellOfPlace, HasTheLeftEdge) {
  for (const int bits : {1, 2, 16}) {
    const std::int64_t half = std::int64_t{1} << (bits - 1);
    EXPECT_EQ(cell_of_place(-half, bits), 0);
    EXPECT_EQ(cell_of_place(half - 1, bits), 0);
    EXPECT_EQ(cell_of_place(half, bits), 1);
    EXPECT_EQ(cell_of_place(-half - 1, bits), -1);
  }
  EXPECT_EQ(cell_of_place(7, 0), 7);
}

TEST_F(CostArguments, NodataOfTheMap) {
  map.view<float>()(0, 0) = -5;
  options.map_nodata = -5.0;
  call();
  EXPECT_EQ(labels.view<std::int32_t>()(0, 0), -5);
  EXPECT_TRUE(std::isnan(distance.view<float>()(0, 0)));
  options.nodata_label = std::int64_t{77};
  call();
  EXPECT_EQ(labels.view<std::int32_t>()(0, 0), 77);
  options.nodata_label = std::nullopt;
  options.map_nodata = std::numeric_limits<double>::quiet_NaN();  // no label can be that
  map.view<float>()(0, 0) = kNanCell;
  call();
  EXPECT_EQ(labels.view<std::int32_t>()(0, 0), 0);
  EXPECT_TRUE(std::isnan(distance.view<float>()(0, 0)));
}

TEST_F(CostArguments, RepeatedCallsAllocateNothing) {
  for (const CostMethod method :
       {CostMethod::exact, CostMethod::dijkstra, CostMethod::relaxation}) {
    options.method = method;
    call();
    const std::size_t bytes = context.scratch_bytes();
    map.view<float>()(2, 2) = 0.5f;
    call();
    EXPECT_EQ(context.scratch_bytes(), bytes) << name_of(method);
  }
}

}  // namespace
}  // namespace thiessen
