// SPDX-License-Identifier: Apache-2.0
//
// The edge in a cell from the coverage of the cell and of its neighbours.
//
//   coverage   the share of a cell that the shape covers, 0 to 1
//   direction  across the edge and out of the shape, in cells
//   column     a cell, the one before it and the one after it along an axis
//   height     of a column: the sum of its coverage
//
// The direction of a plane is one of several: that with which the coverage of the neighbours comes
// out best, by least squares. Its offset is the one with which that of the cell itself comes out
// right. The directions are the gradient, and those that heights of columns along its steepest axis
// give: across to the next column on one side, on the other side, and from one to the other. Where
// a line is no steeper than 45 degrees, one pair of columns is cut from side to side; so a straight
// edge in 2-D comes out as it is. In 3-D a steep plane may not, but nearly so.
//
// A box has the coverage of its cell, and reaches from end to end of it along the axes on which
// neighbours are as the cell is: it is a strip or a rod for thin lines, a plate for thin sheets.
//
// After J. E. Pilliod and E. G. Puckett, "Second-order accurate volume-of-fluid algorithms for
// tracking material interfaces" (2004), who have the columns of all axes, and D. L. Youngs,
// "Time-dependent multi-material flow with large fluid distortion" (1982), for the gradient. The
// box is a rule of this library.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"
#include "coverage/cell_cut.hpp"
#include "coverage/cell_edge.hpp"

namespace thiessen {

/// The coverage of a cell and its neighbours. Those beyond the raster have that of the nearest cell
/// in it.
struct CoverageAround {
  static constexpr int kCentre = 13;

  std::array<double, 27> values{};               ///< in the order (z, y, x)
  std::array<std::array<bool, 2>, kAxes> has{};  ///< whether there is a cell before and after

  /// The place of a cell that is -1, 0 or 1 away along each axis.
  THIESSEN_HD static int place(int z, int y, int x) { return (z * 3 + y) * 3 + x + kCentre; }
  /// From a cell to the next along an axis.
  THIESSEN_HD static int step(int axis) { return axis == 0 ? 9 : axis == 1 ? 3 : 1; }

  THIESSEN_HD double at(int place) const { return values[static_cast<std::size_t>(place)]; }
  THIESSEN_HD double centre() const { return at(kCentre); }

  /// Whether the cell before (after 0) or after (1) along an axis is in the raster.
  THIESSEN_HD bool reaches(int axis, int after) const {
    return has[static_cast<std::size_t>(axis)][static_cast<std::size_t>(after)];
  }

  /// The first and the last cell along an axis, seen from the cell: -1, 0 or 1.
  THIESSEN_HD int first(int axis) const { return reaches(axis, 0) ? -1 : 0; }
  THIESSEN_HD int last(int axis) const { return reaches(axis, 1) ? 1 : 0; }

  /// Whether they are not all the same.
  THIESSEN_HD bool differs() const {
    for (const double value : values)
      if (value != centre()) return true;
    return false;
  }
};

/// The plane in a cell whose sides have the length 1.
class PlaneFit {
 public:
  THIESSEN_HD explicit PlaneFit(const CoverageAround& around) : around_(around) {
    const Vector gradient = gradient_of();
    int steepest = 0;
    for (int axis = 1; axis < kAxes; ++axis)
      if (magnitude(gradient, axis) > magnitude(gradient, steepest)) steepest = axis;
    if (magnitude(gradient, steepest) == 0) return;
    take_if_better({-gradient[0], -gradient[1], -gradient[2]});
    try_columns(steepest, gradient[static_cast<std::size_t>(steepest)] < 0 ? 1 : -1);
  }

  /// Whether the coverage tells a direction.
  THIESSEN_HD bool is_found() const { return error_ < std::numeric_limits<double>::infinity(); }
  THIESSEN_HD const Vector& direction() const { return direction_; }
  THIESSEN_HD double offset() const { return offset_; }

 private:
  THIESSEN_HD static double magnitude(const Vector& vector, int axis) {
    const double value = vector[static_cast<std::size_t>(axis)];
    return value < 0 ? -value : value;
  }

  /// Sums of differences along each axis, in which cells count twice for each other axis on which
  /// they are in the middle. What rounding leaves of 0 is 0.
  THIESSEN_HD Vector gradient_of() const {
    constexpr double kNone = 1e-12;
    Vector gradient{};
    for (int z = -1; z <= 1; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
          const double value = around_.at(CoverageAround::place(z, y, x));
          gradient[0] += z * (2 - y * y) * (2 - x * x) * value;
          gradient[1] += y * (2 - z * z) * (2 - x * x) * value;
          gradient[2] += x * (2 - z * z) * (2 - y * y) * value;
        }
    for (double& along : gradient)
      if (along > -kNone && along < kNone) along = 0;
    return gradient;
  }

  /// Height of the column around `place`. The shape lies before the edge if `outward` is 1, after
  /// it if -1, and goes on so beyond the raster.
  THIESSEN_HD double height(int axis, int outward, int place) const {
    const int step = CoverageAround::step(axis);
    const double before = around_.reaches(axis, 0) ? around_.at(place - step) : outward > 0;
    const double after = around_.reaches(axis, 1) ? around_.at(place + step) : outward < 0;
    return before + around_.at(place) + after;
  }

  /// How much heights of columns along `axis` grow from one to the next along another axis: to the
  /// middle one, on average, and from it.
  THIESSEN_HD Vector growth(int axis, int outward, int other) const {
    const int step = CoverageAround::step(other);
    const double middle = height(axis, outward, CoverageAround::kCentre);
    double to = 0, from = 0;
    if (around_.reaches(other, 0))
      to = middle - height(axis, outward, CoverageAround::kCentre - step);
    if (around_.reaches(other, 1))
      from = height(axis, outward, CoverageAround::kCentre + step) - middle;
    if (!around_.reaches(other, 0)) to = from;
    if (!around_.reaches(other, 1)) from = to;
    return {to, (to + from) / 2, from};
  }

  THIESSEN_HD void try_columns(int axis, int outward) {
    const int first = axis == 0 ? 1 : 0;
    const int second = axis == 2 ? 1 : 2;
    const Vector by_first = growth(axis, outward, first);
    const Vector by_second = growth(axis, outward, second);
    for (std::size_t i = 0; i < (by_first[0] == by_first[2] ? 1 : 3); ++i)
      for (std::size_t j = 0; j < (by_second[0] == by_second[2] ? 1 : 3); ++j) {
        Vector direction{};
        direction[static_cast<std::size_t>(axis)] = outward;
        direction[static_cast<std::size_t>(first)] = -by_first[i];
        direction[static_cast<std::size_t>(second)] = -by_second[j];
        take_if_better(direction);
      }
  }

  /// Takes a direction if the neighbours come out better with it than with those before.
  THIESSEN_HD void take_if_better(const Vector& direction) {
    const CellCut cut(direction);
    const double offset = cut.offset(around_.centre());
    double error = 0;
    for (int z = around_.first(0); z <= around_.last(0); ++z)
      for (int y = around_.first(1); y <= around_.last(1); ++y)
        for (int x = around_.first(2); x <= around_.last(2); ++x) {
          const double along = direction[0] * z + direction[1] * y + direction[2] * x;
          const double away =
              cut.share(offset - along) - around_.at(CoverageAround::place(z, y, x));
          error += away * away;
          if (error >= error_) return;
        }
    error_ = error;
    direction_ = direction;
    offset_ = offset;
  }

  const CoverageAround& around_;
  Vector direction_{};
  double offset_ = 0;
  double error_ = std::numeric_limits<double>::infinity();
};

/// The box in a cell whose sides have the length 1.
class BoxFit {
 public:
  THIESSEN_HD explicit BoxFit(const CoverageAround& around) {
    Vector bend{};  // less than 0 where the neighbours along an axis are covered less
    for (int axis = 0; axis < kAxes; ++axis) {
      const int step = CoverageAround::step(axis);
      bend[static_cast<std::size_t>(axis)] =
          (around.at(CoverageAround::kCentre - step) - around.centre()) +
          (around.at(CoverageAround::kCentre + step) - around.centre());
    }
    is_hole_ = bend[0] + bend[1] + bend[2] > 0;
    int axes = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      is_open_[axis] = is_hole_ ? bend[axis] > 0 : bend[axis] < 0;
      axes += is_open_[axis] ? 1 : 0;
    }
    if (axes == 0)  // only neighbours across corners differ
      for (int axis = 0; axis < kAxes; ++axis) {
        is_open_[static_cast<std::size_t>(axis)] = around.first(axis) < around.last(axis);
        axes += around.first(axis) < around.last(axis) ? 1 : 0;
      }
    side_ = root(is_hole_ ? 1 - around.centre() : around.centre(), axes);
  }

  THIESSEN_HD bool is_hole() const { return is_hole_; }
  /// Whether the box ends within the cell along an axis.
  THIESSEN_HD bool is_open(std::size_t axis) const { return is_open_[axis]; }
  THIESSEN_HD double side(std::size_t axis) const { return is_open_[axis] ? side_ : 1; }

 private:
  /// The square root or cube root of a number between 0 and 1, or the number itself.
  THIESSEN_HD static double root(double value, int degree) {
    if (degree == 1) return value;
    if (degree == 2) return std::sqrt(value);
    constexpr int kHalvings = 53;
    double low = 0, high = 1;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = (low + high) / 2;
      (middle * middle * middle < value ? low : high) = middle;
    }
    return high;
  }

  std::array<bool, kAxes> is_open_{};
  bool is_hole_ = false;
  double side_ = 1;
};

/// The edge in a cell that is covered in part and has a neighbour with another coverage, but for
/// its place. Lengths are in units of the spacing.
THIESSEN_HD inline CellEdge fit_edge(const CoverageAround& around, const Vector& spacing) {
  CellEdge edge;
  if (const PlaneFit plane(around); plane.is_found()) {
    Vector normal{};
    double square = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      normal[axis] = plane.direction()[axis] / spacing[axis];
      square += normal[axis] * normal[axis];
    }
    const double length = std::sqrt(square);
    for (std::size_t axis = 0; axis < kAxes; ++axis) edge.vector[axis] = normal[axis] / length;
    edge.offset = plane.offset() / length;
    return edge;
  }
  const BoxFit box(around);
  edge.shape = box.is_hole() ? EdgeShape::hole : EdgeShape::box;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    edge.vector[axis] = spacing[axis] / 2 * box.side(axis);
    if (box.is_open(axis)) edge.sides = static_cast<std::uint8_t>(edge.sides | 3 << (2 * axis));
  }
  return edge;
}

}  // namespace thiessen
