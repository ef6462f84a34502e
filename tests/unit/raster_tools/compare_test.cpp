// SPDX-License-Identifier: Apache-2.0
#include "thiessen/compare.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T>
View<const T> row(const std::vector<T>& cells) {
  return {cells.data(), {1, static_cast<std::int64_t>(cells.size())}};
}

using Cell = std::vector<std::int64_t>;

/// Equal results have no difference; NaN and infinities equal themselves.
TEST(Compare, EqualResults) {
  const std::vector<float> labels = {1, 2, static_cast<float>(kNan)};
  const std::vector<std::int64_t> sites = {0, -1, -2};
  const std::vector<double> distance = {0, kInfinity, kNan};
  const Comparison found =
      compare({row(labels), row(labels), row(sites), row(sites), row(distance), row(distance)});
  EXPECT_TRUE(found.equal());
  EXPECT_EQ(found.cells, 3);
  EXPECT_EQ(found.ties, 0);
  EXPECT_TRUE(found.worst_cell.empty());
  EXPECT_TRUE(found.first_cell.empty());
  EXPECT_EQ(found.mean_excess, 0);
}

TEST(Compare, DistancesTellTiesFromErrors) {
  const std::vector<std::int32_t> a = {1, 1, 1, 1, 0};
  const std::vector<std::int32_t> b = {1, 2, 2, 1, 3};
  const std::vector<double> da = {0, 3, 4, 5, kInfinity};
  const std::vector<double> db = {0, 3, 5, 4.5, 9};
  const Comparison found = compare(
      {.labels_a = row(a), .labels_b = row(b), .distance_a = row(da), .distance_b = row(db)});
  EXPECT_EQ(found.differing, 4);
  EXPECT_EQ(found.labels_differing, 3);
  EXPECT_EQ(found.distance_differing, 3);
  EXPECT_EQ(found.ties, 1);
  EXPECT_EQ(found.mismatched, 1);
  EXPECT_EQ(found.largest_excess, 1);
  EXPECT_EQ(found.largest_relative_excess, 0.25);
  EXPECT_EQ(found.largest_shortfall, 0.5);
  EXPECT_EQ(found.mean_excess, 0.125);
  EXPECT_EQ(found.worst_cell, (Cell{0, 2}));
  EXPECT_EQ(found.first_cell, (Cell{0, 1}));
}

TEST(Compare, LabelsAloneTellNoTies) {
  const std::vector<std::uint8_t> a = {1, 2};
  const std::vector<std::uint8_t> b = {2, 2};
  const Comparison found = compare({.labels_a = row(a), .labels_b = row(b)});
  EXPECT_EQ(found.differing, 1);
  EXPECT_EQ(found.ties, 0);
}

TEST(Compare, ToleranceIsInclusive) {
  const std::vector<double> a = {1, 1, kInfinity};
  const std::vector<double> b = {1.5, 0.5, kInfinity};
  const CompareInputs inputs{.distance_a = row(a), .distance_b = row(b)};
  EXPECT_TRUE(compare(inputs, {.tolerance = 0.5}).equal());
  EXPECT_EQ(compare(inputs, {.tolerance = 0.4}).differing, 2);
  EXPECT_EQ(compare(inputs, {.tolerance = 0.5}).largest_excess, 0.5);
}

TEST(Compare, SpecialDistancesAreEqualToTheirKindOnly) {
  const std::vector<double> a = {kInfinity, kInfinity, kNan, -kInfinity, kInfinity};
  const std::vector<double> b = {kInfinity, -kInfinity, 1, -kInfinity, kNan};
  const Comparison found =
      compare({.distance_a = row(a), .distance_b = row(b)}, {.tolerance = kInfinity});
  EXPECT_EQ(found.differing, 3);
  EXPECT_EQ(found.mismatched, 3);
}

TEST(Compare, MixedDistancesAreComparedAsF32) {
  const std::vector<float> a = {0.1F, 1.5F, static_cast<float>(kInfinity)};
  const std::vector<double> b = {0.1, 1.5, 1e300};
  EXPECT_TRUE(compare({.distance_a = row(a), .distance_b = row(b)}).equal());
  EXPECT_TRUE(compare({.distance_a = row(b), .distance_b = row(a)}).equal());
}

TEST(Compare, SiteIndicesAreJudgedExactly) {
  const std::vector<std::int64_t> a = {0, 0, 0, 0, 4};
  const std::vector<std::int64_t> b = {0, 0, 4, 4, -1};
  const CompareInputs inputs{.site_index_a = row(a), .site_index_b = row(b)};
  EXPECT_EQ(compare(inputs).ties, 0);
  const Comparison found = compare(inputs, {.metric = Metric::euclidean, .spacing = {1, 0.5}});
  EXPECT_EQ(found.differing, 3);
  EXPECT_EQ(found.ties, 1);
  EXPECT_EQ(found.mismatched, 1);
  EXPECT_EQ(found.largest_excess, 0);
  EXPECT_EQ(found.largest_shortfall, 1);
  EXPECT_EQ(found.worst_cell, (Cell{0, 3}));
}

TEST(Compare, ExactTiesNeedEqualDistancesToo) {
  const std::vector<std::int64_t> a = {0, 0, 0};
  const std::vector<std::int64_t> b = {0, 2, 2};
  const std::vector<double> da = {0, 1, 0};
  const std::vector<double> db = {0, 1.25, 0};
  const Comparison found = compare({.site_index_a = row(a),
                                    .site_index_b = row(b),
                                    .distance_a = row(da),
                                    .distance_b = row(db)},
                                   {.metric = Metric::manhattan});
  EXPECT_EQ(found.differing, 2);
  EXPECT_EQ(found.ties, 0);
}

TEST(Compare, AnyStridesAndThreeAxes) {
  const std::vector<std::int32_t> a = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<std::int32_t> b = {8, 7, 6, 5, 9, 3, 2, 1};
  const View<const std::int32_t> forward(a.data(), {2, 2, 2});
  const View<const std::int32_t> backward(b.data() + 7, {2, 2, 2}, {-16, -8, -4});
  const Comparison found = compare({.labels_a = forward, .labels_b = backward});
  EXPECT_EQ(found.differing, 1);
  EXPECT_EQ(found.first_cell, (Cell{0, 1, 1}));
}

TEST(Compare, OneMethodAgainstTheOther) {
  const Extents extents{60, 70};
  Context context;
  Raster sites = Raster::of<std::int32_t>(extents);
  random_sites(context, sites.view(), 40, 3);
  const auto solve = [&](Metric metric, Method method) {
    std::pair<Raster, Raster> result{Raster::of<std::int64_t>(extents), Raster::of<float>(extents)};
    nearest_site(
        context, std::as_const(sites).view(), {.method = method, .metric = metric},
        {.site_index = result.first.view<std::int64_t>(), .distance = result.second.view()});
    return result;
  };
  const auto exact = solve(Metric::euclidean, Method::exact);
  const auto brute = solve(Metric::euclidean, Method::brute_force);
  const auto other = solve(Metric::manhattan, Method::exact);
  const auto index = [](const auto& result) { return result.first.template view<std::int64_t>(); };
  EXPECT_TRUE(compare({.site_index_a = index(exact),
                       .site_index_b = index(brute),
                       .distance_a = exact.second.view(),
                       .distance_b = brute.second.view()})
                  .equal());
  const Comparison worse = compare({.site_index_a = index(exact), .site_index_b = index(other)},
                                   {.metric = Metric::euclidean});
  EXPECT_GT(worse.differing, worse.ties);
  EXPECT_GT(worse.largest_excess, 0);
  EXPECT_EQ(worse.largest_shortfall, 0);
}

/// Results without cells are equal.
TEST(Compare, NoCells) {
  const std::vector<std::int32_t> none;
  EXPECT_TRUE(compare({.labels_a = View<const std::int32_t>(none.data(), {0, 4}),
                       .labels_b = View<const std::int32_t>(none.data(), {0, 4})})
                  .equal());
}

TEST(Compare, RefusesWhatCannotBeCompared) {
  const std::vector<std::int32_t> labels = {1, 2};
  const std::vector<std::int64_t> sites = {0, 2};
  const std::vector<double> distance = {0, 1};
  const std::vector<double> long_distance = {0, 1, 2};
  const auto refuses = [](const std::string& word, const CompareInputs& inputs,
                          const CompareOptions& options = {}) {
    try {
      compare(inputs, options);
      ADD_FAILURE() << "no error about " << word;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refuses("missing", {});
  refuses("labels_b is missing", {.labels_a = row(labels)});
  refuses("labels_b is i64", {.labels_a = row(labels), .labels_b = row(sites)});
  refuses("distance_b has other extents",
          {.distance_a = row(distance), .distance_b = row(long_distance)});
  refuses("distance_a is i32", {.distance_a = row(labels), .distance_b = row(distance)});
  refuses("site_index_a = 2", {.site_index_a = row(sites), .site_index_b = row(sites)},
          {.metric = Metric::euclidean});
  refuses("spacing has 1", {.site_index_a = row(sites), .site_index_b = row(sites)},
          {.metric = Metric::euclidean, .spacing = {1}});
  refuses("tolerance = -1", {.labels_a = row(labels), .labels_b = row(labels)}, {.tolerance = -1});
  refuses("tolerance = nan", {.labels_a = row(labels), .labels_b = row(labels)},
          {.tolerance = kNan});
}

}  // namespace
}  // namespace thiessen
