// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "core/result_writer.hpp"
#include "opencl/device.hpp"

namespace thiessen::opencl {

/// Method "brute-force": every cell against every site. Exact.
Support supports_brute_force(const ContextState& state, const Problem& problem);
/// The same of a device that can do this and that.
Support supports_brute_force(const Capabilities& capabilities, const Problem& problem);
void run_brute_force(ContextState& state, const Problem& problem, const ProblemViews& views);

/// The same of one map; counts every cell as one unit of progress.
void compare_with_all(ContextState& state, const Problem& problem, const ProblemViews& views,
                      Write write);

}  // namespace thiessen::opencl
