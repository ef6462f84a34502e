// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "support/draw.hpp"

namespace thiessen {
namespace {

using testing::Draw;

template <class T>
double sum_of(const std::vector<T>& values) {
  ExactSum<T> sum;
  for (const T value : values) sum.add(value);
  return sum.value();
}

/// A finite number with any bits.
template <class T>
T any_number(Draw& draw) {
  while (true) {
    const auto bits = static_cast<typename FloatBits<T>::Bits>(
        (static_cast<std::uint64_t>(draw.below(std::int64_t{1} << 32)) << 32) ^
        static_cast<std::uint64_t>(draw.below(std::int64_t{1} << 40)));
    T value;
    std::memcpy(&value, &bits, sizeof value);
    if (std::isfinite(value)) return value;
  }
}

TEST(ExactSum, NothingIsZero) {
  EXPECT_EQ(ExactSum<float>().value(), 0);
  EXPECT_EQ(ExactSum<double>().value(), 0);
  EXPECT_FALSE(std::signbit(sum_of<double>({1.5, -1.5})));
}

TEST(ExactSum, OneNumberIsItself) {
  Draw draw(1);
  for (int i = 0; i < 10000; ++i) {
    const double wide = any_number<double>(draw);
    EXPECT_EQ(sum_of<double>({wide}), wide);
    const auto narrow = any_number<float>(draw);
    EXPECT_EQ(sum_of<float>({narrow}), static_cast<double>(narrow));
  }
  for (const double value :
       {std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max(),
        std::numeric_limits<double>::min(), 0x1.fffffffffffffp-1023})
    EXPECT_EQ(sum_of<double>({-value}), -value);
}

TEST(ExactSum, WhatCancelsLeavesTheRest) {
  EXPECT_EQ(sum_of<double>({1e308, 1, -1e308}), 1);
  EXPECT_EQ(sum_of<double>({1e308, 5e-324, 1e308, -1e308, -1e308}), 5e-324);
  EXPECT_EQ(sum_of<float>({1e38f, 1e-45f, -1e38f}), static_cast<double>(1e-45f));
}

TEST(ExactSum, TheSumIsRoundedHalfToEven) {
  const double half = 0x1p-53;
  EXPECT_EQ(sum_of<double>({1, half}), 1);
  EXPECT_EQ(sum_of<double>({1 + 2 * half, half}), 1 + 4 * half);
  EXPECT_EQ(sum_of<double>({1, half, 5e-324}), 1 + 2 * half);
  EXPECT_EQ(sum_of<double>({-1, -half, -5e-324}), -1 - 2 * half);
  EXPECT_EQ(sum_of<double>({2, -half, -0x1p-200}), 2 - 2 * half);
}

TEST(ExactSum, BeyondTheGreatestIsInfinite) {
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(sum_of<double>({most, most}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(sum_of<double>({most, most, -most, -most, 3}), 3);
}

TEST(ExactSum, TheOrderDoesNotMatterAndSubtractionUndoes) {
  Draw draw(2);
  for (int round = 0; round < 100; ++round) {
    std::vector<double> values;
    for (int i = 0; i < 50; ++i) values.push_back(any_number<double>(draw));
    ExactSum<double> forwards;
    for (const double value : values) forwards.add(value);
    ExactSum<double> parts[2];
    for (const double value : values) parts[draw.below(2)].add(value);
    ExactSum<double> together = parts[0];
    together.add(parts[1]);
    EXPECT_EQ(forwards, together);
    std::reverse(values.begin(), values.end());
    for (const double value : values) forwards.subtract(value);
    EXPECT_EQ(forwards, ExactSum<double>());
  }
}

TEST(ExactSum, ProductsWithIntegersAreExact) {
  Draw draw(3);
  ExactSum<float> sum;
  Int128 expected = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto value = static_cast<float>(draw.below(1 << 24) - (1 << 23));
    const std::int64_t factor = draw.below(std::int64_t{1} << 30);
    sum.add(value, factor);
    expected += static_cast<Int128>(value) * factor;
  }
  const double nearest = static_cast<double>(expected);  // rounded half to even, too
  EXPECT_EQ(sum.value(), nearest);
}

TEST(ExactSum, RatiosNeedNoDoubles) {
  ExactSum<double> above;
  ExactSum<double> below;
  for (int i = 0; i < 8; ++i) {
    above.add(1e308, 3);
    below.add(1e308, 2);
  }
  EXPECT_EQ(ratio(above.rounded(), below.rounded()), 1.5);
  EXPECT_TRUE(std::isnan(ratio(above.rounded(), ScaledNumber{})));
}

/// A value of 128 bits at any place of the words.
TEST(ExactSum, WordsCarryAndBorrow) {
  std::uint64_t words[5] = {};
  const Int128 large = (static_cast<Int128>(1) << 126) - 1;
  for (int shift = 0; shift < 190; ++shift) {
    add_to_words(words, 5, large, shift);
    add_to_words(words, 5, -large, shift);
    for (const std::uint64_t word : words) EXPECT_EQ(word, 0u) << shift;
  }
  add_to_words(words, 5, -1, 0);
  for (const std::uint64_t word : words) EXPECT_EQ(word, ~std::uint64_t{0});
  add_to_words(words, 5, 1, 0);
  for (const std::uint64_t word : words) EXPECT_EQ(word, 0u);
}

}  // namespace
}  // namespace thiessen
