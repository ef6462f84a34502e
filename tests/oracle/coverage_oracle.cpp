// SPDX-License-Identifier: Apache-2.0
#include "oracle/coverage_oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "coverage/cell_edge.hpp"
#include "coverage/edge_fit.hpp"

namespace thiessen::oracle {
namespace {

CoverageAround around(const CoverageScene& scene, const Axes& cell) {
  CoverageAround around;
  for (std::int64_t z = -1; z <= 1; ++z)
    for (std::int64_t y = -1; y <= 1; ++y)
      for (std::int64_t x = -1; x <= 1; ++x) {
        Axes other{cell[0] + z, cell[1] + y, cell[2] + x};
        for (std::size_t axis = 0; axis < kAxes; ++axis)
          other[axis] = std::clamp<std::int64_t>(other[axis], 0, scene.extent[axis] - 1);
        around.values[static_cast<std::size_t>((z * 3 + y) * 3 + x + 13)] =
            scene.at(other[0], other[1], other[2]);
      }
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    around.has[axis] = {cell[axis] > 0, cell[axis] < scene.extent[axis] - 1};
  return around;
}

/// The sides of a full cell to an empty one.
std::uint8_t empty_sides(const CoverageScene& scene, const Axes& cell) {
  unsigned sides = 0;
  for (std::size_t side = 0; side < 2 * kAxes; ++side) {
    Axes other = cell;
    other[side / 2] += side % 2 == 0 ? -1 : 1;
    const bool is_there = other[side / 2] >= 0 && other[side / 2] < scene.extent[side / 2];
    if (is_there && scene.at(other[0], other[1], other[2]) == 0) sides |= 1U << side;
  }
  return static_cast<std::uint8_t>(sides);
}

}  // namespace

std::vector<double> signed_distances(const CoverageScene& scene) {
  const bool is_flat = scene.extent[0] == 1;
  const double unit =
      *std::max_element(scene.spacing.begin() + (is_flat ? 1 : 0), scene.spacing.end());
  const Vector spacing{is_flat ? 1 : scene.spacing[0] / unit, scene.spacing[1] / unit,
                       scene.spacing[2] / unit};
  std::vector<CellEdge> edges;
  std::vector<bool> inside;
  const std::int64_t cells = scene.extent[0] * scene.extent[1] * scene.extent[2];
  for (std::int64_t index = 0; index < cells; ++index) {
    const Axes cell = to_cell(scene.extent, index);
    const double share = scene.coverage[static_cast<std::size_t>(index)];
    inside.push_back(share >= 0.5);
    CellEdge edge;
    if (share == 1 && empty_sides(scene, cell) != 0) {
      edge.shape = EdgeShape::sides;
      edge.sides = empty_sides(scene, cell);
    } else if (share > 0 && share < 1 && around(scene, cell).differs()) {
      edge = fit_edge(around(scene, cell), spacing);
      if (edge.shape != EdgeShape::plane) inside.back() = edge.shape == EdgeShape::box;
    } else {
      continue;
    }
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      edge.cell[axis] = static_cast<std::int32_t>(cell[axis]);
    edges.push_back(edge);
  }
  const EdgeDistance distance(spacing);
  std::vector<double> distances;
  for (std::int64_t index = 0; index < cells; ++index) {
    const Axes at = to_cell(scene.extent, index);
    double least = std::numeric_limits<double>::infinity();
    for (const CellEdge& edge : edges)
      least = std::min(least, distance.squared(edge,
                                               {static_cast<std::int32_t>(at[0]),
                                                static_cast<std::int32_t>(at[1]),
                                                static_cast<std::int32_t>(at[2])},
                                               least));
    const double length = std::sqrt(least) * unit;
    distances.push_back(inside[static_cast<std::size_t>(index)] && length > 0 ? -length : length);
  }
  return distances;
}

}  // namespace thiessen::oracle
