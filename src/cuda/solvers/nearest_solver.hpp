// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "backend/nearest_solver.hpp"
#include "core/base/scratch.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda::solvers {

/// Fills the outputs of a job by method exact.
using ExactSearch = void (*)(const CudaSession& session, const Problem& problem,
                             const ProblemViews& views, const Job& job, Scratch::Frame& device);

/// Repairs a map in device memory, or makes it anew by `search`. All arguments must outlive it.
/// Throws Error{unsupported} if S needs 128 bits, Error{out_of_memory}.
std::unique_ptr<NearestSolverEngine> make_nearest_solver(ContextState& state,
                                                         const NearestSolverData& data,
                                                         ExactSearch search);

}  // namespace thiessen::cuda::solvers
