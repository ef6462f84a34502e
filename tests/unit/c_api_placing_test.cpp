// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "thiessen/thiessen.h"

namespace {

class CApiPlacing : public testing::Test {
 protected:
  CApiPlacing() {
    EXPECT_EQ(thiessen_context_create(nullptr, &context_), THIESSEN_OK);
    relaxation_.size = sizeof relaxation_;
    table_.size = sizeof table_;
    thiessen_relax_options_init(&relax_, sizeof relax_);
    thiessen_farthest_options_init(&farthest_, sizeof farthest_);
  }
  ~CApiPlacing() override {
    thiessen_free_relaxation(&relaxation_);
    thiessen_free_farthest_sites(&table_);
    thiessen_context_destroy(context_);
  }

  static thiessen_array array(const void* data, thiessen_type type, std::int64_t rows,
                              std::int64_t columns) {
    const std::int64_t extents[] = {rows, columns};
    return thiessen_contiguous(data, type, 2, extents);
  }

  void expect_refused(thiessen_status status, const std::string& words) {
    EXPECT_EQ(status, THIESSEN_INVALID_ARGUMENT) << words;
    EXPECT_EQ(std::string(thiessen_last_error()), words);
  }

  thiessen_context* context_ = nullptr;
  const std::int64_t extents_[2] = {2, 4};
  std::vector<double> coordinates_ = {0, 0, 0, 1};
  std::vector<float> values_ = std::vector<float>(8, 1.0F);
  thiessen_array points_ = array(coordinates_.data(), THIESSEN_F64, 2, 2);
  thiessen_array map_ = array(values_.data(), THIESSEN_F32, 2, 4);
  thiessen_relax_options relax_{};
  thiessen_farthest_options farthest_{};
  thiessen_relaxation relaxation_{};
  thiessen_farthest_table table_{};
};

TEST_F(CApiPlacing, PointsAreRelaxed) {
  const double spacing[] = {2, 1};
  relax_.spacing = spacing;
  ASSERT_EQ(thiessen_relax_sites(context_, &points_, 2, extents_, &relax_, nullptr, nullptr,
                                 &relaxation_),
            THIESSEN_OK)
      << thiessen_last_error();
  ASSERT_EQ(relaxation_.sites, 2);
  EXPECT_EQ(relaxation_.coordinates[2], 0.5);
  EXPECT_EQ(relaxation_.coordinates[3], 2.5);
  EXPECT_EQ(relaxation_.cells, nullptr);
  EXPECT_EQ(relaxation_.end, THIESSEN_RELAX_SETTLED);
  EXPECT_EQ(relaxation_.farthest_move[relaxation_.steps - 1], 0);
  EXPECT_EQ(relaxation_.energy[relaxation_.steps], 8 * 1.25);
}

TEST_F(CApiPlacing, AxesArePeriodic) {
  const std::int32_t periodic[] = {0, 1};
  farthest_.periodic = periodic;
  farthest_.count = 2;
  ASSERT_EQ(thiessen_farthest_sites(context_, 2, extents_, &farthest_, nullptr, nullptr, nullptr,
                                    &table_),
            THIESSEN_OK)
      << thiessen_last_error();
  ASSERT_EQ(table_.rows, 2);
  EXPECT_EQ(table_.cells[1], 6);
  const std::int32_t wrong[] = {0, 2};
  relax_.periodic = wrong;
  expect_refused(thiessen_relax_sites(context_, &points_, 2, extents_, &relax_, nullptr, nullptr,
                                      &relaxation_),
                 "periodic[1] = 2; must be 0 or 1");
}

TEST_F(CApiPlacing, CellsAreRelaxedByCost) {
  const std::int64_t cells[] = {0, 1};
  ASSERT_EQ(
      thiessen_relax_cost_sites(context_, &map_, cells, 2, nullptr, nullptr, &map_, &relaxation_),
      THIESSEN_OK)
      << thiessen_last_error();
  ASSERT_EQ(relaxation_.sites, 2);
  EXPECT_EQ(relaxation_.coordinates, nullptr);
  EXPECT_EQ(relaxation_.cells[0], 0);
  EXPECT_EQ(relaxation_.cells[1], 2);
  thiessen_free_relaxation(&relaxation_);
  EXPECT_EQ(relaxation_.cells, nullptr);
  EXPECT_EQ(relaxation_.size, sizeof relaxation_);
}

TEST_F(CApiPlacing, FarthestCellsGetSites) {
  farthest_.count = 2;
  ASSERT_EQ(thiessen_farthest_sites(context_, 2, extents_, &farthest_, nullptr, nullptr, nullptr,
                                    &table_),
            THIESSEN_OK)
      << thiessen_last_error();
  ASSERT_EQ(table_.rows, 2);
  EXPECT_EQ(table_.cells[0], 0);
  EXPECT_EQ(table_.cells[1], 7);
  thiessen_free_farthest_sites(&table_);
  const std::int64_t cells[] = {0};
  ASSERT_EQ(thiessen_farthest_cost_sites(context_, &map_, nullptr, &farthest_, cells, 1, nullptr,
                                         &table_),
            THIESSEN_OK)
      << thiessen_last_error();
  ASSERT_EQ(table_.rows, 2);
  EXPECT_EQ(table_.cells[0], 7);
}

TEST_F(CApiPlacing, BadArgumentsAreRefused) {
  expect_refused(
      thiessen_relax_sites(context_, nullptr, 2, extents_, nullptr, nullptr, nullptr, &relaxation_),
      "points is a null pointer");
  expect_refused(
      thiessen_farthest_sites(context_, 4, extents_, nullptr, nullptr, nullptr, nullptr, &table_),
      "rank = 4; must be 2 or 3");
  const double spacing[] = {2, 1};
  farthest_.spacing = spacing;
  expect_refused(thiessen_farthest_cost_sites(context_, &map_, nullptr, &farthest_, nullptr, 0,
                                              nullptr, &table_),
                 "spacing is given in options; that of cost counts");
  relax_.steps = -3;
  expect_refused(thiessen_relax_cost_sites(context_, &map_, nullptr, 0, nullptr, &relax_, nullptr,
                                           &relaxation_),
                 "steps = -3; must be >= 0");
  table_.size = 8;
  expect_refused(
      thiessen_farthest_sites(context_, 2, extents_, nullptr, nullptr, nullptr, nullptr, &table_),
      "table has the size 8; must be sizeof of the struct, at least " +
          std::to_string(sizeof table_));
  table_.size = sizeof table_;
  EXPECT_EQ(table_.memory, nullptr);
  EXPECT_EQ(relaxation_.memory, nullptr);
}

}  // namespace
