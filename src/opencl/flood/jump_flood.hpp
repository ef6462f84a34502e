// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "opencl/device/device.hpp"

namespace thiessen::opencl {

/// The methods of jump flooding (core/problem/flooding.hpp).
Support supports_jump_flood(const ContextState& state, const Problem& problem);
/// The same for a device with these capabilities.
Support supports_jump_flood(const Capabilities& capabilities, const Problem& problem);
void run_jump_flood(ContextState& state, const Problem& problem, const ProblemViews& views);

}  // namespace thiessen::opencl
