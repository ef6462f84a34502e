// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace thiessen::cuda {
inline namespace device {

/// Throws Error{out_of_memory} or Error{device_failed} if a call of CUDA failed. `what` says what
/// the call should do.
void check(cudaError_t status, const char* what);

/// The same for a launch that has just been made.
inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

/// Device memory, aligned to 256 bytes. Throws Error{out_of_memory} naming `purpose` and the number
/// of bytes.
std::byte* allocate_device_bytes(std::size_t count, const char* purpose);
void free_device_bytes(std::byte* bytes) noexcept;

}  // namespace device
}  // namespace thiessen::cuda
