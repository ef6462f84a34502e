// SPDX-License-Identifier: Apache-2.0
//
// A block of threads, as the logic of kernels sees it: on the device those of one, on the host a
// loop over so many, so that the logic can be tested without a GPU. Work of a thread stands in
// each(); what it has of its own from one each() to the next is an Own<T>.
#pragma once

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
