// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/device/session.hpp"

namespace thiessen::cuda {
inline namespace transfer {

/// Makes bytes of bits, 1 or 0: cell i is bit i % 32 of word i / 32.
void make_cells(const CudaSession& session, const std::uint32_t* bits, std::int64_t count,
                std::byte* cells);

}  // namespace transfer
}  // namespace thiessen::cuda
