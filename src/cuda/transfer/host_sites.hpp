// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/job/job.hpp"
#include "cuda/transfer/transfer.hpp"

namespace thiessen::cuda {
inline namespace transfer {

/// Copies a raster of sites to the device. A large one of the host travels as a bit for each cell
/// if nobody asks for the values; then `rule` is that of booleans.
Cells<const std::byte> upload_sites(const CudaSession& session, const Problem& problem,
                                    const ProblemViews& views, Transfer& transfer, Rule& rule);

}  // namespace transfer
}  // namespace thiessen::cuda
