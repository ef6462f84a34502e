// SPDX-License-Identifier: Apache-2.0
//
// The search by candidates against all sites for every cell, in integers, with ties on purpose.
#include "cpu/candidates/candidates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "cpu/simd/instruction_sets.hpp"
#include "support/draw.hpp"
#include "support/small_limits.hpp"
#include "thiessen/context.hpp"

namespace thiessen::cpu {
namespace {

using testing::Draw;

/// A problem, and the memory of its sites.
struct Case {
  Problem problem;
  std::vector<Axes> at;
  std::vector<Int128> weights;
  std::string text;
};

std::int64_t draw_extent(Draw& draw, int rank) {
  constexpr std::int64_t kLong[] = {70, 24};
  return draw.once_in(6) ? 1 + draw.below(3) : 1 + draw.below(kLong[rank - 2]);
}

/// Few values, so that many keys are equal, or many.
std::int64_t draw_weight(Draw& draw, Weighting weighting, std::int64_t unit) {
  const std::int64_t least = weighting == Weighting::multiplicative ? 1 : 0;
  switch (draw.below(3)) {
    case 0:
      return (least + draw.below(4)) * unit;
    case 1:
      return least + draw.below(20 * unit);
    default:
      return weighting == Weighting::multiplicative ? 1 + draw.below(1 << 20)
                                                    : draw.below(60 * unit) - 20 * unit;
  }
}

// NOLINTNEXTLINE(readability-function-size): a problem has so many properties
Case draw_case(Draw& draw) {
  Case made;
  Problem& problem = made.problem;
  problem.point_sites = true;
  problem.rank = draw.once_in(2) ? 3 : 2;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    problem.extent[axis] = axis == 0 && problem.rank == 2 ? 1 : draw_extent(draw, problem.rank);
  if (draw.once_in(2)) problem.fraction_bits = static_cast<int>(draw.below(5) * 4);
  constexpr Metric kMetrics[] = {Metric::euclidean, Metric::manhattan, Metric::chessboard};
  problem.metric = kMetrics[draw.once_in(2) ? draw.below(3) : 0];
  if (problem.metric == Metric::euclidean)
    problem.keys.weighting = static_cast<Weighting>(draw.below(4));
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const Int128 length = draw.once_in(2) ? 1 : 1 + draw.below(5);
    const bool is_square = problem.metric == Metric::euclidean;
    problem.weights.factor[axis] =
        is_square ? length * length + (draw.once_in(20) ? 1 : 0) : length;
    if (problem.metric == Metric::manhattan && draw.once_in(20))
      problem.weights.factor[axis] *= Int128{1} << 70;
    if (static_cast<int>(axis) >= problem.first_axis() && draw.once_in(3))
      problem.period[axis] = problem.extent[axis] << problem.fraction_bits;
  }
  problem.wide = true;
  constexpr Unit kUnits[] = {{1, 1}, {1, 5}, {13, 25}, {0.30000000000000004, 1}};
  problem.weights.unit = scaled(kUnits[draw.below(4)], -problem.fraction_bits);
  problem.weights.greatest = Int128{1} << (draw.once_in(4) ? 60 : 52);
  const std::int64_t count = draw.once_in(3) ? draw.below(5) : draw.below(400);
  const std::int64_t unit = std::int64_t{1} << problem.fraction_bits;
  const std::int64_t pattern = draw.below(5);
  for (std::int64_t i = 0; i < count; ++i) {
    Axes at{};
    for (auto axis = static_cast<std::size_t>(problem.first_axis()); axis < kAxes; ++axis) {
      const std::int64_t extent = problem.extent[axis] * unit;
      at[axis] = draw.below(extent);
      if (pattern == 1) at[axis] = at[axis] / (4 * unit) * (4 * unit);
      if (pattern == 2) at[axis] = extent / 2 + draw.below(2);
      if (pattern == 3 && draw.once_in(2)) at[axis] += (draw.below(3) - 1) * 3 * extent;
      if (pattern == 4 && axis == 2) at[axis] = 0;
      if (problem.period[axis] != kNoPeriod)
        at[axis] =
            ((at[axis] % problem.period[axis]) + problem.period[axis]) % problem.period[axis];
    }
    made.at.push_back(at);
    const std::int64_t weight = problem.keys.weighting == Weighting::power
                                    ? draw_weight(draw, problem.keys.weighting, unit * unit)
                                    : draw_weight(draw, problem.keys.weighting, unit);
    if (problem.keys.weighting != Weighting::none) made.weights.push_back(weight);
  }
  made.text = std::to_string(problem.rank) + "-D, " + std::string(name_of(problem.metric)) + ", " +
              std::string(name_of(problem.keys.weighting)) + ", " + std::to_string(count) +
              " sites of pattern " + std::to_string(pattern) + ", " +
              std::to_string(problem.fraction_bits) + " bits";
  return made;
}

/// S, with the nearest image along each axis.
Int128 squared(const Problem& problem, const Axes& site, const Axes& cell) {
  Int128 sum = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    Int128 way = (cell[axis] << problem.fraction_bits) - site[axis];
    if (way < 0) way = -way;
    if (problem.period[axis] != kNoPeriod) way = std::min<Int128>(way, problem.period[axis] - way);
    const Int128 part =
        problem.weights.factor[axis] * (problem.metric == Metric::euclidean ? way * way : way);
    sum = problem.metric == Metric::chessboard ? std::max(sum, part) : sum + part;
  }
  return sum;
}

/// The sign of √a − v − (√b − w): by roots where these tell it, else by squares.
int order_of_roots(Int128 a, Int128 v, Int128 b, Int128 w) {
  const auto root = [](Int128 n) { return std::sqrt(static_cast<long double>(n)); };
  const long double apart = root(a) - root(b) - static_cast<long double>(v - w);
  constexpr long double kSure = 1e-6L;
  if (apart > kSure) return 1;
  if (apart < -kSure) return -1;
  // a − b − c² = ±2c√b, where both sides have the sign of c²√a − … near a tie.
  const Int128 c = v - w;
  const Int128 rest = a - b - c * c;
  if (rest * rest == 4 * c * c * b) return 0;
  return apart > 0 ? 1 : -1;
}

bool precedes(const Problem& problem, Int128 a, Int128 v, Int128 b, Int128 w) {
  switch (problem.keys.weighting) {
    case Weighting::additive:
      return order_of_roots(a, v, b, w) < 0;
    case Weighting::multiplicative:
      return a * w * w < b * v * v;
    default:
      return a - v < b - w;
  }
}

std::int64_t find_winner(const Case& made, const Axes& cell) {
  std::int64_t winner = -1;
  Int128 least = 0;
  const auto weight = [&](std::int64_t i) {
    return made.weights.empty() ? Int128{0} : made.weights[static_cast<std::size_t>(i)];
  };
  for (std::int64_t i = 0; i < std::ssize(made.at); ++i) {
    const Int128 own = squared(made.problem, made.at[static_cast<std::size_t>(i)], cell);
    if (winner >= 0 && !precedes(made.problem, own, weight(i), least, weight(winner))) continue;
    winner = i;
    least = own;
  }
  return winner;
}

/// Which outputs a call has: vectors write some of them, and others go cell by cell.
enum class Wanted { labels, distance, both, all };

float distance_of(const Problem& problem, Int128 squared) {
  return static_cast<float>(to_distance(problem.weights, problem.metric, squared));
}

void expect_winners(Case& made, Context& context, Wanted wanted) {
  const Problem& problem = made.problem;
  const auto cells = static_cast<std::size_t>(problem.cells());
  std::vector<std::int32_t> labels(cells, -2);
  std::vector<std::int64_t> index(cells, -2);
  std::vector<float> distance(cells, -2);
  std::vector<std::int32_t> numbers(made.at.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int32_t>(i) + 1;
  const Extents extents(std::vector<std::int64_t>(problem.extent.begin(), problem.extent.end()));
  ProblemViews views;
  views.points = {
      .at = made.at.data(), .count = std::ssize(made.at), .fraction_bits = problem.fraction_bits};
  if (!made.weights.empty()) views.weights.exact = made.weights.data();
  views.labels = View<const std::int32_t>(numbers.data(), Extents{std::ssize(numbers)});
  if (wanted != Wanted::distance) views.out.labels = View<std::int32_t>(labels.data(), extents);
  if (wanted != Wanted::labels) views.out.distance = View<float>(distance.data(), extents);
  if (wanted == Wanted::all) views.out.site_index = View<std::int64_t>(index.data(), extents);
  run_candidates(context.state(), problem, views);
  for (std::int64_t i = 0; i < problem.cells(); ++i) {
    const Axes cell = to_cell(problem.extent, i);
    const std::int64_t winner = find_winner(made, cell);
    const auto at = static_cast<std::size_t>(i);
    if (wanted != Wanted::distance) {
      ASSERT_EQ(labels[at], winner + 1) << made.text << ", cell " << i;
    }
    if (wanted == Wanted::all) {
      ASSERT_EQ(index[at], winner) << made.text << ", cell " << i;
    }
    if (wanted != Wanted::labels && winner >= 0) {
      const Axes& site = made.at[static_cast<std::size_t>(winner)];
      ASSERT_EQ(distance[at], distance_of(problem, squared(problem, site, cell)))
          << made.text << ", cell " << i;
    }
  }
}

std::int64_t problems() {
  const char* const given = std::getenv("THIESSEN_TEST_PROBLEMS");
  constexpr std::int64_t kProblems = 100;
  return given != nullptr ? std::atoll(given) : kProblems;
}

/// Every instruction set of the processor in turn.
TEST(Candidates, AreThoseOfAllSites) {
  const char* const seed = std::getenv("THIESSEN_TEST_SEED");
  const std::int64_t first = seed != nullptr ? std::atoll(seed) : 1;
  for (std::int64_t i = 0; i < problems(); ++i) {
    Draw draw(static_cast<std::uint64_t>(first + i));
    Case made = draw_case(draw);
    const int threads = 1 + static_cast<int>(draw.below(2));
    const EngineLimits limits = testing::draw_small_limits(draw);
    for (const std::string_view name : instruction_set_names()) {
      SCOPED_TRACE("seed " + std::to_string(first + i) + ", " + std::string(name));
      Context context({.threads = threads, .instructions = find_instructions(name)});
      context.state().limits = limits;
      for (const Wanted wanted : {Wanted::labels, Wanted::distance, Wanted::both, Wanted::all})
        expect_winners(made, context, wanted);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace thiessen::cpu
