// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/job/job.hpp"
#include "cuda/job/transfer.hpp"

namespace thiessen::cuda {

/// Copies a raster of sites to the device. Large ones of the host travel with fewer bytes than they
/// have: as a bit for each cell if nobody asks for the values, and then `rule` is that of booleans;
/// else pieces with few sites travel without their other cells.
Cells<const std::byte> take_sites(const CudaSession& session, const Problem& problem,
                                  const ProblemViews& views, Transfer& transfer, Rule& rule);

}  // namespace thiessen::cuda
