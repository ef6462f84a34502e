// SPDX-License-Identifier: Apache-2.0
//
// Errors of a caller of nearest_site(): each message names argument, value and rule.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

class Arguments : public ::testing::Test {
 protected:
  void expect_refused(const NearestSiteOptions& options, const NearestSiteOutputs& out,
                      const std::string& message) {
    expect_refused(View<const std::int32_t>(cells_.data(), {3, 4}), options, out, message);
  }

  void expect_refused(const View<const void>& sites, const NearestSiteOptions& options,
                      const NearestSiteOutputs& out, const std::string& message) {
    try {
      nearest_site(context_, sites, options, out);
      ADD_FAILURE() << "not refused: " << message;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
      EXPECT_STREQ(error.what(), message.c_str());
    }
  }

  NearestSiteOutputs labels() { return {.labels = View<std::int32_t>(labels_.data(), {3, 4})}; }

  Context context_;
  std::vector<std::int32_t> cells_ = std::vector<std::int32_t>(12);
  std::vector<std::int32_t> labels_ = std::vector<std::int32_t>(12);
  std::vector<std::int64_t> wide_ = std::vector<std::int64_t>(12);
};

/// One value for each axis, finite and > 0.
TEST_F(Arguments, Spacing) {
  expect_refused({.spacing = {1}}, labels(),
                 "spacing has 1 values; must have one for each of the 2 axes");
  expect_refused({.spacing = {1, 0}}, labels(), "spacing[1] = 0; must be finite and > 0");
  expect_refused({.spacing = {std::numeric_limits<double>::quiet_NaN(), 1}}, labels(),
                 "spacing[0] = nan; must be finite and > 0");
}

/// One value for each axis, and no periodic axis of more than 2^29 cells.
TEST_F(Arguments, Periodic) {
  expect_refused({.periodic = {true}}, labels(),
                 "periodic has 1 values; must have one for each of the 2 axes");
  const std::int64_t length = (std::int64_t{1} << 29) + 1;
  const View<const std::uint8_t> line(nullptr, {0, length});
  expect_refused(line, {.periodic = {false, true}}, {},
                 "periodic[1] of an axis of 536870913 cells; a periodic axis has at most 2^29");
}

/// >= 0 and not NaN.
TEST_F(Arguments, MaxDistance) {
  expect_refused({.max_distance = -1}, labels(), "max_distance = -1; must be >= 0");
  expect_refused({.max_distance = std::numeric_limits<double>::quiet_NaN()}, labels(),
                 "max_distance = nan; must be >= 0");
}

TEST_F(Arguments, LabelsThatTheTypeCannotHold) {
  expect_refused({.nodata = 0.5}, labels(), "nodata = 0.5; must be a value of the sites' type i32");
  expect_refused({.unreached = std::int64_t{1} << 31}, labels(),
                 "unreached = 2147483648; must be a value of the sites' type i32");
}

TEST_F(Arguments, SelectionsOfSites) {
  expect_refused({.values = {std::int64_t{1}, 2.5}}, labels(),
                 "values = 2.5; must be a value of the sites' type i32");
  expect_refused({.values = {std::int64_t{1}}, .zero_is_site = true}, labels(),
                 "values is given; must not be with zero_is_site");
  expect_refused({.values = {std::int64_t{1}}, .free_nodata = true, .nodata = std::int64_t{0}},
                 labels(), "free_nodata is given; must not be with values");
  expect_refused({.free_nodata = true}, labels(), "free_nodata is given; needs nodata");
}

TEST_F(Arguments, OutputsOfTheWrongShapeOrType) {
  expect_refused({}, {.labels = View<std::int32_t>(labels_.data(), {4, 3})},
                 "labels has the extents 4x3; must have 3x4");
  expect_refused({}, {.offset = View<std::int32_t>(labels_.data(), {3, 4})},
                 "offset has the extents 3x4; must have 2x3x4");
  expect_refused({}, {.labels = View<std::int64_t>(wide_.data(), {3, 4})},
                 "labels are i64; must be of the sites' type i32");
  expect_refused({}, {.distance = View<std::int64_t>(wide_.data(), {3, 4})},
                 "distance is i64; must be f32 or f64");
}

/// Boolean sites are numbered with integers and have no nodata value.
TEST_F(Arguments, BooleanSites) {
  const std::vector<std::uint8_t> mask(12, 1);
  const View<const void> sites(mask.data(), ElementType::boolean, {3, 4});
  expect_refused(sites, {},
                 {.labels = View<float>(reinterpret_cast<float*>(labels_.data()), {3, 4})},
                 "labels are f32; numbers of boolean sites must be i32 or i64");
  expect_refused(sites, {.nodata = std::int64_t{1}}, labels(),
                 "nodata is given; boolean sites have no value to spare for it");
}

TEST_F(Arguments, ValuesOfBooleanSites) {
  const std::vector<std::uint8_t> mask(12, 1);
  const View<const void> sites(mask.data(), ElementType::boolean, {3, 4});
  expect_refused(sites, {.values = {std::int64_t{2}}}, labels(),
                 "values = 2; must be a value of the sites' type bool");
  expect_refused(sites, {.values = {std::int64_t{0}}, .zero_is_site = true}, labels(),
                 "values is given; must not be with zero_is_site");
}

TEST_F(Arguments, OverlapsInMemory) {
  expect_refused({}, {.labels = View<std::int32_t>(cells_.data(), {3, 4})},
                 "labels overlaps the sites in memory; must be apart");
  expect_refused({},
                 {.labels = View<std::int32_t>(labels_.data(), {3, 4}),
                  .distance = View<float>(reinterpret_cast<float*>(labels_.data()), {3, 4})},
                 "distance overlaps labels in memory; must be apart");
}

/// Options and outputs that exclude each other are refused.
TEST_F(Arguments, Combinations) {
  const NearestSiteOutputs squared{.squared = View<std::int64_t>(wide_.data(), {3, 4})};
  const std::string rule =
      "squared is wanted; it exists only for the euclidean metric and a spacing of 1";
  expect_refused({.metric = Metric::manhattan}, squared, rule);
  expect_refused({.spacing = {2, 2}}, squared, rule);
  expect_refused({.signed_distance = true, .distance_to = DistanceTo::boundary}, labels(),
                 "signed_distance = true; must be false when the distance is to the boundary");
  const View<const void> volume(cells_.data(), ElementType::i32, {3, 2, 2});
  expect_refused(volume, {},
                 {.direction = View<float>(reinterpret_cast<float*>(labels_.data()), {3, 2, 2})},
                 "direction is wanted of a 3-D raster; it exists only in 2-D");
}

TEST_F(Arguments, SitesOfTheWrongShape) {
  const View<const void> line(cells_.data(), ElementType::i32, {12});
  expect_refused(line, {}, {}, "sites has 1 axes; must have 2 or 3");
  const View<const void> long_axis(cells_.data(), ElementType::i32,
                                   {1, (std::int64_t{1} << 30) + 1});
  expect_refused(long_axis, {}, {},
                 "sites has the extent[1] = 1073741825; must be at most 2^30 cells");
  const View<const void> device(cells_.data(), ElementType::i32, {3, 4}, MemorySpace::cuda);
  expect_refused(
      device, {}, {},
      "sites lies in memory of a CUDA device; device = cpu reaches memory of the host only");
}

TEST_F(Arguments, ViewsWithoutMemoryOrCellsOfTheirOwn) {
  const View<const void> null(nullptr, ElementType::i32, {3, 4});
  expect_refused(null, {}, {}, "sites is a null pointer; must be memory for its cells");
  expect_refused({}, {.labels = View<std::int32_t>(nullptr, {3, 4})},
                 "labels is a null pointer; must be memory for its cells");
  expect_refused({}, {.labels = View<std::int32_t>(labels_.data(), {3, 4}, {0, 4})},
                 "labels has the stride[0] = 0; cells of an output must lie apart");
  const std::int64_t longest = std::int64_t{1} << 30;
  const View<const void> huge(cells_.data(), ElementType::u8, {longest, longest, 2}, {0, 0, 0});
  expect_refused(huge, {}, {}, "sites has more than 2^60 cells");
}

TEST_F(Arguments, MisalignedAndBroadcastSitesWork) {
  std::vector<std::byte> bytes(3 * 4 * 5 + 1);
  const std::int32_t seven = 7;
  std::memcpy(bytes.data() + 1 + 5 * 5, &seven, sizeof seven);  // cell (1, 1)
  const View<const void> packed(bytes.data() + 1, ElementType::i32, {3, 4}, {20, 5});
  nearest_site(context_, packed, {}, labels());
  EXPECT_EQ(labels_, std::vector<std::int32_t>(12, 7));
  const std::vector<std::int32_t> row = {0, 5, 0, 6};
  nearest_site(context_, View<const std::int32_t>(row.data(), {3, 4}, {0, 4}), {}, labels());
  EXPECT_EQ(labels_, (std::vector<std::int32_t>{5, 5, 5, 6, 5, 5, 5, 6, 5, 5, 5, 6}));
}

TEST_F(Arguments, UnsupportedCombinationsSayWhy) {
  std::vector<float> distance(12);
  try {
    nearest_site(context_, View<const std::int32_t>(cells_.data(), {3, 4}),
                 {.method = Method::brute_force, .distance_to = DistanceTo::boundary},
                 {.distance = View<float>(distance.data(), {3, 4})});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_STREQ(error.what(),
                 "method = brute-force on cpu: the distance to the boundary is measured by method "
                 "exact only");
  }
}

TEST_F(Arguments, NoOutputIsNoError) {
  nearest_site(context_, View<const std::int32_t>(cells_.data(), {3, 4}), {}, {});
}

}  // namespace
}  // namespace thiessen
