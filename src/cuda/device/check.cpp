// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/check.hpp"

#include <algorithm>
#include <string>

#include "thiessen/error.hpp"

namespace thiessen::cuda {
inline namespace device {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // so that the next call does not report this failure again
  const ErrorCode code =
      status == cudaErrorMemoryAllocation ? ErrorCode::out_of_memory : ErrorCode::device_failed;
  throw Error(code, "cuda: " + std::string(what) + ": " + cudaGetErrorString(status));
}

std::byte* allocate_device_bytes(std::size_t count, const char* purpose) {
  void* bytes = nullptr;
  const cudaError_t status = cudaMalloc(&bytes, std::max<std::size_t>(count, 1));
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw Error(ErrorCode::out_of_memory, "no memory on the device for " + std::string(purpose) +
                                              " of " + std::to_string(count) + " bytes");
  }
  check(status, "allocation");
  return static_cast<std::byte*>(bytes);
}

void free_device_bytes(std::byte* bytes) noexcept { cudaFree(bytes); }

}  // namespace device
}  // namespace thiessen::cuda
