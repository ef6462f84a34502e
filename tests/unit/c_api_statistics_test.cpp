// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "thiessen/thiessen.h"

namespace {

class CApiStatistics : public testing::Test {
 protected:
  CApiStatistics() {
    EXPECT_EQ(thiessen_context_create(nullptr, &context_), THIESSEN_OK);
    table_.size = sizeof table_;
    pairs_.size = sizeof pairs_;
    fields_.size = sizeof fields_;
  }
  ~CApiStatistics() override {
    thiessen_free_site_statistics(&table_);
    thiessen_free_adjacency(&pairs_);
    thiessen_context_destroy(context_);
  }

  static thiessen_array array(const void* data, thiessen_type type) {
    const std::int64_t extents[] = {2, 3};
    return thiessen_contiguous(data, type, 2, extents);
  }

  void expect_refused(thiessen_status status, const std::string& words) {
    EXPECT_EQ(status, THIESSEN_INVALID_ARGUMENT) << words;
    EXPECT_EQ(std::string(thiessen_last_error()), words);
  }

  thiessen_context* context_ = nullptr;
  std::vector<std::int32_t> cells_ = {7, 7, 0, 7, 2, 2};
  std::vector<float> field_ = {1, 2, 9, 3, 0.5f, 0.5f};
  thiessen_array labels_ = array(cells_.data(), THIESSEN_I32);
  thiessen_site_statistics_table table_{};
  thiessen_adjacency_table pairs_{};
  thiessen_site_fields fields_{};
};

TEST_F(CApiStatistics, ATableHasTheColumnsThatAreThere) {
  ASSERT_EQ(thiessen_site_statistics(context_, &labels_, nullptr, nullptr, &table_), THIESSEN_OK);
  EXPECT_EQ(table_.rows, 2);
  EXPECT_EQ(table_.rank, 2);
  EXPECT_EQ(static_cast<const std::int32_t*>(table_.labels)[1], 7);
  EXPECT_EQ(table_.cells[1], 3);
  EXPECT_EQ(table_.centroid[1], 1.5);
  EXPECT_EQ(table_.second_moments[3], 0.25);
  EXPECT_EQ(table_.first[1], 1);
  EXPECT_EQ(table_.last[1], 2);
  EXPECT_EQ(table_.mass, nullptr);
  EXPECT_EQ(table_.mass_centroid, nullptr);
  EXPECT_EQ(table_.greatest_distance, nullptr);
  EXPECT_EQ(table_.mean_distance, nullptr);
}

TEST_F(CApiStatistics, FieldsAndOptions) {
  const double spacing[] = {2, 1};
  thiessen_site_statistics_options options;
  ASSERT_EQ(thiessen_site_statistics_options_init(&options, sizeof options), THIESSEN_OK);
  options.spacing = spacing;
  options.background.kind = THIESSEN_VALUE_NONE;
  options.nodata = thiessen_value_i64(2);
  fields_.field = fields_.distance = array(field_.data(), THIESSEN_F32);
  ASSERT_EQ(thiessen_site_statistics(context_, &labels_, &fields_, &options, &table_), THIESSEN_OK);
  ASSERT_EQ(table_.rows, 2);
  EXPECT_EQ(static_cast<const std::int32_t*>(table_.labels)[0], 0);
  EXPECT_EQ(table_.volume[1], 6);
  EXPECT_EQ(table_.mass[1], 6);
  EXPECT_EQ(table_.mass_centroid[2], 1);
  EXPECT_EQ(table_.greatest_distance[0], 9);
  EXPECT_EQ(table_.mean_distance[1], 2);
}

TEST_F(CApiStatistics, MemoryIsFreedOnce) {
  ASSERT_EQ(thiessen_site_statistics(context_, &labels_, nullptr, nullptr, &table_), THIESSEN_OK);
  thiessen_free_site_statistics(&table_);
  EXPECT_EQ(table_.memory, nullptr);
  EXPECT_EQ(table_.cells, nullptr);
  EXPECT_EQ(table_.size, sizeof table_);
  thiessen_free_site_statistics(&table_);
  thiessen_free_site_statistics(nullptr);
  thiessen_free_adjacency(nullptr);
}

TEST_F(CApiStatistics, Adjacency) {
  ASSERT_EQ(thiessen_adjacency(context_, &labels_, nullptr, &pairs_), THIESSEN_OK);
  ASSERT_EQ(pairs_.rows, 1);
  EXPECT_EQ(static_cast<const std::int32_t*>(pairs_.a)[0], 2);
  EXPECT_EQ(static_cast<const std::int32_t*>(pairs_.b)[0], 7);
  EXPECT_EQ(pairs_.contacts[0], 2);
  thiessen_free_adjacency(&pairs_);
  EXPECT_EQ(pairs_.contacts, nullptr);

  const double spacing[] = {2, 3};
  thiessen_adjacency_options options;
  ASSERT_EQ(thiessen_adjacency_options_init(&options, sizeof options), THIESSEN_OK);
  options.connectivity = THIESSEN_CORNERS;
  options.spacing = spacing;
  options.background.kind = THIESSEN_VALUE_NONE;
  ASSERT_EQ(thiessen_adjacency(context_, &labels_, &options, &pairs_), THIESSEN_OK);
  ASSERT_EQ(pairs_.rows, 3);
  EXPECT_EQ(pairs_.contacts[2], 4);
  EXPECT_EQ(pairs_.boundary[2], 5);
}

TEST_F(CApiStatistics, WrongArgumentsAreRefused) {
  expect_refused(thiessen_site_statistics(nullptr, &labels_, nullptr, nullptr, &table_),
                 "context is a null pointer");
  expect_refused(thiessen_site_statistics(context_, nullptr, nullptr, nullptr, &table_),
                 "labels is a null pointer");
  expect_refused(thiessen_site_statistics(context_, &labels_, nullptr, nullptr, nullptr),
                 "table is a null pointer");
  expect_refused(thiessen_adjacency(context_, &labels_, nullptr, nullptr),
                 "table is a null pointer");
  thiessen_adjacency_options options;
  ASSERT_EQ(thiessen_adjacency_options_init(&options, sizeof options), THIESSEN_OK);
  options.connectivity = 4;
  expect_refused(thiessen_adjacency(context_, &labels_, &options, &pairs_),
                 "connectivity = 4; must be 0 to 3");
  pairs_.size = 8;
  expect_refused(thiessen_adjacency(context_, &labels_, nullptr, &pairs_),
                 "table has the size 8; must be sizeof of the struct, at least " +
                     std::to_string(sizeof pairs_));
  fields_.distance = labels_;
  expect_refused(thiessen_site_statistics(context_, &labels_, &fields_, nullptr, &table_),
                 "distance is i32; must be f32 or f64");
  EXPECT_EQ(table_.memory, nullptr);
}

TEST_F(CApiStatistics, RegionsAreKeptUpToDate) {
  fields_.field = array(field_.data(), THIESSEN_F32);
  thiessen_region_statistics* regions = nullptr;
  ASSERT_EQ(thiessen_region_statistics_create(context_, &labels_, &fields_, nullptr, &regions),
            THIESSEN_OK);
  cells_[2] = 9;
  const std::int64_t cell = 2;
  const void* changed = nullptr;
  std::int64_t count = 0;
  ASSERT_EQ(thiessen_region_statistics_update(regions, &cell, 1, &changed, &count), THIESSEN_OK);
  ASSERT_EQ(count, 1);
  EXPECT_EQ(*static_cast<const std::int32_t*>(changed), 9);
  ASSERT_EQ(thiessen_region_statistics_table(regions, changed, count, &table_), THIESSEN_OK);
  ASSERT_EQ(table_.rows, 1);
  EXPECT_EQ(table_.mass[0], 9);
  thiessen_free_site_statistics(&table_);
  ASSERT_EQ(thiessen_region_statistics_table(regions, nullptr, 0, &table_), THIESSEN_OK);
  EXPECT_EQ(table_.rows, 3);
  ASSERT_EQ(thiessen_region_statistics_adjacency(regions, changed, count, &pairs_), THIESSEN_OK);
  EXPECT_EQ(pairs_.rows, 2);
  thiessen_free_adjacency(&pairs_);
  ASSERT_EQ(thiessen_region_statistics_adjacency(regions, nullptr, 0, &pairs_), THIESSEN_OK);
  EXPECT_EQ(pairs_.rows, 3);
  const std::int64_t wrong = 6;
  expect_refused(thiessen_region_statistics_update(regions, &wrong, 1, nullptr, nullptr),
                 "cells[0] = 6; must be from 0 to 5");
  expect_refused(thiessen_region_statistics_table(regions, changed, -1, &table_),
                 "label_count = -1; must be >= 0");
  expect_refused(thiessen_region_statistics_table(nullptr, nullptr, 0, &table_),
                 "regions is a null pointer");
  thiessen_region_statistics_destroy(regions);
  thiessen_region_statistics_destroy(nullptr);
}

}  // namespace
