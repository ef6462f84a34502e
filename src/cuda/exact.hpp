// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::cuda {

/// Method "exact".
Support supports_exact(const ContextState& state, const Problem& problem);
/// Whether the layers of one job may be rasters of two axes.
inline bool takes_batch(const Problem& raster) { return raster.rank == 2; }
void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cuda
