// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/context_state.hpp"
#include "core/slabs/slab.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda {

/// Method "exact" for slabs (SlabEntry); arrays of cells may lie on the device, too.
void summarise_slab(ContextState& state, const Problem& problem, const Slab& slab,
                    const View<const void>& sites, SlabFaces& faces);
void finish_slab(ContextState& state, const Problem& problem, const SlabMaps& slab,
                 const ProblemViews& views);

/// Fills the outputs of a slab that is on the device already, with its own faces and what lies
/// beyond it. `problem` is that of the whole raster, `job` that of the slab alone
/// (core/slabs/slab.hpp). Waits for the device.
void search_slab(const CudaSession& session, const Problem& problem, const SlabMaps& slab,
                 const SlabFaces& own, const Job& job, Scratch::Frame& device);

}  // namespace thiessen::cuda
