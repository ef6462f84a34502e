// SPDX-License-Identifier: Apache-2.0
//
// Cost distance by the C API.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "thiessen/thiessen.h"

namespace {

class CApiCost : public ::testing::Test {
 protected:
  CApiCost() {
    EXPECT_EQ(thiessen_context_create(nullptr, &context_), THIESSEN_OK);
    EXPECT_EQ(thiessen_cost_distance_options_init(&options_, sizeof options_), THIESSEN_OK);
    outputs_.size = sizeof outputs_;
    outputs_.report = &report_;
    report_.size = sizeof report_;
    map_array_ = array_of(map_.data(), THIESSEN_F32);
    site_array_ = array_of(sites_.data(), THIESSEN_U8);
    outputs_.labels = array_of(labels_.data(), THIESSEN_U8);
    outputs_.distance = array_of(distance_.data(), THIESSEN_F32);
    outputs_.back_link = array_of(links_.data(), THIESSEN_U8);
  }
  ~CApiCost() override { thiessen_context_destroy(context_); }

  static thiessen_array array_of(void* data, std::int32_t type) {
    constexpr std::array<std::int64_t, 2> kExtents{2, 3};
    return thiessen_contiguous(data, type, 2, kExtents.data());
  }

  thiessen_status run() {
    return thiessen_cost_distance(context_, &map_array_, &site_array_, nullptr, &options_,
                                  &outputs_, initial_cost_);
  }

  thiessen_context* context_ = nullptr;
  thiessen_cost_distance_options options_{};
  std::vector<float> map_{1, 1, 1, 1, 0, 1};
  std::vector<std::uint8_t> sites_{7, 0, 0, 0, 9, 0};
  std::vector<std::uint8_t> labels_ = std::vector<std::uint8_t>(6, 1);
  std::vector<float> distance_ = std::vector<float>(6);
  std::vector<std::uint8_t> links_ = std::vector<std::uint8_t>(6);
  const thiessen_array* initial_cost_ = nullptr;
  thiessen_array map_array_{};
  thiessen_array site_array_{};
  thiessen_cost_distance_outputs outputs_{};
  thiessen_cost_distance_report report_{};
};

/// Options, outputs and the report pass through the C API.
TEST_F(CApiCost, Computes) {
  options_.connectivity = THIESSEN_FACES;
  options_.method = "relaxation";
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(labels_, (std::vector<std::uint8_t>{7, 7, 7, 7, 0, 7}));
  EXPECT_EQ(distance_[5], 3);
  EXPECT_TRUE(std::isinf(distance_[4]));
  EXPECT_EQ(report_.ignored_sites, 1);
  EXPECT_EQ(report_.first_ignored_site, 4);
  EXPECT_EQ(report_.iterations, 4);
  const std::array<std::int64_t, 2> from{1, 2};
  std::array<std::int64_t, 6> path{};
  std::size_t count = 0;
  ASSERT_EQ(thiessen_least_cost_path(&outputs_.back_link, THIESSEN_FACES, from.data(), path.data(),
                                     path.size(), &count),
            THIESSEN_OK)
      << thiessen_last_error();
  ASSERT_EQ(count, 4u);
  EXPECT_EQ(path[3], 0);
  EXPECT_EQ(thiessen_least_cost_path(&outputs_.back_link, THIESSEN_FACES, from.data(), nullptr, 0,
                                     &count),
            THIESSEN_OK);
  EXPECT_EQ(count, 4u);
}

TEST_F(CApiCost, TakesInitialCosts) {
  std::vector<float> costs(6, 10);
  const thiessen_array array = array_of(costs.data(), THIESSEN_F32);
  initial_cost_ = &array;
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(distance_[0], 10);
  costs[0] = -1;
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
}

TEST_F(CApiCost, TakesPoints) {
  std::array<double, 2> place{1, 2};
  const std::array<std::int64_t, 2> extents{1, 2};
  thiessen_points points{.size = sizeof(thiessen_points), .coordinates = {}, .labels = {}};
  points.coordinates = thiessen_contiguous(place.data(), THIESSEN_F64, 2, extents.data());
  outputs_.labels = {};
  ASSERT_EQ(
      thiessen_cost_distance(context_, &map_array_, nullptr, &points, nullptr, &outputs_, nullptr),
      THIESSEN_OK)
      << thiessen_last_error();
  EXPECT_EQ(distance_[5], 0);
  EXPECT_EQ(distance_[2], 1);
}

/// Labels along with the costs are an option of relaxation; a struct from before has no such
/// member.
TEST_F(CApiCost, CarriesLabels) {
  options_.labels_carried = 1;
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(),
               "labels_carried is given; it is for method relaxation, not for exact");
  options_.size = offsetof(thiessen_cost_distance_options, labels_carried);
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  options_.size = sizeof options_;
  options_.method = "relaxation";
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(),
               "labels_carried is given together with the output back_link, which follows settled "
               "labels");
  outputs_.back_link = {};
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(labels_, (std::vector<std::uint8_t>{7, 7, 7, 7, 0, 7}));
}

/// The elevation and what belongs to it, without a map; a struct from before has no such members.
TEST_F(CApiCost, Walks) {
  std::vector<float> heights{0, 10, 0, 0, -9, 0};
  const thiessen_array elevation = array_of(heights.data(), THIESSEN_F32);
  constexpr std::array<double, 2> kSpacing{100, 100};
  options_.elevation = &elevation;
  options_.walk = "langmuir";
  options_.walk_direction = "to-site";
  options_.elevation_nodata = thiessen_value_f64(-9);
  options_.spacing = kSpacing.data();
  const auto run_without_map = [&] {
    return thiessen_cost_distance(context_, nullptr, &site_array_, nullptr, &options_, &outputs_,
                                  nullptr);
  };
  ASSERT_EQ(run_without_map(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_FLOAT_EQ(distance_[1], 72 - 19.998f);
  EXPECT_TRUE(std::isnan(distance_[4]));
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_FLOAT_EQ(distance_[1], 72 - 19.998f);
  options_.walk = "running";
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(), "walk = running; must be one of tobler, langmuir");
  options_.size = offsetof(thiessen_cost_distance_options, elevation);
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(distance_[1], 100);
  EXPECT_EQ(run_without_map(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(), "map is a null pointer");
}

/// The coefficients of a walk, and a map that adds; a struct from before has no such members.
TEST_F(CApiCost, CoefficientsOfWalks) {
  std::vector<float> heights{0, 10, 0, 0, 0, 0};
  const thiessen_array elevation = array_of(heights.data(), THIESSEN_F32);
  constexpr std::array<double, 2> kSpacing{100, 100};
  constexpr std::array<double, 4> kCoefficients{1, 5, 2, -3};
  options_.elevation = &elevation;
  options_.walk = "langmuir";
  options_.spacing = kSpacing.data();
  options_.walk_coefficients = kCoefficients.data();
  options_.slope_factor = -0.05;
  options_.walk_map = "adds";
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(distance_[1], 150 + 100);
  options_.size = offsetof(thiessen_cost_distance_options, walk_coefficients);
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(distance_[1], 132);
  options_.size = sizeof options_;
  options_.walk = "tobler";
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(),
               "walk_coefficients is given; it is for walk langmuir, not for tobler");
}

/// Lengths on the Earth; a struct from before has no such members.
TEST_F(CApiCost, StepsOnTheEarth) {
  constexpr std::array<double, 2> kLatitude{1, 0};
  constexpr std::array<double, 3> kLongitude{179, 180, 181};
  options_.metric = THIESSEN_GREAT_CIRCLE;
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(),
               "metric = great-circle; needs earth, the latitude of each row and the longitude of "
               "each column");
  options_.latitude = kLatitude.data();
  options_.latitude_count = kLatitude.size();
  options_.longitude = kLongitude.data();
  options_.longitude_count = kLongitude.size();
  options_.earth_radius = 180 / 3.14159265358979323846;  // a degree is a metre long
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  const float north = distance_[1];
  EXPECT_NEAR(north, 0.99985, 1e-5);
  EXPECT_EQ(distance_[3], 1);
  options_.size = offsetof(thiessen_cost_distance_options, metric);
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(distance_[1], 1);
}

/// Another label than the cell's; a struct from before has no such members.
TEST_F(CApiCost, HasOutputsOfAnotherLabel) {
  site_array_ = array_of(sites_.data(), THIESSEN_U8);
  sites_[2] = 9;
  std::vector<std::uint8_t> labels(6, 1);
  std::vector<std::int64_t> site_index(6);
  outputs_.other_labels = array_of(labels.data(), THIESSEN_U8);
  outputs_.other_site_index = array_of(site_index.data(), THIESSEN_I64);
  outputs_.size = offsetof(thiessen_cost_distance_outputs, other_labels);
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(labels[0], 1);
  outputs_.size = sizeof outputs_;
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(labels, (std::vector<std::uint8_t>{9, 9, 7, 9, 0, 7}));
  EXPECT_EQ(site_index, (std::vector<std::int64_t>{2, 2, 0, 2, -1, 0}));
}

/// Null pointers and illegal cells are refused before anything is written.
TEST_F(CApiCost, Refuses) {
  EXPECT_EQ(thiessen_cost_distance(nullptr, &map_array_, &site_array_, nullptr, &options_,
                                   &outputs_, nullptr),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_cost_distance(context_, &map_array_, nullptr, nullptr, &options_, &outputs_,
                                   nullptr),
            THIESSEN_INVALID_ARGUMENT);
  const std::vector<std::uint8_t> before = labels_;
  map_[2] = -1;
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(),
               "map[0, 2] = -1; a stiffness must be >= 0, finite and at most a quarter of the "
               "greatest float");
  EXPECT_EQ(labels_, before);
  options_.edge_weight = 2;
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  options_.edge_weight = THIESSEN_STIFFNESS;
  options_.connectivity = THIESSEN_EDGES;
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(),
               "connectivity = edges; must be corners, faces or knights in 2-D");
  options_.connectivity = 8;
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(), "connectivity = 8; must be 0 to 3");
  options_.connectivity = THIESSEN_CORNERS;
  options_.method = "fast";
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(), "method = fast; must be one of exact, dijkstra, relaxation");
}

/// Materials are made by name; unknown names are refused.
TEST_F(CApiCost, MaterialMap) {
  ASSERT_EQ(thiessen_material_map(context_, &map_array_, "gradient", 0), THIESSEN_OK);
  EXPECT_EQ(map_, (std::vector<float>{0.1f, 0.55f, 1, 0.1f, 0.55f, 1}));
  EXPECT_EQ(thiessen_material_map(context_, &map_array_, "marble", 0), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_material_map(context_, &map_array_, nullptr, 0), THIESSEN_INVALID_ARGUMENT);
}

}  // namespace
