// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "core/search/result_writer.hpp"
#include "opencl/device/device.hpp"

namespace thiessen::opencl {

/// Method "expansion": every cell expands its neighbourhood until it contains the nearest site.
/// Exact.
Support supports_expansion(const ContextState& state, const Problem& problem);
/// The same for a device with these capabilities.
Support supports_expansion(const Capabilities& capabilities, const Problem& problem);
void run_expansion(ContextState& state, const Problem& problem, const ProblemViews& views);

/// Searches one map; counts every cell as one unit of progress.
void expand_cells(ContextState& state, const Problem& problem, const ProblemViews& views,
                  Write write);

}  // namespace thiessen::opencl
