// SPDX-License-Identifier: Apache-2.0
//
// Compares the metrics that are not by axes with the steps that define them.
#include "core/order/measure.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <vector>

#include "core/order/weights.hpp"

namespace thiessen {
namespace {

constexpr int kReach = 24;
constexpr int kSide = 2 * kReach + 1;
constexpr int kUnreached = 1 << 20;

struct Step {
  int dy;
  int dx;
  int length;
};

int& at(std::vector<int>& cells, int dy, int dx) {
  return cells[static_cast<std::size_t>((dy + kReach) * kSide + dx + kReach)];
}

bool inside(int dy, int dx) { return std::abs(dy) <= kReach && std::abs(dx) <= kReach; }

/// Lengths of the shortest paths from the middle, by relaxing until nothing changes.
std::vector<int> shortest_paths(const std::vector<Step>& steps) {
  std::vector<int> lengths(static_cast<std::size_t>(kSide) * kSide, kUnreached);
  at(lengths, 0, 0) = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int dy = -kReach; dy <= kReach; ++dy)
      for (int dx = -kReach; dx <= kReach; ++dx)
        for (const Step& step : steps) {
          if (!inside(dy + step.dy, dx + step.dx)) continue;
          int& length = at(lengths, dy + step.dy, dx + step.dx);
          const int other = at(lengths, dy, dx) + step.length;
          changed |= other < length;
          length = std::min(length, other);
        }
  }
  return lengths;
}

std::vector<Step> mask(int straight, int diagonal, int knight) {
  std::vector<Step> steps;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const int squares = dy * dy + dx * dx;
      if (squares == 1) steps.push_back({dy, dx, straight});
      if (squares == 2) steps.push_back({dy, dx, diagonal});
      if (squares == 5 && knight > 0) steps.push_back({dy, dx, knight});
    }
  return steps;
}

template <Metric kMetric>
void expect_lengths(std::vector<int> lengths) {
  for (int dy = -kReach; dy <= kReach; ++dy)
    for (int dx = -kReach; dx <= kReach; ++dx)
      ASSERT_EQ(across<kMetric>(std::abs(dy), std::abs(dx)), at(lengths, dy, dx))
          << dy << ", " << dx;
}

TEST(Measure, ChamferMasksAreShortestPaths) {
  expect_lengths<Metric::chamfer_3_4>(shortest_paths(mask(3, 4, 0)));
  expect_lengths<Metric::chamfer_5_7_11>(shortest_paths(mask(5, 7, 11)));
}

TEST(Measure, OctagonalCountsStepsToFourAndToEightNeighboursInTurn) {
  std::vector<int> rounds(static_cast<std::size_t>(kSide) * kSide, kUnreached);
  at(rounds, 0, 0) = 0;
  for (int round = 1; round <= 2 * kReach; ++round) {
    std::vector<int> old = rounds;
    for (int dy = -kReach; dy <= kReach; ++dy)
      for (int dx = -kReach; dx <= kReach; ++dx)
        for (const Step& step : mask(1, 1, 0)) {
          const bool diagonal = step.dy != 0 && step.dx != 0;
          if ((diagonal && round % 2 == 1) || !inside(dy + step.dy, dx + step.dx)) continue;
          if (at(old, dy, dx) < round)
            at(rounds, dy + step.dy, dx + step.dx) =
                std::min(at(rounds, dy + step.dy, dx + step.dx), round);
        }
  }
  expect_lengths<Metric::octagonal>(rounds);
}

TEST(Measure, DistancesOfMasksAreDividedByTheirStraightStep) {
  const std::array<double, 2> cells{1, 1};
  const Weights thirds = make_weights({0, 9, 9}, cells, Metric::chamfer_3_4);
  const Weights fifths = make_weights({0, 9, 9}, cells, Metric::chamfer_5_7_11);
  EXPECT_EQ(to_distance(thirds, Metric::chamfer_3_4, 4), 4 / 3.0);
  EXPECT_EQ(to_distance(fifths, Metric::chamfer_5_7_11, 11), 11 / 5.0);
  for (int cell = 0; cell < 100000; ++cell) {
    ASSERT_EQ(to_distance(thirds, Metric::chamfer_3_4, 3 * cell), cell);
    ASSERT_EQ(to_distance(fifths, Metric::chamfer_5_7_11, 5 * cell), cell);
  }
  EXPECT_GE(thirds.greatest, across<Metric::chamfer_3_4>(9, 9));
  EXPECT_GE(fifths.greatest, across<Metric::chamfer_5_7_11>(9, 9));
}

TEST(Measure, NamesOfMetrics) {
  for (const std::string_view name : kMetricNames) EXPECT_EQ(name_of(*find_metric(name)), name);
  EXPECT_EQ(find_metric("chamfer-5-7-11"), Metric::chamfer_5_7_11);
  EXPECT_FALSE(find_metric("Euclidean"));
}

}  // namespace
}  // namespace thiessen
