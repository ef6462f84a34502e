// SPDX-License-Identifier: Apache-2.0
#include "core/base/scratch.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "thiessen/error.hpp"

namespace thiessen {
namespace {

TEST(ScratchTest, TheSameRequestsFindTheSameBlocks) {
  Scratch scratch;
  double* first = nullptr;
  char* second = nullptr;
  {
    Scratch::Frame frame(scratch);
    first = frame.array<double>(100);
    second = frame.array<char>(10);
  }
  const std::size_t bytes = scratch.bytes();
  EXPECT_EQ(bytes, 810u);
  {
    Scratch::Frame frame(scratch);
    EXPECT_EQ(frame.array<double>(100), first);
    EXPECT_EQ(frame.array<char>(5), second);
  }
  EXPECT_EQ(scratch.bytes(), bytes);
}

/// An inner frame leaves the arrays of the outer one alone.
TEST(ScratchTest, FramesNest) {
  Scratch scratch;
  Scratch::Frame outer(scratch);
  auto* kept = outer.array<int>(4);
  kept[3] = 42;
  {
    Scratch::Frame inner(scratch);
    EXPECT_NE(inner.array<int>(4), kept);
  }
  EXPECT_EQ(kept[3], 42);
}

TEST(ScratchTest, BlocksAreAlignedToCacheLines) {
  Scratch scratch;
  Scratch::Frame frame(scratch);
  for (const std::int64_t count : {1, 3, 64, 1000})
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(frame.array<char>(count)) % 64, 0u);
}

TEST(ScratchTest, ReleaseGivesAllBack) {
  Scratch scratch;
  { Scratch::Frame(scratch).array<int>(1000); }
  scratch.release();
  EXPECT_EQ(scratch.bytes(), 0u);
}

TEST(ScratchTest, TooMuchIsAnError) {
  Scratch scratch;
  Scratch::Frame frame(scratch);
  EXPECT_THROW(frame.array<double>(std::numeric_limits<std::int64_t>::max()), Error);
  EXPECT_THROW(frame.array<char>(std::int64_t{1} << 62), Error);
}

}  // namespace
}  // namespace thiessen
