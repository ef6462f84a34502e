// SPDX-License-Identifier: Apache-2.0
//
// What a caller of voronoi() can get wrong about points, and what their labels become.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/problem/points.hpp"
#include "core/problem/problem.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

class PointArguments : public ::testing::Test {
 protected:
  PointList points() const { return {View<const double>(places_.data(), {3, 2})}; }
  NearestSiteOutputs labels() { return {.labels = View<std::int32_t>(labels_.data(), {3, 4})}; }

  void expect_refused(const PointList& points, const NearestSiteOptions& options,
                      const NearestSiteOutputs& out, const std::string& message,
                      const View<const void>& domain = {}) {
    try {
      voronoi(context_, points, grid_, options, out, domain);
      ADD_FAILURE() << "not refused: " << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_STREQ(error.what(), message.c_str());
    }
  }

  Context context_;
  Grid grid_{.extents = {3, 4}};
  std::vector<double> places_ = {0, 0, 2, 3, 1.5, 1};
  std::vector<std::int32_t> labels_ = std::vector<std::int32_t>(12);
  std::vector<std::int64_t> wide_ = std::vector<std::int64_t>(12);
};

/// Coordinates must be (points, axes) of floats.
TEST_F(PointArguments, Shapes) {
  expect_refused({View<const double>(places_.data(), {2, 3})}, {}, labels(),
                 "points have the extents (2, 3); must be (points, 2) for a grid of 2 axes");
  expect_refused({View<const double>(places_.data(), {6})}, {}, labels(),
                 "points have the extents (6); must be (points, 2) for a grid of 2 axes");
  expect_refused({}, {}, labels(),
                 "points have the extents (); must be (points, 2) for a grid of 2 axes");
  const std::vector<std::int32_t> whole(6);
  expect_refused({View<const std::int32_t>(whole.data(), {3, 2})}, {}, labels(),
                 "points are i32; must be f32 or f64");
  expect_refused({View<const double>(nullptr, {3, 2})}, {}, labels(),
                 "points are a null pointer; must be memory for them");
}

/// A domain has the extents of the grid, and its cells a label.
TEST_F(PointArguments, Domains) {
  const std::vector<std::uint8_t> cells(12, 1);
  const View<const std::uint8_t> domain(cells.data(), {3, 4});
  const std::vector<std::int32_t> own = {5, 6, 7};
  PointList labelled = points();
  labelled.labels = View<const std::int32_t>(own.data(), {3});
  expect_refused(points(), {}, labels(),
                 "domain must have the extents of the grid, or of the raster of sites",
                 View<const std::uint8_t>(cells.data(), {4, 3}));
  const std::vector<float> reals(12);
  expect_refused(points(), {}, labels(), "domain is f32; must be of integers or bool",
                 View<const float>(reals.data(), {3, 4}));
  expect_refused(points(), {}, labels(), "domain is a null pointer; must be memory for its cells",
                 View<const std::uint8_t>(nullptr, {3, 4}));
  expect_refused(points(), {}, labels(), "labels overlaps the domain in memory; must be apart",
                 View<const std::int32_t>(labels_.data(), {3, 4}));
  expect_refused(points(), {.nodata_label = std::int64_t{-1}}, labels(),
                 "nodata_label is given; needs domain");
  expect_refused(labelled, {}, labels(),
                 "nodata_label is missing; labels outside of a domain need it where sites have "
                 "their own",
                 domain);
  voronoi(context_, labelled, grid_, {.nodata_label = std::int64_t{-7}}, labels(), domain);
  voronoi(context_, labelled, grid_, {}, {.site_index = View<std::int64_t>(wide_.data(), {3, 4})},
          domain);
}

/// Domains for rasters of sites, which also have nodata cells; and for a batch of them.
TEST_F(PointArguments, DomainsOfRasters) {
  const std::vector<std::uint8_t> sites = {7, 0, 9, 0, 0, 0, 0, 0};
  const std::vector<std::uint8_t> cells = {0, 1, 1, 1, 1, 1, 1, 0};
  std::vector<std::uint8_t> found(8);
  std::vector<float> distance(8);
  const NearestSiteOptions options{.nodata = std::int64_t{9}};
  nearest_site(context_, View<const std::uint8_t>(sites.data(), {2, 4}), options,
               {.labels = View<std::uint8_t>(found.data(), {2, 4}),
                .distance = View<float>(distance.data(), {2, 4})},
               View<const std::uint8_t>(cells.data(), {2, 4}));
  EXPECT_EQ(found, (std::vector<std::uint8_t>{9, 7, 9, 7, 7, 7, 7, 9}));
  EXPECT_EQ(distance[1], 1);
  EXPECT_TRUE(std::isnan(distance[0]));
  NearestSiteOptions of_batch = options;
  of_batch.nodata_label = std::int64_t{50};
  nearest_site_batch(context_, View<const std::uint8_t>(sites.data(), {2, 1, 4}), of_batch,
                     {.labels = View<std::uint8_t>(found.data(), {2, 1, 4})},
                     View<const std::uint8_t>(cells.data(), {2, 1, 4}));
  EXPECT_EQ(found, (std::vector<std::uint8_t>{50, 7, 9, 7, 0, 0, 0, 50}));
}

TEST_F(PointArguments, CoordinatesThatAreNone) {
  places_[3] = std::numeric_limits<double>::quiet_NaN();
  expect_refused(points(), {}, labels(),
                 "points[1, 1] = nan; must be finite and at most 2^31 cells away");
  places_[3] = std::numeric_limits<double>::infinity();
  expect_refused(points(), {}, labels(),
                 "points[1, 1] = inf; must be finite and at most 2^31 cells away");
  places_[3] = 2147483648.5;
  expect_refused(points(), {}, labels(),
                 "points[1, 1] = 2147483648.5; must be finite and at most 2^31 cells away");
  places_[3] = -2147483648.0;
  EXPECT_NO_THROW(voronoi(context_, points(), grid_, {}, labels()));
}

/// Labels are a list, one for each point, of the outputs' type.
TEST_F(PointArguments, Labels) {
  const std::vector<std::uint8_t> own = {7, 0, 9};
  PointList labelled = points();
  labelled.labels = View<const std::uint8_t>(own.data(), {3});
  expect_refused(labelled, {}, labels(), "labels are i32; must be of the points' labels' type u8");
  labelled.labels = View<const std::uint8_t>(own.data(), {2});
  expect_refused(labelled, {}, labels(),
                 "labels of the points must be a list of 3, one for each point");
  const bool flags[3] = {true, true, false};
  labelled.labels = View<const bool>(flags, {3});
  expect_refused(labelled, {}, labels(),
                 "labels of the points are bool; must be integers or floats");
  expect_refused(points(), {},
                 {.labels = View<float>(reinterpret_cast<float*>(labels_.data()), {3, 4})},
                 "labels are f32; numbers of points without labels must be i32 or i64");
}

TEST_F(PointArguments, OptionsOfRasters) {
  expect_refused(points(), {.values = {std::int64_t{1}}}, labels(),
                 "values is given; it is for sites of a raster, not for points");
  expect_refused(points(), {.zero_is_site = true}, labels(),
                 "zero_is_site is given; it is for sites of a raster, not for points");
  expect_refused(points(), {.free_nodata = true}, labels(),
                 "free_nodata is given; it is for sites of a raster, not for points");
  expect_refused(points(), {.nodata = std::int64_t{1}}, labels(),
                 "nodata is given; it is for sites of a raster, not for points");
  expect_refused(points(), {.signed_distance = true}, labels(),
                 "signed_distance is given; it is for sites of a raster, not for points");
  expect_refused(points(), {.distance_to = DistanceTo::boundary}, labels(),
                 "distance_to is given; it is for sites of a raster, not for points");
}

TEST_F(PointArguments, OutputsOfCellsNeedPointsOnTheirCentres) {
  const NearestSiteOutputs squared{.squared = View<std::int64_t>(wide_.data(), {3, 4})};
  expect_refused(points(), {}, squared,
                 "squared is wanted; it exists only if all points lie on centres of cells, and "
                 "points[2] does not");
  places_[4] = 1;
  voronoi(context_, points(), grid_, {}, squared);
  EXPECT_EQ(wide_, (std::vector<std::int64_t>{0, 1, 2, 4, 1, 0, 1, 1, 2, 1, 1, 0}));
}

TEST_F(PointArguments, GridAndOutputs) {
  expect_refused(points(), {}, {.labels = View<std::int32_t>(labels_.data(), {4, 3})},
                 "labels has the extents 4x3; must have 3x4");
  grid_.extents = {12};
  expect_refused(points(), {}, labels(), "grid has 1 axes; must have 2 or 3");
  grid_.extents = {3, 4};
  grid_.spacing = {1, 0};
  expect_refused(points(), {}, labels(), "spacing[1] = 0; must be finite and > 0");
  places_[4] += 1.0 / 65536;
  grid_.spacing = {1e-307, 1e-307};
  expect_refused(points(), {}, labels(),
                 "spacing[0] = 1e-307; too small to be divided by 2^16 for points");
  grid_.spacing = {};
  PointList overlapping{View<const double>(reinterpret_cast<const double*>(wide_.data()), {3, 2})};
  expect_refused(overlapping, {}, {.site_index = View<std::int64_t>(wide_.data(), {3, 4})},
                 "site_index overlaps the points in memory; must be apart");
}

TEST_F(PointArguments, OwnLabelsOfAnyTypeAndStridesAreCopied) {
  const std::vector<double> own = {-1.5, 99, 0, 99, 2.5, 99};  // every second one
  PointList labelled = points();
  labelled.labels = View<const double>(own.data(), {3}, {16, 0, 0, 0});
  std::vector<double> found(12);
  voronoi(context_, labelled, grid_, {}, {.labels = View<double>(found.data(), {3, 4})});
  EXPECT_EQ(found, (std::vector<double>{-1.5, -1.5, 2.5, 0, -1.5, 2.5, 2.5, 0, 2.5, 2.5, 0, 0}));
}

TEST(Snapping, RoundsHalfToEvenAndCountsTheBitsThatAreNeeded) {
  const double unit = 1.0 / 65536;
  const std::vector<double> places = {0.5 * unit, 1.5 * unit, -0.5 * unit, -2.5 * unit};
  std::vector<Axes> at(2);
  const PointSites fine = snap_points(View<const double>(places.data(), {2, 2}), at.data());
  EXPECT_EQ(fine.fraction_bits, 15);  // all are even
  EXPECT_EQ(at[0], (Axes{0, 0, 1}));
  EXPECT_EQ(at[1], (Axes{0, 0, -1}));
  EXPECT_EQ(fine.first_off_centre, 0);
  const std::vector<double> halves = {1, 2.5, -3, 4};
  EXPECT_EQ(snap_points(View<const double>(halves.data(), {2, 2}), at.data()).fraction_bits, 1);
  EXPECT_EQ(at[1], (Axes{0, -6, 8}));
  const std::vector<double> whole = {1, 2, -3, 4};
  EXPECT_EQ(snap_points(View<const double>(whole.data(), {2, 2}), at.data()).fraction_bits, 0);
  EXPECT_EQ(at[1], (Axes{0, -3, 4}));
}

TEST(ManyPoints, AtOnePlaceCostNoMoreThanOne) {
  std::vector<double> places(2 * 200'000, 5.25);
  Context context;
  std::vector<std::int64_t> site_index(400 * 400, -7);
  voronoi(context, {View<const double>(places.data(), {200'000, 2})}, {.extents = {400, 400}}, {},
          {.site_index = View<std::int64_t>(site_index.data(), {400, 400})});
  EXPECT_EQ(site_index, std::vector<std::int64_t>(400 * 400, 0));
}

/// The problem of points in device memory, which are not read.
Problem unseen(const Grid& grid, const NearestSiteOptions& options = {}) {
  static std::array<double, 6> anything{};
  const PointList list{
      View<const double>(anything.data(), {2, grid.extents.rank()}, MemorySpace::cuda)};
  return make_problem(list, {.at = nullptr, .count = 2, .fraction_bits = 16}, grid, options, {});
}

TEST(UnseenPoints, MayLieAsFarAwayAs62BitsHold) {
  const Problem small = unseen({.extents = {100, 200}});
  EXPECT_EQ(small.margin, 16384);
  EXPECT_FALSE(small.wide);
  EXPECT_EQ(unseen({.extents = {16384, 16384}}).margin, 4096);
  EXPECT_EQ(unseen({.extents = {100, 200}}, {.metric = Metric::manhattan}).margin,
            std::int64_t{1} << 31);
  const Problem large = unseen({.extents = {100000, 200000}});
  EXPECT_TRUE(large.wide);
  EXPECT_GE(large.margin, 50000);
  EXPECT_EQ(unseen({.extents = {8, 9}}, {.periodic = {true, true}}).margin, std::int64_t{1} << 31);
}

TEST(UnseenPoints, HaveTheWeightsOfSeenOnes) {
  std::array<double, 4> places{1, 2, 3.5, 4};
  std::array<Axes, 2> at{};
  const Grid grid{.extents = {30, 40}, .spacing = {0.325, 1.5}};
  const PointList list{View<const double>(places.data(), {2, 2})};
  const PointSites points = snap_points(list.coordinates, at.data());
  const Problem seen = make_problem(list, points, grid, {}, {});
  const Problem blind = unseen(grid);
  EXPECT_EQ(seen.weights.factor, blind.weights.factor);
  EXPECT_EQ(scaled(seen.weights.unit, points.fraction_bits),
            scaled(blind.weights.unit, blind.fraction_bits));
}

TEST(UnseenPoints, AreRefusedWhereWeightsWouldBeRounded) {
  try {
    unseen({.extents = {30, 40}, .spacing = {3.141592653589793, 2.718281828459045}});
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
  }
  EXPECT_THROW(unseen({.extents = {30, 40}, .spacing = {1, -1}}), Error);
}

/// Labels that no output has change nothing, by any method.
TEST_F(PointArguments, LabelsMayBeUnwanted) {
  const std::vector<std::int16_t> own = {7, 9, 7};
  PointList labelled = points();
  labelled.labels = View<const std::int16_t>(own.data(), {3});
  std::vector<std::int64_t> expected(12);
  std::vector<float> distance(12), expected_distance(12);
  const auto index_view = [](std::vector<std::int64_t>& index) {
    return View<std::int64_t>(index.data(), {3, 4});
  };
  const auto distance_view = [](std::vector<float>& values) {
    return View<float>(values.data(), {3, 4});
  };
  for (const Method method : {Method::exact, Method::brute_force, Method::jfa, Method::jfa_star}) {
    voronoi(context_, points(), grid_, {.method = method},
            {.site_index = index_view(expected), .distance = distance_view(expected_distance)});
    voronoi(context_, labelled, grid_, {.method = method},
            {.site_index = index_view(wide_), .distance = distance_view(distance)});
    EXPECT_EQ(wide_, expected) << name_of(method);
    EXPECT_EQ(distance, expected_distance) << name_of(method);
  }
  std::vector<std::int64_t> two(24), two_with_labels(24);
  std::vector<std::int16_t> labels(24);
  const NearestSiteOptions nearest{.k = 2, .distinct_labels = true};
  voronoi(context_, labelled, grid_, nearest,
          {.labels = View<std::int16_t>(labels.data(), {2, 3, 4}),
           .site_index = View<std::int64_t>(two_with_labels.data(), {2, 3, 4})});
  voronoi(context_, labelled, grid_, nearest,
          {.site_index = View<std::int64_t>(two.data(), {2, 3, 4})});
  EXPECT_EQ(two, two_with_labels);
  const std::vector<float> map(12, 1);
  const View<const float> ground(map.data(), {3, 4});
  for (const CostMethod method :
       {CostMethod::exact, CostMethod::dijkstra, CostMethod::relaxation}) {
    CostDistanceOptions options;
    options.method = method;
    cost_distance(
        context_, CostMap::stiffness(ground), points(), options,
        {.site_index = index_view(expected), .distance = distance_view(expected_distance)});
    cost_distance(context_, CostMap::stiffness(ground), labelled, options,
                  {.site_index = index_view(wide_), .distance = distance_view(distance)});
    EXPECT_EQ(wide_, expected) << name_of(method);
    EXPECT_EQ(distance, expected_distance) << name_of(method);
  }
  voronoi(context_, points(), grid_, {}, {.site_index = index_view(expected)});
  NearestSiteSolver solver(context_, labelled, grid_, {}, {.site_index = index_view(wide_)});
  EXPECT_EQ(wide_, expected);
  solver.add_sites(labelled);
  solver.remove_sites(std::vector<std::int64_t>{0, 1, 2});
  solver.solve();
  for (std::size_t i = 0; i < wide_.size(); ++i) EXPECT_EQ(wide_[i], expected[i] + 3);
}

}  // namespace
}  // namespace thiessen
