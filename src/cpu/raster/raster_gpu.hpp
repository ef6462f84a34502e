// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"

namespace thiessen::cpu {

Support supports_raster_gpu(const ContextState& state, const Problem& problem);
void run_raster_gpu(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::cpu
