// SPDX-License-Identifier: Apache-2.0
//
// Calls on arrays of the host by slabs: while one slab is searched, the next ones go to the device
// and results of former ones come back.
//
// A slab of rows (planes in 3-D, rasters in a batch) is searched together with a halo of rows on
// both sides. What is found there holds if the farthest cell of the slab is nearer to its site than
// any row beyond the halo. The device tells how far that cell is; slabs that do not hold are
// searched again when the whole raster is there.
#pragma once

#include <functional>
#include <optional>

#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda {

/// Fills the outputs of a job exactly; the problem has its extents.
using SlabSearch = std::function<void(const CudaSession& session, const Problem& problem,
                                      const Job& job, Scratch::Frame& device)>;

struct SlabPlan {
  std::size_t axis = 0;   ///< of the problem's extents; 0 for the rasters of a batch too
  std::int64_t rows = 0;  ///< along it
  std::int64_t row_cells = 0;
  std::int64_t slab = 0;  ///< rows of a slab
  std::int64_t halo = 0;  ///< rows on each side
  double reach = 0;       ///< farther than any cell beyond the halo can be, or infinity

  std::int64_t slabs() const { return (rows + slab - 1) / slab; }
};

/// How a call goes by slabs, or as a single one: if sites and outputs are on the host, and large.
std::optional<SlabPlan> plan_slabs(const Problem& problem, const ProblemViews& views);

/// Does a call by slabs.
void run_slabs(ContextState& state, const Problem& problem, const ProblemViews& views,
               const SlabPlan& plan, const SlabSearch& search);

}  // namespace thiessen::cuda
