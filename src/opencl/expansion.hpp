// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "core/result_writer.hpp"
#include "opencl/device.hpp"

namespace thiessen::opencl {

/// Method "expansion": every cell looks around itself until it has met the nearest site. Exact.
Support supports_expansion(const ContextState& state, const Problem& problem);
/// The same of a device that can do this and that.
Support supports_expansion(const Capabilities& capabilities, const Problem& problem);
void run_expansion(ContextState& state, const Problem& problem, const ProblemViews& views);

/// The same of one map; counts every cell as one unit of progress.
void expand_cells(ContextState& state, const Problem& problem, const ProblemViews& views,
                  Write write);

}  // namespace thiessen::opencl
