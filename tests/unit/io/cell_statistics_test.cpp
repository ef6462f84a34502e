// SPDX-License-Identifier: Apache-2.0
#include "io/raster/cell_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace thiessen::io {
namespace {

/// One cell after the other, in two passes.
template <class T>
CellStatistics plain(const std::vector<T>& cells, const std::optional<T>& nodata) {
  std::vector<double> counted;
  for (const T cell : cells)
    if (std::isfinite(static_cast<double>(cell)) && (!nodata || cell != *nodata))
      counted.push_back(static_cast<double>(cell));
  if (counted.empty()) return {};
  long double sum = 0;
  for (const double cell : counted) sum += cell;
  const long double mean = sum / static_cast<long double>(counted.size());
  long double squares = 0;
  for (const double cell : counted) squares += (cell - mean) * (cell - mean);
  return {.count = std::ssize(counted),
          .least = *std::min_element(counted.begin(), counted.end()),
          .greatest = *std::max_element(counted.begin(), counted.end()),
          .mean = static_cast<double>(mean),
          .squares = static_cast<double>(squares)};
}

template <class T>
void compare(const std::vector<T>& cells, const std::optional<T>& nodata) {
  const CellStatistics expected = plain(cells, nodata);
  const CellStatistics found = statistics_of(cells.data(), std::ssize(cells), nodata);
  EXPECT_EQ(found.count, expected.count);
  EXPECT_EQ(found.least, expected.least);
  EXPECT_EQ(found.greatest, expected.greatest);
  EXPECT_NEAR(found.mean, expected.mean, 1e-12 * (1 + std::abs(expected.mean)));
  // A mean is a double, and pieces are merged by theirs.
  EXPECT_NEAR(found.squares, expected.squares, 1e-6 * (1 + expected.squares));
}

template <class T>
void compare_lengths(T offset) {
  std::mt19937 random(7);
  for (const std::size_t length : {0U, 1U, 7U, 8U, 9U, 511U, 512U, 513U, 1300U}) {
    std::vector<T> cells(length);
    for (T& cell : cells) cell = static_cast<T>(offset + static_cast<T>(random() % 50));
    compare<T>(cells, std::nullopt);
    compare<T>(cells, static_cast<T>(offset + T{3}));
  }
}

TEST(CellStatistics, EqualsTwoPlainPasses) {
  compare_lengths<std::uint8_t>(0);
  compare_lengths<std::int8_t>(-20);
  compare_lengths<std::int16_t>(-3000);
  compare_lengths<std::uint32_t>(4'000'000'000);
  compare_lengths<std::int64_t>(std::int64_t{1} << 40);
  compare_lengths<float>(1e6F);
  compare_lengths<double>(-1e9);
}

TEST(CellStatistics, LeavesOutWhatIsNoNumber) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  compare<float>({NAN, kInfinity, 2, -kInfinity, -9999, 4}, -9999.0F);
  compare<float>({NAN, kInfinity, 2}, NAN);
  compare<float>({NAN, -kInfinity}, std::nullopt);
  compare<std::uint8_t>({7, 7, 7}, std::uint8_t{7});
}

TEST(CellStatistics, KnowsNodataOf64BitsFromItsNeighbours) {
  constexpr std::int64_t kLarge = std::int64_t{1} << 60;
  compare<std::int64_t>({kLarge, kLarge + 1, kLarge + 2}, kLarge + 1);
}

}  // namespace
}  // namespace thiessen::io
