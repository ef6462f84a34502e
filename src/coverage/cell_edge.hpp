// SPDX-License-Identifier: Apache-2.0
//
// The edge of a shape in one cell, and how far away it is.
//
// A cell that is covered in part has a piece of a line, or in 3-D of a plane; where its neighbours
// tell no direction, as those of a thin line in the middle of cells, the surface of a box around
// its centre. A full cell has edges on its sides to empty cells. coverage/edge_fit.hpp makes them.
//
// All by + - * / and square roots in one order: the bits are the same on every machine.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"
#include "coverage/cell_cut.hpp"

namespace thiessen {

enum class EdgeShape : std::uint8_t {
  plane,  ///< a line in 2-D
  box,    ///< covered inside
  hole,   ///< a box that is not covered
  sides,  ///< of a full cell
};

/// An edge within a cell, in lengths from the centre of the cell.
struct CellEdge {
  Vector
      vector{};  ///< of a plane the normal, of length 1, out of the shape; of a box half its sides
  double offset = 0;  ///< of a plane: in the shape is normal·p <= offset
  std::array<std::int32_t, kAxes> cell{};
  EdgeShape shape = EdgeShape::plane;
  /// Bit 2·axis for the side before and 2·axis + 1 for that after: of a full cell those that are
  /// edges, of a box those that do not reach the next cell.
  std::uint8_t sides = 0;
};

/// Distances from centres of cells to edges, on a grid of that spacing.
class EdgeDistance {
 public:
  THIESSEN_HD explicit EdgeDistance(const Vector& spacing)
      : spacing_(spacing), half_{spacing[0] / 2, spacing[1] / 2, spacing[2] / 2} {}

  /// The squared distance; if that is more than `most`, some number that is more, too.
  THIESSEN_HD double squared(const CellEdge& edge, const std::array<std::int32_t, kAxes>& cell,
                             double most) const {
    Vector from{};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      from[axis] = (cell[axis] - edge.cell[axis]) * spacing_[axis];
    switch (edge.shape) {
      case EdgeShape::plane:
        return to_plane(edge, from, most);
      case EdgeShape::sides:
        return to_sides(edge, from);
      default:
        return cell == edge.cell ? to_box_around(edge) : square_beyond(from, edge.vector);
    }
  }

  /// Half the sides of a cell.
  THIESSEN_HD const Vector& half_cell() const { return half_; }

  /// A point of a plane's piece: the nearest to the centre of its cell.
  THIESSEN_HD Vector middle(const CellEdge& edge) const { return nearest_of_piece(edge, {}); }

 private:
  THIESSEN_HD static double magnitude(double value) { return value < 0 ? -value : value; }
  THIESSEN_HD static double beyond(double value, double half) {
    const double rest = magnitude(value) - half;
    return rest > 0 ? rest : 0;
  }
  THIESSEN_HD static double clamped(double value, double half) {
    return value < -half ? -half : value > half ? half : value;
  }

  /// The squared distance to a box around 0.
  THIESSEN_HD static double square_beyond(const Vector& from, const Vector& half) {
    double square = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const double rest = beyond(from[axis], half[axis]);
      square += rest * rest;
    }
    return square;
  }

  /// How far out of the shape a point lies.
  THIESSEN_HD static double height_of(const CellEdge& edge, const Vector& point) {
    double height = -edge.offset;
    for (std::size_t axis = 0; axis < kAxes; ++axis) height += edge.vector[axis] * point[axis];
    return height;
  }

  THIESSEN_HD double to_plane(const CellEdge& edge, const Vector& from, double most) const {
    const double height = height_of(edge, from);
    const double square = height * height;
    if (square > most) return square;
    Vector foot{};
    double beyond_cell = 0;  // squared, of the foot of the perpendicular
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      foot[axis] = from[axis] - height * edge.vector[axis];
      const double rest = beyond(foot[axis], half_[axis]);
      beyond_cell += rest * rest;
    }
    if (beyond_cell == 0) return square;
    if (square + beyond_cell > most) return square + beyond_cell;
    const Vector point = nearest_of_piece(edge, from);
    double to_point = 0;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const double away = from[axis] - point[axis];
      to_point += away * away;
    }
    return to_point;
  }

  /// The nearest point of a plane within the cell: that of the plane, if it lies in the cell. If
  /// not, some of its coordinates are clamped to the cell, which moves it off the plane. Those that
  /// are clamped the way it moves stay so, and the nearest point is sought with the others alone.
  ///
  /// After G. R. Bitran and A. C. Hax, "Disaggregation and resource allocation using convex
  /// knapsack problems with bounded variables" (1981).
  THIESSEN_HD Vector nearest_of_piece(const CellEdge& edge, const Vector& from) const {
    const Vector& normal = edge.vector;
    Vector point = from;
    std::array<bool, kAxes> is_free{true, true, true};
    double rest = edge.offset, square = 1;
    for (int turn = 0; turn < kAxes && square > 0; ++turn) {
      double along = -rest;
      for (std::size_t axis = 0; axis < kAxes; ++axis)
        if (is_free[axis]) along += normal[axis] * from[axis];
      const double k = along / square;
      Vector moved{};  // by how much clamping lowers normal·point
      double all = 0;
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        if (!is_free[axis]) continue;
        const double free = from[axis] - k * normal[axis];
        point[axis] = clamped(free, half_[axis]);
        moved[axis] = normal[axis] * (free - point[axis]);
        all += moved[axis];
      }
      if (all == 0) break;
      square = 0;
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        if (!is_free[axis]) continue;
        is_free[axis] = all > 0 ? moved[axis] <= 0 : moved[axis] >= 0;
        if (is_free[axis])
          square += normal[axis] * normal[axis];
        else
          rest -= normal[axis] * point[axis];
      }
    }
    return point;
  }

  THIESSEN_HD double to_sides(const CellEdge& edge, const Vector& from) const {
    double least = std::numeric_limits<double>::infinity();
    constexpr std::size_t kSides = 2 * std::size_t{kAxes};
    for (std::size_t side = 0; side < kSides; ++side) {
      if ((edge.sides >> side & 1) == 0) continue;
      double square = 0;
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const double place = side % 2 == 0 ? -half_[axis] : half_[axis];
        const double away = axis == side / 2 ? from[axis] - place : beyond(from[axis], half_[axis]);
        square += away * away;
      }
      if (square < least) least = square;
    }
    return least;
  }

  /// From the centre of a box.
  THIESSEN_HD static double to_box_around(const CellEdge& edge) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      const double square = edge.vector[axis] * edge.vector[axis];
      if ((edge.sides >> (2 * axis) & 1) != 0 && square < least) least = square;
    }
    return least;
  }

  Vector spacing_, half_;
};

}  // namespace thiessen
