// SPDX-License-Identifier: Apache-2.0
#include "cpu/points/widened_grid.hpp"

#include <algorithm>

namespace thiessen::cpu {
namespace {

/// Rows that may be added: some, or so many times those of the grid.
constexpr std::int64_t kFewRows = 64;
constexpr std::int64_t kTimes = 3;

}  // namespace

std::optional<WidenedGrid> widen_grid(const Problem& problem, const ProblemViews& views,
                                      std::int64_t step, Scratch::Frame& scratch) {
  const auto axis = static_cast<std::size_t>(problem.first_axis());
  const PointSites& points = views.points;
  const std::int64_t unit = std::int64_t{1} << problem.fraction_bits;
  const std::int64_t rows = problem.extent[axis];
  std::int64_t least = -(unit / 2);  // half a cell belongs to the grid on either side
  std::int64_t greatest = (rows - 1) * unit + unit / 2;
  const std::int64_t top = least;
  const std::int64_t bottom = greatest;
  for (std::int64_t i = 0; i < points.count; ++i) {
    least = std::min(least, points.at[i][axis]);
    greatest = std::max(greatest, points.at[i][axis]);
  }
  const std::int64_t needed = (top - least + unit - 1) / unit;
  const std::int64_t above = (needed + step - 1) / step * step;
  const std::int64_t below = (greatest - bottom + unit - 1) / unit;
  if (above + below > std::max(kTimes * rows, kFewRows)) return std::nullopt;
  WidenedGrid wide{problem, views, above};
  if (above + below == 0) return wide;
  wide.problem.extent[axis] = above + rows + below;
  wide.views.out = rows_of(views.out, problem.first_axis(), -above, wide.problem.extent[axis]);
  if (above == 0) return wide;
  wide.views.points.at = scratch.array<Axes>(points.count);
  std::transform(points.at, points.at + points.count, wide.views.points.at, [&](Axes at) {
    at[axis] += above * unit;
    return at;
  });
  return wide;
}

}  // namespace thiessen::cpu
