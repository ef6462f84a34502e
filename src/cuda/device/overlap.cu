// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/check.hpp"
#include "cuda/device/overlap.hpp"

namespace thiessen::cuda {
inline namespace device {
namespace {

/// All kernels are compiled for the same architectures, so one of them shows it for all.
__global__ void any_kernel() {}

}  // namespace

bool kernels_follow() {
  // Not the architecture of the device: the driver may have translated code for an older one.
  constexpr int kHopper = 90;
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, any_kernel), "architecture of the kernels");
  return attributes.ptxVersion >= kHopper;
}

}  // namespace device
}  // namespace thiessen::cuda
