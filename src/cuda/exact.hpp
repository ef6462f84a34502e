// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/sites/bits.hpp"

namespace thiessen::cuda {

/// Method "exact".
Support supports_exact(const ContextState& state, const Problem& problem);
/// Whether the layers of one job may be rasters of two axes: not where each has its own unit of
/// weights.
inline bool takes_batch(const Problem& raster) { return raster.rank == 2 && !raster.has_weights(); }
void run_exact(ContextState& state, const Problem& problem, const ProblemViews& views);

/// Fills the outputs of a job that is on the device already. `views` only says where its points
/// come from.
void search_exact(const CudaSession& session, const Problem& problem, const ProblemViews& views,
                  const Job& job, Scratch::Frame& device);

/// The same of a job whose sites are cells, without distances to the boundary.
void search_map(const CudaSession& session, const Problem& problem, const Job& job,
                Scratch::Frame& device);

/// The same from the bits of the sites. The job's own sites are read only for nodata.
void search_bits(const CudaSession& session, const Problem& problem, const Job& job,
                 const Bits& bits, Scratch::Frame& device);

}  // namespace thiessen::cuda
