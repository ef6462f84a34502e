// SPDX-License-Identifier: Apache-2.0
//
// What nvcc knows without a header, for the compiler of the host: sources of kernels are compiled
// with this in front of them, and with CUDA's own headers for the types of its runtime.
#pragma once

// Included before the macros below, which would replace words in it.
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "emulator/grid.hpp"
#include "emulator/place.hpp"
#include "emulator/stream.hpp"

#undef __shared__
#define __CUDACC__ 1
#define __shared__ thread_local
#define __launch_bounds__(...)
#define __noinline__ __attribute__((noinline))

// ---- launches

#define cudaLaunchKernelEx ::emulator::launch

namespace emulator {

/// The kernel's arguments are copied, as they are by a launch.
template <class... Parameters>
cudaError_t launch(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                   const std::type_identity_t<Parameters>&... values) {
  bool together = false;
  for (unsigned i = 0; i < config->numAttrs; ++i)
    together |= config->attrs[i].id == cudaLaunchAttributeCooperative &&
                config->attrs[i].val.cooperative != 0;
  return enqueue_grid(*config, reinterpret_cast<const void*>(kernel), together,
                      [kernel, arguments = std::tuple<std::decay_t<Parameters>...>(values...)] {
                        std::apply(kernel, arguments);
                      });
}

}  // namespace emulator

template <class... Parameters>
cudaError_t cudaFuncSetAttribute(void (*kernel)(Parameters...), cudaFuncAttribute attribute,
                                 int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}

template <class... Parameters>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(Parameters...)) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}

// ---- Thrust: the host runs its algorithms, in the stream's turn

namespace emulator {

struct ThrustPolicy : thrust::device_execution_policy<ThrustPolicy> {
  cudaStream_t stream = nullptr;
};

template <class From, class To, class Function>
To transform(ThrustPolicy& policy, From first, From last, To to, Function function) {
  enqueue(policy.stream, [=] { thrust::transform(thrust::cpp::par, first, last, to, function); });
  return to + (last - first);
}

template <class From, class Size, class Function>
From for_each_n(ThrustPolicy& policy, From first, Size count, Function function) {
  enqueue(policy.stream, [=] { thrust::for_each_n(thrust::cpp::par, first, count, function); });
  return first + count;
}

}  // namespace emulator

namespace thrust::cuda {

struct {
  static auto on(cudaStream_t stream) {
    emulator::ThrustPolicy policy;
    policy.stream = stream;
    return policy;
  }
} inline constexpr par_nosync;

}  // namespace thrust::cuda

// ---- a warp

namespace emulator {

inline unsigned lane() { return threadIdx.x % kLanes; }

template <class T>
std::uint64_t to_slot(T value) {
  static_assert(sizeof(T) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<T>);
  std::uint64_t slot = 0;
  std::memcpy(&slot, &value, sizeof value);
  return slot;
}

template <class T>
T shuffle(unsigned mask, T own, unsigned source) {
  const Slots& slots = meet(Meeting::shuffle, mask, to_slot(own));
  if (source >= kLanes) return own;
  need_lane(source);
  T value;
  std::memcpy(&value, &slots[source], sizeof value);
  return value;
}

}  // namespace emulator

template <class T>
T __shfl_sync(unsigned mask, T own, int source) {
  return emulator::shuffle(mask, own, static_cast<unsigned>(source) % emulator::kLanes);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T own, int bits) {
  return emulator::shuffle(mask, own, emulator::lane() ^ static_cast<unsigned>(bits));
}
template <class T>
T __shfl_up_sync(unsigned mask, T own, unsigned by) {
  return emulator::shuffle(mask, own, emulator::lane() - by);
}
template <class T>
T __shfl_down_sync(unsigned mask, T own, unsigned by) {
  return emulator::shuffle(mask, own, emulator::lane() + by);
}
inline unsigned __ballot_sync(unsigned mask, int own) {
  const emulator::Slots& slots = emulator::meet(emulator::Meeting::ballot, mask, own != 0 ? 1 : 0);
  unsigned bits = 0;
  for (unsigned lane = 0; lane < emulator::kLanes; ++lane)
    bits |= static_cast<unsigned>(slots[lane]) << lane;
  return bits & mask;
}
inline int __any_sync(unsigned mask, int own) { return __ballot_sync(mask, own) != 0 ? 1 : 0; }
inline int __all_sync(unsigned mask, int own) { return __ballot_sync(mask, !own) == 0 ? 1 : 0; }
inline void __syncwarp(unsigned mask = ~0u) { emulator::meet(emulator::Meeting::sync, mask, 0); }

// ---- a block

inline void __syncthreads() { emulator::sync_block(); }
inline int __syncthreads_or(int own) { return emulator::count_in_block(own != 0) != 0 ? 1 : 0; }
inline int __syncthreads_and(int own) { return emulator::count_in_block(own == 0) == 0 ? 1 : 0; }

// ---- memory

inline void __threadfence_block() { std::atomic_thread_fence(std::memory_order_seq_cst); }
inline void __threadfence() { std::atomic_thread_fence(std::memory_order_seq_cst); }

namespace emulator {

/// Sets what is at an address to change(old); returns the old value.
template <class T, class Change>
T update(T* at, const Change& change) {
  give_way();
  const std::atomic_ref<T> cell(*at);
  T old = cell.load(std::memory_order_relaxed);
  while (!cell.compare_exchange_weak(old, change(old), std::memory_order_relaxed)) {
  }
  return old;
}

}  // namespace emulator

template <class T>
T atomicAdd(T* at, std::type_identity_t<T> value) {
  return emulator::update(at, [&](T old) { return static_cast<T>(old + value); });
}
template <class T>
T atomicMin(T* at, std::type_identity_t<T> value) {
  return emulator::update(at, [&](T old) { return std::min(old, value); });
}
template <class T>
T atomicMax(T* at, std::type_identity_t<T> value) {
  return emulator::update(at, [&](T old) { return std::max(old, value); });
}
template <class T>
T atomicOr(T* at, std::type_identity_t<T> value) {
  return emulator::update(at, [&](T old) { return old | value; });
}
template <class T>
T atomicAnd(T* at, std::type_identity_t<T> value) {
  return emulator::update(at, [&](T old) { return old & value; });
}
template <class T>
T atomicExch(T* at, std::type_identity_t<T> value) {
  return emulator::update(at, [&](T) { return value; });
}
template <class T>
T atomicCAS(T* at, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  return emulator::update(at, [&](T old) { return old == expected ? value : old; });
}
template <class T>
T __ldg(const T* at) {
  return *at;
}
template <class T>
T __ldcg(const T* at) {
  return *at;
}
template <class T>
T __ldcs(const T* at) {
  return *at;
}
template <class T>
void __stcs(T* at, std::type_identity_t<T> value) {
  *at = value;
}

// ---- numbers

inline int __popc(unsigned word) { return std::popcount(word); }
inline int __popcll(unsigned long long word) { return std::popcount(word); }
inline int __ffsll(long long word) {
  return word == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(word)) + 1;
}
inline int __ffs(int word) {
  return word == 0 ? 0 : std::countr_zero(static_cast<unsigned>(word)) + 1;
}
inline int __clz(int word) { return std::countl_zero(static_cast<unsigned>(word)); }
inline unsigned __brev(unsigned word) {
  unsigned turned = 0;
  for (int bit = 0; bit < 32; ++bit) turned |= (word >> bit & 1) << (31 - bit);
  return turned;
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned bits) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> bits % 32);
}
inline unsigned __vmaxu2(unsigned a, unsigned b) {
  return std::max(a & 0xffff, b & 0xffff) | std::max(a >> 16, b >> 16) << 16;
}
inline unsigned __viaddmin_u16x2(unsigned a, unsigned b, unsigned least) {
  const auto one = [&](int shift) {
    return std::min(((a >> shift) + (b >> shift)) & 0xffff, (least >> shift) & 0xffff) << shift;
  };
  return one(0) | one(16);
}
inline int __viaddmin_s32(int a, int b, int least) {
  return std::min(static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), least);
}
inline unsigned __float_as_uint(float value) { return std::bit_cast<unsigned>(value); }
inline float __uint_as_float(unsigned value) { return std::bit_cast<float>(value); }
inline long long __double_as_longlong(double value) { return std::bit_cast<long long>(value); }

template <class T>
T min(T a, std::type_identity_t<T> b) {
  return std::min(a, b);
}
template <class T>
T max(T a, std::type_identity_t<T> b) {
  return std::max(a, b);
}
