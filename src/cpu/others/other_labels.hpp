// SPDX-License-Identifier: Apache-2.0
//
// For each cell the nearest site of another label: nearest sites among parts of the sites.
//
// Each of K labels gets a code: a set of n/2 of n digits, each label another one. No such set lies
// in another, so of two labels each has a digit that the other lacks. The sites whose labels have
// digit i are the part i. A site of another label than l lies in a part of a digit that l lacks,
// and no site of l does. So the nearest of those parts' nearest sites is what is sought. The least
// n with enough sets is little more than log2 K: 4 for 6 labels, 16 for 10,000 (E. Sperner, "Ein
// Satz über Untermengen einer endlichen Menge", 1928).
#pragma once

#include <functional>

#include "core/context_state.hpp"
#include "core/problem.hpp"

namespace thiessen::cpu {

/// Fills the outputs of nearest sites on the CPU, but for those of another label.
using FindNearest = std::function<void(const Problem& problem, const ProblemViews& views)>;

/// Fills all outputs by n + 1 runs of `find`, which counts `units` each time.
///
/// Memory: 25 bytes a cell for raster sites, 24 for points; and 8 bytes a site, for points 40.
void find_other_labels(ContextState& state, const Problem& problem, const ProblemViews& views,
                       std::int64_t units, const FindNearest& find);

}  // namespace thiessen::cpu
