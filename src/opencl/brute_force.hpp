// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "opencl/device.hpp"

namespace thiessen::opencl {

/// Method "brute-force": every cell against every site. Exact.
Support supports_brute_force(const ContextState& state, const Problem& problem);
/// The same of a device that can do this and that.
Support supports_brute_force(const Capabilities& capabilities, const Problem& problem);
void run_brute_force(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::opencl
