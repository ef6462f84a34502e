// SPDX-License-Identifier: Apache-2.0
//
// Goes through the list from its end, so that each cell keeps the number of its first point.
#include "cpu/tiles/job/numbered_cells.hpp"

#include <algorithm>

#include "threads/parallel.hpp"
#include "threads/rows.hpp"

namespace thiessen::cpu::tiles {
namespace {

bool lies_within(const Problem& problem, const Axes& point) {
  for (std::size_t axis = 0; axis < kAxes; ++axis)
    if (point[axis] < 0 || point[axis] >= problem.extent[axis]) return false;
  return true;
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
  for (std::int64_t i = points.count; i-- > 0;)
    first[to_index(extent, points.at[i])] = static_cast<std::int32_t>(i + 1);
  numbered.first = View<const std::int32_t>(first, Extents{extent[0], extent[1], extent[2]});
  return numbered;
}

}  // namespace thiessen::cpu::tiles
