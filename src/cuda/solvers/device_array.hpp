// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "cuda/device/check.hpp"

namespace thiessen::cuda::solvers {

/// Device memory that an object keeps.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  /// Throws Error{out_of_memory} naming `purpose`.
  DeviceArray(std::int64_t count, const char* purpose)
      : size_(static_cast<std::size_t>(count) * sizeof(T)),
        bytes_(allocate_device_bytes(size_, purpose)) {}

  T* get() const { return reinterpret_cast<T*>(bytes_.get()); }
  std::size_t bytes() const { return bytes_ ? size_ : 0; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept { free_device_bytes(bytes); }
  };
  std::size_t size_ = 0;
  std::unique_ptr<std::byte, Free> bytes_;
};

/// Pinned memory of the host, which the device copies to by itself.
class PinnedArray {
 public:
  PinnedArray() = default;
  /// Throws Error{out_of_memory} or Error{device_failed} naming `purpose`.
  PinnedArray(std::int64_t count, const char* purpose) {
    void* bytes = nullptr;
    check(cudaHostAlloc(&bytes, static_cast<std::size_t>(count), cudaHostAllocDefault), purpose);
    bytes_.reset(static_cast<std::byte*>(bytes));
  }

  std::byte* get() const { return bytes_.get(); }

 private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept { cudaFreeHost(bytes); }
  };
  std::unique_ptr<std::byte, Free> bytes_;
};

}  // namespace thiessen::cuda::solvers
