// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/problem/problem.hpp"
#include "core/search/result_writer.hpp"

namespace thiessen::cpu::flood {

/// Whether run_deep() takes the problem: sites that are cells of a 3-D raster, of at most 32,768
/// cells an axis, without periodic axes, with coordinates and S that fit 32 bits each; no noise, no
/// steps that depend on the number of sites, no observer of passes, no metric of the user; and
/// vectors.
bool supports_deep(const ContextState& state, const Problem& problem);

/// Jump flooding of such a problem.
void run_deep(ContextState& state, const Problem& problem, const ProblemViews& views, Write write);

}  // namespace thiessen::cpu::flood
