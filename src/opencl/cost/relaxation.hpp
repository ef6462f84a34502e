// SPDX-License-Identifier: Apache-2.0
//
// The relaxation of J. Toss and J. Comba on OpenCL devices, followed by labels.
#pragma once

#include "backend/backend.hpp"
#include "opencl/device/device.hpp"

namespace thiessen::opencl {

Support supports_cost_relaxation(const Capabilities& capabilities, const CostProblem& problem);
Support supports_cost_relaxation(const ContextState& state, const CostProblem& problem);

void run_cost_relaxation(ContextState& state, const CostProblem& problem, const CostViews& views,
                         CostDistanceReport& report);

}  // namespace thiessen::opencl
