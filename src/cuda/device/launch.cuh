// SPDX-License-Identifier: Apache-2.0
//
// Launches of kernels. For sources compiled as CUDA.
#pragma once

#include <cstddef>
#include <type_traits>

#include "cuda/device/session.hpp"

namespace thiessen::cuda {

struct GridShape {
  unsigned blocks;
  int threads;  ///< of a block
  std::size_t shared_bytes = 0;
};

namespace detail {

/// With an attribute, or, if it is null, without.
template <class... Parameters>
void launch(const CudaSession& session, const char* what, const GridShape& shape,
            cudaLaunchAttribute* attribute, void (*kernel)(Parameters...),
            const std::type_identity_t<Parameters>&... values) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.blocks);
  config.blockDim = dim3(static_cast<unsigned>(shape.threads));
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = session.stream();
  config.attrs = attribute;
  config.numAttrs = attribute != nullptr ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, values...), what);
}

}  // namespace detail

/// `what` names the kernel in an error; so below.
template <class... Parameters>
void launch(const CudaSession& session, const char* what, const GridShape& shape,
            void (*kernel)(Parameters...), const std::type_identity_t<Parameters>&... values) {
  detail::launch(session, what, shape, nullptr, kernel, values...);
}

/// A kernel whose blocks wait for each other: all of them run at once, or it is an error.
template <class... Parameters>
void launch_together(const CudaSession& session, const char* what, const GridShape& shape,
                     void (*kernel)(Parameters...),
                     const std::type_identity_t<Parameters>&... values) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  detail::launch(session, what, shape, &attribute, kernel, values...);
}

/// A kernel that is put on the processors while the last blocks of the one before still run, and
/// waits there: what a launch takes is hidden. From Hopper on; else, and behind anything but such a
/// kernel, it is an ordinary launch. Its first statement is follow().
template <class... Parameters>
void launch_next(const CudaSession& session, const char* what, const GridShape& shape,
                 void (*kernel)(Parameters...), const std::type_identity_t<Parameters>&... values) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  detail::launch(session, what, shape, session.overlaps_kernels() ? &attribute : nullptr, kernel,
                 values...);
}

/// What a launch asks for with shared_bytes.
extern __shared__ __align__(16) std::byte dynamic_shared_memory[];

template <class T>
__device__ T* dynamic_shared() {
  return reinterpret_cast<T*>(dynamic_shared_memory);
}

/// Of the device: what a block may ask for.
inline std::int64_t most_shared_bytes() {
  int device = 0;
  int bytes = 0;
  check(cudaGetDevice(&device), "current device");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "size of the shared memory");
  return bytes;
}

/// Lets a kernel without shared memory of a fixed size ask for as much. Not for what this launch
/// needs: that belongs to the kernel, whose launches from other threads of the host may need more.
template <class... Parameters>
void allow_all_shared(void (*kernel)(Parameters...), const char* what) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(most_shared_bytes())),
        what);
}

/// The first statement of every kernel that launch_next() starts, for all of its threads: lets the
/// next one come, and returns as soon as all that was put on the stream before is done.
__device__ inline void follow() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

}  // namespace thiessen::cuda
