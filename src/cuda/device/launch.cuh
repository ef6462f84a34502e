// SPDX-License-Identifier: Apache-2.0
//
// Launches of kernels. For sources compiled as CUDA.
#pragma once

#include <cstddef>
#include <type_traits>

#include "cuda/device/session.hpp"

namespace thiessen::cuda {
inline namespace device {

struct GridShape {
  unsigned blocks;
  int threads;  ///< threads of a block
  std::size_t shared_bytes = 0;
};

namespace detail {

/// Launches with an attribute or, if it is null, without one.
template <class... Parameters>
void launch(const CudaSession& session, const char* what, const GridShape& shape,
            cudaLaunchAttribute* attribute, void (*kernel)(Parameters...),
            const std::type_identity_t<Parameters>&... values) {
  if (session.stage_times() != nullptr) session.stage_times()->enter(what, session.stream());
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

/// Launches a kernel. `what` names the kernel in an error, here and below.
template <class... Parameters>
void launch(const CudaSession& session, const char* what, const GridShape& shape,
            void (*kernel)(Parameters...), const std::type_identity_t<Parameters>&... values) {
  detail::launch(session, what, shape, nullptr, kernel, values...);
}

/// Launches a kernel whose blocks wait for each other: all of them must run at once, else it
/// throws.
template <class... Parameters>
void launch_together(const CudaSession& session, const char* what, const GridShape& shape,
                     void (*kernel)(Parameters...),
                     const std::type_identity_t<Parameters>&... values) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  detail::launch(session, what, shape, &attribute, kernel, values...);
}

/// Launches a kernel while the last blocks of the one before still run; it waits on the processors,
/// which hides the time of the launch. That needs Hopper or later, and such a kernel before it;
/// else it is an ordinary launch. The first statement of the kernel is follow().
template <class... Parameters>
void launch_next(const CudaSession& session, const char* what, const GridShape& shape,
                 void (*kernel)(Parameters...), const std::type_identity_t<Parameters>&... values) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  detail::launch(session, what, shape, session.overlaps_kernels() ? &attribute : nullptr, kernel,
                 values...);
}

/// The memory that a launch requests by shared_bytes.
extern __shared__ __align__(16) std::byte dynamic_shared_memory[];

template <class T>
__device__ T* dynamic_shared() {
  return reinterpret_cast<T*>(dynamic_shared_memory);
}

/// The most shared memory that a block of the device may request.
inline std::int64_t most_shared_bytes() {
  int device = 0;
  int bytes = 0;
  check(cudaGetDevice(&device), "current device");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
        "size of the shared memory");
  return bytes;
}

/// Lets a kernel without shared memory of a fixed size request that much. It is not the need of
/// this launch, since launches from other threads of the host may need more.
template <class... Parameters>
void allow_all_shared(void (*kernel)(Parameters...), const char* what) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(most_shared_bytes())),
        what);
}

/// The first statement of every kernel that launch_next() starts, for all of its threads: lets the
/// next kernel come, and returns as soon as all earlier work on the stream is done.
__device__ inline void follow() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

}  // namespace device
}  // namespace thiessen::cuda
