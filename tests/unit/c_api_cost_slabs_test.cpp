// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "thiessen/slabs.h"

namespace {

constexpr std::int64_t kRows = 5;
constexpr std::int64_t kWidth = 3;
constexpr float kFar = std::numeric_limits<float>::infinity();

/// A raster of 5 x 3 cells in three slabs of 2, 2 and 1 rows.
class CApiCostSlabs : public testing::Test {
 protected:
  CApiCostSlabs() { EXPECT_EQ(thiessen_context_create(nullptr, &context_), THIESSEN_OK); }
  ~CApiCostSlabs() override { thiessen_context_destroy(context_); }

  static thiessen_array rows(void* data, thiessen_type type, std::int64_t count) {
    const std::int64_t extents[] = {count, kWidth};
    return thiessen_contiguous(data, type, 2, extents);
  }

  /// The slab from a row on, whose arrays are the rows in the middle of the whole ones.
  thiessen_cost_slab slab(std::int64_t first, std::int64_t count) {
    thiessen_slab place{};
    place.size = sizeof place;
    place.rank = 2;
    place.extents[0] = kRows;
    place.extents[1] = kWidth;
    place.first = first;
    std::int64_t begin = 0;
    std::int64_t held = 0;
    EXPECT_EQ(thiessen_cost_slab_rows(&place, count, THIESSEN_CORNERS, &begin, &held), THIESSEN_OK);
    const std::int64_t cell = begin * kWidth;
    thiessen_cost_slab slab{};
    slab.size = sizeof slab;
    slab.rank = 2;
    slab.extents[0] = kRows;
    slab.extents[1] = kWidth;
    slab.first = first;
    slab.count = count;
    slab.map = rows(map_.data() + cell, THIESSEN_F32, held);
    sites_of_slab_ = rows(sites_.data() + cell, THIESSEN_I32, held);
    slab.sites = &sites_of_slab_;
    slab.resistance = rows(resistance_.data() + cell, THIESSEN_F32, held);
    slab.cost = rows(cost_.data() + cell, THIESSEN_F32, held);
    slab.site_index = rows(site_.data() + cell, THIESSEN_I64, held);
    slab.labels = rows(label_.data() + cell, THIESSEN_I32, held);
    slab.hops = rows(hops_.data() + cell, THIESSEN_I64, held);
    return slab;
  }

  void solve(thiessen_cost_stage stage) {
    const std::int64_t heights[] = {2, 2, 1};
    thiessen_cost_slab_queue* queue = nullptr;
    ASSERT_EQ(thiessen_cost_slab_queue_create(heights, 3, &queue), THIESSEN_OK);
    for (;;) {
      std::int64_t next = 0;
      std::int32_t is_first = 0;
      ASSERT_EQ(thiessen_cost_slab_queue_next(queue, &next, &is_first), THIESSEN_OK);
      if (next < 0) break;
      const thiessen_cost_slab part = slab(2 * next, heights[next]);
      thiessen_cost_slab_report report{};
      report.size = sizeof report;
      const auto visit = is_first == 1 ? thiessen_begin_cost_slab : thiessen_continue_cost_slab;
      ASSERT_EQ(visit(context_, &part, nullptr, stage, &report), THIESSEN_OK)
          << thiessen_last_error();
      ASSERT_EQ(thiessen_cost_slab_queue_add(queue, next, &report), THIESSEN_OK);
    }
    thiessen_cost_slab_queue_destroy(queue);
  }

  thiessen_context* context_ = nullptr;
  std::vector<float> map_ = {1, 1, 0, 0, 1, 1, 1, 1, 0, 1, 0, 0, 1, 1, 1};
  std::vector<std::int32_t> sites_ = {7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9};
  std::vector<float> resistance_ = std::vector<float>(15);
  std::vector<float> cost_ = std::vector<float>(15, kFar);
  std::vector<std::int64_t> site_ = std::vector<std::int64_t>(15, -1);
  std::vector<std::int32_t> label_ = std::vector<std::int32_t>(15);
  std::vector<std::int64_t> hops_ = std::vector<std::int64_t>(15, -1);
  thiessen_array sites_of_slab_{};
};

TEST_F(CApiCostSlabs, EqualOneCall) {
  std::vector<std::int32_t> expected(15);
  std::vector<std::uint8_t> expected_links(15);
  thiessen_cost_distance_outputs outputs{};
  outputs.size = sizeof outputs;
  outputs.labels = rows(expected.data(), THIESSEN_I32, kRows);
  outputs.back_link = rows(expected_links.data(), THIESSEN_U8, kRows);
  const thiessen_array map = rows(map_.data(), THIESSEN_F32, kRows);
  const thiessen_array sites = rows(sites_.data(), THIESSEN_I32, kRows);
  ASSERT_EQ(thiessen_cost_distance(context_, &map, &sites, nullptr, nullptr, &outputs, nullptr),
            THIESSEN_OK);
  for (const thiessen_cost_stage stage :
       {THIESSEN_STAGE_COSTS, THIESSEN_STAGE_SITES, THIESSEN_STAGE_HOPS})
    solve(stage);
  std::vector<std::int32_t> labels(15);
  std::vector<std::uint8_t> links(15);
  for (std::int64_t first = 0; first < kRows; first += 2) {
    const std::int64_t count = first + 2 > kRows ? 1 : 2;
    const thiessen_cost_slab part = slab(first, count);
    outputs.labels = rows(labels.data() + first * kWidth, THIESSEN_I32, count);
    outputs.back_link = rows(links.data() + first * kWidth, THIESSEN_U8, count);
    EXPECT_EQ(thiessen_finish_cost_slab(context_, &part, nullptr, &outputs), THIESSEN_OK)
        << thiessen_last_error();
  }
  EXPECT_EQ(labels, expected);
  EXPECT_EQ(links, expected_links);
}

TEST_F(CApiCostSlabs, SayWhatIsWrong) {
  thiessen_cost_slab_report report{};
  report.size = sizeof report;
  const auto expect = [&](const thiessen_cost_slab& part, thiessen_cost_stage stage,
                          const std::string& text) {
    EXPECT_EQ(thiessen_begin_cost_slab(context_, &part, nullptr, stage, &report),
              THIESSEN_INVALID_ARGUMENT);
    EXPECT_NE(std::string(thiessen_last_error()).find(text), std::string::npos)
        << thiessen_last_error();
  };
  thiessen_cost_slab part = slab(2, 2);
  expect(part, 3, "stage = 3; must be 0 to 2");
  part.count = 4;
  expect(part, THIESSEN_STAGE_COSTS, "own are the rows 2 to 6; must lie in the raster");
  part = slab(2, 2);
  part.sites = nullptr;
  expect(part, THIESSEN_STAGE_COSTS, "sites are empty");
  part = slab(2, 2);
  part.map = rows(map_.data(), THIESSEN_F32, 2);
  expect(part, THIESSEN_STAGE_COSTS, "map has other extents than the slab with the rows beside it");
  part = slab(2, 2);
  part.cost = rows(site_.data(), THIESSEN_F64, 4);
  expect(part, THIESSEN_STAGE_COSTS, "cost is f64; must be distance_type, f32");
  part = slab(2, 2);
  part.resistance = {};
  expect(part, THIESSEN_STAGE_SITES, "resistance is empty");
  part = slab(2, 2);
  part.site_index = {};
  expect(part, THIESSEN_STAGE_SITES, "site_index is empty; the stage sites needs it");
  EXPECT_EQ(thiessen_cost_slab_queue_next(nullptr, nullptr, nullptr), THIESSEN_INVALID_ARGUMENT);
}

}  // namespace
