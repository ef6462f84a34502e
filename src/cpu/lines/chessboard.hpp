// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"
#include "core/search/result_writer.hpp"

namespace thiessen::cpu {

/// Exact nearest site by the chessboard metric: linear time in 2-D, cells · log(height) in 3-D.
void run_chessboard(ContextState& state, const Problem& problem, const ProblemViews& views,
                    Write write);

std::int64_t chessboard_units(const Problem& problem);

}  // namespace thiessen::cpu
