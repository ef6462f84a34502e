// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/problem/problem.hpp"

namespace thiessen::cpu {

/// The blocks of a widened raster as those of the one that begins at its row or plane `first`, the
/// first one of a block.
inline Solved solved_from(Solved solved, const Problem& problem, std::int64_t first) {
  const auto axis = static_cast<std::size_t>(problem.first_axis());
  const std::int64_t before = first / solved.size[axis];
  solved.blocks += before * (axis == 0 ? solved.count[1] : 1) * solved.count[2];
  solved.count[axis] -= before;
  return solved;
}

}  // namespace thiessen::cpu
