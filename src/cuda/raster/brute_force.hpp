// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/sites/site_list.hpp"

namespace thiessen::cuda::raster {

/// Method "brute-force": every site against every cell.
Support supports_brute_force(const ContextState& state, const Problem& problem);
void run_brute_force(ContextState& state, const Problem& problem, const ProblemViews& views);

/// The same with a list of sites; does nothing if they are not listed.
void compare_with_all(const CudaSession& session, const Problem& problem, const Job& job,
                      const sites::SiteList& list);

}  // namespace thiessen::cuda::raster
