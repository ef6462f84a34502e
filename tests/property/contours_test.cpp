// SPDX-License-Identifier: Apache-2.0
//
// Lines of equal distance, against the steps of each square by itself.
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of a few.
#include "thiessen/contours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "support/problems/tile_problems.hpp"
#include "thiessen/raster.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::message_of;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Place {
  double y, x;
  auto operator<=>(const Place&) const = default;
};

/// A step of a line of a level.
struct Step {
  double level;
  Place from, to;
  auto operator<=>(const Step&) const = default;
};

struct Line {
  double level;
  std::vector<Place> places;
};

std::vector<Line> lines_of(const Contours& contours) {
  std::vector<Line> lines;
  EXPECT_EQ(contours.points.size(), contours.levels.size() + 1);
  EXPECT_EQ(2 * contours.points.back(), static_cast<std::int64_t>(contours.coordinates.size()));
  for (std::size_t i = 0; i < contours.levels.size(); ++i) {
    Line& line = lines.emplace_back(Line{contours.levels[i], {}});
    for (std::int64_t point = contours.points[i]; point < contours.points[i + 1]; ++point) {
      const double* const at = contours.coordinates.data() + 2 * point;
      line.places.push_back({at[0], at[1]});
    }
  }
  return lines;
}

/// The steps of lines, sorted.
std::vector<Step> steps_of(const std::vector<Line>& lines) {
  std::vector<Step> steps;
  for (const Line& line : lines)
    for (std::size_t i = 1; i < line.places.size(); ++i)
      steps.push_back({line.level, line.places[i - 1], line.places[i]});
  std::sort(steps.begin(), steps.end());
  return steps;
}

/// The steps of a level in one square by a table: bit k of the case says that corner k, clockwise
/// from the upper left, is below the level; sides are numbered as the corners that they begin at.
void add_steps(const View<const double>& cells, std::int64_t y, std::int64_t x, double level,
               std::vector<Step>& steps) {
  static const std::map<int, std::vector<std::array<int, 2>>> kFromTo = {
      {1, {{3, 0}}},         {2, {{0, 1}}},          {4, {{1, 2}}},  {8, {{2, 3}}},
      {3, {{3, 1}}},         {6, {{0, 2}}},          {12, {{1, 3}}}, {9, {{2, 0}}},
      {5, {{3, 0}, {1, 2}}}, {10, {{0, 1}, {2, 3}}}, {7, {{3, 2}}},  {14, {{0, 3}}},
      {13, {{1, 0}}},        {11, {{2, 1}}},         {0, {}},        {15, {}}};
  const std::array<Place, 4> corners{Place{static_cast<double>(y), static_cast<double>(x)},
                                     {static_cast<double>(y), static_cast<double>(x + 1)},
                                     {static_cast<double>(y + 1), static_cast<double>(x + 1)},
                                     {static_cast<double>(y + 1), static_cast<double>(x)}};
  std::array<double, 4> values{};
  int number = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    values[i] =
        cells(static_cast<std::int64_t>(corners[i].y), static_cast<std::int64_t>(corners[i].x));
    if (!std::isfinite(values[i])) return;
    if (values[i] < level) number |= 1 << i;
  }
  const auto place_on = [&](int side) {
    auto a = static_cast<std::size_t>(side), b = (a + 1) % 4;
    if (corners[b] < corners[a]) std::swap(a, b);
    const double share = (level - values[a]) / (values[b] - values[a]);
    return corners[a].y < corners[b].y ? Place{corners[a].y + share, corners[a].x}
                                       : Place{corners[a].y, corners[a].x + share};
  };
  for (const auto& [from, to] : kFromTo.at(number)) {
    const Step step{level, place_on(from), place_on(to)};
    if (step.from != step.to) steps.push_back(step);
  }
}

std::vector<Step> expected_steps(const Array<double>& cells, const std::vector<double>& levels) {
  std::vector<Step> steps;
  for (const double level : levels)
    for (std::int64_t y = 0; y + 1 < cells.extents()[0]; ++y)
      for (std::int64_t x = 0; x + 1 < cells.extents()[1]; ++x)
        add_steps(cells.view(), y, x, level, steps);
  std::sort(steps.begin(), steps.end());
  return steps;
}

/// How many more steps come to each place of a level than leave it, where that is not 0.
std::map<std::tuple<double, double, double>, int> ends_of(const std::vector<Step>& steps) {
  std::map<std::tuple<double, double, double>, int> ends;
  for (const Step& step : steps) {
    --ends[{step.level, step.from.y, step.from.x}];
    ++ends[{step.level, step.to.y, step.to.x}];
  }
  std::erase_if(ends, [](const auto& end) { return end.second == 0; });
  return ends;
}

/// Random distances with holes; `whole` ones meet levels exactly.
Array<double> draw_cells(Draw& draw, bool whole) {
  Array<double> cells({1 + draw.below(12), 1 + draw.below(12)});
  for (double& cell : cells) {
    const double value = 12 * draw.real() - 3;
    cell = draw.once_in(16) ? kNan : whole ? std::round(value) : value;
  }
  return cells;
}

TEST(Contours, HaveTheStepsOfEachSquare) {
  for (std::uint64_t problem = 0; problem < 4 * testing::problem_count(); ++problem) {
    Draw draw(problem);
    const bool whole = problem % 2 == 0;
    const Array<double> cells = draw_cells(draw, whole);
    const std::vector<double> levels{-4, -2, 0, 2, 4, 6, 8, 10};
    const std::vector<Step> expected = expected_steps(cells, levels);
    const std::vector<Line> by_interval = lines_of(contour_lines(cells.view(), {.interval = 2}));
    ASSERT_EQ(steps_of(by_interval), expected) << problem;
    const std::vector<Line> by_list =
        lines_of(contour_lines(cells.view(), {.levels = {10, 0, 2, 4, 0, 6, 8, -2, -4}}));
    ASSERT_EQ(steps_of(by_list), expected) << problem;
    if (whole) continue;
    // Lines end only where they must.
    std::size_t ends = 0;
    for (const Line& line : by_interval) ends += line.places.front() != line.places.back() ? 2 : 0;
    ASSERT_EQ(ends, ends_of(expected).size()) << problem;
  }
}

TEST(Contours, AscendWithThoseThatEndFirst) {
  const std::int64_t size = 9;
  Array<double> cells({size, size});
  for (std::int64_t y = 0; y < size; ++y)
    for (std::int64_t x = 0; x < size; ++x)
      cells(y, x) = std::hypot(static_cast<double>(y - 4), static_cast<double>(x - 4));
  const std::vector<Line> lines = lines_of(contour_lines(cells.view(), {.interval = 1.75}));
  ASSERT_EQ(lines.size(), 6U);  // at 1.75 and 3.5, and in the corners at 5.25
  EXPECT_EQ(lines[0].level, 1.75);
  EXPECT_EQ(lines[1].level, 3.5);
  EXPECT_EQ(lines[5].level, 5.25);
  double area = 0;  // counter-clockwise where row 0 is on top
  const std::vector<Place>& ring = lines[1].places;
  EXPECT_EQ(ring.front(), ring.back());
  for (std::size_t i = 1; i < ring.size(); ++i)
    area += ring[i].x * ring[i - 1].y - ring[i - 1].x * ring[i].y;
  EXPECT_NEAR(area / 2, 3.5 * 3.5 * 3.14159, 1.2);
  EXPECT_NE(lines[5].places.front(), lines[5].places.back());
}

/// A cell that alone reaches a level has no line, and neither has a plain.
TEST(Contours, OfALevelThatIsADistance) {
  Array<float> cells({3, 3});
  std::fill(cells.begin(), cells.end(), 1.0F);
  EXPECT_TRUE(contour_lines(cells.view(), {.interval = 1}).levels.empty());
  cells(1, 1) = 2;
  EXPECT_TRUE(contour_lines(cells.view(), {.interval = 1}).levels.empty());
  EXPECT_EQ(contour_lines(cells.view(), {.interval = 0.75}).levels, (std::vector<double>{1.5}));
}

TEST(Contours, OfAnyStrides) {
  Draw draw(7);
  Array<double> cells({6, 8});
  for (double& cell : cells) cell = 5 * draw.real();
  Array<double> every_second({3, 4});
  for (std::int64_t y = 0; y < 3; ++y)
    for (std::int64_t x = 0; x < 4; ++x) every_second(y, x) = cells(2 * y, 2 * x);
  const View<const double> whole = std::as_const(cells).view();
  const View<const double> view(whole.data(), {3, 4}, {2 * whole.stride(0), 2 * whole.stride(1)});
  const Contours found = contour_lines(view, {.interval = 0.5});
  EXPECT_EQ(found.coordinates, contour_lines(every_second.view(), {.interval = 0.5}).coordinates);
  EXPECT_FALSE(found.levels.empty());
}

TEST(Contours, RefuseWhatIsWrong) {
  const Array<double> cells({2, 2});
  const Array<std::int32_t> labels({2, 2});
  const Array<double> deep({2, 2, 2});
  const auto refusal = [](View<const void> distance, const ContourOptions& options) {
    return message_of([&] { contour_lines(distance, options); });
  };
  EXPECT_EQ(refusal(deep.view(), {.interval = 1}), "distance has 3 axes; must have 2");
  EXPECT_EQ(refusal(labels.view(), {.interval = 1}), "distance is i32; must be f32 or f64");
  EXPECT_EQ(refusal(cells.view(), {}), "interval and levels: one of the two must be given");
  EXPECT_EQ(refusal(cells.view(), {.interval = 1, .levels = {1}}),
            "interval and levels: one of the two must be given");
  EXPECT_EQ(refusal(cells.view(), {.interval = -1}), "interval = -1; must be finite and > 0");
  EXPECT_EQ(refusal(cells.view(), {.levels = {1, kNan}}), "levels[1] = nan; must be finite");
  Array<double> far({2, 2});
  far(0, 1) = 1e30;
  EXPECT_NE(refusal(far.view(), {.interval = 1}).find("has 2^52 of it or more"), std::string::npos);
  EXPECT_EQ(contour_lines(far.view(), {.levels = {5}}).levels.size(), 1U);
  far(0, 0) = far(1, 0) = far(1, 1) = 0;
  far(0, 1) = 1e9;
  EXPECT_EQ(refusal(far.view(), {.interval = 1}),
            "interval = 1: distances up to 1e+09 have more than 100000 of it; give a longer one");
  const std::vector<double> many(kMostContourLevels + 1, 5);
  EXPECT_EQ(refusal(far.view(), {.levels = many}),
            "levels has 100001 values; must have at most 100000");
}

TEST(Contours, MayHaveTheGreatestNumberOfLevels) {
  Array<double> cells({2, 2});
  cells(0, 0) = cells(1, 0) = 0;
  cells(0, 1) = cells(1, 1) = 100'000.5;
  EXPECT_EQ(contour_lines(cells.view(), {.interval = 1}).levels.size(), 100'000U);
  cells(0, 1) = 100'001;
  EXPECT_THROW(contour_lines(cells.view(), {.interval = 1}), Error);
}

}  // namespace
}  // namespace thiessen
