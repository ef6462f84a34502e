// SPDX-License-Identifier: Apache-2.0
//
// For each cell the nearest site of another label: nearest sites among parts of the sites.
//
// The parts are those of the digits of the labels' codes (cpu/others/label_codes.hpp). What is
// sought at a cell of the label l is the nearest among the nearest sites of the parts whose digits
// l lacks.
#pragma once

#include <functional>

#include "core/base/context_state.hpp"
#include "core/problem/problem.hpp"

namespace thiessen::cpu {

/// Fills the outputs of nearest sites on the CPU, but for those of another label.
using FindNearest = std::function<void(const Problem& problem, const ProblemViews& views)>;

/// Fills all outputs by n + 1 runs of `find`, which counts `units` each time.
///
/// Memory: 25 bytes a cell for raster sites, 24 for points; and 8 bytes a site, for points 40.
void find_other_labels(ContextState& state, const Problem& problem, const ProblemViews& views,
                       std::int64_t units, const FindNearest& find);

}  // namespace thiessen::cpu
