// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::opencl {

/// Method "raster-gpu": scans few sites, and expands the neighbourhoods of cells for many. Exact.
Support supports_raster_gpu(const ContextState& state, const Problem& problem);
void run_raster_gpu(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::opencl
