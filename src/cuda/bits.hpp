// SPDX-License-Identifier: Apache-2.0
//
// The one time that the raster is read: a bit for each cell that is a site.
#pragma once

#include <cstdint>

#include "cuda/job.hpp"
#include "cuda/session.hpp"

namespace thiessen::cuda {

/// Cell x of a row is bit x % 32 of word x / 32.
struct Bits {
  std::uint32_t* words = nullptr;
  std::int64_t row_words = 0;

  constexpr bool has(std::int64_t row, std::int64_t x) const {
    return (words[row * row_words + x / 32] >> (x % 32) & 1) != 0;
  }
};

Bits take_bits(const Job& job, Scratch::Frame& device);

/// Marks the sites of the job.
void mark_sites(const CudaSession& session, const Job& job, const Bits& bits);

}  // namespace thiessen::cuda
