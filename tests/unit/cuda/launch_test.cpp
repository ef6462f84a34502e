// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "cuda/device/grid.hpp"

namespace thiessen::cuda {
namespace {

TEST(CudaLaunchTest, TheLastPartMayBeSmaller) {
  EXPECT_EQ(parts(0, 32), 0);
  EXPECT_EQ(parts(1, 32), 1);
  EXPECT_EQ(parts(32, 32), 1);
  EXPECT_EQ(parts(33, 32), 2);
  EXPECT_EQ(parts((std::int64_t{1} << 60) - 1, 256), std::int64_t{1} << 52);
}

TEST(CudaLaunchTest, AGridHasLessThanTwoToThe31Blocks) {
  EXPECT_EQ(blocks_for(1, 8), 1U);
  EXPECT_EQ(blocks_for((std::int64_t{1} << 31) - 1, 1), (1U << 31) - 1);
  try {
    blocks_for((std::int64_t{1} << 34) - 7, 8);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_NE(std::string(error.what()).find("2147483648 blocks"), std::string::npos);
  }
}

}  // namespace
}  // namespace thiessen::cuda
