// SPDX-License-Identifier: Apache-2.0
//
// What the threads of a warp do together. For sources compiled as CUDA.
#pragma once

#include <cstdint>
#include <cstring>

#include "cuda/device/lanes.hpp"

namespace thiessen::cuda {
inline namespace device {

__device__ inline int lane_of_thread() { return static_cast<int>(threadIdx.x % kLanes); }

/// The value of the lane whose number differs in the bit `step`.
template <class T>
__device__ T exchange(const T& value, int step) {
  if constexpr (sizeof(T) <= sizeof(std::uint64_t)) {
    return __shfl_xor_sync(~0u, value, step);
  } else {
    std::uint32_t words[sizeof(T) / sizeof(std::uint32_t)];
    memcpy(words, &value, sizeof value);
#pragma unroll
    for (std::uint32_t& word : words) word = __shfl_xor_sync(~0u, word, step);
    T other;
    memcpy(&other, words, sizeof other);
    return other;
  }
}

/// The number of the bit with so many set bits before it; for all lanes of a warp.
__device__ inline int nth_bit(std::uint32_t bits, int before) {
  const int lane = lane_of_thread();
  const bool own = (bits >> lane & 1) != 0 && __popc(bits & ((1u << lane) - 1)) == before;
  return __ffs(static_cast<int>(__ballot_sync(~0u, own))) - 1;
}

/// The least of the lanes' values.
template <class Scalar>
__device__ Scalar least_of_warp(Scalar own) {
#if __CUDA_ARCH__ >= 800
  if constexpr (sizeof(Scalar) == 4) {
    return __reduce_min_sync(~0u, own);
  } else
#endif
  {
    for (int step = kLanes / 2; step > 0; step /= 2) {
      const Scalar other = exchange(own, step);
      if (other < own) own = other;
    }
    return own;
  }
}

/// The greatest of the lanes' values.
template <class Scalar>
__device__ Scalar greatest_of_warp(Scalar own) {
#if __CUDA_ARCH__ >= 800
  if constexpr (sizeof(Scalar) == 4) {
    return __reduce_max_sync(~0u, own);
  } else
#endif
  {
    for (int step = kLanes / 2; step > 0; step /= 2) {
      const Scalar other = exchange(own, step);
      if (own < other) own = other;
    }
    return own;
  }
}

/// An unsigned number that orders floats as they are, also below 0, and the float again.
__device__ inline std::uint32_t order_of_float(float value) {
  const std::uint32_t bits = __float_as_uint(value);
  return (bits >> 31) != 0 ? ~bits : bits | 1u << 31;
}
__device__ inline float float_of_order(std::uint32_t order) {
  return __uint_as_float((order >> 31) != 0 ? order & ~(1u << 31) : ~order);
}

/// The bits that any lane has.
__device__ inline std::uint32_t union_of_warp(std::uint32_t own) {
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync(~0u, own);
#else
  for (int step = kLanes / 2; step > 0; step /= 2) own |= exchange(own, step);
  return own;
#endif
}

/// The first lane that has the least value.
template <class Scalar>
__device__ int lane_of_least(const Scalar& own) {
  const Scalar least = least_of_warp(own);
  return lowest_bit(__ballot_sync(~0u, own == least));
}

/// The sum of the lanes' values.
__device__ inline std::int32_t sum_of_warp(std::int32_t own) {
#if __CUDA_ARCH__ >= 800
  return static_cast<std::int32_t>(__reduce_add_sync(~0u, static_cast<unsigned>(own)));
#else
  for (int step = kLanes / 2; step > 0; step /= 2) own += exchange(own, step);
  return own;
#endif
}

/// The sum of the values of the lanes before this one.
__device__ inline std::int32_t sum_before_lane(std::int32_t own) {
  std::int32_t sum = own;
  THIESSEN_UNROLL
  for (int step = 1; step < kLanes; step *= 2) {
    const std::int32_t other = __shfl_up_sync(~0u, sum, static_cast<unsigned>(step));
    if (lane_of_thread() >= step) sum += other;
  }
  return sum - own;
}

/// Counts the lanes that want a place in an array that warps share; returns that of this lane.
template <class Count>
__device__ Count claim_place(Count& count, bool wanted) {
  const std::uint32_t wanting = __ballot_sync(~0u, wanted);
  Count first = 0;
  if (wanting != 0 && lane_of_thread() == 0)
    first = atomicAdd(&count, static_cast<Count>(__popc(wanting)));
  first = __shfl_sync(~0u, first, 0);
  return first + static_cast<Count>(__popc(wanting & ((1u << lane_of_thread()) - 1)));
}

/// Appends a lane's value to an array that warps share, if `wanted`.
template <class T, class Count>
__device__ void append(T* array, Count& count, bool wanted, const T& value) {
  const Count place = claim_place(count, wanted);
  if (wanted) array[place] = value;
}

}  // namespace device
}  // namespace thiessen::cuda
