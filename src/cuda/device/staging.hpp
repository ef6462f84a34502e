// SPDX-License-Identifier: Apache-2.0
//
// Through pinned memory between arrays of the host and the device: while the device reads or writes
// one buffer, the host does the other.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>

namespace thiessen::cuda {

class Staging {
 public:
  static constexpr std::size_t kBytes = std::size_t{8} << 20;  ///< of a buffer

  struct Buffer {
    std::byte* bytes = nullptr;
    cudaEvent_t done = nullptr;  ///< that the device is through with it
  };

  Staging() = default;
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// The buffer that has rested for longer, as soon as the device is through with it.
  Buffer& next();
  /// Frees the memory; next() takes new.
  void release() noexcept;

 private:
  std::array<Buffer, 2> buffers_{};
  std::size_t turn_ = 0;
};

}  // namespace thiessen::cuda
