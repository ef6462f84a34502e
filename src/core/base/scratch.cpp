// SPDX-License-Identifier: Apache-2.0
#include "core/base/scratch.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>

#include "thiessen/error.hpp"

namespace thiessen {
namespace {

/// So many bytes, a multiple of the alignment, or nullptr. Windows has a function of its own.
void* aligned_bytes(std::size_t alignment, std::size_t count) {
#ifdef _WIN32
  return _aligned_malloc(count, alignment);
#else
  return std::aligned_alloc(alignment, count);
#endif
}

}  // namespace

std::byte* allocate_bytes(std::size_t count, const char* purpose) {
  constexpr std::size_t kCacheLine = 64;
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  const std::size_t alignment = count >= kHugePage ? kHugePage : kCacheLine;
  const std::size_t rounded = std::max(count, std::size_t{1}) + (alignment - 1);
  void* bytes =
      rounded < count ? nullptr : aligned_bytes(alignment, rounded / alignment * alignment);
  if (bytes == nullptr)
    throw Error(ErrorCode::out_of_memory, "no memory for " + std::string(purpose) + " of " +
                                              std::to_string(count) + " bytes");
#ifdef __linux__
  // The first touch of a small page costs more than the work on it. The system may refuse.
  if (count >= kHugePage) madvise(bytes, rounded / alignment * alignment, MADV_HUGEPAGE);
#endif
  return static_cast<std::byte*>(bytes);
}

void free_bytes(std::byte* bytes) noexcept {
#ifdef _WIN32
  _aligned_free(bytes);
#else
  std::free(bytes);
#endif
}

std::size_t Scratch::bytes() const noexcept {
  std::size_t sum = 0;
  for (const Block& block : blocks_) sum += block.size;
  return sum;
}

std::byte* Scratch::allocate(std::size_t count, std::size_t element_bytes) {
  if (count > std::numeric_limits<std::size_t>::max() / element_bytes)
    throw Error(ErrorCode::out_of_memory,
                "scratch of " + std::to_string(count) + " elements is beyond any memory");
  const std::size_t wanted = count * element_bytes;
  if (used_ == blocks_.size()) blocks_.push_back({{nullptr, memory_.free}});
  Block& block = blocks_[used_];
  if (block.size < wanted || block.bytes == nullptr) {
    block = {{nullptr, memory_.free}};  // first give back, then ask: never hold both
    block.bytes.reset(memory_.allocate(wanted, "scratch"));
    block.size = wanted;
  }
  ++used_;
  return block.bytes.get();
}

}  // namespace thiessen
