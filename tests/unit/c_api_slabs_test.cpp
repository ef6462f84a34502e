// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "thiessen/slabs.h"
#include "thiessen/slabs.hpp"

namespace {

class CApiSlabs : public testing::Test {
 protected:
  CApiSlabs() { EXPECT_EQ(thiessen_context_create(nullptr, &context_), THIESSEN_OK); }
  ~CApiSlabs() override { thiessen_context_destroy(context_); }

  static thiessen_array rows(void* data, thiessen_type type, std::int64_t count) {
    const std::int64_t extents[] = {count, 3};
    return thiessen_contiguous(data, type, 2, extents);
  }
  static thiessen_slab slab(std::int64_t first) {
    thiessen_slab slab{};
    slab.size = sizeof slab;
    slab.rank = 2;
    slab.extents[0] = 4;
    slab.extents[1] = 3;
    slab.first = first;
    return slab;
  }

  thiessen_context* context_ = nullptr;
  std::vector<std::int32_t> cells_ = {0, 0, 7, 0, 0, 0, 0, 0, 0, 5, 0, 0};
};

TEST_F(CApiSlabs, EqualOneCall) {
  std::vector<std::int32_t> expected(12);
  std::vector<std::int32_t> labels(12);
  thiessen_nearest_site_outputs outputs{};
  outputs.size = sizeof outputs;
  outputs.labels = rows(expected.data(), THIESSEN_I32, 4);
  const thiessen_array whole = rows(cells_.data(), THIESSEN_I32, 4);
  ASSERT_EQ(thiessen_nearest_site(context_, &whole, nullptr, &outputs, nullptr), THIESSEN_OK);

  thiessen_bytes summaries[2];
  thiessen_bytes neighbours[2];
  for (std::int64_t k = 0; k < 2; ++k) {
    const thiessen_array part = rows(cells_.data() + 6 * k, THIESSEN_I32, 2);
    const thiessen_slab place = slab(2 * k);
    ASSERT_EQ(thiessen_summarise_slab(context_, &part, &place, nullptr, &summaries[k]),
              THIESSEN_OK);
  }
  const thiessen_slab raster = slab(0);
  thiessen_bytes joined;
  ASSERT_EQ(thiessen_join_slabs(&summaries[0], &summaries[1], &joined), THIESSEN_OK);
  EXPECT_EQ(joined.size, summaries[0].size);
  thiessen_free_bytes(&joined);
  ASSERT_EQ(thiessen_combine_slabs(summaries, 2, &raster, nullptr, neighbours), THIESSEN_OK);
  for (std::int64_t k = 0; k < 2; ++k) {
    const thiessen_array part = rows(cells_.data() + 6 * k, THIESSEN_I32, 2);
    const thiessen_slab place = slab(2 * k);
    outputs.labels = rows(labels.data() + 6 * k, THIESSEN_I32, 2);
    EXPECT_EQ(
        thiessen_finish_slab(context_, &part, &place, nullptr, &neighbours[k], &outputs, nullptr),
        THIESSEN_OK);
    thiessen_free_bytes(&summaries[k]);
    thiessen_free_bytes(&neighbours[k]);
    EXPECT_EQ(summaries[k].data, nullptr);
  }
  EXPECT_EQ(labels, expected);
}

TEST_F(CApiSlabs, SolveRowsOfAGridOfPoints) {
  double coordinates[] = {0, 2, 3, 0};
  const std::int64_t extents[] = {2, 2};
  thiessen_points points{};
  points.size = sizeof points;
  points.coordinates = thiessen_contiguous(coordinates, THIESSEN_F64, 2, extents);
  std::vector<std::int32_t> labels(6);
  thiessen_nearest_site_outputs outputs{};
  outputs.size = sizeof outputs;
  outputs.labels = rows(labels.data(), THIESSEN_I32, 2);
  const thiessen_slab place = slab(2);
  ASSERT_EQ(thiessen_voronoi_slab(context_, &points, &place, 2, nullptr, &outputs, nullptr),
            THIESSEN_OK);
  EXPECT_EQ(labels, (std::vector<std::int32_t>{2, 2, 1, 2, 2, 2}));
}

TEST_F(CApiSlabs, NumberComponents) {
  std::vector<std::uint8_t> image = {1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 1};
  std::vector<std::int32_t> labels(12);
  thiessen_bytes summaries[2];
  thiessen_bytes numbers[2];
  for (std::int64_t k = 0; k < 2; ++k) {
    const thiessen_array part = rows(image.data() + 6 * k, THIESSEN_U8, 2);
    const thiessen_array own = rows(labels.data() + 6 * k, THIESSEN_I32, 2);
    ASSERT_EQ(thiessen_summarise_components(context_, &part, nullptr, &own, &summaries[k]),
              THIESSEN_OK);
  }
  const thiessen_slab raster = slab(0);
  ASSERT_EQ(thiessen_combine_components(summaries, 2, &raster, nullptr, numbers), THIESSEN_OK);
  for (std::int64_t k = 0; k < 2; ++k) {
    const thiessen_array own = rows(labels.data() + 6 * k, THIESSEN_I32, 2);
    std::int64_t count = 0;
    EXPECT_EQ(thiessen_number_components(&numbers[k], &own, &count), THIESSEN_OK);
    EXPECT_EQ(count, 4);
    EXPECT_EQ(thiessen_number_components(&summaries[k], &own, nullptr), THIESSEN_INVALID_ARGUMENT);
    thiessen_free_bytes(&summaries[k]);
    thiessen_free_bytes(&numbers[k]);
  }
  EXPECT_EQ(labels, (std::vector<std::int32_t>{1, 0, 2, 0, 0, 0, 0, 0, 3, 4, 0, 3}));
}

TEST_F(CApiSlabs, SayWhatIsWrong) {
  const thiessen_array part = rows(cells_.data(), THIESSEN_I32, 2);
  thiessen_slab place = slab(3);
  thiessen_bytes summary;
  EXPECT_EQ(thiessen_summarise_slab(context_, &part, &place, nullptr, &summary),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(thiessen_last_error()),
            "slab begins at 3 and has 2 rows or planes; must lie within the 4 of the raster");
  place.rank = 5;
  EXPECT_EQ(thiessen_summarise_slab(context_, &part, &place, nullptr, &summary),
            THIESSEN_INVALID_ARGUMENT);
  place = slab(0);
  ASSERT_EQ(thiessen_summarise_slab(context_, &part, &place, nullptr, &summary), THIESSEN_OK);
  thiessen_nearest_site_outputs outputs{};
  outputs.size = sizeof outputs;
  EXPECT_EQ(thiessen_finish_slab(context_, &part, &place, nullptr, &summary, &outputs, nullptr),
            THIESSEN_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(thiessen_last_error()),
            "neighbours has bytes that no function of slabs gave");
  thiessen_free_bytes(&summary);
  thiessen_free_bytes(nullptr);
}

TEST(SlabBytes, GiveBackWhatTheyHold) {
  thiessen::SlabSummary summary;
  summary.first.site = {1, 2};
  summary.first.labels = {std::byte{3}, std::byte{4}};
  summary.last.row = 9;
  summary.sites = 5;
  const std::vector<std::byte> bytes = thiessen::slab_bytes(summary);
  EXPECT_EQ(thiessen::slab_summary(bytes), summary);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(thiessen::slab_summary({bytes.data(), size}), thiessen::Error) << size;
  std::vector<std::byte> wrong = bytes;
  wrong[23] = std::byte{0x7f};  // the type of the sites
  EXPECT_THROW(thiessen::slab_summary(wrong), thiessen::Error);
  wrong = bytes;
  wrong[39] = std::byte{0x7f};  // the bytes of a vector
  EXPECT_THROW(thiessen::slab_summary(wrong), thiessen::Error);
}

}  // namespace
