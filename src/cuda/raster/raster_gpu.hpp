// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::cuda::raster {

/// Method "raster-gpu": scans few sites, and expands the neighbourhoods of cells for many.
Support supports_raster_gpu(const ContextState& state, const Problem& problem);
void run_raster_gpu(ContextState& state, const Problem& problem, const ProblemViews& views);

/// Method "expansion": always expands neighbourhoods.
Support supports_expansion(const ContextState& state, const Problem& problem);
void run_expansion(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cuda::raster
