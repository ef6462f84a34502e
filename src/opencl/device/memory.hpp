// SPDX-License-Identifier: Apache-2.0
//
// Memory on a device that a Context keeps from call to call, like Scratch on the host, and memory
// of the host for copies.
#pragma once

#include <cstddef>
#include <cstdint>
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
    cl::Buffer allocate(std::size_t bytes, const char* purpose) {
      return memory_.allocate(bytes, purpose);
    }

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

  cl::Buffer allocate(std::size_t bytes, const char* purpose);

  Device& device_;
  std::vector<Block> blocks_;
  std::size_t used_ = 0;
};

/// Memory of the host that devices copy to and from faster than to other memory, since it stays
/// where it is. It is kept from call to call, too: `number` says which of a few arrays is wanted.
class PinnedMemory {
 public:
  PinnedMemory(Device& device, const cl::CommandQueue& queue) : device_(device), queue_(queue) {}
  ~PinnedMemory() { release(); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;

  /// Room for so many elements, with anything in it, until the next call with that number. Throws
  /// Error{out_of_memory} like DeviceMemory.
  template <class T>
  T* array(std::size_t number, std::int64_t count, const char* purpose) {
    return static_cast<T*>(allocate(number, static_cast<std::size_t>(count) * sizeof(T), purpose));
  }

  std::size_t bytes() const noexcept;
  void release() noexcept;

 private:
  struct Block {  // NOLINT(bugprone-exception-escape): the bindings promise too much
    cl::Buffer buffer;
    void* address = nullptr;
    std::size_t size = 0;
  };

  void* allocate(std::size_t number, std::size_t bytes, const char* purpose);
  void unmap(Block& block) noexcept;

  Device& device_;
  const cl::CommandQueue& queue_;
  std::vector<Block> blocks_;
};

}  // namespace thiessen::opencl
