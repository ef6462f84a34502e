// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "opencl/device/device.hpp"

namespace thiessen::opencl {

/// Method "exact".
Support supports_exact(const ContextState& state, const Problem& problem);
/// The same for a device with these capabilities.
Support supports_exact(const Capabilities& capabilities, const Problem& problem);
void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::opencl
