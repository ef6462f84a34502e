// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "core/search/result_writer.hpp"
#include "opencl/device/device.hpp"

namespace thiessen::opencl {

/// Cells of a column, or of a line along z: a work item may look at all of them.
inline constexpr std::int64_t kLongestLine = std::int64_t{1} << 20;

/// Whether codes of cells need 64 bits.
bool has_long_codes(const Problem& problem);

/// Exact nearest site of every cell of a raster, by euclidean or manhattan distance. Counts
/// separable_units() of progress.
void run_separable(ContextState& state, const Problem& problem, const ProblemViews& views,
                   Write write);
std::int64_t separable_units(const Problem& problem);

}  // namespace thiessen::opencl
