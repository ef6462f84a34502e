// SPDX-License-Identifier: Apache-2.0
//
// A corner is where four cells meet; a side lies between two cells, and is part of a line if they
// differ. A line ends at a corner where other than two such sides meet.
//
//   heading  0 right, 1 down, 2 left, 3 up: from a corner along a side
#include "maps/lines/border_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace thiessen::maps {
namespace {

/// A corner, with the cell below it to the right.
struct Corner {
  std::int64_t y = 0, x = 0;

  bool operator==(const Corner&) const = default;
};

Corner next_corner(const Corner& corner, int heading) {
  constexpr std::array<std::int64_t, 4> kDown{0, 1, 0, -1};
  constexpr std::array<std::int64_t, 4> kRight{1, 0, -1, 0};
  const auto h = static_cast<std::size_t>(heading);
  return {corner.y + kDown[h], corner.x + kRight[h]};
}

class Tracer {
 public:
  Tracer(const std::vector<std::uint32_t>& cells, const Extents& extents, std::int64_t step)
      : cells_(cells),
        width_of_cells_(extents[1]),
        step_(step),
        height_((extents[0] + step - 1) / step),
        width_((extents[1] + step - 1) / step),
        taken_(static_cast<std::size_t>(2 * (height_ + 1) * (width_ + 1))) {}

  /// Lines with ends first, then the closed ones.
  std::vector<std::vector<Corner>> trace() {
    std::vector<std::vector<Corner>> lines;
    for (const bool with_ends : {true, false})
      for (std::int64_t y = 0; y <= height_; ++y)
        for (std::int64_t x = 0; x <= width_; ++x)
          if (!with_ends || sides_at({y, x}) != 2)
            for (int heading = 0; heading < 4; ++heading)
              if (is_open({y, x}, heading)) lines.push_back(follow({y, x}, heading));
    return lines;
  }

  Point place(const Corner& corner) const {
    const auto at = [&](std::int64_t i, std::int64_t last) {
      const auto cell = static_cast<double>(i * step_);
      return i == 0 || i == last ? cell : cell + 0.5 * (1 - static_cast<double>(step_));
    };
    return {at(corner.x, width_), at(corner.y, height_)};
  }

 private:
  std::uint32_t cell(std::int64_t y, std::int64_t x) const {
    return cells_[static_cast<std::size_t>(y * step_ * width_of_cells_ + x * step_)];
  }

  /// Whether there is a line along the side from a corner.
  bool is_line(const Corner& corner, int heading) const {
    if (heading >= 2) {
      const Corner other = next_corner(corner, heading);
      return other.y >= 0 && other.x >= 0 && is_line(other, heading - 2);
    }
    const auto [y, x] = corner;
    if (heading == 0) return y > 0 && y < height_ && x < width_ && cell(y - 1, x) != cell(y, x);
    return x > 0 && x < width_ && y < height_ && cell(y, x - 1) != cell(y, x);
  }

  int sides_at(const Corner& corner) const {
    int sides = 0;
    for (int heading = 0; heading < 4; ++heading) sides += is_line(corner, heading) ? 1 : 0;
    return sides;
  }

  std::size_t number_of(const Corner& corner, int heading) const {
    const Corner first = heading < 2 ? corner : next_corner(corner, heading);
    return static_cast<std::size_t>(2 * (first.y * (width_ + 1) + first.x) + heading % 2);
  }

  bool is_open(const Corner& corner, int heading) const {
    return is_line(corner, heading) && !taken_[number_of(corner, heading)];
  }

  std::vector<Corner> follow(Corner corner, int heading) {
    std::vector<Corner> line{corner};
    while (heading >= 0) {
      taken_[number_of(corner, heading)] = true;
      corner = next_corner(corner, heading);
      line.push_back(corner);
      heading = -1;
      if (sides_at(corner) != 2) break;
      for (int next = 0; next < 4; ++next)
        if (is_open(corner, next)) heading = next;
    }
    return line;
  }

  const std::vector<std::uint32_t>& cells_;
  std::int64_t width_of_cells_, step_;
  std::int64_t height_, width_;  // cells that are looked at
  std::vector<bool> taken_;      // sides, two for each corner
};

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

std::vector<std::vector<Point>> border_lines(const std::vector<std::uint32_t>& cells,
                                             const Extents& extents, std::int64_t step,
                                             double tolerance) {
  Tracer tracer(cells, extents, step);
  std::vector<std::vector<Point>> lines;
  for (const std::vector<Corner>& line : tracer.trace()) {
    std::vector<Point> points;
    points.reserve(line.size());
    for (const Corner& corner : line) points.push_back(tracer.place(corner));
    lines.push_back(simplified(points, tolerance));
  }
  return lines;
}

}  // namespace thiessen::maps
