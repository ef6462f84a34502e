// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::opencl {

/// Method "raster-gpu": few sites are scanned, for many the cells' neighbourhoods are expanded.
/// Exact.
Support supports_raster_gpu(const ContextState& state, const Problem& problem);
void run_raster_gpu(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::opencl
