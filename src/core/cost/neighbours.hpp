// SPDX-License-Identifier: Apache-2.0
//
// The cells to which steps lead.
//
//   over an end   of a periodic axis: a step that goes on at the other end. Such an axis is so long
//                 that the neighbours of a cell are different cells, and none of them the cell.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"
#include "core/cost/edges.hpp"

namespace thiessen {

/// How many cells a step leads along an axis at most.
inline constexpr std::int64_t kLongestStep = 2;

/// The index of a cell, whose coordinates may lie less than an extent beyond the ends of an axis.
THIESSEN_HD inline std::int64_t to_joined_index(const Axes& extent, const Axes& cell) {
  Axes inside = cell;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    if (inside[axis] < 0) inside[axis] += extent[axis];
    if (inside[axis] >= extent[axis]) inside[axis] -= extent[axis];
  }
  return to_index(extent, inside);
}

/// The cell so far from another one.
template <class T>
THIESSEN_HD std::int64_t cell_beside(const CostEdges<T>& edges, const Axes& extent,
                                     std::int64_t cell, const Axes& way) {
  if (edges.periodic == 0) return cell + to_index(extent, way);
  const Axes from = to_cell(extent, cell);
  return to_joined_index(extent, {from[0] + way[0], from[1] + way[1], from[2] + way[2]});
}

/// The distance to a neighbour in a raster in C order, in cells, but over an end.
template <class T>
std::array<std::int64_t, kMostNeighbours> neighbour_deltas(const CostEdges<T>& edges,
                                                           const Axes& extent) {
  std::array<std::int64_t, kMostNeighbours> deltas{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(edges.count); ++k) {
    const CostOffset o = edges.offset[k];
    deltas[k] = to_index(extent, {o.z, o.y, o.x});
  }
  return deltas;
}

/// Neighbour k of a cell, which must have it; `deltas` are neighbour_deltas().
template <class T>
std::int64_t neighbour_of(const CostEdges<T>& edges,
                          const std::array<std::int64_t, kMostNeighbours>& deltas,
                          const Axes& extent, std::int64_t cell, int k) {
  const auto step = static_cast<std::size_t>(k);
  if (edges.periodic == 0) return cell + deltas[step];
  const CostOffset o = edges.offset[step];
  return cell_beside(edges, extent, cell, {o.z, o.y, o.x});
}

/// Bit k for each neighbour k that a cell has.
template <class T>
std::uint32_t neighbours_inside(const CostEdges<T>& edges, const Axes& extent, const Axes& cell) {
  const auto is_inner = [&](std::size_t axis) {
    return cell[axis] >= kLongestStep && cell[axis] < extent[axis] - kLongestStep;
  };
  if ((edges.is_flat() || is_inner(0)) && is_inner(1) && is_inner(2))
    return (std::uint32_t{1} << edges.count) - 1;
  const auto goes_on = [&](std::size_t axis, std::int64_t to) {
    return (to >= 0 && to < extent[axis]) || (edges.periodic >> axis & 1) != 0;
  };
  std::uint32_t inside = 0;
  for (int k = 0; k < edges.count; ++k) {
    const CostOffset o = edges.offset[static_cast<std::size_t>(k)];
    const bool in =
        goes_on(0, cell[0] + o.z) && goes_on(1, cell[1] + o.y) && goes_on(2, cell[2] + o.x);
    inside |= std::uint32_t{in} << k;
  }
  return inside;
}

/// Calls visit(neighbour, k) for the neighbours of a cell of a raster in C order.
template <class T, class Visit>
void for_each_neighbour(const CostEdges<T>& edges,
                        const std::array<std::int64_t, kMostNeighbours>& deltas, const Axes& extent,
                        std::int64_t cell, const Visit& visit) {
  std::uint32_t inside = neighbours_inside(edges, extent, to_cell(extent, cell));
  for (; inside != 0; inside &= inside - 1) {
    const int k = std::countr_zero(inside);
    visit(neighbour_of(edges, deltas, extent, cell, k), k);
  }
}

/// Calls visit(row, first, end) for the cells first..end-1 of rows (row = z·height + y) from which
/// steps may lead over an end.
template <class T, class Visit>
void for_each_piece_at_ends(const CostEdges<T>& edges, const Axes& extent, const Visit& visit) {
  if (edges.periodic == 0) return;
  const auto is_periodic = [&](std::size_t axis) { return (edges.periodic >> axis & 1) != 0; };
  const auto is_at_end = [&](std::size_t axis, std::int64_t at) {
    return is_periodic(axis) && (at < kLongestStep || at >= extent[axis] - kLongestStep);
  };
  const std::int64_t width = extent[2];
  for (std::int64_t row = 0; row < extent[0] * extent[1]; ++row) {
    if (is_at_end(0, row / extent[1]) || is_at_end(1, row % extent[1])) {
      visit(row, std::int64_t{0}, width);
    } else if (is_periodic(2)) {
      visit(row, std::int64_t{0}, kLongestStep);
      visit(row, width - kLongestStep, width);
    }
  }
}

}  // namespace thiessen
