// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/slabs/slab.hpp"
#include "cuda/device/session.hpp"

namespace thiessen::cuda::slabs {

/// Rows or planes beyond each end of a slab: no site farther out is the nearest one of any of its
/// cells.
struct OuterReach {
  std::int64_t above = 0;
  std::int64_t below = 0;
};

/// `own` are the faces of the slab's own sites. Waits for the device.
OuterReach find_outer_reach(const CudaSession& session, const Problem& problem, const Slab& slab,
                            const SlabFaces::Ends& own, Scratch::Frame& device);

}  // namespace thiessen::cuda::slabs
