// SPDX-License-Identifier: Apache-2.0
#include "cuda/device/staging.hpp"

#include <tuple>
#include <utility>

#include "cuda/device/check.hpp"

namespace thiessen::cuda {
inline namespace device {
namespace {

std::byte* allocate_pinned(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, cudaHostAllocDefault), "pinned memory for copies");
  return static_cast<std::byte*>(memory);
}

}  // namespace

void Staging::open_lanes(int count) {
  const auto former = lanes_.size();
  const auto wanted = static_cast<std::size_t>(count);
  if (wanted <= former) return;
  constexpr std::size_t kBuffersPerLane = std::tuple_size_v<decltype(Lane::buffer)>;
  memory_.reserve(memory_.size() + 1);
  memory_.push_back(allocate_pinned((wanted - former) * kBuffersPerLane * kBytes));
  std::byte* next = memory_.back();
  for (std::size_t i = former; i < wanted; ++i) {
    Lane& lane = lanes_.emplace_back();
    for (Buffer& buffer : lane.buffer) {
      buffer.bytes = next;
      next += kBytes;
      check(cudaEventCreateWithFlags(&buffer.done, cudaEventDisableTiming), "event");
    }
  }
}

float* Staging::words() {
  if (words_ == nullptr) words_ = reinterpret_cast<float*>(allocate_pinned(kWords * sizeof(float)));
  return words_;
}

void Staging::release() noexcept {
  for (Lane& lane : lanes_)
    for (Buffer& buffer : lane.buffer)
      if (buffer.done != nullptr) cudaEventDestroy(buffer.done);
  lanes_.clear();
  for (std::byte* const memory : memory_) cudaFreeHost(memory);
  memory_.clear();
  cudaFreeHost(std::exchange(words_, nullptr));
}

}  // namespace device
}  // namespace thiessen::cuda
