// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/sites/site_list.hpp"

namespace thiessen::cuda::raster {

/// Compares every cell with all sites: by keys (scan_keys.hpp) if S fits 32 bits and no axis is
/// periodic, else like compare_with_all(). There are at most `most` sites. Does nothing if they are
/// not listed.
void scan_cells(const CudaSession& session, const Problem& problem, const Job& job,
                const sites::SiteList& list, std::int64_t most, Scratch::Frame& device);

}  // namespace thiessen::cuda::raster
