// SPDX-License-Identifier: Apache-2.0
//
// The warnings for input that is allowed, but hardly meant; and that `strict` makes them errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

class Warnings : public ::testing::Test {
 protected:
  void find_points(const std::vector<double>& list, const std::vector<std::int32_t>& labels = {},
                   const NearestSiteOptions& options = {}) {
    const auto count = static_cast<std::int64_t>(list.size() / 2);
    const PointList points{.coordinates = View<const double>(list.data(), {count, 2}),
                           .labels = labels.empty()
                                         ? View<const void>{}
                                         : View<const std::int32_t>(labels.data(), {count})};
    voronoi(context_, points, grid_, options, {.labels = labels_.view()});
  }

  void find_cells(const Raster& sites, const NearestSiteOptions& options = {}) {
    Raster distance(ElementType::f32, sites.extents());
    nearest_site(context_, sites.view(), options, {.distance = distance.view()});
  }

  /// Expects that the last call gave only this warning.
  void expect_warning(WarningKind kind, std::int64_t count, std::int64_t first,
                      const std::string& message) {
    ASSERT_EQ(context_.warnings().size(), 1U);
    const Warning& warning = context_.warnings()[0];
    EXPECT_EQ(warning.kind, kind) << name_of(warning.kind);
    EXPECT_EQ(warning.count, count);
    EXPECT_EQ(warning.first, first);
    EXPECT_EQ(warning.message, message);
  }

  Context context_;
  Grid grid_{.extents = {3, 4}};
  Raster labels_{ElementType::i32, Extents{3, 4}};
};

TEST_F(Warnings, OrdinaryCallsSayNothing) {
  find_points({0, 0, 2, 3, 50, 50}, {7, 8, 9});
  EXPECT_TRUE(context_.warnings().empty());
  Raster sites(ElementType::u8, Extents{300, 400});
  std::fill_n(sites.bytes(), sites.size_bytes(), std::byte{0});
  sites.view<std::uint8_t>()(299, 399) = 1;
  find_cells(sites, {.max_distance = 1});
  EXPECT_TRUE(context_.warnings().empty());
  find_cells(Raster(ElementType::u8, Extents{0, 4}));
  EXPECT_TRUE(context_.warnings().empty());
}

/// An empty list of points is told, and an error with `strict`.
TEST_F(Warnings, NoPoint) {
  find_points({});
  expect_warning(WarningKind::no_site, 1, 0,
                 "no site: the list of points is empty, so every cell is unreached");
  EXPECT_THROW(find_points({}, {}, {.strict = true}), Error);
}

/// Points are told if none lies in a cell of the grid.
TEST_F(Warnings, PointsOutside) {
  find_points({-0.6, 0, 2, 3.5, 2.5, 0});
  expect_warning(WarningKind::outside_of_grid, 3, 0, "all 3 points lie outside of the grid");
  find_points({9, 9});
  expect_warning(WarningKind::outside_of_grid, 1, 0, "the only point lies outside of the grid");
  find_points({9, 9}, {}, {.periodic = {true, true}});
  EXPECT_TRUE(context_.warnings().empty());
  find_points({2.49, -0.5, 9, 9});
  EXPECT_TRUE(context_.warnings().empty());
}

TEST_F(Warnings, PointsAtOnePlace) {
  find_points({0, 0, 1, 1, 0, 0, 1, 1, 1, 1}, {5, 6, 7, 6, 8});
  expect_warning(WarningKind::same_place, 2, 2,
                 "2 points lie where an earlier one of another label does, so that no cell gets "
                 "their labels; the first is points[2]");
  find_points({0, 0, 0, 0.000001});
  expect_warning(WarningKind::same_place, 1, 1,
                 "1 point lies where an earlier one of another label does, so that no cell gets "
                 "its label; the first is points[1]");
  find_points({1, 1, 1, 5}, {}, {.periodic = {false, true}});
  ASSERT_EQ(context_.warnings().size(), 1U);
  find_points({1, 1, 1, 5});
  EXPECT_TRUE(context_.warnings().empty());
}

TEST_F(Warnings, ManyPointsAtFewPlaces) {
  std::vector<double> list;
  for (int i = 0; i < 20000; ++i) {
    list.push_back(i % 3);
    list.push_back(i % 4);
  }
  find_points(list);
  ASSERT_EQ(context_.warnings().size(), 1U);
  EXPECT_EQ(context_.warnings()[0].count, 20000 - 12);
  EXPECT_EQ(context_.warnings()[0].first, 12);
}

TEST_F(Warnings, LabelsOfUnreachedCells) {
  find_points({0, 0, 1, 1, 2, 2}, {5, 0, 0});
  expect_warning(WarningKind::unreached_label, 2, 1,
                 "2 points have the label of unreached cells, the first is points[1]; another "
                 "value of unreached tells them apart");
  find_points({0, 0, 1, 1}, {5, 0}, {.unreached = std::int64_t{-1}});
  EXPECT_TRUE(context_.warnings().empty());
}

TEST_F(Warnings, RasterWithoutSite) {
  Raster sites(ElementType::f32, Extents{70, 3000});
  std::fill_n(sites.view<float>().data(), sites.extents().count(), 0.0F);
  find_cells(sites);
  expect_warning(WarningKind::no_site, 1, 0,
                 "no site: all cells are 0, NaN or nodata, so every cell is unreached");
  find_cells(sites, {.values = {std::int64_t{99}}});
  expect_warning(WarningKind::no_site, 1, 0,
                 "no site: no cell holds one of the values, so every cell is unreached");
  find_cells(sites, {.zero_is_site = true, .nodata = std::int64_t{0}});
  expect_warning(WarningKind::no_site, 1, 0,
                 "no site: all cells are nodata, so every cell is unreached");
  EXPECT_THROW(find_cells(sites, {.strict = true}), Error);
  find_cells(sites, {.values = {std::int64_t{0}}});
  EXPECT_TRUE(context_.warnings().empty());
}

/// Sites among nodata alone, as tools that burn sites write them, have no cell to measure from.
TEST_F(Warnings, RasterWithoutFreeCell) {
  const std::string told =
      "no free cell: all are sites or nodata, so that distances reach no other cell; with "
      "free_nodata the nodata cells are the free ones";
  Raster sites(ElementType::i16, Extents{70, 3000});
  std::fill_n(sites.view<std::int16_t>().data(), sites.extents().count(), std::int16_t{-9999});
  sites.view<std::int16_t>()(1, 2) = 0;
  sites.view<std::int16_t>()(50, 2000) = 7;
  const NearestSiteOptions all{.zero_is_site = true, .nodata = std::int64_t{-9999}};
  find_cells(sites, all);
  expect_warning(WarningKind::no_free_cell, 1, 0, told);
  NearestSiteOptions strict = all;
  strict.strict = true;
  EXPECT_THROW(find_cells(sites, strict), Error);
  for (const NearestSiteOptions& silent :
       {NearestSiteOptions{.nodata = std::int64_t{-9999}},  // 0 is free
        NearestSiteOptions{.free_nodata = true, .nodata = std::int64_t{-9999}, .strict = true},
        NearestSiteOptions{.zero_is_site = true},
        NearestSiteOptions{
            .zero_is_site = true, .nodata = std::int64_t{-9999}, .signed_distance = true}}) {
    find_cells(sites, silent);
    EXPECT_TRUE(context_.warnings().empty());
  }
  sites.view<std::int16_t>()(1, 2) = 9;
  find_cells(sites, {.nodata = std::int64_t{-9999}});
  expect_warning(WarningKind::no_free_cell, 1, 0, told);
  std::fill_n(sites.view<std::int16_t>().data(), sites.extents().count(), std::int16_t{-9999});
  find_cells(sites, {.free_nodata = true, .nodata = std::int64_t{-9999}});
  expect_warning(WarningKind::no_site, 1, 0,
                 "no site: all cells are nodata, so every cell is unreached");
}

TEST_F(Warnings, BatchWithoutFreeCell) {
  Raster sites(ElementType::u8, Extents{3, 2, 2});
  std::fill_n(sites.bytes(), sites.size_bytes(), std::byte{0});
  for (const std::int64_t raster : {0, 1, 2}) sites.view<std::uint8_t>()(raster, 1, 1) = 1;
  Raster labels(ElementType::u8, sites.extents());
  nearest_site_batch(context_, sites.view(), {.nodata = std::int64_t{0}},
                     {.labels = labels.view()});
  ASSERT_EQ(context_.warnings().size(), 1U);
  EXPECT_EQ(context_.warnings()[0].kind, WarningKind::no_free_cell);
  EXPECT_EQ(context_.warnings()[0].count, 3);
  nearest_site_batch(context_, sites.view(), {.nodata = std::int64_t{9}},
                     {.labels = labels.view()});
  EXPECT_TRUE(context_.warnings().empty());
}

TEST_F(Warnings, RastersOfABatchWithoutSite) {
  Raster sites(ElementType::u8, Extents{5, 3, 4});
  std::fill_n(sites.bytes(), sites.size_bytes(), std::byte{0});
  for (const std::int64_t raster : {0, 2, 3}) sites.view<std::uint8_t>()(raster, 1, 1) = 1;
  Raster labels(ElementType::u8, sites.extents());
  nearest_site_batch(context_, sites.view(), {}, {.labels = labels.view()});
  expect_warning(WarningKind::no_site, 2, 1,
                 "2 of 5 rasters have no site, the first is 1: all cells are 0, NaN or nodata, so "
                 "every cell is unreached");
}

/// A call that is refused for a warning leaves its outputs as they were, by every method.
TEST_F(Warnings, StrictCallsWriteNothing) {
  const auto expect_untouched = [](Raster& output, const auto& call) {
    std::fill_n(output.bytes(), output.size_bytes(), std::byte{0x5A});
    EXPECT_THROW(call(), Error);
    EXPECT_EQ(std::count(output.bytes(), output.bytes() + output.size_bytes(), std::byte{0x5A}),
              static_cast<std::ptrdiff_t>(output.size_bytes()));
  };
  Raster batch(ElementType::u8, Extents{2, 3, 4});
  std::fill_n(batch.bytes(), batch.size_bytes(), std::byte{0});
  batch.view<std::uint8_t>()(0, 1, 1) = 1;
  Raster empty(ElementType::u8, Extents{3, 4});
  std::fill_n(empty.bytes(), empty.size_bytes(), std::byte{0});
  Raster map(ElementType::f32, Extents{3, 4});
  std::fill_n(map.view<float>().data(), 12, 1.0F);
  Raster distance(ElementType::f32, Extents{3, 4});
  Raster distances(ElementType::f32, Extents{2, 3, 4});
  const PointList none{View<const double>(nullptr, {0, 2})};
  for (const Method method : {Method::exact, Method::brute_force, Method::jfa}) {
    const NearestSiteOptions options{.method = method, .strict = true};
    expect_untouched(distance, [&] {
      nearest_site(context_, empty.view(), options, {.distance = distance.view()});
    });
    expect_untouched(distances, [&] {
      nearest_site_batch(context_, batch.view(), options, {.distance = distances.view()});
    });
    expect_untouched(
        distance, [&] { voronoi(context_, none, grid_, options, {.distance = distance.view()}); });
  }
  for (const CostMethod method : {CostMethod::exact, CostMethod::dijkstra}) {
    const CostDistanceOptions options{.method = method, .strict = true};
    expect_untouched(distance, [&] {
      cost_distance(context_, CostMap::stiffness(map.view()), empty.view(), options,
                    {.distance = distance.view()});
    });
    expect_untouched(distance, [&] {
      cost_distance(context_, CostMap::stiffness(map.view()), none, options,
                    {.distance = distance.view()});
    });
  }
}

TEST_F(Warnings, DistancesToBoundariesNeedNoSite) {
  Raster sites(ElementType::u8, Extents{3, 4});
  std::fill_n(sites.bytes(), sites.size_bytes(), std::byte{0});
  find_cells(sites, {.distance_to = DistanceTo::boundary});
  EXPECT_TRUE(context_.warnings().empty());
}

TEST_F(Warnings, SitesThatCostDistanceIgnores) {
  Raster map(ElementType::f32, Extents{1, 3});
  map.view<float>()(0, 0) = 0;
  map.view<float>()(0, 1) = map.view<float>()(0, 2) = 1;
  Raster distance(ElementType::f32, Extents{1, 3});
  const std::vector<double> list{0, 0, 0, 2};
  const auto measure = [&](std::int64_t points, CostDistanceOptions options = {}) {
    cost_distance(context_, CostMap::stiffness(map.view()),
                  PointList{View<const double>(list.data(), {points, 2})}, options,
                  {.distance = distance.view()});
  };
  measure(2);
  expect_warning(WarningKind::ignored_sites, 1, 0,
                 "1 site on barriers or outside of the map is ignored, the first with the index 0");
  measure(1);
  ASSERT_EQ(context_.warnings().size(), 2U);
  EXPECT_EQ(context_.warnings()[1].message,
            "no site: the only one is ignored, so every cell is unreached");
  measure(0);
  expect_warning(WarningKind::no_site, 1, 0,
                 "no site: the list of points is empty, so every cell is unreached");
  EXPECT_THROW(measure(0, {.strict = true}), Error);
}

TEST_F(Warnings, CostRasterWithoutSite) {
  Raster map(ElementType::f32, Extents{2, 3});
  std::fill_n(map.view<float>().data(), 6, 1.0F);
  Raster sites(ElementType::u8, Extents{2, 3});
  std::fill_n(sites.bytes(), sites.size_bytes(), std::byte{0});
  Raster distance(ElementType::f32, Extents{2, 3});
  cost_distance(context_, CostMap::stiffness(map.view()), sites.view(), {},
                {.distance = distance.view()});
  expect_warning(WarningKind::no_site, 1, 0,
                 "no site: all cells are 0, NaN or nodata, so every cell is unreached");
  EXPECT_EQ(distance.view<float>()(0, 0), static_cast<float>(kInfinite));
}

}  // namespace
}  // namespace thiessen
