// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "core/slab.hpp"

namespace thiessen::cpu {

/// Method "exact": the linear-time methods of this backend behind one name.
Support supports_exact(const ContextState& state, const Problem& problem);
void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views);

/// The nearest-site map of one slab of a larger raster, `views` being those of the slab's cells.
/// Throws Error{unsupported} for what a slab and its two neighbours do not determine: the
/// chessboard metric, the signed distance, the distance to the boundary, numbers of boolean sites.
void run_exact_slab(ContextState& state, const Problem& problem, const Slab& slab,
                    const ProblemViews& views);

}  // namespace thiessen::cpu
