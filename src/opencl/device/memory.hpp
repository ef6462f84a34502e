// SPDX-License-Identifier: Apache-2.0
//
// Memory on a device that a Context keeps from call to call, like Scratch on the host.
#pragma once

#include <cstddef>
#include <vector>

#include "opencl/device/cl.hpp"

namespace thiessen::opencl {

class Device;

/// A stack of buffers. A call takes them through Frames; they stay when the frame ends, so that the
/// same sequence of requests finds them again.
class DeviceMemory {
 public:
  class Frame {
   public:
    explicit Frame(DeviceMemory& memory) : memory_(memory), mark_(memory.used_) {}
    ~Frame() { memory_.used_ = mark_; }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    /// Uninitialised memory, valid until the frame ends. Throws Error{out_of_memory} naming
    /// `purpose` and the number of bytes.
    cl::Buffer take(std::size_t bytes, const char* purpose) { return memory_.take(bytes, purpose); }

   private:
    DeviceMemory& memory_;
    std::size_t mark_;
  };

  explicit DeviceMemory(Device& device) : device_(device) {}

  std::size_t bytes() const noexcept;
  void release() noexcept { blocks_.clear(); }

 private:
  struct Block {  // NOLINT(bugprone-exception-escape): the bindings promise too much
    cl::Buffer buffer;
    std::size_t size = 0;
  };

  cl::Buffer take(std::size_t bytes, const char* purpose);
  cl::Buffer allocate(std::size_t bytes, const char* purpose) const;

  Device& device_;
  std::vector<Block> blocks_;
  std::size_t used_ = 0;
};

}  // namespace thiessen::opencl
