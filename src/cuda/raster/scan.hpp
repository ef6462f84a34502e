// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job.hpp"
#include "cuda/site_list.hpp"

namespace thiessen::cuda {

/// Compares every cell with all sites, as far as 32 bits and no period allow it by keys
/// (scan_keys.hpp), else as compare_with_all() does. `most`: the sites are no more. Does nothing if
/// they are not listed.
void scan_cells(const CudaSession& session, const Problem& problem, const Job& job,
                const SiteList& list, std::int64_t most, Scratch::Frame& device);

}  // namespace thiessen::cuda
