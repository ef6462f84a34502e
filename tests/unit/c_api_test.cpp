// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "thiessen/thiessen.h"
#include "thiessen/thiessen.hpp"

namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSmallest = std::numeric_limits<std::int64_t>::min();

template <class T>
thiessen_array array_of(const std::vector<T>& cells, std::vector<std::int64_t> extents) {
  const auto type = static_cast<thiessen_type>(thiessen::detail::element_type_of<T>());
  return thiessen_contiguous(cells.data(), type, static_cast<std::int32_t>(extents.size()),
                             extents.data());
}

class CApi : public testing::Test {
 protected:
  CApi() {
    EXPECT_EQ(thiessen_context_create(nullptr, &context_), THIESSEN_OK);
    EXPECT_EQ(thiessen_nearest_site_options_init(&options_, sizeof options_), THIESSEN_OK);
    outputs_.size = sizeof outputs_;
    outputs_.labels = array_of(labels_, {2, 3});
    outputs_.distance = array_of(distance_, {2, 3});
  }
  ~CApi() override { thiessen_context_destroy(context_); }

  thiessen_status run() {
    return thiessen_nearest_site(context_, &sites_, &options_, &outputs_, domain_);
  }

  /// Expects that the call is refused with a text that has `words`, and that nothing was written.
  void expect_refused(const std::string& words,
                      thiessen_status expected = THIESSEN_INVALID_ARGUMENT) {
    const std::vector<std::uint8_t> before = labels_;
    EXPECT_EQ(run(), expected) << words;
    EXPECT_NE(std::string(thiessen_last_error()).find(words), std::string::npos)
        << "no \"" << words << "\" in: " << thiessen_last_error();
    EXPECT_EQ(labels_, before);
  }

  thiessen_context* context_ = nullptr;
  std::vector<std::uint8_t> cells_ = {0, 0, 7, 4, 0, 0};
  std::vector<std::uint8_t> labels_ = std::vector<std::uint8_t>(6, 99);
  std::vector<float> distance_ = std::vector<float>(6);
  thiessen_array sites_ = array_of(cells_, {2, 3});
  thiessen_nearest_site_options options_;
  const thiessen_array* domain_ = nullptr;
  thiessen_nearest_site_outputs outputs_{};
};

/// Labels and distances come out, with and without options.
TEST_F(CApi, NearestSite) {
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(labels_, (std::vector<std::uint8_t>{4, 7, 7, 4, 4, 7}));
  EXPECT_EQ(distance_, (std::vector<float>{1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(thiessen_nearest_site(context_, &sites_, nullptr, &outputs_, nullptr), THIESSEN_OK);
}

/// Each output array is filled.
TEST_F(CApi, EveryOutput) {
  std::vector<std::int64_t> site_index(6);
  std::vector<std::int64_t> squared(6);
  std::vector<std::int32_t> offset(12);
  std::vector<float> direction(6);
  outputs_.site_index = array_of(site_index, {2, 3});
  outputs_.squared = array_of(squared, {2, 3});
  outputs_.offset = array_of(offset, {2, 2, 3});
  outputs_.direction = array_of(direction, {2, 3});
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(site_index, (std::vector<std::int64_t>{3, 2, 2, 3, 3, 2}));
  EXPECT_EQ(squared, (std::vector<std::int64_t>{1, 1, 0, 0, 1, 1}));
  EXPECT_EQ(offset, (std::vector<std::int32_t>{1, 0, 0, 0, 0, -1, 0, 1, 0, 0, -1, 0}));
  EXPECT_EQ(direction, (std::vector<float>{180, 90, 0, 0, 270, 360}));
}

/// The nearest site of another label; a struct from before has no such members.
TEST_F(CApi, OutputsOfAnotherLabel) {
  std::vector<std::uint8_t> labels(6, 99);
  std::vector<std::int64_t> site_index(6);
  std::vector<double> distance(6);
  outputs_.other_labels = array_of(labels, {2, 3});
  outputs_.other_site_index = array_of(site_index, {2, 3});
  outputs_.other_distance = array_of(distance, {2, 3});
  outputs_.size = offsetof(thiessen_nearest_site_outputs, other_labels);
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(labels[0], 99);
  outputs_.size = sizeof outputs_;
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(labels_, (std::vector<std::uint8_t>{4, 7, 7, 4, 4, 7}));
  EXPECT_EQ(labels, (std::vector<std::uint8_t>{7, 4, 4, 7, 7, 4}));
  EXPECT_EQ(site_index, (std::vector<std::int64_t>{2, 3, 3, 2, 2, 3}));
  EXPECT_EQ(distance[0], 2);
}

/// The two nearest sites, and ties.
TEST_F(CApi, TheKNearestAndTies) {
  std::vector<std::int64_t> site_index(12);
  std::vector<std::uint8_t> ties(6);
  outputs_.labels = {};
  outputs_.distance = {};
  outputs_.site_index = array_of(site_index, {2, 2, 3});
  options_.k = 2;
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(site_index, (std::vector<std::int64_t>{3, 2, 2, 3, 3, 2, 2, 3, 3, 2, 2, 3}));
  options_.distinct_labels = 2;
  expect_refused("distinct_labels = 2; must be 0 or 1");
  options_.distinct_labels = 0;
  options_.k = 0;
  outputs_.site_index = {};
  outputs_.ties = array_of(ties, {2, 3});
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(ties, (std::vector<std::uint8_t>{1, 1, 1, 1, 1, 1}));
}

/// Rows are parallels; a struct from before has no such members.
TEST_F(CApi, DistancesOnTheEarth) {
  const std::array<double, 2> latitude = {1, 0};
  const std::array<double, 3> longitude = {179, 180, 181};
  options_.metric = THIESSEN_GREAT_CIRCLE;
  expect_refused("metric = great-circle; needs earth");
  options_.latitude = latitude.data();
  options_.latitude_count = latitude.size();
  options_.longitude = longitude.data();
  expect_refused("earth.longitude has 0 values; must have one for each of 3");
  options_.longitude_count = longitude.size();
  options_.earth_radius = 180 / 3.14159265358979323846;  // a degree is a metre long
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(labels_, (std::vector<std::uint8_t>{4, 7, 7, 4, 4, 7}));
  EXPECT_EQ(distance_[0], 1);
  EXPECT_NEAR(distance_[1], 0.99985, 1e-5);
  options_.metric = THIESSEN_ELLIPSOIDAL;
  options_.flattening = 1;
  expect_refused("earth.flattening = 1; must be from 0 to 0.02");
  options_.size = offsetof(thiessen_nearest_site_options, latitude);
  expect_refused("metric = ellipsoidal; needs earth");
}

/// Each option reaches the library.
TEST_F(CApi, EveryOption) {
  const std::array<double, 2> spacing = {2, 3};
  const std::array<thiessen_value, 2> values = {thiessen_value_i64(4), thiessen_value_f64(9)};
  options_.method = "brute-force";
  options_.metric = THIESSEN_MANHATTAN;
  options_.spacing = spacing.data();
  options_.values = values.data();
  options_.value_count = values.size();
  options_.max_distance = 3;
  options_.nodata = thiessen_value_u64(7);
  options_.unreached = thiessen_value_i64(255);
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(labels_, (std::vector<std::uint8_t>{4, 255, 7, 4, 4, 255}));
  EXPECT_EQ(distance_[0], 2);
  EXPECT_EQ(distance_[1], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(distance_[2]));

  ASSERT_EQ(thiessen_nearest_site_options_init(&options_, sizeof options_), THIESSEN_OK);
  options_.signed_distance = 1;
  ASSERT_EQ(run(), THIESSEN_OK);
  EXPECT_EQ(distance_, (std::vector<float>{1, 1, -1, -1, 1, 1}));

  options_.signed_distance = 0;
  options_.distance_to = THIESSEN_TO_BOUNDARY;
  ASSERT_EQ(run(), THIESSEN_OK);
  EXPECT_EQ(distance_, (std::vector<float>{1, 1, 1, 1, 1, 1}));

  options_.distance_to = THIESSEN_TO_SITES;
  options_.zero_is_site = 1;
  ASSERT_EQ(run(), THIESSEN_OK);
  EXPECT_EQ(labels_, cells_);

  options_.free_nodata = 1;
  options_.nodata = thiessen_value_i64(0);
  ASSERT_EQ(run(), THIESSEN_OK);
  EXPECT_EQ(distance_, (std::vector<float>{1, 1, 0, 0, 1, 1}));
}

TEST_F(CApi, StridesOfAnySign) {
  sites_.data = &cells_[5];
  sites_.strides[0] = -3;
  sites_.strides[1] = -1;
  ASSERT_EQ(run(), THIESSEN_OK);
  EXPECT_EQ(labels_, (std::vector<std::uint8_t>{7, 4, 4, 7, 7, 4}));
}

TEST_F(CApi, StridesOfOneCellMeanNothing) {
  sites_ = array_of(cells_, {1, 6});
  outputs_.labels = array_of(labels_, {1, 6});
  outputs_.distance = {};
  sites_.strides[0] = kLargest;
  outputs_.labels.strides[0] = kSmallest;
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
}

/// A null pointer is an error that names the argument.
TEST_F(CApi, NullPointers) {
  EXPECT_EQ(thiessen_nearest_site(nullptr, &sites_, &options_, &outputs_, nullptr),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(), "context is a null pointer");
  EXPECT_EQ(thiessen_nearest_site(context_, nullptr, &options_, &outputs_, nullptr),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(), "sites is a null pointer");
  EXPECT_EQ(thiessen_nearest_site(context_, &sites_, &options_, nullptr, nullptr),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(), "outputs is a null pointer");
  EXPECT_EQ(thiessen_context_create(nullptr, nullptr), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_context_on_progress(nullptr, nullptr, nullptr), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_devices_json(nullptr), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_random_sites(nullptr, &sites_, 1, 1), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_random_sites(context_, nullptr, 1, 1), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_connected_components(context_, &sites_, nullptr, nullptr, nullptr),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_render(context_, nullptr, nullptr, &sites_), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_voronoi(context_, nullptr, 2, sites_.extents, nullptr, &outputs_, nullptr),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_nearest_site_options_init(nullptr, sizeof options_),
            THIESSEN_INVALID_ARGUMENT);
  thiessen_context_destroy(nullptr);
  thiessen_context_cancel(nullptr);
  EXPECT_EQ(thiessen_context_release_scratch(nullptr), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_context_device(nullptr), "");
  EXPECT_EQ(thiessen_context_threads(nullptr), 0);
  EXPECT_EQ(thiessen_context_scratch_bytes(nullptr), 0u);
  options_.value_count = 2;
  expect_refused("values is a null pointer");
}

TEST_F(CApi, ArraysThatMakeNoSense) {
  const auto refused = [&](const std::string& words, auto&& spoil) {
    const thiessen_array sites = sites_;
    const thiessen_nearest_site_outputs outputs = outputs_;
    spoil();
    expect_refused(words);
    sites_ = sites;
    outputs_ = outputs;
  };
  refused("sites.rank = -1; must be 0 to 5", [&] { sites_.rank = -1; });
  refused("sites.rank = 6", [&] { sites_.rank = 6; });
  refused("sites has 0 axes", [&] { sites_.rank = 0; });
  refused("sites has 4 axes", [&] { sites_.rank = 4; });
  refused("sites.type = 11; must be 0 to 10", [&] { sites_.type = 11; });
  refused("sites.type = -1", [&] { sites_.type = -1; });
  refused("sites.memory = 7", [&] { sites_.memory = 7; });
  refused("memory of a CUDA device; device = cpu", [&] { sites_.memory = THIESSEN_CUDA; });
  refused("sites.extents[1] = -3; must be >= 0", [&] { sites_.extents[1] = -3; });
  refused("sites.extents[0] = -9223372036854775808", [&] { sites_.extents[0] = kSmallest; });
  refused("at most 2^30", [&] { sites_.extents[0] = kLargest; });
  refused("sites is a null pointer", [&] { sites_.data = nullptr; });
  refused("sites has strides that lead out of memory", [&] { sites_.strides[0] = kLargest; });
  refused("sites has strides that lead out of memory", [&] { sites_.strides[1] = kSmallest; });
  refused("labels has strides that lead out", [&] { outputs_.labels.strides[1] = kSmallest; });
  refused("labels has the stride[0] = 2", [&] { outputs_.labels.strides[0] = 2; });
  refused("labels has the stride[1] = 0", [&] { outputs_.labels.strides[1] = 0; });
  refused("labels has the extents 2x2", [&] { outputs_.labels.extents[1] = 2; });
  refused("labels is a null pointer", [&] { outputs_.labels.data = nullptr; });
  refused("labels overlaps the sites", [&] { outputs_.labels.data = cells_.data(); });
  refused("site_index is f32; must be i64", [&] { outputs_.site_index = outputs_.distance; });
  refused("distance.type = 12", [&] { outputs_.distance.type = 12; });
}

TEST_F(CApi, OptionsThatMakeNoSense) {
  const auto refused = [&](const std::string& words, auto&& spoil,
                           thiessen_status expected = THIESSEN_INVALID_ARGUMENT) {
    const thiessen_nearest_site_options options = options_;
    spoil();
    expect_refused(words, expected);
    options_ = options;
  };
  const std::array<double, 2> spacing = {1, -1};
  const std::array<std::int32_t, 2> periodic = {0, 2};
  const thiessen_value nothing{};
  refused("metric = 8; must be 0 to 7", [&] { options_.metric = 8; });
  refused("metric = -1", [&] { options_.metric = -1; });
  refused("distance_to = 2", [&] { options_.distance_to = 2; });
  refused("zero_is_site = 2; must be 0 or 1", [&] { options_.zero_is_site = 2; });
  refused("free_nodata = 2; must be 0 or 1", [&] { options_.free_nodata = 2; });
  refused("signed_distance = -1", [&] { options_.signed_distance = -1; });
  refused("spacing", [&] { options_.spacing = spacing.data(); });
  refused("periodic[1] = 2; must be 0 or 1", [&] { options_.periodic = periodic.data(); });
  refused("nodata.kind = 4; must be 0 to 3", [&] { options_.nodata.kind = 4; });
  refused("nodata = -1; must be a value of the sites' type u8",
          [&] { options_.nodata = thiessen_value_i64(-1); });
  refused("max_distance", [&] { options_.max_distance = std::nan(""); });
  refused(
      "method = nonsense; must be one of exact, brute-force, raster-gpu, chamfer, "
      "circle-growing, dilation, expansion, jfa, 1+jfa, jfa+1, jfa+2, jfa2, jfa-noise, "
      "jfa-plus, jfa-star, jfa-thrust",
      [&] { options_.method = "nonsense"; });
  refused("method = jfa-thrust; cpu has: exact, brute-force",
          [&] { options_.method = "jfa-thrust"; });
  refused("values[0].kind = 0; must be 1 to 3", [&] {
    options_.values = &nothing;
    options_.value_count = 1;
  });
}

TEST_F(CApi, SizesOfStructs) {
  options_.size = 0;
  expect_refused("options has the size 0; must be sizeof of the struct");
  options_.size = sizeof options_;
  outputs_.size = offsetof(thiessen_nearest_site_outputs, other_labels) - 8;
  expect_refused("outputs has the size");
  outputs_.size = std::numeric_limits<std::size_t>::max();
  expect_refused("outputs has the size");
  EXPECT_EQ(thiessen_nearest_site_options_init(&options_, 3), THIESSEN_INVALID_ARGUMENT);
}

/// No compiler gives such a size, which would leave half a pointer.
TEST_F(CApi, SizesWithinAMember) {
  options_.pattern = "square";
  options_.size = offsetof(thiessen_nearest_site_options, pattern) + 4;
  outputs_.size = sizeof outputs_;
  expect_refused("options has the size");
}

/// The struct as it was before jump flooding.
TEST_F(CApi, StructsOfTheFirstVersion) {
  options_.size = offsetof(thiessen_nearest_site_options, steps);
  options_.pattern = "not looked at";
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  options_.size -= 1;
  expect_refused("options has the size");
}

/// The options of jump flooding reach the library.
TEST_F(CApi, JumpFlooding) {
  const std::array<std::int64_t, 3> steps = {4, 2, 1};
  options_.method = "jfa";
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  options_.steps = steps.data();
  options_.step_count = steps.size();
  options_.pattern = "circle:12";
  options_.noise = "mask";
  options_.seed = 5;
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  options_.pattern = "circle:0";
  expect_refused("pattern = circle:0; must be square, circle:N or random-circle:N");
  options_.pattern = nullptr;
  options_.noise = "loud";
  expect_refused("noise = loud; must be one of none, in-place, mask");
  options_.noise = nullptr;
  options_.step_rule = "half";
  expect_refused("step_rule = half; must not be given together with steps");
  options_.steps = nullptr;
  expect_refused("steps is a null pointer");
  options_.step_count = 0;
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  options_.step_rule = "fifth";
  expect_refused("step_rule = fifth; must be one of pow2, half, quarter, third");
  options_.step_rule = nullptr;
  options_.literal = 1;
  expect_refused("literal is given; it is for jfa-coeurjolly and jfa-thrust, not for jfa");
  options_.method = "jfa-coeurjolly";
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  options_.literal = 0;
  options_.method = nullptr;
  expect_refused("seed is given; it is for methods of jump flooding, not for exact");
}

/// Metrics and methods by their numbers and names; and the struct as it was before them.
TEST_F(CApi, RasterMethods) {
  EXPECT_EQ(options_.scan_sites, -1);
  options_.method = "raster-gpu";
  options_.scan_sites = 0;
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  options_.growth_step = 2;
  expect_refused("growth_step is given; it is for method circle-growing, not for raster-gpu");
  options_.size = offsetof(thiessen_nearest_site_options, scan_sites);
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  options_.size = sizeof options_;
  options_.method = "circle-growing";
  expect_refused("scan_sites is given");
  options_.scan_sites = -1;
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  options_.growth_step = 0;
  options_.method = "chamfer";
  EXPECT_EQ(run(), THIESSEN_UNSUPPORTED);
  options_.metric = THIESSEN_CHAMFER_5_7_11;
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  options_.allotment = "blocks";
  expect_refused("allotment = blocks; must be one of cyclic, contiguous");
  options_.allotment = "contiguous";
  expect_refused("allotment is given; it is for method brute-force, not for chamfer");
  options_.size = offsetof(thiessen_nearest_site_options, allotment);
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  options_.size = sizeof options_;
  options_.allotment = nullptr;
  options_.labels_carried = 1;
  expect_refused("labels_carried is given; it is for methods dilation and expansion");
  options_.labels_carried = 2;
  expect_refused("labels_carried = 2");
  options_.labels_carried = 1;
  options_.metric = THIESSEN_OCTAGONAL;
  options_.method = "dilation";
  EXPECT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
}

/// Cells outside of a domain get nodata_label, which must be given here.
TEST_F(CApi, Domain) {
  const std::vector<std::uint16_t> domain = {1, 0, 256, 1, 1, 0};
  thiessen_array cells = array_of(domain, {2, 3});
  domain_ = &cells;
  expect_refused("nodata_label is missing");
  options_.nodata_label = thiessen_value_i64(33);
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(labels_, (std::vector<std::uint8_t>{4, 33, 7, 4, 4, 33}));
  EXPECT_TRUE(std::isnan(distance_[1]));
  EXPECT_EQ(distance_[4], 1);
  cells = array_of(domain, {3, 2});
  expect_refused("domain must have the extents of the grid");
  cells = array_of(distance_, {2, 3});
  expect_refused("domain is f32; must be of integers or bool");
  cells = {};
  expect_refused("nodata_label is given");
  domain_ = nullptr;
  expect_refused("nodata_label is given");
}

/// Warnings of the last call are read by number.
TEST_F(CApi, Warnings) {
  std::int64_t count = 0;
  ASSERT_EQ(run(), THIESSEN_OK);
  EXPECT_EQ(thiessen_context_warning(context_, 0, &count), nullptr);
  EXPECT_EQ(thiessen_context_warning(nullptr, 0, &count), nullptr);
  std::fill(cells_.begin(), cells_.end(), std::uint8_t{0});
  ASSERT_EQ(run(), THIESSEN_OK);
  EXPECT_STREQ(thiessen_context_warning(context_, 0, &count),
               "no site: all cells are 0, NaN or nodata, so every cell is unreached");
  EXPECT_EQ(count, 1);
  EXPECT_EQ(thiessen_context_warning(context_, 1, nullptr), nullptr);
  options_.strict = 1;
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  options_.strict = 2;
  expect_refused("strict = 2");
}

TEST_F(CApi, StructsOfLaterVersions) {
  struct Later {
    thiessen_nearest_site_options options;
    std::int64_t unknown;
  } later;
  ASSERT_EQ(thiessen_nearest_site_options_init(&later.options, sizeof later), THIESSEN_OK);
  EXPECT_EQ(later.options.size, sizeof later);
  EXPECT_EQ(later.unknown, 0);
  EXPECT_EQ(thiessen_nearest_site(context_, &sites_, &later.options, &outputs_, nullptr),
            THIESSEN_OK);
  later.unknown = 1;
  EXPECT_EQ(thiessen_nearest_site(context_, &sites_, &later.options, &outputs_, nullptr),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(),
               "options sets a member that this version of the library does not know");
}

TEST_F(CApi, ContiguousOfNonsenseIsRefused) {
  const std::array<std::int64_t, 2> extents = {kLargest, kLargest};
  sites_ = thiessen_contiguous(cells_.data(), THIESSEN_F64, 2, extents.data());
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  sites_ = thiessen_contiguous(cells_.data(), THIESSEN_U8, 2, nullptr);
  expect_refused("sites.rank = -1");
  sites_ = thiessen_contiguous(cells_.data(), THIESSEN_U8, 9, extents.data());
  expect_refused("sites.rank = 9");
  sites_ = thiessen_contiguous(cells_.data(), 77, 2, extents.data());
  expect_refused("sites.type = 77");
}

/// A context has the device and threads of its options.
TEST_F(CApi, Contexts) {
  thiessen_context_options options;
  ASSERT_EQ(thiessen_context_options_init(&options, sizeof options), THIESSEN_OK);
  options.threads = 2;
  options.device = "cpu";
  thiessen_context* context = nullptr;
  ASSERT_EQ(thiessen_context_create(&options, &context), THIESSEN_OK);
  EXPECT_STREQ(thiessen_context_device(context), "cpu");
  EXPECT_EQ(thiessen_context_threads(context), 2);
  EXPECT_EQ(thiessen_nearest_site(context, &sites_, nullptr, &outputs_, nullptr), THIESSEN_OK);
  EXPECT_GT(thiessen_context_scratch_bytes(context), 0u);
  EXPECT_EQ(thiessen_context_release_scratch(context), THIESSEN_OK);
  EXPECT_EQ(thiessen_context_scratch_bytes(context), 0u);
  thiessen_context_destroy(context);

  options.threads = -1;
  EXPECT_EQ(thiessen_context_create(&options, &context), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(context, nullptr);
  options.threads = 1;
  options.device = "abacus";
  EXPECT_EQ(thiessen_context_create(&options, &context), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(thiessen_last_error()).find("device = abacus"), 0u);
}

TEST_F(CApi, ProgressAndCancellation) {
  std::vector<double> fractions;
  const thiessen_progress note = [](double fraction, void* user) {
    static_cast<std::vector<double>*>(user)->push_back(fraction);
    return 0;
  };
  ASSERT_EQ(thiessen_context_on_progress(context_, note, &fractions), THIESSEN_OK);
  ASSERT_EQ(run(), THIESSEN_OK);
  ASSERT_FALSE(fractions.empty());
  EXPECT_EQ(fractions.back(), 1);

  const thiessen_progress stop = [](double, void*) { return 1; };
  std::vector<std::uint8_t> cells(512 * 512);
  std::vector<std::uint8_t> labels(cells.size());
  sites_ = array_of(cells, {512, 512});
  outputs_.labels = array_of(labels, {512, 512});
  outputs_.distance = {};
  ASSERT_EQ(thiessen_context_on_progress(context_, stop, nullptr), THIESSEN_OK);
  EXPECT_EQ(run(), THIESSEN_CANCELLED);

  ASSERT_EQ(thiessen_context_on_progress(context_, nullptr, nullptr), THIESSEN_OK);
  EXPECT_EQ(run(), THIESSEN_OK);
  thiessen_context_cancel(context_);
  EXPECT_EQ(run(), THIESSEN_CANCELLED);
  EXPECT_EQ(run(), THIESSEN_OK);
}

TEST_F(CApi, ErrorsAreThoseOfTheThread) {
  sites_.rank = 5;
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_STRNE(thiessen_last_error(), "");
  std::thread([] { EXPECT_STREQ(thiessen_last_error(), ""); }).join();
}

TEST_F(CApi, LongErrorsAreCut) {
  const std::string method(10000, 'm');
  options_.method = method.c_str();
  EXPECT_NE(run(), THIESSEN_OK);
  EXPECT_EQ(std::strlen(thiessen_last_error()), 511u);
}

/// Components are numbered and counted.
TEST_F(CApi, ConnectedComponents) {
  const std::vector<std::uint8_t> image = {1, 0, 1, 0, 1, 0};
  std::vector<std::int32_t> labels(6);
  const thiessen_array input = array_of(image, {2, 3});
  const thiessen_array output = array_of(labels, {2, 3});
  std::int64_t count = 0;
  ASSERT_EQ(thiessen_connected_components(context_, &input, nullptr, &output, &count), THIESSEN_OK);
  EXPECT_EQ(count, 1);
  thiessen_components_options options;
  ASSERT_EQ(thiessen_components_options_init(&options, sizeof options), THIESSEN_OK);
  options.connectivity = THIESSEN_FACES;
  options.nodata = thiessen_value_i64(0);
  ASSERT_EQ(thiessen_connected_components(context_, &input, &options, &output, &count),
            THIESSEN_OK);
  EXPECT_EQ(count, 3);
  EXPECT_EQ(labels, (std::vector<std::int32_t>{1, -1, 2, -1, 3, -1}));
  constexpr thiessen_connectivity kWrong[] = {THIESSEN_EDGES, THIESSEN_KNIGHTS, 4, -1};
  for (const thiessen_connectivity wrong : kWrong) {
    options.connectivity = wrong;
    EXPECT_EQ(thiessen_connected_components(context_, &input, &options, &output, nullptr),
              THIESSEN_INVALID_ARGUMENT)
        << wrong;
  }
}

TEST_F(CApi, ComponentsNeedCellsOfTheirOwn) {
  std::vector<std::int32_t> labels(6, 1);
  const thiessen_array image = array_of(labels, {2, 3});
  thiessen_array shared = image;
  EXPECT_EQ(thiessen_connected_components(context_, &image, nullptr, &shared, nullptr),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_STREQ(thiessen_last_error(), "labels overlaps the image in memory; must be apart");
  shared = array_of(labels, {2, 3});
  shared.strides[0] = 4;
  EXPECT_EQ(thiessen_connected_components(context_, &sites_, nullptr, &shared, nullptr),
            THIESSEN_INVALID_ARGUMENT);
  shared.strides[0] = 13;
  EXPECT_EQ(thiessen_connected_components(context_, &sites_, nullptr, &shared, nullptr),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_NE(std::string(thiessen_last_error()).find("not aligned"), std::string::npos);
}

/// The sites are those of the C++ function.
TEST_F(CApi, RandomSites) {
  std::vector<std::int64_t> expected(12);
  thiessen::Context context;
  thiessen::random_sites(context, thiessen::View<std::int64_t>(expected.data(), {3, 4}), 5, 42);
  std::vector<std::int64_t> sites(12);
  thiessen_array array = array_of(sites, {3, 4});
  ASSERT_EQ(thiessen_random_sites(context_, &array, 5, 42), THIESSEN_OK);
  EXPECT_EQ(sites, expected);
  EXPECT_EQ(thiessen_random_sites(context_, &array, 13, 42), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_random_sites(context_, &array, -1, 42), THIESSEN_INVALID_ARGUMENT);
  array.strides[1] = 0;
  EXPECT_EQ(thiessen_random_sites(context_, &array, 5, 42), THIESSEN_INVALID_ARGUMENT);
}

/// With a fourth channel cells may let through what is beneath.
TEST_F(CApi, RenderWithOpacity) {
  std::vector<std::uint8_t> pixels(24, 7);
  const thiessen_array array = array_of(pixels, {2, 3, 4});
  thiessen_render_inputs inputs{};
  inputs.size = sizeof inputs;
  inputs.labels = sites_;
  thiessen_render_options options;
  ASSERT_EQ(thiessen_render_options_init(&options, sizeof options), THIESSEN_OK);
  EXPECT_EQ(options.opacity, 1);
  options.edges = 0;
  options.opacity = 0.5;
  ASSERT_EQ(thiessen_render(context_, &inputs, &options, &array), THIESSEN_OK)
      << thiessen_last_error();
  EXPECT_EQ(std::count(pixels.begin(), pixels.end(), 127) > 0, true);
  options.opacity = 2;
  EXPECT_EQ(thiessen_render(context_, &inputs, &options, &array), THIESSEN_INVALID_ARGUMENT);
}

/// Sites alone make a picture.
TEST_F(CApi, Render) {
  std::vector<std::uint8_t> pixels(18, 7);
  thiessen_array array = array_of(pixels, {2, 3, 3});
  thiessen_render_inputs inputs{};
  inputs.size = sizeof inputs;
  inputs.sites = sites_;
  ASSERT_EQ(thiessen_render(context_, &inputs, nullptr, &array), THIESSEN_OK)
      << thiessen_last_error();
  EXPECT_LT(pixels[6], 255);
  EXPECT_EQ(pixels[0], 255);
  array.extents[2] = 5;
  EXPECT_EQ(thiessen_render(context_, &inputs, nullptr, &array), THIESSEN_INVALID_ARGUMENT);
  array = sites_;
  EXPECT_EQ(thiessen_render(context_, &inputs, nullptr, &array), THIESSEN_INVALID_ARGUMENT);
  array = array_of(pixels, {2, 3, 3});
  array.strides[0] = 0;
  EXPECT_EQ(thiessen_render(context_, &inputs, nullptr, &array), THIESSEN_INVALID_ARGUMENT);
  array = {};
  EXPECT_EQ(thiessen_render(context_, &inputs, nullptr, &array), THIESSEN_INVALID_ARGUMENT);
}

/// Each option of a picture reaches the library.
TEST_F(CApi, RenderOptions) {
  std::vector<std::uint8_t> pixels(18);
  const thiessen_array array = array_of(pixels, {2, 3, 3});
  const std::vector<float> distance = {0, 1, 2, 3, std::numeric_limits<float>::infinity(), 5};
  const std::array<double, 2> range = {0, 5};
  thiessen_render_inputs inputs{};
  inputs.size = sizeof inputs;
  inputs.distance = array_of(distance, {2, 3});
  thiessen_render_options options;
  ASSERT_EQ(thiessen_render_options_init(&options, sizeof options), THIESSEN_OK);
  options.mode = THIESSEN_BY_DISTANCE;
  options.ramp = THIESSEN_GREY;
  options.range = range.data();
  options.background = 0x102030;
  ASSERT_EQ(thiessen_render(context_, &inputs, &options, &array), THIESSEN_OK)
      << thiessen_last_error();

  thiessen::Context context;
  std::vector<std::uint8_t> expected(18);
  const thiessen::View<std::uint8_t> view(expected.data(), {2, 3, 3});
  thiessen::render(context, {.distance = thiessen::View<const float>(distance.data(), {2, 3})},
                   {.mode = thiessen::RenderMode::distance,
                    .ramp = thiessen::Ramp::grey,
                    .range = std::array<double, 2>{0, 5},
                    .background = {.red = 0x10, .green = 0x20, .blue = 0x30}},
                   view);
  EXPECT_EQ(pixels, expected);
  EXPECT_EQ(std::vector(pixels.begin() + 12, pixels.begin() + 15),
            (std::vector<std::uint8_t>{0x10, 0x20, 0x30}));
}

TEST_F(CApi, RenderDefaultsAreThoseOfTheLibrary) {
  std::vector<std::uint8_t> by_null(300);
  std::vector<std::uint8_t> by_options(300);
  const thiessen_array first = array_of(by_null, {10, 10, 3});
  const thiessen_array second = array_of(by_options, {10, 10, 3});
  thiessen_render_inputs inputs{};
  inputs.size = sizeof inputs;
  inputs.labels = sites_;
  inputs.sites = sites_;
  thiessen_render_options options;
  ASSERT_EQ(thiessen_render_options_init(&options, sizeof options), THIESSEN_OK);
  ASSERT_EQ(thiessen_render(context_, &inputs, nullptr, &first), THIESSEN_OK);
  ASSERT_EQ(thiessen_render(context_, &inputs, &options, &second), THIESSEN_OK);
  EXPECT_EQ(by_null, by_options);
  std::vector<std::uint8_t> expected(300);
  thiessen::Context context;
  const thiessen::View<const std::uint8_t> cells(cells_.data(), {2, 3});
  thiessen::render(context, {.labels = cells, .sites = cells}, {expected.data(), {10, 10, 3}});
  EXPECT_EQ(by_options, expected);
}

TEST_F(CApi, RenderOptionsThatMakeNoSense) {
  std::vector<std::uint8_t> pixels(18);
  const thiessen_array array = array_of(pixels, {2, 3, 3});
  thiessen_render_inputs inputs{};
  inputs.size = sizeof inputs;
  inputs.labels = sites_;
  const auto refused = [&](const std::string& words, auto&& spoil) {
    thiessen_render_options options;
    EXPECT_EQ(thiessen_render_options_init(&options, sizeof options), THIESSEN_OK);
    spoil(options);
    EXPECT_EQ(thiessen_render(context_, &inputs, &options, &array), THIESSEN_INVALID_ARGUMENT);
    EXPECT_NE(std::string(thiessen_last_error()).find(words), std::string::npos)
        << "no \"" << words << "\" in: " << thiessen_last_error();
  };
  using Options = thiessen_render_options;
  refused("mode = 2; must be 0 to 1", [](Options& options) { options.mode = 2; });
  refused("marks = 3; must be 0 to 2", [](Options& options) { options.marks = 3; });
  refused("edges = 2; must be 0 or 1", [](Options& options) { options.edges = 2; });
  refused("contours = -1", [](Options& options) { options.contours = -1; });
  refused("ramp = 7; must be 0 to 6", [](Options& options) { options.ramp = 7; });
  refused("scale = 3; must be 0 to 2", [](Options& options) { options.scale = 3; });
  refused("edge_colour = -2; must be 0 to 0xFFFFFF",
          [](Options& options) { options.edge_colour = -2; });
  refused("background = 16777216", [](Options& options) { options.background = 1 << 24; });
  refused("background = -1", [](Options& options) { options.background = -1; });
  refused("shade = 2", [](Options& options) { options.shade = 2; });
  refused("label_nodata.kind = 9", [](Options& options) { options.label_nodata.kind = 9; });
  refused("site_nodata.kind = 9", [](Options& options) { options.site_nodata.kind = 9; });
  refused("options has the size", [](Options& options) { options.size = 8; });
  EXPECT_EQ(thiessen_render_options_init(nullptr, sizeof(Options)), THIESSEN_INVALID_ARGUMENT);
}

class CApiCompare : public CApi {
 protected:
  CApiCompare() {
    inputs_.size = sizeof inputs_;
    inputs_.site_index_a = array_of(a_, {1, 4});
    inputs_.site_index_b = array_of(b_, {1, 4});
    comparison_.size = sizeof comparison_;
    EXPECT_EQ(thiessen_compare_options_init(&compare_options_, sizeof compare_options_),
              THIESSEN_OK);
  }

  thiessen_status compare() {
    return thiessen_compare(context_, &inputs_, &compare_options_, &comparison_);
  }

  std::vector<std::int64_t> a_ = {0, 0, 3, 3};
  std::vector<std::int64_t> b_ = {0, 2, -1, 3};
  thiessen_compare_inputs inputs_{};
  thiessen_compare_options compare_options_;
  thiessen_comparison comparison_{};
};

TEST_F(CApiCompare, CountsWhatDiffers) {
  ASSERT_EQ(thiessen_compare(context_, &inputs_, nullptr, &comparison_), THIESSEN_OK)
      << thiessen_last_error();
  EXPECT_EQ(comparison_.size, sizeof comparison_);
  EXPECT_EQ(comparison_.cells, 4);
  EXPECT_EQ(comparison_.differing, 2);
  EXPECT_EQ(comparison_.mismatched, 1);
  EXPECT_EQ(comparison_.ties, 0);
  EXPECT_EQ(comparison_.site_index_differing, 2);
  const std::vector<std::int64_t> first(comparison_.first_cell, comparison_.first_cell + 4);
  EXPECT_EQ(first, (std::vector<std::int64_t>{0, 1, -1, -1}));
  EXPECT_EQ(comparison_.worst_cell[0], -1);
}

/// With measure_sites, ties are found from the site indices.
TEST_F(CApiCompare, MeasuresSites) {
  const std::array<double, 2> spacing = {1, 2};
  b_ = {0, 3, 3, 3};
  compare_options_.measure_sites = 1;
  compare_options_.metric = THIESSEN_MANHATTAN;
  compare_options_.spacing = spacing.data();
  ASSERT_EQ(compare(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(comparison_.differing, 1);
  EXPECT_EQ(comparison_.ties, 0);
  EXPECT_EQ(comparison_.largest_excess, 2);
  EXPECT_EQ(comparison_.largest_relative_excess, 1);
  EXPECT_EQ(comparison_.mean_excess, 0.5);
  EXPECT_EQ(comparison_.worst_cell[1], 1);
  b_ = {0, 2, 3, 3};
  ASSERT_EQ(compare(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(comparison_.ties, 1);
}

TEST_F(CApiCompare, DistancesWithTolerance) {
  const std::vector<float> near = {0, 1};
  const std::vector<double> far = {0.25, 1.5};
  inputs_ = {};
  inputs_.size = sizeof inputs_;
  inputs_.distance_a = array_of(near, {1, 2});
  inputs_.distance_b = array_of(far, {1, 2});
  compare_options_.tolerance = 0.25;
  ASSERT_EQ(compare(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(comparison_.distance_differing, 1);
  EXPECT_EQ(comparison_.largest_excess, 0.5);
}

TEST_F(CApiCompare, WhatMakesNoSenseIsRefusedAndNothingWritten) {
  comparison_.cells = 77;
  const auto refused = [&](const std::string& words) {
    EXPECT_EQ(compare(), THIESSEN_INVALID_ARGUMENT) << words;
    EXPECT_NE(std::string(thiessen_last_error()).find(words), std::string::npos)
        << "no \"" << words << "\" in: " << thiessen_last_error();
    EXPECT_EQ(comparison_.cells, 77);
  };
  EXPECT_EQ(thiessen_compare(context_, nullptr, nullptr, &comparison_), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_compare(context_, &inputs_, nullptr, nullptr), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_compare(nullptr, &inputs_, nullptr, &comparison_), THIESSEN_INVALID_ARGUMENT);
  compare_options_.tolerance = -1;
  refused("tolerance = -1");
  compare_options_.tolerance = 0;
  compare_options_.metric = 6;
  refused("metric = 6; must be 0 to 5");
  compare_options_.metric = 0;
  compare_options_.measure_sites = 2;
  refused("measure_sites = 2; must be 0 or 1");
  compare_options_.measure_sites = 1;
  b_[0] = 4;
  refused("site_index_b = 4");
  comparison_.size = 8;
  refused("comparison has the size 8");
  comparison_.size = sizeof comparison_;
  inputs_.site_index_b.type = THIESSEN_I32;
  refused("site_index_b is i32; must be i64");
  inputs_.site_index_b = {};
  refused("site_index_b is missing");
  inputs_.site_index_a = {};
  refused("labels, site_index and distance are missing");
}

/// Points with labels are the sites of a grid.
TEST_F(CApi, Points) {
  const std::vector<double> coordinates = {0, 0, 1, 2};
  const std::vector<std::uint8_t> names = {5, 9};
  std::vector<std::int64_t> site_index(6);
  thiessen_points points{};
  points.size = sizeof points;
  points.coordinates = array_of(coordinates, {2, 2});
  points.labels = array_of(names, {2});
  outputs_.site_index = array_of(site_index, {2, 3});
  ASSERT_EQ(thiessen_voronoi(context_, &points, 2, sites_.extents, &options_, &outputs_, nullptr),
            THIESSEN_OK)
      << thiessen_last_error();
  EXPECT_EQ(labels_, (std::vector<std::uint8_t>{5, 5, 9, 5, 9, 9}));
  EXPECT_EQ(site_index, (std::vector<std::int64_t>{0, 0, 1, 0, 1, 1}));
}

/// Sites are found across the end of a periodic axis.
TEST_F(CApi, Periodic) {
  const std::array<std::int32_t, 2> periodic = {0, 1};
  cells_ = {1, 0, 0, 2, 0, 0};
  sites_ = array_of(cells_, {1, 6});
  outputs_.labels = array_of(labels_, {1, 6});
  outputs_.distance = array_of(distance_, {1, 6});
  options_.periodic = periodic.data();
  ASSERT_EQ(run(), THIESSEN_OK) << thiessen_last_error();
  EXPECT_EQ(labels_, (std::vector<std::uint8_t>{1, 1, 2, 2, 2, 1}));
  EXPECT_EQ(distance_, (std::vector<float>{0, 1, 1, 0, 1, 1}));
}

TEST_F(CApi, PointsThatMakeNoSense) {
  const std::vector<double> coordinates = {0, 0, 1, 2};
  thiessen_points points{};
  points.size = sizeof points;
  points.coordinates = array_of(coordinates, {2, 2});
  const auto refused = [&](int rank, const std::int64_t* extents) {
    return thiessen_voronoi(context_, &points, rank, extents, nullptr, &outputs_, nullptr) ==
           THIESSEN_INVALID_ARGUMENT;
  };
  EXPECT_TRUE(refused(2, nullptr));
  EXPECT_TRUE(refused(-1, sites_.extents));
  EXPECT_TRUE(refused(1 << 30, sites_.extents));
  const std::array<std::int64_t, 2> negative = {2, -3};
  EXPECT_TRUE(refused(2, negative.data()));
  points.coordinates.rank = 7;
  EXPECT_TRUE(refused(2, sites_.extents));
  points.size = 1;
  EXPECT_TRUE(refused(2, sites_.extents));
}

TEST(CApiNames, StatusVersionDevices) {
  EXPECT_STREQ(thiessen_status_name(THIESSEN_OK), "ok");
  EXPECT_STREQ(thiessen_status_name(THIESSEN_OUT_OF_MEMORY), "out_of_memory");
  EXPECT_STREQ(thiessen_status_name(THIESSEN_INTERNAL), "internal");
  EXPECT_STREQ(thiessen_status_name(-5), "unknown");
  EXPECT_EQ(std::string(thiessen_version()).find("0."), 0u);
  const char* json = nullptr;
  ASSERT_EQ(thiessen_devices_json(&json), THIESSEN_OK);
  EXPECT_EQ(std::string(json).find("[{\"name\": \"cpu\", \"description\": \""), 0u) << json;
  for (const char* const method :
       {R"({"name": "exact", "exact": true, "approximate_metrics": []})",
        R"({"name": "chamfer", "exact": true, "approximate_metrics": ["octagonal"]})",
        R"({"name": "jfa", "exact": false, "approximate_metrics": []})"})
    EXPECT_NE(std::string(json).find(method), std::string::npos) << method;
}

}  // namespace
