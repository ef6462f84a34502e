// SPDX-License-Identifier: Apache-2.0
//
// Marching squares: the corners of a square are cells; a line of a level crosses those of its sides
// whose ends lie on different sides of the level. Each crossing of a side has a key, so that the
// lines of neighbouring squares are joined.
#include "map/contour_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "thiessen/element_visit.hpp"

namespace thiessen::cli {
namespace {

/// Distances of every step-th cell.
struct Lattice {
  std::int64_t height = 0, width = 0, step = 1;
  std::vector<double> values = {};

  double at(std::int64_t y, std::int64_t x) const {
    return values[static_cast<std::size_t>(y * width + x)];
  }
};

Lattice lattice_of(const View<const void>& distance, std::int64_t step) {
  Lattice lattice;
  lattice.step = step;
  lattice.height = (distance.extent(0) + step - 1) / step;
  lattice.width = (distance.extent(1) + step - 1) / step;
  lattice.values.reserve(static_cast<std::size_t>(lattice.height * lattice.width));
  const auto read = [&]<class T>(const T* cells) {
    for (std::int64_t y = 0; y < distance.extent(0); y += step)
      for (std::int64_t x = 0; x < distance.extent(1); x += step)
        lattice.values.push_back(static_cast<double>(cells[y * distance.extent(1) + x]));
  };
  if (distance.element_type() == ElementType::f32)
    read(reinterpret_cast<const float*>(distance.bytes()));
  else
    read(reinterpret_cast<const double*>(distance.bytes()));
  return lattice;
}

/// The crossings of one level. A crossing is found by the side that it is on.
class Crossings {
 public:
  Crossings(const Lattice& lattice, double level) : lattice_(lattice), level_(level) {}

  /// Side k of the square at (y, x): above, right, below, left.
  std::uint32_t on_side(std::int64_t y, std::int64_t x, int side) {
    const std::int64_t v = side == 2 ? y + 1 : y;
    const std::int64_t u = side == 1 ? x + 1 : x;
    const bool upright = side % 2 == 1;
    const std::int64_t key = 2 * (v * lattice_.width + u) + (upright ? 1 : 0);
    const auto [found, is_new] = by_key_.try_emplace(key, points_.size());
    if (is_new) {
      points_.push_back(place(v, u, upright));
      neighbours_.push_back({kNone, kNone});
    }
    return found->second;
  }

  void join(std::uint32_t a, std::uint32_t b) {
    add(a, b);
    add(b, a);
  }

  /// The lines: those with ends first, then the closed ones.
  void take_lines(std::vector<ContourLine>& lines) {
    std::vector<bool> taken(points_.size());
    for (const bool with_ends : {true, false})
      for (std::uint32_t i = 0; i < points_.size(); ++i)
        if (!taken[i] && (!with_ends || neighbours_[i][1] == kNone))
          lines.push_back({level_, line_from(i, taken)});
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  Point place(std::int64_t y, std::int64_t x, bool upright) const {
    const double from = lattice_.at(y, x);
    const double to = upright ? lattice_.at(y + 1, x) : lattice_.at(y, x + 1);
    const double share = (level_ - from) / (to - from);
    const auto step = static_cast<double>(lattice_.step);
    return {(static_cast<double>(x) + (upright ? 0 : share)) * step + 0.5,
            (static_cast<double>(y) + (upright ? share : 0)) * step + 0.5};
  }

  void add(std::uint32_t from, std::uint32_t to) {
    std::array<std::uint32_t, 2>& ends = neighbours_[from];
    (ends[0] == kNone ? ends[0] : ends[1]) = to;
  }

  std::vector<Point> line_from(std::uint32_t first, std::vector<bool>& taken) const {
    std::vector<Point> line;
    for (std::uint32_t at = first; at != kNone;) {
      taken[at] = true;
      line.push_back(points_[at]);
      std::uint32_t next = kNone;
      for (const std::uint32_t neighbour : neighbours_[at])
        if (neighbour != kNone && !taken[neighbour]) next = neighbour;
      at = next;
    }
    return line;
  }

  const Lattice& lattice_;
  double level_;
  std::unordered_map<std::int64_t, std::uint32_t> by_key_;
  std::vector<Point> points_;
  std::vector<std::array<std::uint32_t, 2>> neighbours_;
};

/// Adds the lines of a level through a square with finite corners.
void cross(Crossings& crossings, const std::array<double, 4>& corners, double level, std::int64_t y,
           std::int64_t x) {
  std::array<int, 4> sides{};
  std::size_t count = 0;
  for (int side = 0; side < 4; ++side) {
    const double from = corners[static_cast<std::size_t>(side)];
    const double to = corners[static_cast<std::size_t>((side + 1) % 4)];
    if ((from < level) != (to < level)) sides[count++] = side;
  }
  // A saddle: each of the two lower corners is cut off. Sides 3 and 0 meet in the first corner.
  if (count == 4 && corners[0] < level) std::rotate(sides.begin(), sides.begin() + 3, sides.end());
  for (std::size_t i = 0; i + 1 < count; i += 2)
    crossings.join(crossings.on_side(y, x, sides[i]), crossings.on_side(y, x, sides[i + 1]));
}

}  // namespace

std::vector<ContourLine> contour_lines(const View<const void>& distance, double interval,
                                       std::int64_t step) {
  const Lattice lattice = lattice_of(distance, step);
  std::unordered_map<std::int64_t, Crossings> levels;
  std::vector<std::int64_t> order;
  for (std::int64_t y = 0; y + 1 < lattice.height; ++y) {
    for (std::int64_t x = 0; x + 1 < lattice.width; ++x) {
      // Clockwise from the upper left one: side k runs from corner k to the next.
      const std::array<double, 4> corners{lattice.at(y, x), lattice.at(y, x + 1),
                                          lattice.at(y + 1, x + 1), lattice.at(y + 1, x)};
      const auto [least, greatest] = std::minmax_element(corners.begin(), corners.end());
      const bool finite = std::all_of(corners.begin(), corners.end(),
                                      [](double corner) { return std::isfinite(corner); });
      if (!finite) continue;
      const auto first = static_cast<std::int64_t>(std::floor(*least / interval)) + 1;
      const auto last = static_cast<std::int64_t>(std::floor(*greatest / interval));
      for (std::int64_t i = first; i <= last; ++i) {
        const double level = static_cast<double>(i) * interval;
        const auto [found, is_new] = levels.try_emplace(i, lattice, level);
        if (is_new) order.push_back(i);
        cross(found->second, corners, level, y, x);
      }
    }
  }
  std::sort(order.begin(), order.end());
  std::vector<ContourLine> lines;
  for (const std::int64_t i : order) levels.at(i).take_lines(lines);
  return lines;
}

}  // namespace thiessen::cli
