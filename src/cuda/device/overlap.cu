// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/check.hpp"
#include "cuda/device/overlap.hpp"

namespace thiessen::cuda {
namespace {

/// All kernels are made for the same architectures, so one tells of all.
__global__ void any_kernel() {}

}  // namespace

bool kernels_follow() {
  // Not the device's: the driver may have translated what was made for an older one.
  constexpr int kHopper = 90;
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, any_kernel), "architecture of the kernels");
  return attributes.ptxVersion >= kHopper;
}

}  // namespace thiessen::cuda
