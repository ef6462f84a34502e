// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/job.hpp"
#include "cuda/transfer.hpp"

namespace thiessen::cuda {

/// The call with its inputs on the device, and memory there for its outputs.
Job make_job(const Problem& problem, const ProblemViews& views, Transfer& transfer);

}  // namespace thiessen::cuda
