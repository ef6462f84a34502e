// SPDX-License-Identifier: Apache-2.0
//
// A block of threads, as the logic of kernels sees it: on the device those of one, on the host a
// loop over so many, so that the logic can be tested without a GPU. Work of a thread stands in
// each(); what it has of its own from one each() to the next is an Own<T>.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/host_device.hpp"

namespace thiessen::cuda {

/// 64 threads, one after the other.
struct HostBlock {
  template <class T>
  struct Own {
    T value[64];
    T& operator[](int thread) { return value[thread]; }
    const T& operator[](int thread) const { return value[thread]; }
  };

  static int threads() { return 64; }
  template <class Visit>
  static void each(const Visit& visit) {
    for (int thread = 0; thread < threads(); ++thread) visit(thread);
  }
  static void sync() {}
  /// sync(), and whether any thread of the block says so.
  static bool sync_any(const Own<bool>& own) {
    return std::any_of(own.value, own.value + threads(), [](bool value) { return value; });
  }
  /// Whether all threads of a warp say so. Here each is asked alone: what depends on it must be
  /// right for a thread by itself, too.
  static bool all_of_warp(bool own) { return own; }
  /// A value that all threads of a warp have; where the compiler is to know that.
  static std::int32_t same_in_warp(std::int32_t value) { return value; }
  /// Of so many neighbouring threads of a warp, a power of two, each gets the least that one has.
  static void take_least(Own<std::uint64_t>& own, int count) {
    for (int first = 0; first < threads(); first += count)
      std::fill_n(own.value + first, count,
                  *std::min_element(own.value + first, own.value + first + count));
  }
};

#ifdef __CUDACC__
/// The calling thread is one of the block's.
struct DeviceBlock {
  template <class T>
  struct Own {
    T value;
    __device__ T& operator[](int) { return value; }
    __device__ const T& operator[](int) const { return value; }
  };

  __device__ static int threads() { return static_cast<int>(blockDim.x); }
  template <class Visit>
  __device__ static void each(const Visit& visit) {
    visit(static_cast<int>(threadIdx.x));
  }
  __device__ static void sync() { __syncthreads(); }
  __device__ static bool sync_any(const Own<bool>& own) { return __syncthreads_or(own.value) != 0; }
  __device__ static bool all_of_warp(bool own) { return __all_sync(~0u, own) != 0; }
  __device__ static std::int32_t same_in_warp(std::int32_t value) {
    return __shfl_sync(~0u, value, 0);
  }
  __device__ static void take_least(Own<std::uint64_t>& own, int count) {
    for (int step = 1; step < count; step *= 2)
      own.value = min(own.value, __shfl_xor_sync(~0u, own.value, step));
  }
};
#endif

/// Number of the highest bit that is set; there must be one.
THIESSEN_HD inline std::int32_t highest_bit(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return 31 - __clz(static_cast<int>(word));
#else
  return 31 - std::countl_zero(word);
#endif
}

/// Number of the lowest bit that is set; there must be one.
THIESSEN_HD inline std::int32_t lowest_bit(std::uint32_t word) {
#ifdef __CUDA_ARCH__
  return __ffs(static_cast<int>(word)) - 1;
#else
  return std::countr_zero(word);
#endif
}

}  // namespace thiessen::cuda
