// SPDX-License-Identifier: Apache-2.0
//
// Pinned memory between arrays of the host and the device. While the device reads or writes one
// buffer of a lane, a thread of the host uses the other.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <vector>

namespace thiessen::cuda {
inline namespace device {

class Staging {
 public:
  static constexpr std::size_t kBytes = std::size_t{2} << 20;  ///< size of a buffer
  /// More threads of the host copy no faster than the bus.
  static constexpr int kMostLanes = 16;
  /// Numbers that the device tells the host.
  static constexpr std::size_t kWords = 1024;

  struct Buffer {
    std::byte* bytes = nullptr;
    cudaEvent_t done = nullptr;  ///< when the device no longer uses it
  };
  /// The buffers of a thread that copies; they take turns.
  struct Lane {
    std::array<Buffer, 2> buffer;
  };

  Staging() = default;
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// Makes so many lanes, at most kMostLanes.
  void open_lanes(int count);
  Lane& lane(int number) { return lanes_[static_cast<std::size_t>(number)]; }

  /// Room for the numbers, in memory that the device writes by itself.
  float* words();

  /// Frees everything.
  void release() noexcept;

 private:
  std::vector<Lane> lanes_;
  std::vector<std::byte*> memory_;
  float* words_ = nullptr;
};

}  // namespace device
}  // namespace thiessen::cuda
