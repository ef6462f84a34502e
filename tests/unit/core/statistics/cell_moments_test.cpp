// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/cell_moments.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "support/draw.hpp"

namespace thiessen {
namespace {

using testing::Draw;

/// The sums of single cells.
template <int kRank>
CellMoments<kRank> by_cells(std::array<std::int64_t, kRank> cell, std::int64_t length) {
  CellMoments<kRank> all;
  for (std::int64_t k = 0; k < length; ++k, ++cell[kRank - 1]) {
    all.cells += 1;
    for (int i = 0; i < kRank; ++i) {
      const auto at = static_cast<UInt128>(cell[static_cast<std::size_t>(i)]);
      all.sum[i] += at;
      for (int j = i; j < kRank; ++j)
        all.product[CellMoments<kRank>::place(i, j)] +=
            at * static_cast<UInt128>(cell[static_cast<std::size_t>(j)]);
    }
  }
  return all;
}

template <int kRank, class Sum>
void expect_same(const CellMoments<kRank, Sum>& moments, const CellMoments<kRank>& expected) {
  EXPECT_EQ(moments.cells, expected.cells);
  for (int i = 0; i < kRank; ++i)
    EXPECT_TRUE(static_cast<UInt128>(moments.sum[i]) == expected.sum[i]) << i;
  for (int i = 0; i < CellMoments<kRank>::kProducts; ++i)
    EXPECT_TRUE(static_cast<UInt128>(moments.product[i]) == expected.product[i]) << i;
}

template <int kRank, class Sum>
void expect_runs_are_cells(std::int64_t extent) {
  Draw draw(static_cast<std::uint64_t>(extent) + kRank);
  CellMoments<kRank, Sum> moments;
  CellMoments<kRank> expected;
  for (int round = 0; round < 30; ++round) {
    std::array<std::int64_t, kRank> cell{};
    for (std::int64_t& each : cell) each = draw.below(extent);
    const std::int64_t length = 1 + draw.below(100);
    moments.add_run(cell, length);
    expected.add(by_cells<kRank>(cell, length));
  }
  expect_same(moments, expected);
  moments.subtract(moments);
  expect_same(moments, {});
}

TEST(CellMoments, RunsAreTheSumsOfTheirCells) {
  expect_runs_are_cells<2, std::uint64_t>(1 << 18);
  expect_runs_are_cells<3, std::uint64_t>(1 << 18);
  expect_runs_are_cells<2, UInt128>((1 << 30) - 100);
  expect_runs_are_cells<3, UInt128>((1 << 30) - 100);
}

/// Moments far away from the first cell are those of the same cells near it, bit for bit.
TEST(CellMoments, CentralMomentsDoNotCancel) {
  constexpr std::int64_t kFar = (1 << 30) - 50;
  CellMoments<2> near;
  CellMoments<2> far;
  CellMoments<2, std::uint64_t> narrow;
  Draw draw(5);
  for (int i = 0; i < 20; ++i) {
    const std::int64_t y = draw.below(20);
    const std::int64_t x = draw.below(20);
    near.add_run({y, x}, 7);
    narrow.add_run({y, x}, 7);
    far.add_run({kFar + y, kFar + x}, 7);
  }
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(narrow.to_double(narrow.mean(i)), near.to_double(near.mean(i)));
    for (int j = i; j < 2; ++j) {
      EXPECT_EQ(far.central(i, j, far.mean(i), far.mean(j)),
                near.central(i, j, near.mean(i), near.mean(j)));
      EXPECT_EQ(narrow.central(i, j, narrow.mean(i), narrow.mean(j)),
                near.central(i, j, near.mean(i), near.mean(j)));
    }
  }
}

/// Two cells side by side, one on a diagonal, three in a row.
TEST(CellMoments, SmallRegions) {
  CellMoments<2> pair;
  pair.add_run({3, 4}, 2);
  EXPECT_EQ(pair.to_double(pair.mean(1)), 4.5);
  EXPECT_EQ(pair.central(1, 1, pair.mean(1), pair.mean(1)), 0.25);
  EXPECT_EQ(pair.central(0, 0, pair.mean(0), pair.mean(0)), 0);
  CellMoments<2> diagonal;
  diagonal.add_run({0, 1}, 1);
  diagonal.add_run({1, 0}, 1);
  EXPECT_EQ(diagonal.central(0, 1, diagonal.mean(0), diagonal.mean(1)), -0.25);
  CellMoments<2> row;
  row.add_run({0, 0}, 3);
  EXPECT_EQ(row.central(1, 1, row.mean(1), row.mean(1)), 2.0 / 3);
}

TEST(CellMoments, ShortSumsFitTheirWords) {
  EXPECT_TRUE(has_short_sums(std::int64_t{1} << 24, 4096));
  EXPECT_TRUE(has_short_sums(std::int64_t{1} << 30, 1 << 15));
  EXPECT_FALSE(has_short_sums(std::int64_t{1} << 32, 1 << 16));
  EXPECT_FALSE(has_short_sums(1 << 20, 1 << 21));
}

}  // namespace
}  // namespace thiessen
