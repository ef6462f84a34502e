// SPDX-License-Identifier: Apache-2.0
//
// A line has a point in its middle and one at each end: where the edge turns, a tip may be nearest.
// A plane has only that in its middle, since with its corners, too, the search for the nearest
// point would take six times as long.
//
// Sides of a box have their middles and corners, and in 3-D the middles of their own sides. One of
// these is the nearest to the centre of a cell, whichever that is, since boxes lie in the middle of
// their cells. So distances to sides of full cells are exact.
#include "coverage/points.hpp"

#include <algorithm>
#include <utility>

#include "coverage/cell_edge.hpp"
#include "threads/parallel.hpp"

namespace thiessen::coverage {
namespace {

/// The points of edges, in lengths from the centre of their cell.
class Points {
 public:
  explicit Points(const CoverageProblem& problem) : problem_(problem), distance_(problem.spacing) {}

  /// Calls visit(place) for the points of an edge.
  template <class Visit>
  void for_each(const CellEdge& edge, const Visit& visit) const {
    if (edge.shape == EdgeShape::plane) {
      visit(distance_.middle(edge));
      if (problem_.rank == 2) for_each_end(edge, visit);
      return;
    }
    const Vector& half = edge.shape == EdgeShape::sides ? distance_.half_cell() : edge.vector;
    for_each_point_of_sides(edge.sides, half, visit);
  }

 private:
  /// The ends of a line: where it meets sides of its cell.
  template <class Visit>
  void for_each_end(const CellEdge& edge, const Visit& visit) const {
    const Vector& half = distance_.half_cell();
    for (std::size_t axis = 1; axis < kAxes; ++axis) {
      if (edge.vector[axis] == 0) continue;
      const std::size_t other = kAxes - axis;
      for (const double side : {-half[other], half[other]}) {
        Vector place{};
        place[other] = side;
        place[axis] = (edge.offset - edge.vector[other] * side) / edge.vector[axis];
        if (place[axis] >= -half[axis] && place[axis] <= half[axis]) visit(place);
      }
    }
  }

  /// The points on sides of a box.
  template <class Visit>
  void for_each_point_of_sides(std::uint8_t sides, const Vector& half, const Visit& visit) const {
    const int depth = problem_.rank == 3 ? 1 : 0;
    const auto is_on = [sides](int axis, int place) {
      return place != 0 && (sides >> (2 * axis + (place > 0 ? 1 : 0)) & 1) != 0;
    };
    for (int z = -depth; z <= depth; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
          if (is_on(0, z) || is_on(1, y) || is_on(2, x))
            visit(Vector{z * half[0], y * half[1], x * half[2]});
  }

  const CoverageProblem& problem_;
  EdgeDistance distance_;
};

}  // namespace

EdgePoints make_points(ContextState& state, const CoverageProblem& problem, const Edges& edges,
                       Scratch::Frame& scratch) {
  constexpr std::int64_t kBlock = 4096;
  const std::int64_t blocks = (edges.count + kBlock - 1) / kBlock;
  const Points points(problem);
  const auto for_each_block = [&](const auto& visit) {
    parallel_for(state, blocks, 1, 0, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t block = begin; block < end; ++block)
        visit(block, block * kBlock, std::min((block + 1) * kBlock, edges.count));
    });
  };
  auto* const before = scratch.array<std::int64_t>(blocks);
  for_each_block([&](std::int64_t block, std::int64_t begin, std::int64_t end) {
    before[block] = 0;
    for (std::int64_t i = begin; i < end; ++i)
      points.for_each(edges.edges[i], [&](const Vector&) { ++before[block]; });
  });
  std::int64_t count = 0;
  for (std::int64_t block = 0; block < blocks; ++block)
    count += std::exchange(before[block], count);
  auto* const places = scratch.array<double>(count * problem.rank);
  auto* const numbers = scratch.array<EdgeNumber>(count);
  const auto absent = static_cast<std::size_t>(kAxes - problem.rank);
  for_each_block([&](std::int64_t block, std::int64_t begin, std::int64_t end) {
    double* place = places + before[block] * problem.rank;
    EdgeNumber* number = numbers + before[block];
    for (std::int64_t i = begin; i < end; ++i) {
      const CellEdge& edge = edges.edges[i];
      points.for_each(edge, [&](const Vector& from_centre) {
        for (std::size_t axis = absent; axis < kAxes; ++axis)
          *place++ = edge.cell[axis] + from_centre[axis] / problem.spacing[axis];
        *number++ = static_cast<EdgeNumber>(i + 1);
      });
    }
  });
  return {count, places, numbers};
}

}  // namespace thiessen::coverage
