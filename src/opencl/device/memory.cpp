// SPDX-License-Identifier: Apache-2.0
#include "opencl/device/memory.hpp"

#include <algorithm>
#include <string>

#include "opencl/device/check.hpp"
#include "opencl/device/device.hpp"

namespace thiessen::opencl {
namespace {

cl::Buffer create_buffer(Device& device, cl_mem_flags flags, std::size_t bytes,
                         const char* purpose) {
  const std::uint64_t largest = device.capabilities().largest_buffer;
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::out_of_memory, "no memory on " + device.name() + " for " + purpose +
                                              " of " + std::to_string(bytes) + " bytes: " + why);
  };
  if (bytes > largest) refuse("it gives out at most " + std::to_string(largest) + " bytes at once");
  try {
    return {device.context(), flags, bytes};
  } catch (const cl::Error& error) {
    if (!is_out_of_memory(error.err()) && error.err() != CL_OUT_OF_RESOURCES)
      throw to_error(purpose, error);
    refuse(to_text(error));
  }
  return {};  // never reached: refuse() does not return
}

}  // namespace

std::size_t DeviceMemory::bytes() const noexcept {
  std::size_t sum = 0;
  for (const Block& block : blocks_) sum += block.size;
  return sum;
}

cl::Buffer DeviceMemory::allocate(std::size_t bytes, const char* purpose) {
  if (used_ == blocks_.size()) blocks_.emplace_back();
  Block& block = blocks_[used_];
  if (block.size < bytes || block.size == 0) {
    block = {};  // first give back, then ask: never hold both
    const std::size_t size = std::max(bytes, std::size_t{1});
    block.buffer = create_buffer(device_, CL_MEM_READ_WRITE, size, purpose);
    block.size = size;
  }
  ++used_;
  return block.buffer;
}

std::size_t PinnedMemory::bytes() const noexcept {
  std::size_t sum = 0;
  for (const Block& block : blocks_) sum += block.size;
  return sum;
}

void* PinnedMemory::allocate(std::size_t number, std::size_t bytes, const char* purpose) {
  if (number >= blocks_.size()) blocks_.resize(number + 1);
  Block& block = blocks_[number];
  if (block.size < bytes || block.size == 0) {
    unmap(block);
    const std::size_t size = std::max(bytes, std::size_t{1});
    block.buffer = create_buffer(device_, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, size, purpose);
    block.address = checked(purpose, [&] {
      return queue_.enqueueMapBuffer(block.buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, size);
    });
    block.size = size;
  }
  return block.address;
}

void PinnedMemory::release() noexcept {
  for (Block& block : blocks_) unmap(block);
  blocks_.clear();
}

void PinnedMemory::unmap(Block& block) noexcept {
  try {
    if (block.address != nullptr) {
      queue_.enqueueUnmapMemObject(block.buffer, block.address);
      queue_.finish();
    }
    block.buffer = {};
  } catch (const cl::Error&) {  // the driver gives the memory back in any case
  }
  block.address = nullptr;
  block.size = 0;
}

}  // namespace thiessen::opencl
