// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/slab.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/job/site_bits.hpp"

namespace thiessen::cuda {

/// Rows of a raster, along its first axis.
struct RowRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// Puts the outer sites of one side into the rows that were added there: their bits and, if the
/// labels of the raster are not null, these. `first_row` is the coordinate of the raster's first
/// row; all memory is on the device.
void put_outer_sites(const CudaSession& session, const Problem& problem, const Neighbours& outer,
                     const RowRange& rows, std::int64_t first_row, const Bits& bits,
                     const Cells<std::byte>& labels);

}  // namespace thiessen::cuda
