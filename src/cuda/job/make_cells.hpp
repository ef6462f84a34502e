// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cuda/device/session.hpp"
#include "cuda/job/pack.hpp"

namespace thiessen::cuda {

/// Makes bytes of bits, 1 or 0: cell i is bit i % 32 of word i / 32.
void make_cells(const CudaSession& session, const std::uint32_t* bits, std::int64_t count,
                std::byte* cells);

/// Makes cells of those pieces that have come as sparse cells, in slots; others are there already.
void make_cells(const CudaSession& session, const SparseCells& sparse, const std::byte* slots,
                const std::vector<std::uint8_t>& is_sparse, std::int64_t count, std::byte* cells);

}  // namespace thiessen::cuda
