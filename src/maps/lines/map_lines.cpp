// SPDX-License-Identifier: Apache-2.0
#include "maps/lines/map_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace thiessen::maps {
namespace {

View<const void> every(std::int64_t step, const View<const void>& cells) {
  const std::array<std::int64_t, 2> some{(cells.extent(0) + step - 1) / step,
                                         (cells.extent(1) + step - 1) / step};
  return {cells.bytes(),
          cells.element_type(),
          {some[0], some[1]},
          {step * cells.stride(0), step * cells.stride(1)}};
}

double distance_to_line(const Point& point, const Point& from, const Point& to) {
  const double x = to.x - from.x;
  const double y = to.y - from.y;
  const double length = std::hypot(x, y);
  if (length == 0) return std::hypot(point.x - from.x, point.y - from.y);
  return std::fabs(x * (point.y - from.y) - y * (point.x - from.x)) / length;
}

/// The points of a line that are needed, both ends among them.
std::vector<Point> simplified(const std::vector<Point>& line, double tolerance) {
  std::vector<bool> needed(line.size());
  needed.front() = needed.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> parts{{0, line.size() - 1}};
  while (!parts.empty()) {
    const auto [first, last] = parts.back();
    parts.pop_back();
    double most = tolerance;
    std::size_t farthest = 0;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double distance = distance_to_line(line[i], line[first], line[last]);
      if (distance <= most) continue;
      most = distance;
      farthest = i;
    }
    if (farthest == 0) continue;
    needed[farthest] = true;
    parts.emplace_back(first, farthest);
    parts.emplace_back(farthest, last);
  }
  std::vector<Point> points;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (needed[i]) points.push_back(line[i]);
  return points;
}

}  // namespace

std::vector<std::vector<Point>> border_lines(Context& context,
                                             const std::vector<std::uint32_t>& cells,
                                             const Extents& extents, std::int64_t step,
                                             double tolerance) {
  const View<const void> some = every(step, View<const std::uint32_t>(cells.data(), extents));
  const Borders borders = region_borders(context, some, {}, {.background = std::nullopt});
  // The cells that are looked at lie in the middle of what they stand for, but at the edges.
  const auto place = [step](double centre, std::int64_t last) {
    const double corner = centre + 0.5, cell = corner * static_cast<double>(step);
    const bool is_end = corner == 0 || corner == static_cast<double>(last);
    return is_end ? cell : cell + 0.5 * (1 - static_cast<double>(step));
  };
  std::vector<std::vector<Point>> lines;
  for (std::size_t i = 0; i + 1 < borders.points.size(); ++i) {
    std::vector<Point> points;
    for (std::int64_t point = borders.points[i]; point < borders.points[i + 1]; ++point) {
      const double* const at = borders.coordinates.data() + 2 * point;
      points.push_back({place(at[1], some.extent(1)), place(at[0], some.extent(0))});
    }
    // From the upper end on, as what is left out depends on the way.
    const Point &from = points.front(), &to = points.back();
    if (to.y < from.y || (to.y == from.y && to.x < from.x)) std::ranges::reverse(points);
    lines.push_back(simplified(points, tolerance));
  }
  return lines;
}

std::vector<ContourLine> map_contours(Context& context, const View<const void>& distance,
                                      double interval, std::int64_t step) {
  const Contours contours = contour_lines(context, every(step, distance), {.interval = interval});
  std::vector<ContourLine> lines;
  for (std::size_t i = 0; i < contours.levels.size(); ++i) {
    ContourLine& line = lines.emplace_back(ContourLine{contours.levels[i]});
    for (std::int64_t point = contours.points[i]; point < contours.points[i + 1]; ++point) {
      const double* const at = contours.coordinates.data() + 2 * point;
      const auto apart = static_cast<double>(step);
      line.points.push_back({at[1] * apart + 0.5, at[0] * apart + 0.5});
    }
  }
  return lines;
}

}  // namespace thiessen::maps
