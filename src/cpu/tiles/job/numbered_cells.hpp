// SPDX-License-Identifier: Apache-2.0
//
// Turns a list of points on centres of cells into a raster of their numbers.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cpu::tiles {

struct FreeNumbers {
  void operator()(std::int32_t* numbers) const noexcept { std::free(numbers); }
};

struct NumberedCells {
  View<const void> first;  ///< for each cell the number of its first point, or 0
  std::unique_ptr<std::int32_t[], FreeNumbers> own = nullptr;  ///< the memory, if not scratch
};

/// Whether all points lie within the grid.
bool lie_within(const Problem& problem, const PointSites& points);

/// Numbers points that lie within the grid, from 1 on.
NumberedCells number_cells(ContextState& state, const Problem& problem, const PointSites& points,
                           Scratch::Frame& scratch);

}  // namespace thiessen::cpu::tiles
