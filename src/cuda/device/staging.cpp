// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/staging.hpp"

#include "cuda/device/check.hpp"

namespace thiessen::cuda {

Staging::Buffer& Staging::next() {
  Buffer& buffer = buffers_[turn_++ % buffers_.size()];
  if (buffer.done == nullptr)
    check(cudaEventCreateWithFlags(&buffer.done, cudaEventDisableTiming), "event");
  if (buffer.bytes == nullptr) {
    void* bytes = nullptr;
    check(cudaHostAlloc(&bytes, kBytes, cudaHostAllocDefault), "pinned memory of 8 MiB");
    buffer.bytes = static_cast<std::byte*>(bytes);
  }
  check(cudaEventSynchronize(buffer.done), "wait for a copy");
  return buffer;
}

void Staging::release() noexcept {
  for (Buffer& buffer : buffers_) {
    if (buffer.done != nullptr) cudaEventDestroy(buffer.done);
    cudaFreeHost(buffer.bytes);
    buffer = {};
  }
}

}  // namespace thiessen::cuda
