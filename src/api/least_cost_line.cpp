// SPDX-License-Identifier: Apache-2.0
//
// least_cost_line(): a line that follows directions within cells.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "api/back_links.hpp"
#include "core/base/refuse.hpp"
#include "core/order/compass.hpp"
#include "core/problem/call_checks.hpp"
#include "core/problem/points.hpp"
#include "operations/rows/numbers.hpp"
#include "thiessen/cost_distance.hpp"

namespace thiessen {
namespace {

/// A place or a way in the plane, in cells.
struct Plane {
  double y = 0, x = 0;

  Plane operator+(const Plane& other) const { return {y + other.y, x + other.x}; }
  Plane operator*(double factor) const { return {y * factor, x * factor}; }
};

class LineFollower {
 public:
  LineFollower(const LeastCostLineInputs& in, Connectivity connectivity,
               const std::vector<double>& spacing)
      : in_(in),
        links_(in.back_link, connectivity, false),
        height_(in.direction.extent(0)),
        width_(in.direction.extent(1)),
        spacing_(checked_spacing(spacing, 2)),
        was_left_(static_cast<std::size_t>(height_ * width_)) {
    const double narrowest = std::min(spacing_[0], spacing_[1]);
    constexpr double kCellsPerStep = 0.25;
    step_ = {kCellsPerStep * narrowest / spacing_[0], kCellsPerStep * narrowest / spacing_[1]};
  }

  std::vector<double> follow(Plane place) {
    if (!is_open(cell_of(place))) return {};
    add(place);
    for (int steps_in_cell = 0;;) {
      const Cell cell = cell_of(place);
      const Plane site = site_of(cell);
      if (links_.at({0, cell.y, cell.x}) == 0 || is_near(place, cell, site)) {
        if (site.y != place.y || site.x != place.x) add(site);
        return line_;
      }
      Plane next = place + way_at(place + way_at(place) * 0.5);
      const Cell entered = cell_of(next);
      const bool is_same = entered.y == cell.y && entered.x == cell.x;
      steps_in_cell = is_same ? steps_in_cell + 1 : 0;
      if (!is_same) was_left_[index_of(cell)] = true;
      if (!is_open(entered) || (!is_same && was_left_[index_of(entered)]) ||
          steps_in_cell > kMostStepsInCell || (next.y == place.y && next.x == place.x)) {
        next = linked(cell);
        steps_in_cell = 0;
      }
      add(place = next);
    }
  }

 private:
  struct Cell {
    std::int64_t y, x;
  };
  static constexpr int kMostStepsInCell = 64;

  std::size_t index_of(const Cell& cell) const {
    return static_cast<std::size_t>(cell.y * width_ + cell.x);
  }

  Cell cell_of(const Plane& place) const {
    const auto nearest = [](double at, std::int64_t count) {
      return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(at + 0.5)), 0,
                                      count - 1);
    };
    return {nearest(place.y, height_), nearest(place.x, width_)};
  }

  bool is_open(const Cell& cell) const { return !std::isnan(in_.direction(cell.y, cell.x)); }

  void add(const Plane& place) {
    line_.push_back(place.y);
    line_.push_back(place.x);
  }

  /// The place of the site of a cell.
  Plane site_of(const Cell& cell) const {
    const std::int64_t site = in_.site_index(cell.y, cell.x);
    const std::int64_t count = in_.points ? in_.points.extent(0) : height_ * width_;
    if (site < 0 || site >= count)
      refuse("site_index[" + std::to_string(cell.y) + ", " + std::to_string(cell.x) + "]",
             std::to_string(site), "must be 0 to " + std::to_string(count - 1));
    if (!in_.points) {
      const std::int64_t y = site / width_, x = site % width_;
      return {static_cast<double>(y), static_cast<double>(x)};
    }
    const View<const void> point(in_.points.bytes() + site * in_.points.stride(0),
                                 in_.points.element_type(), {1, 2},
                                 {in_.points.stride(0), in_.points.stride(1)}, MemorySpace::host);
    Axes at{};
    const double unit = std::ldexp(1.0, -snap_points(point, &at).fraction_bits);
    return {static_cast<double>(at[1]) * unit, static_cast<double>(at[2]) * unit};
  }

  /// Whether a site is so near that the way leads straight to it: directions around it point to all
  /// sides, so that their means are worth nothing.
  bool is_near(const Plane& place, const Cell& cell, const Plane& site) const {
    constexpr double kCells = 1.5;
    if (std::hypot(place.y - site.y, place.x - site.x) > kCells) return false;
    const Cell end = cell_of(site);
    for (std::int64_t y = std::min(cell.y, end.y); y <= std::max(cell.y, end.y); ++y)
      for (std::int64_t x = std::min(cell.x, end.x); x <= std::max(cell.x, end.x); ++x)
        if (!is_open({y, x})) return false;
    return true;
  }

  /// A step along the mean direction of the four cells around a place, without those of barriers.
  Plane way_at(const Plane& place) const {
    const double top = std::floor(place.y), left = std::floor(place.x);
    const double down = place.y - top, right = place.x - left;
    Plane sum;
    for (const int dy : {0, 1})
      for (const int dx : {0, 1}) {
        const Cell cell = cell_of({top + dy, left + dx});
        if (!is_open(cell)) continue;
        const double weight = (dy == 1 ? down : 1 - down) * (dx == 1 ? right : 1 - right);
        const UnitWay way = unit_way(static_cast<double>(in_.direction(cell.y, cell.x)));
        sum = sum + Plane{-way.north, way.east} * weight;
      }
    const double length = std::hypot(sum.y, sum.x);
    if (!(length > 0)) return {};
    return {sum.y / length * step_.y, sum.x / length * step_.x};
  }

  /// The centre of the next cell on the way of links that was not left before.
  Plane linked(Cell from) {
    Axes cell{0, from.y, from.x};
    for (std::size_t steps = 0; steps <= was_left_.size(); ++steps) {
      was_left_[index_of({cell[1], cell[2]})] = true;
      const bool is_end = links_.at(cell) == 0;
      if (!is_end) cell = links_.next(cell);
      if (is_end || !was_left_[index_of({cell[1], cell[2]})])
        return {static_cast<double>(cell[1]), static_cast<double>(cell[2])};
    }
    links_.refuse_link("in a circle", cell);
  }

  const LeastCostLineInputs& in_;
  BackLinks links_;
  std::int64_t height_, width_;
  std::vector<double> spacing_;
  Plane step_;  ///< a quarter of the narrower side of a cell along each axis
  std::vector<bool> was_left_;
  std::vector<double> line_;
};

void check_inputs(const LeastCostLineInputs& in) {
  const auto check = [&](const char* name, const View<const void>& view) {
    if (!view) refuse(name, "is missing; must be given");
    check_cells(name, view);
    if (view.space() != MemorySpace::host) refuse(name, "must lie on the host");
    if (view.extents() != in.direction.extents())
      refuse(name, "must have the extents of direction");
  };
  if (in.direction && in.direction.rank() != 2)
    refuse("direction", "has " + std::to_string(in.direction.rank()) + " axes; must have 2");
  check("direction", in.direction);
  check("back_link", in.back_link);
  check("site_index", in.site_index);
  if (in.points) check_points(PointList{.coordinates = in.points}, 2, ReachableMemory());
}

Plane checked_place(const std::vector<double>& from, const Extents& extents) {
  if (from.size() != 2)
    refuse("from",
           "has " + std::to_string(from.size()) + " values; must have one for each of the 2 axes");
  for (int axis = 0; axis < 2; ++axis) {
    const double at = from[static_cast<std::size_t>(axis)];
    const double end = static_cast<double>(extents[axis]) - 0.5;
    if (!(at >= -0.5 && at < end))
      refuse("from[" + std::to_string(axis) + "]", shortest_decimal(at),
             "must be at least -0.5 and less than " + shortest_decimal(end));
  }
  return {from[0], from[1]};
}

}  // namespace

std::vector<double> least_cost_line(const LeastCostLineInputs& inputs, Connectivity connectivity,
                                    const std::vector<double>& spacing,
                                    const std::vector<double>& from) {
  check_inputs(inputs);
  const Plane start = checked_place(from, inputs.direction.extents());
  return LineFollower(inputs, connectivity, spacing).follow(start);
}

}  // namespace thiessen
