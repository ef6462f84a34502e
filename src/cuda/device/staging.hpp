// SPDX-License-Identifier: Apache-2.0
//
// Pinned memory between arrays of the host and the device: while the device reads or writes one
// buffer, the host uses the other.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>

namespace thiessen::cuda {

class Staging {
 public:
  static constexpr std::size_t kBytes = std::size_t{8} << 20;  ///< size of a buffer

  struct Buffer {
    std::byte* bytes = nullptr;
    cudaEvent_t done = nullptr;  ///< when the device no longer uses it
  };

  Staging() = default;
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// The buffer that has rested longer, as soon as the device no longer uses it.
  Buffer& next();
  /// Frees the memory; next() takes new.
  void release() noexcept;

 private:
  std::array<Buffer, 2> buffers_{};
  std::size_t turn_ = 0;
};

}  // namespace thiessen::cuda
