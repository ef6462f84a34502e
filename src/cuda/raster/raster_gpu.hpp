// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::cuda {

/// Method "raster-gpu": few sites are scanned, for many the cells' neighbourhoods are expanded.
Support supports_raster_gpu(const ContextState& state, const Problem& problem);
void run_raster_gpu(ContextState& state, const Problem& problem, const ProblemViews& views);

/// Method "expansion": they are always expanded.
Support supports_expansion(const ContextState& state, const Problem& problem);
void run_expansion(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cuda
