// SPDX-License-Identifier: Apache-2.0
//
// The line search: finds the winners of the leaves that are left, strip by strip, in little more
// than linear time.
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"
#include "cpu/tiles/job/job.hpp"
#include "cpu/tiles/lines/line_plan.hpp"
#include "cpu/tiles/near/windows.hpp"

namespace thiessen::cpu::tiles {

/// Writes the outputs of strips with open leaves, on all threads, and makes these leaves
/// SolvedBy::lines. Strips that take too long stay open. Leaves that another search has done may
/// be written again. Sites, or edges, are marked.
template <int kRank>
void search_lines(ContextState& state, const LinePlan& plan, WindowResult result, const Job& job);

/// The bytes of memory that the kernels need for lines of so many cells.
std::int64_t line_memory(const LinePlan& plan, WindowResult result, std::int64_t length);

WindowKernels line_kernels(std::int64_t targets, const LinePlan& plan, WindowResult result);

/// Fills WindowJob::gaps of some rows, counted through all planes.
using GapKernel = void (*)(const WindowJob& windows, std::int64_t begin, std::int64_t end,
                           Gap* gaps);
GapKernel gap_kernel(std::int64_t targets, WindowResult result);

}  // namespace thiessen::cpu::tiles
