// SPDX-License-Identifier: Apache-2.0
//
// What searches by boxes need of a warp besides: numbers of any width, and votes.
#pragma once

#include <cstdint>

#include "cuda/device/warp.hpp"

namespace thiessen::cuda {

struct HostSearchWarp : HostWarp {
  static std::uint32_t ballot(const Lanes<bool>& own) {
    std::uint32_t all = 0;
    for (int lane = 0; lane < kLanes; ++lane) all |= (own[lane] ? 1u : 0u) << lane;
    return all;
  }
  template <class T>
  static T greatest_of(const Lanes<T>& own) {
    T most = own[0];
    for (int lane = 1; lane < kLanes; ++lane) most = own[lane] < most ? most : own[lane];
    return most;
  }
  template <class T>
  static T least_of(const Lanes<T>& own) {
    return own[lane_of_least(own)];
  }
  /// The first lane that has the least.
  template <class T>
  static int lane_of_least(const Lanes<T>& own) {
    int least = 0;
    for (int lane = 1; lane < kLanes; ++lane)
      if (own[lane] < own[least]) least = lane;
    return least;
  }
};

#ifdef __CUDACC__

struct DeviceSearchWarp : DeviceWarp {
  __device__ static std::uint32_t ballot(const Lanes<bool>& own) {
    return __ballot_sync(~0u, own.value);
  }
  template <class T>
  __device__ static T greatest_of(const Lanes<T>& own) {
    T most = own.value;
#pragma unroll
    for (int step = kLanes / 2; step > 0; step /= 2) {
      const T other = exchange(most, step);
      most = most < other ? other : most;
    }
    return most;
  }
  template <class T>
  __device__ static T least_of(const Lanes<T>& own) {
    T least = own.value;
#pragma unroll
    for (int step = kLanes / 2; step > 0; step /= 2) {
      const T other = exchange(least, step);
      least = other < least ? other : least;
    }
    return least;
  }
  template <class T>
  __device__ static int lane_of_least(const Lanes<T>& own) {
    const T least = least_of(own);
    return __ffs(static_cast<int>(__ballot_sync(~0u, own.value == least))) - 1;
  }

 private:
  /// The value of the lane whose number differs by the bit `step`.
  template <class T>
  __device__ static T exchange(const T& value, int step) {
    std::uint32_t words[sizeof(T) / sizeof(std::uint32_t)];
    memcpy(words, &value, sizeof value);
#pragma unroll
    for (std::uint32_t& word : words) word = __shfl_xor_sync(~0u, word, step);
    T other;
    memcpy(&other, words, sizeof other);
    return other;
  }
};

#endif

}  // namespace thiessen::cuda
