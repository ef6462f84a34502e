// SPDX-License-Identifier: Apache-2.0
//
// A warp, as the kernels' logic sees it: on the device the 32 threads of one, on the host a loop
// over 32 lanes, so that the logic can be tested without a GPU.
//
// What each lane has of its own is a Lanes<T>; what is not is the same in all lanes. Code that has
// to do with a single lane stands in each().
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/host_device.hpp"

namespace thiessen::cuda {

inline constexpr int kLanes = 32;

/// 32 lanes, one after the other.
struct HostWarp {
  template <class T>
  struct Lanes {
    T value[kLanes];
    T& operator[](int lane) { return value[lane]; }
    const T& operator[](int lane) const { return value[lane]; }
  };

  template <class Visit>
  static void each(const Visit& visit) {
    for (int lane = 0; lane < kLanes; ++lane) visit(lane);
  }
  static void sync() {}
  /// For each lane the sum of the lanes before it.
  static Lanes<std::int32_t> sum_before(const Lanes<std::int32_t>& own) {
    Lanes<std::int32_t> before;
    std::int32_t sum = 0;
    for (int lane = 0; lane < kLanes; ++lane) {
      before[lane] = sum;
      sum += own[lane];
    }
    return before;
  }
  static std::int32_t sum(const Lanes<std::int32_t>& own) {
    std::int32_t all = 0;
    for (int lane = 0; lane < kLanes; ++lane) all += own[lane];
    return all;
  }
  static std::int32_t greatest(const Lanes<std::int32_t>& own) {
    std::int32_t most = own[0];
    for (int lane = 1; lane < kLanes; ++lane) most = std::max(most, own[lane]);
    return most;
  }
  /// The greater of each half of a word.
  static std::uint32_t greater_halves(std::uint32_t a, std::uint32_t b) {
    return std::max(a & 0xffff, b & 0xffff) | std::max(a >> 16, b >> 16) << 16;
  }
  /// The lesser of a + b and `least` in each half; sums must fit it.
  static std::uint32_t add_lesser_halves(std::uint32_t a, std::uint32_t b, std::uint32_t least) {
    const std::uint32_t sum = a + b;
    return std::min(sum & 0xffff, least & 0xffff) | std::min(sum >> 16, least >> 16) << 16;
  }
  /// A bit for each lane that has not 0.
  static std::uint32_t ballot(const Lanes<std::uint32_t>& own) {
    std::uint32_t bits = 0;
    for (int lane = 0; lane < kLanes; ++lane) bits |= (own[lane] != 0 ? 1u : 0u) << lane;
    return bits;
  }
  static bool any(const Lanes<std::uint32_t>& own) {
    return std::any_of(own.value, own.value + kLanes, [](std::uint32_t word) { return word != 0; });
  }
  /// The lower word of (high, low) >> bits, bits less than 32.
  static std::uint32_t shift_right(std::uint32_t low, std::uint32_t high, std::uint32_t bits) {
    return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> bits);
  }
  static int count_bits(std::uint32_t word) { return std::popcount(word); }
  static int first_bit(std::uint32_t word) { return std::countr_zero(word); }
};

#ifdef __CUDACC__

/// The calling thread is one lane.
struct DeviceWarp {
  template <class T>
  struct Lanes {
    T value;
    __device__ T& operator[](int) { return value; }
    __device__ const T& operator[](int) const { return value; }
  };

  template <class Visit>
  __device__ static void each(const Visit& visit) {
    visit(static_cast<int>(threadIdx.x % kLanes));
  }
  __device__ static void sync() { __syncwarp(); }
  __device__ static Lanes<std::int32_t> sum_before(const Lanes<std::int32_t>& own) {
    const int lane = static_cast<int>(threadIdx.x % kLanes);
    std::int32_t sum = own.value;
    THIESSEN_UNROLL
    for (int step = 1; step < kLanes; step *= 2) {
      const std::int32_t other = __shfl_up_sync(~0u, sum, static_cast<unsigned>(step));
      if (lane >= step) sum += other;
    }
    return {sum - own.value};
  }
  __device__ static std::int32_t sum(const Lanes<std::int32_t>& own) {
#if __CUDA_ARCH__ >= 800
    return static_cast<std::int32_t>(__reduce_add_sync(~0u, static_cast<unsigned>(own.value)));
#else
    std::int32_t all = own.value;
    for (int step = kLanes / 2; step > 0; step /= 2) all += __shfl_xor_sync(~0u, all, step);
    return all;
#endif
  }
  __device__ static std::int32_t greatest(const Lanes<std::int32_t>& own) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(~0u, own.value);
#else
    std::int32_t most = own.value;
    for (int step = kLanes / 2; step > 0; step /= 2)
      most = max(most, __shfl_xor_sync(~0u, most, step));
    return most;
#endif
  }
  __device__ static std::uint32_t greater_halves(std::uint32_t a, std::uint32_t b) {
    return __vmaxu2(a, b);
  }
  __device__ static std::uint32_t add_lesser_halves(std::uint32_t a, std::uint32_t b,
                                                    std::uint32_t least) {
    return __viaddmin_u16x2(a, b, least);
  }
  __device__ static std::uint32_t ballot(const Lanes<std::uint32_t>& own) {
    return __ballot_sync(~0u, own.value != 0);
  }
  __device__ static bool any(const Lanes<std::uint32_t>& own) {
    return __any_sync(~0u, own.value != 0) != 0;
  }
  __device__ static std::uint32_t shift_right(std::uint32_t low, std::uint32_t high,
                                              std::uint32_t bits) {
    return __funnelshift_r(low, high, bits);
  }
  __device__ static int count_bits(std::uint32_t word) { return __popc(word); }
  __device__ static int first_bit(std::uint32_t word) { return __ffs(static_cast<int>(word)) - 1; }
};

#endif

}  // namespace thiessen::cuda
