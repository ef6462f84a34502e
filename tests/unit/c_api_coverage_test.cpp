// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "thiessen/thiessen.h"

namespace {

class CApiCoverage : public testing::Test {
 protected:
  CApiCoverage() {
    EXPECT_EQ(thiessen_context_create(nullptr, &context_), THIESSEN_OK);
    EXPECT_EQ(thiessen_coverage_distance_options_init(&options_, sizeof options_), THIESSEN_OK);
  }
  ~CApiCoverage() override { thiessen_context_destroy(context_); }

  thiessen_status run() {
    return thiessen_coverage_distance(context_, &coverage_, &options_, &distance_);
  }

  thiessen_context* context_ = nullptr;
  std::vector<std::uint8_t> cells_ = {0, 51, 255, 255};
  std::vector<double> found_ = std::vector<double>(4, 7);
  const std::int64_t extents_[2] = {1, 4};
  thiessen_array coverage_ = thiessen_contiguous(cells_.data(), THIESSEN_U8, 2, extents_);
  thiessen_array distance_ = thiessen_contiguous(found_.data(), THIESSEN_F64, 2, extents_);
  thiessen_coverage_distance_options options_{};
};

TEST_F(CApiCoverage, IsSignedAndHasUnits) {
  EXPECT_EQ(options_.max_distance, std::numeric_limits<double>::infinity());
  ASSERT_EQ(run(), THIESSEN_OK);
  EXPECT_EQ(found_, (std::vector<double>{1.3, 0.3, -0.7, -1.7}));
  const double spacing[] = {3, 2};
  options_.spacing = spacing;
  options_.max_distance = 3;
  ASSERT_EQ(run(), THIESSEN_OK);
  EXPECT_DOUBLE_EQ(found_[0], 2.6);
  EXPECT_EQ(found_[3], -std::numeric_limits<double>::infinity());
  ASSERT_EQ(thiessen_coverage_distance(context_, &coverage_, nullptr, &distance_), THIESSEN_OK);
  EXPECT_EQ(found_[0], 1.3);
}

TEST_F(CApiCoverage, WhatMakesNoSenseIsRefusedAndNothingWritten) {
  options_.max_distance = -1;
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(thiessen_last_error()), "max_distance = -1; must be >= 0");
  options_.max_distance = 1;
  options_.size = 1;
  EXPECT_EQ(run(), THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_coverage_distance(context_, nullptr, nullptr, &distance_),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(thiessen_coverage_distance(context_, &coverage_, nullptr, nullptr),
            THIESSEN_INVALID_ARGUMENT);
  const std::vector<float> wrong = {0, 0.5F, 2, 1};
  coverage_ = thiessen_contiguous(wrong.data(), THIESSEN_F32, 2, extents_);
  EXPECT_EQ(thiessen_coverage_distance(context_, &coverage_, nullptr, &distance_),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(thiessen_last_error()), "coverage[0, 2] = 2; must be from 0 to 1");
  EXPECT_EQ(found_, std::vector<double>(4, 7));
}

}  // namespace
