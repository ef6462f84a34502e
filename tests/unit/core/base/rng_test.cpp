// SPDX-License-Identifier: Apache-2.0
#include "core/base/rng.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace thiessen {
namespace {

// First outputs of the published SplitMix64 for seed 1234567.
TEST(SplitMix64, GoldenValues) {
  const std::uint64_t golden[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                  4593380528125082431u, 16408922859458223821u};
  for (std::uint64_t i = 0; i < 5; ++i) EXPECT_EQ(splitmix64(1234567, i), golden[i]);
}

TEST(PermutationTest, HitsEveryNumberOnce) {
  for (const std::uint64_t count : {1u, 2u, 3u, 4u, 5u, 16u, 17u, 255u, 256u, 257u, 4099u}) {
    const Permutation permutation(count, 7);
    std::vector<bool> hit(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t image = permutation(i);
      ASSERT_LT(image, count);
      EXPECT_FALSE(hit[image]);
      EXPECT_EQ(permutation.inverse(image), i);
      hit[image] = true;
    }
  }
}

TEST(PermutationTest, HugeRangesStayInside) {
  const std::uint64_t count = (std::uint64_t{1} << 62) + 12345;
  const Permutation permutation(count, 7);
  for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_LT(permutation(i * 1234567891), count);
}

/// A seed gives this permutation on every machine.
TEST(PermutationTest, GoldenValues) {
  const Permutation permutation(1000, 1);
  const std::uint64_t golden[] = {391, 417, 76, 78, 957, 77, 114, 558};
  for (std::uint64_t i = 0; i < 8; ++i) EXPECT_EQ(permutation(i), golden[i]);
}

/// The first draws lie everywhere in the range.
TEST(PermutationTest, SpreadsEvenly) {
  // 64 bins of a 64 x 64 raster with 1024 draws: 16 expected in each, standard deviation below 4.
  const Permutation permutation(4096, 99);
  std::vector<int> bins(64);
  for (std::uint64_t i = 0; i < 1024; ++i) {
    const std::uint64_t cell = permutation(i);
    ++bins[cell / 64 / 8 * 8 + cell % 64 / 8];
  }
  for (const int count : bins) {
    EXPECT_GT(count, 1);
    EXPECT_LT(count, 35);
  }
}

}  // namespace
}  // namespace thiessen
