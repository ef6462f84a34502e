// SPDX-License-Identifier: Apache-2.0
//
// Straight lines from the cell of a site to the cells around it, for Eikonal cost distance: a front
// that is about to begin has no direction yet, and what an equation errs there stays in all cells
// behind. A cell around a site gets the least
//   initial cost + Σ length · C
// over such lines, in the order of their cells. A line ends at a barrier. Where it goes through an
// edge or a corner, some way from face to face must be open there, as for a front.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"
#include "core/cost/eikonal.hpp"

namespace thiessen::eikonal {

/// A cell, from that of the site.
using FromSite = std::array<std::int32_t, kAxes>;

/// A part of a line in one cell.
struct LinePart {
  FromSite cell;
  double length;
};

/// A line to the centre of a cell; without parts: to that of the site itself.
struct StraightLine {
  FromSite to{};
  std::int32_t first = 0;  ///< of its parts
  std::int32_t parts = 0;
  double length = 0;
};

/// The shortest first, without the line to the site itself.
struct StraightLines {
  std::vector<StraightLine> lines;
  std::vector<LinePart> parts;
};

/// The lines to all cells within `radius` cells of the widest spacing.
StraightLines straight_lines(const Axes& extent, const AlongAxes& spacing, double radius);

/// Whether a way from face to face is open between two cells that touch, if both are.
template <class IsOpen>
THIESSEN_HD bool is_open_between(const FromSite& from, const FromSite& to, const IsOpen& is_open) {
  std::size_t axes[kAxes];
  int count = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (from[axis] != to[axis]) axes[count++] = axis;
  if (count < 2) return true;
  for (int i = 0; i < count; ++i) {
    FromSite next = from;
    next[axes[i]] = to[axes[i]];
    if (!is_open(next)) continue;
    if (count == 2) return true;
    for (int k = 0; k < count; ++k) {
      FromSite last = next;
      last[axes[k]] = to[axes[k]];
      if (k != i && is_open(last)) return true;
    }
  }
  return false;
}

/// The cost along a line whose cells cost cost_at(cell) per unit of length; infinity if a barrier
/// is in the way.
template <class CostAt>
THIESSEN_HD double cost_along(const LinePart* parts, std::int32_t count, const CostAt& cost_at) {
  const auto is_open = [&](const FromSite& cell) { return cost_at(cell) < kInfinity; };
  double sum = 0;
  for (std::int32_t i = 0; i < count; ++i) {
    const double cost = cost_at(parts[i].cell);
    if (!(cost < kInfinity)) return kInfinity;
    if (i > 0 && !is_open_between(parts[i - 1].cell, parts[i].cell, is_open)) return kInfinity;
    sum += parts[i].length * cost;
  }
  return sum;
}

/// From a site, which may lie beside the centre of its cell, to the centre of a cell.
struct WayFromSite {
  double length = 0;
  std::array<float, kAxes> direction{};  ///< unit vector; 0 if there is no way to go
};

THIESSEN_HD inline WayFromSite way_from_site(const FromSite& to, const AlongAxes& offset,
                                             const AlongAxes& spacing) {
  WayFromSite way;
  AlongAxes along{};
  double square = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    along[axis] = (static_cast<double>(to[axis]) - offset[axis]) * spacing[axis];
    square += along[axis] * along[axis];
  }
  way.length = std::sqrt(square);
  for (std::size_t axis = 0; axis < kAxes && way.length > 0; ++axis)
    way.direction[axis] = static_cast<float>(along[axis] / way.length);
  return way;
}

/// The cost of a cell at the end of a line, above the initial cost of the site. `offset` is null if
/// sites lie at the centres of their cells.
template <class CostAt>
THIESSEN_HD double cost_of_line(const StraightLine& line, const LinePart* parts,
                                const AlongAxes* offset, const AlongAxes& spacing,
                                const CostAt& cost_at) {
  if (line.parts == 0) {
    const double length = offset == nullptr ? 0 : way_from_site({}, *offset, spacing).length;
    return length == 0 ? 0 : length * cost_at(FromSite{});
  }
  const double cost = cost_along(parts + line.first, line.parts, cost_at);
  if (offset == nullptr || !(cost < kInfinity)) return cost;
  return cost * (way_from_site(line.to, *offset, spacing).length / line.length);
}

}  // namespace thiessen::eikonal
