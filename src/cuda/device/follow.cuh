// SPDX-License-Identifier: Apache-2.0
//
// Kernels one after the other, each of which is put on the processors while the last blocks of the
// one before still run, and waits there: what a launch takes is hidden. From Hopper on; else, and
// behind anything but such a kernel, a launch is an ordinary one.
#pragma once

#include <type_traits>

#include "cuda/device/session.hpp"

namespace thiessen::cuda {

/// The first statement of every kernel that launch_next() starts, for all of its threads: lets the
/// next one come, and returns as soon as all that was put on the stream before is done.
__device__ inline void follow() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

struct GridShape {
  unsigned blocks;
  int threads;  ///< of a block
  std::size_t shared_bytes = 0;
};

/// `what` names the kernel in an error.
template <class... Parameters>
void launch_next(const CudaSession& session, const char* what, const GridShape& shape,
                 void (*kernel)(Parameters...), const std::type_identity_t<Parameters>&... values) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.blocks);
  config.blockDim = dim3(static_cast<unsigned>(shape.threads));
  config.dynamicSmemBytes = shape.shared_bytes;
  config.stream = session.stream();
  config.attrs = &attribute;
  config.numAttrs = session.overlaps_kernels() ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, values...), what);
}

}  // namespace thiessen::cuda
