// SPDX-License-Identifier: Apache-2.0
//
// Which steps pass where faces between cells are blocked.
//
//   box    of a step: the smallest one around its two cells; at most 8 cells
//   way    of a step: from its one cell to the other across open faces, within the box; with tight
//          barriers through open cells
//
// A step passes if it has a way. So costs that spread by steps of any kind reach no cell that steps
// across open faces do not reach: where blocked faces close a region off, nothing gets in or out.
#pragma once

#include <cstdint>

#include "core/base/scratch.hpp"
#include "core/cost/edges.hpp"
#include "core/cost/inputs.hpp"
#include "core/cost/problem.hpp"

namespace thiessen {

/// PlacedSteps::open_steps, for faces of three axes. Where no face nearby is blocked it leaves
/// tight barriers to sum_along(), which stops the same steps. Throws Error{invalid_argument} naming
/// the first cell with a bit that is no face's.
template <class T>
const std::uint32_t* find_open_steps(const CostProblem& problem,
                                     const View<const std::uint8_t>& blocked_faces,
                                     const CostEdges<T>& edges, const T* resistance,
                                     const Loop& loop, Scratch::Frame& scratch);

}  // namespace thiessen
