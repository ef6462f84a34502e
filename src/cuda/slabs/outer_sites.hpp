// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/slabs/slab.hpp"
#include "cuda/device/session.hpp"
#include "cuda/job/job.hpp"
#include "cuda/job/site_bits.hpp"

namespace thiessen::cuda::slabs {

/// Rows that were added to a slab.
struct AddedRows {
  std::int64_t first = 0;  ///< coordinate of the first row of the slab and all rows added to it
  std::int64_t begin = 0;  ///< counted from there on
  std::int64_t end = 0;
};

/// Puts the outer sites of one side into the rows that were added there: their bits and, if the
/// labels of the raster are not null, these. All memory is on the device.
void put_outer_sites(const CudaSession& session, const Problem& problem, const Neighbours& outer,
                     const AddedRows& rows, const Bits& bits, const Cells<std::byte>& labels);

}  // namespace thiessen::cuda::slabs
