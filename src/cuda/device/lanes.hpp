// SPDX-License-Identifier: Apache-2.0
//
// The lanes of a warp, and words with a bit for each of them.
#pragma once

#include <bit>
#include <cstdint>

#include "core/base/host_device.hpp"

namespace thiessen::cuda {
inline namespace device {

inline constexpr int kLanes = 32;

/// The number of the highest bit that is set; there must be one.
THIESSEN_HD inline std::int32_t highest_bit(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return 31 - __clz(static_cast<int>(word));
#else
  return 31 - std::countl_zero(word);
#endif
}

/// The number of the lowest bit that is set; there must be one.
THIESSEN_HD inline std::int32_t lowest_bit(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return __ffs(static_cast<int>(word)) - 1;
#else
  return std::countr_zero(word);
#endif
}

}  // namespace device
}  // namespace thiessen::cuda
