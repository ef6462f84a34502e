// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "core/slab.hpp"

namespace thiessen::cpu {

/// Method "exact": the linear-time methods of this backend behind one name.
Support supports_exact(const Problem& problem);
void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views);

/// The nearest-site map of one slab of a larger raster, `views` being those of the slab's cells.
/// Not for the chessboard metric, the signed distance or the distance to the boundary.
void run_exact_slab(ContextState& state, const Problem& problem, const Slab& slab,
                    const ProblemViews& views);

}  // namespace thiessen::cpu
