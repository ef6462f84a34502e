// SPDX-License-Identifier: Apache-2.0
//
// Goes through the list from its end, so that each cell keeps the number of its first point, and
// chains the points of a cell if they have fractions.
#include "cpu/tiles/job/numbered_cells.hpp"

#include <algorithm>

#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu::tiles {
namespace {

/// Half a cell, in the units of points.
std::int64_t half_cell(int fraction_bits) {
  return fraction_bits == 0 ? 0 : std::int64_t{1} << (fraction_bits - 1);
}

/// Whether a point lies in a cell of the grid, or on the border of one.
bool lies_within(const Problem& problem, const Axes& point) {
  const std::int64_t half = half_cell(problem.fraction_bits);
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const std::int64_t last = (problem.extent[axis] - 1) << problem.fraction_bits;
    if (point[axis] < -half || point[axis] > last + half) return false;
  }
  return true;
}

/// The cell of a point that lies within the grid.
Axes cell_of_point(const Problem& problem, const Axes& point) {
  Axes cell;
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    cell[axis] = std::min((point[axis] + half_cell(problem.fraction_bits)) >> problem.fraction_bits,
                          problem.extent[axis] - 1);
  return cell;
}

/// Few points on a large grid: most pages of their numbers are all 0.
bool are_sparse(const Problem& problem, const PointSites& points) {
  constexpr std::int64_t kManyCells = std::int64_t{1} << 24;
  constexpr std::int64_t kCellsOfPoint = 2048;
  return problem.cells() >= kManyCells && points.count <= problem.cells() / kCellsOfPoint;
}

void clear(ContextState& state, const Axes& extent, std::int32_t* numbers) {
  parallel_for(state, extent[0] * extent[1], rows_per_task(extent[2]), extent[2],
               [&](std::int64_t begin, std::int64_t end, int) {
                 std::fill(numbers + begin * extent[2], numbers + end * extent[2], 0);
               });
}

}  // namespace

bool lie_within(const Problem& problem, const PointSites& points) {
  return std::all_of(points.at, points.at + points.count,
                     [&](const Axes& point) { return lies_within(problem, point); });
}

NumberedCells number_cells(ContextState& state, const Problem& problem, const PointSites& points,
                           Scratch::Frame& scratch) {
  const PhaseTimer phase(state, "numbers of points");
  const Axes& extent = problem.extent;
  NumberedCells numbered;
  // The system gives such memory its zeros without taking pages that nobody writes to.
  if (are_sparse(problem, points))
    numbered.own.reset(static_cast<std::int32_t*>(
        std::calloc(static_cast<std::size_t>(problem.cells()), sizeof(std::int32_t))));
  std::int32_t* const first =
      numbered.own ? numbered.own.get() : scratch.array<std::int32_t>(problem.cells());
  if (!numbered.own) clear(state, extent, first);
  auto* const next = points.fraction_bits > 0 ? scratch.array<std::int32_t>(points.count) : nullptr;
  for (std::int64_t i = points.count; i-- > 0;) {
    std::int32_t& number = first[to_index(extent, cell_of_point(problem, points.at[i]))];
    if (next != nullptr) next[i] = number;
    number = static_cast<std::int32_t>(i + 1);
  }
  numbered.first = View<const std::int32_t>(first, Extents{extent[0], extent[1], extent[2]});
  numbered.next = next;
  return numbered;
}

}  // namespace thiessen::cpu::tiles
