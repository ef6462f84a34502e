// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "core/search/result_writer.hpp"
#include "opencl/device/device.hpp"

namespace thiessen::opencl {

/// Method "brute-force": compares every cell with every site. Exact.
Support supports_brute_force(const ContextState& state, const Problem& problem);
/// The same for a device with these capabilities.
Support supports_brute_force(const Capabilities& capabilities, const Problem& problem);
void run_brute_force(ContextState& state, const Problem& problem, const ProblemViews& views);

/// Searches one map; counts every cell as one unit of progress.
void compare_with_all(ContextState& state, const Problem& problem, const ProblemViews& views,
                      Write write);

}  // namespace thiessen::opencl
