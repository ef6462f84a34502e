// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/problem/problem.hpp"
#include "core/search/result_writer.hpp"

namespace thiessen::cpu::flood {

/// Whether run_packed() takes the problem: sites that are cells of a 2-D raster, of at most 32,768
/// cells an axis and height, without periodic axes; no random circles, no metric of the user; and
/// vectors.
bool supports_packed(const ContextState& state, const Problem& problem);

/// Jump flooding of such a problem, several passes at a time.
void run_packed(ContextState& state, const Problem& problem, const ProblemViews& views,
                Write write);

}  // namespace thiessen::cpu::flood
