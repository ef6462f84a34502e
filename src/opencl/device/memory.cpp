// SPDX-License-Identifier: Apache-2.0
#include "opencl/device/memory.hpp"

#include <algorithm>
#include <string>

#include "opencl/device/check.hpp"
#include "opencl/device/device.hpp"

namespace thiessen::opencl {

std::size_t DeviceMemory::bytes() const noexcept {
  std::size_t sum = 0;
  for (const Block& block : blocks_) sum += block.size;
  return sum;
}

cl::Buffer DeviceMemory::take(std::size_t bytes, const char* purpose) {
  if (used_ == blocks_.size()) blocks_.emplace_back();
  Block& block = blocks_[used_];
  if (block.size < bytes || block.size == 0) {
    block = {};  // first give back, then ask: never hold both
    const std::size_t size = std::max(bytes, std::size_t{1});
    block.buffer = allocate(size, purpose);
    block.size = size;
  }
  ++used_;
  return block.buffer;
}

cl::Buffer DeviceMemory::allocate(std::size_t bytes, const char* purpose) const {
  const std::uint64_t largest = device_.capabilities().largest_buffer;
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::out_of_memory, "no memory on " + device_.name() + " for " + purpose +
                                              " of " + std::to_string(bytes) + " bytes: " + why);
  };
  if (bytes > largest) refuse("it gives out at most " + std::to_string(largest) + " bytes at once");
  try {
    return {device_.context(), CL_MEM_READ_WRITE, bytes};
  } catch (const cl::Error& error) {
    if (!is_out_of_memory(error.err()) && error.err() != CL_OUT_OF_RESOURCES)
      throw to_error(purpose, error);
    refuse(to_text(error));
  }
  return {};  // never reached: refuse() does not return
}

}  // namespace thiessen::opencl
