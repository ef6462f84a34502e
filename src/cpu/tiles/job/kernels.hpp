// SPDX-License-Identifier: Apache-2.0
//
// The kernels of the tile engine for one instruction set. Each works on one unit row, (unit_z,
// unit_y).
#pragma once

#include <cstdint>

#include "cpu/tiles/job/job.hpp"

namespace thiessen::cpu::tiles {

using Kernel = void (*)(const Job& job, std::int64_t unit_z, std::int64_t unit_y);

struct MarkKernels {
  Kernel mark = nullptr;  ///< marks sites as bits, and as raw lists if Job::fused
  Kernel list = nullptr;  ///< lists the sites; the unit rows beside it are marked
};

/// The kernels of the best instruction set among `targets` (bits of Highway), for rasters of `rank`
/// axes. All are null if the engine does not support it.
MarkKernels mark_kernels(std::int64_t targets, int rank);
Kernel edge_kernel(std::int64_t targets, int rank);   ///< marks Job::edges
Kernel near_kernel(std::int64_t targets, int rank);   ///< the unit rows beside it are listed
Kernel dense_kernel(std::int64_t targets, int rank);  ///< the unit rows beside it are marked

}  // namespace thiessen::cpu::tiles
