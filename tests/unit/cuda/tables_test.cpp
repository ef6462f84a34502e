// SPDX-License-Identifier: Apache-2.0
//
// Tables of the dense and of the near search.
#include "cuda/tiles/dense/tables.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "cuda/tiles/near/tables.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::cuda::tiles {
namespace {

TEST(CudaDenseTables, AreNoneWhereTheyCannotHelp) {
  const Raster raster(ElementType::u8, {10, 10});
  EXPECT_GT(make_dense_tables(make_problem(raster.view(), {}, {})).count, 200);
  EXPECT_EQ(make_dense_tables(make_problem(raster.view(), {.spacing = {0.0001, 1}}, {})).count, 0);
}

TEST(CudaWindowTables, AreNoneWhereTheyCannotHelp) {
  const Raster raster(ElementType::u8, {10, 10});
  const auto levels = [&](const NearestSiteOptions& options) {
    return make_window_tables(make_problem(raster.view(), options, {})).levels;
  };
  EXPECT_GT(levels({}), 10);
  EXPECT_EQ(levels({.spacing = {0.0001, 1}}), 0);
}

TEST(CudaWindowTables, WindowsHoldEverySiteWithinTheirBound) {
  const Raster raster(ElementType::u8, {10, 10, 10});
  const WindowTables tables =
      make_window_tables(make_problem(raster.view(), {.spacing = {3, 2, 1}}, {}));
  ASSERT_GT(tables.levels, 0);
  for (int i = 0; i < tables.levels; ++i) {
    const Level& level = tables.level[i];
    std::int32_t offsets = 0;
    for (std::int32_t z = -60; z <= 60; ++z)
      for (std::int32_t y = -60; y <= 60; ++y)
        for (std::int32_t x = -60; x <= 60; ++x) {
          if (9 * z * z + 4 * y * y + x * x > level.bound) continue;
          ++offsets;
          EXPECT_LE(std::abs(z), level.margin[0]);
          EXPECT_LE(std::abs(y), level.margin[1]);
          EXPECT_LE(std::abs(x), level.margin[2]);
        }
    EXPECT_EQ(level.offsets, offsets);
    if (i > 0) {
      EXPECT_GT(level.bound, tables.level[i - 1].bound);
    }
  }
}

}  // namespace
}  // namespace thiessen::cuda::tiles
