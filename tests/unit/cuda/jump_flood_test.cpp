// SPDX-License-Identifier: Apache-2.0
//
// Jump flooding on CUDA: divisions, packed sites, and which passes are done together.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/problem/flooding.hpp"
#include "core/problem/problem.hpp"
#include "cuda/flood/divider.hpp"
#include "cuda/flood/packing.hpp"
#include "cuda/flood/plan.hpp"
#include "cuda/flood/thrust_functors.hpp"
#include "support/draw.hpp"

namespace thiessen::cuda::flood {
namespace {

using testing::Draw;

/// Random numbers, and the greatest that may be divided.
TEST(CudaFloodDivider, DividesAsIntegersDo) {
  Draw draw(6);
  for (int round = 0; round < 2000; ++round) {
    const auto by = static_cast<std::int32_t>(1 + draw.below(std::int64_t{1} << draw.below(17)));
    const Divider divider(by);
    const std::int64_t end = std::min(std::int64_t{1} << 31, (std::int64_t{1} << 32) / by);
    for (int i = 0; i < 50; ++i) {
      const auto number = static_cast<std::int32_t>(i == 0 ? end - 1 : draw.below(end));
      ASSERT_EQ(divider.quotient(number), number / by) << number << " / " << by;
      ASSERT_EQ(divider.rest(number, number / by), number % by);
    }
  }
}

TEST(CudaFloodThrust, DividesAsIntegersAre) {
  Draw draw(4);
  constexpr std::int32_t kMost = 0x7FFFFFFF;
  for (int round = 0; round < 2000; ++round) {
    const std::int64_t bits = std::int64_t{1} << draw.below(31);
    const auto width = static_cast<std::int32_t>(1 + draw.below(bits));
    const RowDivision division(width);
    for (int i = 0; i < 100; ++i) {
      const auto row = static_cast<std::int32_t>(draw.below(std::int64_t{kMost / width} + 1));
      const std::int32_t first = row * width;
      const std::int32_t last = width - 1 < kMost - first ? first + (width - 1) : kMost;
      for (const std::int32_t cell : {first, last}) {
        ASSERT_EQ(division.row(cell), row) << cell << " / " << width;
        ASSERT_EQ(division.column(cell, row), cell - first);
      }
    }
  }
}

Problem problem_of(const Extents& extents, Metric metric, const std::vector<double>& spacing = {}) {
  NearestSiteOptions options;
  options.method = Method::jfa;
  options.metric = metric;
  options.spacing = spacing;
  std::uint8_t cell = 0;  // that nobody reads
  return make_problem(View<const void>(&cell, ElementType::u8, extents), options, {});
}

/// No site is farther away than any, where it is least and where it is most.
TEST(CudaFloodPacking, NoSiteLosesEverywhere) {
  const auto check = [](const Problem& problem, bool fits) {
    const auto packing = make_packing(problem);
    ASSERT_EQ(packing.has_value(), fits);
    if (!fits) return;
    const bool flat = problem.rank == 2;
    const Int128 far = packing->top(packing->none);
    const std::int64_t last = packing->extent[0] - 1;
    EXPECT_GT(far, last);
    EXPECT_GT(packing->none, packing->pack(packing->extent[0] - 1, packing->extent[1] - 1,
                                           packing->extent[2] - 1));
    const bool square = problem.metric == Metric::euclidean;
    const Int128 factor = problem.weights.factor[flat ? 1 : 0];
    EXPECT_GT(factor * (square ? (far - last) * (far - last) : far - last),
              problem.weights.greatest);
    EXPECT_LT(factor * (square ? far * far : far) + problem.weights.greatest, Int128{1} << 32);
  };
  for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chessboard}) {
    check(problem_of({16384, 16384}, metric), true);
    check(problem_of({1, 1}, metric), true);
    check(problem_of({1, 30000}, metric), true);
    check(problem_of({512, 512, 512}, metric), true);
    check(problem_of({1024, 1024, 1024}, metric), true);
    check(problem_of({1000, 700, 3}, metric, {3, 2, 7}), true);
    check(problem_of({65537, 3}, metric), false);
    check(problem_of({65536, 65536}, metric), false);
    check(problem_of({2000, 2000, 2000}, metric), false);
  }
  check(problem_of({32768, 32768}, Metric::euclidean), false);
  check(problem_of({23000, 23000}, Metric::euclidean), true);
}

/// Every cell is in one tile, and what a tile needs of the raster it has.
TEST(CudaFloodPlan, FewGroupsForLargeRasters) {
  const auto plan = [](const Extents& extents, std::int64_t room) {
    const Problem problem = problem_of(extents, Metric::euclidean);
    return plan_flooding(flooding_steps(*problem.flooding, problem.extent, 0),
                         make_packing(problem)->extents(),
                         {.cells = room, .blocks = 264, .warps = 16});
  };
  constexpr std::int64_t kRoom = 14000;
  const auto large = plan({16384, 16384}, kRoom);
  EXPECT_LE(large.size(), 6u);
  for (const std::int32_t halo : large[0].halo) EXPECT_EQ(halo, 0);
  EXPECT_LE(plan({1280, 1280}, kRoom).size(), 4u);
  EXPECT_EQ(plan({1, 1}, kRoom).size(), 1u);
  std::int64_t passes = 0;
  for (const FloodGroup& group : plan({512, 512, 512}, kRoom)) passes += group.passes;
  EXPECT_EQ(passes, 9);
}

}  // namespace
}  // namespace thiessen::cuda::flood
