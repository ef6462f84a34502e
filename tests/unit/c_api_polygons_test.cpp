// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "thiessen/thiessen.h"

namespace {

class CApiPolygons : public testing::Test {
 protected:
  CApiPolygons() {
    EXPECT_EQ(thiessen_context_create(nullptr, &context_), THIESSEN_OK);
    polygons_.size = sizeof polygons_;
    borders_.size = sizeof borders_;
    contours_.size = sizeof contours_;
    points_.size = sizeof points_;
    const std::int64_t extents[] = {2, 2};
    points_.coordinates = thiessen_contiguous(places_.data(), THIESSEN_F64, 2, extents);
  }
  ~CApiPolygons() override {
    thiessen_free_polygons(&polygons_);
    thiessen_free_borders(&borders_);
    thiessen_free_contours(&contours_);
    thiessen_context_destroy(context_);
  }

  thiessen_context* context_ = nullptr;
  std::vector<double> places_ = {0, 0, 0, 3};
  thiessen_points points_{};
  std::vector<std::int32_t> cells_ = {7, 7, 0, 2};
  const std::int64_t extents_[2] = {1, 4};
  thiessen_array labels_ = thiessen_contiguous(cells_.data(), THIESSEN_I32, 2, extents_);
  thiessen_polygons polygons_{};
  thiessen_borders borders_{};
  thiessen_contours contours_{};
};

TEST_F(CApiPolygons, OfRegions) {
  ASSERT_EQ(thiessen_region_polygons(context_, &labels_, nullptr, &polygons_), THIESSEN_OK);
  EXPECT_EQ(polygons_.regions, 2);
  EXPECT_EQ(static_cast<const std::int32_t*>(polygons_.labels)[1], 7);
  EXPECT_EQ(polygons_.parts[2], 2);
  EXPECT_EQ(polygons_.rings[2], 2);
  EXPECT_EQ(polygons_.points[2], 10);
  EXPECT_EQ(polygons_.coordinates[1], 2.5);
  thiessen_free_polygons(&polygons_);
  thiessen_region_polygons_options options;
  ASSERT_EQ(thiessen_region_polygons_options_init(&options, sizeof options), THIESSEN_OK);
  options.nodata = thiessen_value_i64(7);
  ASSERT_EQ(thiessen_region_polygons(context_, &labels_, &options, &polygons_), THIESSEN_OK);
  EXPECT_EQ(polygons_.regions, 1);
  options.background.kind = THIESSEN_VALUE_NONE;
  ASSERT_EQ(thiessen_region_borders(context_, &labels_, nullptr, &options, &borders_), THIESSEN_OK);
  EXPECT_EQ(borders_.rows, 1);
  EXPECT_EQ(borders_.distance, nullptr);
}

TEST_F(CApiPolygons, OfPoints) {
  const double spacing[] = {2, 1};
  ASSERT_EQ(thiessen_voronoi_polygons(context_, &points_, extents_, nullptr, &polygons_),
            THIESSEN_OK);
  EXPECT_EQ(polygons_.regions, 2);
  EXPECT_EQ(static_cast<const std::int64_t*>(polygons_.labels)[1], 1);
  ASSERT_EQ(thiessen_voronoi_borders(context_, &points_, extents_, spacing, &borders_),
            THIESSEN_OK);
  EXPECT_EQ(borders_.rows, 1);
  EXPECT_EQ(borders_.coordinates[1], 1.5);
  EXPECT_EQ(borders_.distance[0], borders_.distance[1]);
}

TEST_F(CApiPolygons, OfDistances) {
  std::vector<double> cells = {0, 1, 0, 1, 2, 0};
  const std::int64_t extents[] = {2, 3};
  const thiessen_array distance = thiessen_contiguous(cells.data(), THIESSEN_F64, 2, extents);
  const double levels[] = {1.5, 0.5};
  ASSERT_EQ(thiessen_contour_lines(context_, &distance, 0, levels, 2, &contours_), THIESSEN_OK);
  ASSERT_EQ(contours_.rows, 3);
  EXPECT_EQ(contours_.levels[0], 0.5);
  EXPECT_EQ(contours_.levels[2], 1.5);
  EXPECT_EQ(contours_.points[1], 2);
  EXPECT_EQ(contours_.coordinates[0], 0.5);
  thiessen_free_contours(&contours_);
  ASSERT_EQ(thiessen_contour_lines(context_, &distance, 8, nullptr, 0, &contours_), THIESSEN_OK);
  EXPECT_EQ(contours_.rows, 0);
  EXPECT_EQ(contours_.points[0], 0);
  EXPECT_EQ(thiessen_contour_lines(context_, &distance, 0, nullptr, 1, &contours_),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(thiessen_last_error()), "levels is a null pointer");
  for (const std::int64_t count : {std::int64_t{-1}, std::int64_t{100'001}, INT64_MAX}) {
    EXPECT_EQ(thiessen_contour_lines(context_, &distance, 0, levels, count, &contours_),
              THIESSEN_INVALID_ARGUMENT);
    EXPECT_EQ(std::string(thiessen_last_error()),
              "count = " + std::to_string(count) + "; must be from 0 to 100000");
  }
  cells[1] = 1e9;
  EXPECT_EQ(thiessen_contour_lines(context_, &distance, 1, nullptr, 0, &contours_),
            THIESSEN_INVALID_ARGUMENT);
}

TEST_F(CApiPolygons, RefuseWhatIsWrong) {
  EXPECT_EQ(thiessen_region_polygons(context_, nullptr, nullptr, &polygons_),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(thiessen_last_error()), "labels is a null pointer");
  polygons_.size = 8;
  EXPECT_EQ(thiessen_region_polygons(context_, &labels_, nullptr, &polygons_),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_voronoi_borders(context_, &points_, nullptr, nullptr, &borders_),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(thiessen_last_error()), "extents is a null pointer");
  EXPECT_EQ(borders_.rows, 0);
}

}  // namespace
