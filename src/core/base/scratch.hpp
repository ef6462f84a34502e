// SPDX-License-Identifier: Apache-2.0
//
// Memory that a Context keeps from call to call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace thiessen {

/// Uninitialised memory, aligned to a cache line. Throws Error{out_of_memory} naming `purpose` and
/// the number of bytes.
std::byte* allocate_bytes(std::size_t count, const char* purpose);
void free_bytes(std::byte* bytes) noexcept;

/// The source of the blocks of a Scratch.
struct Memory {
  std::function<std::byte*(std::size_t count, const char* purpose)> allocate = allocate_bytes;
  void (*free)(std::byte* bytes) noexcept = free_bytes;
};

/// A stack of blocks. A call takes arrays through Frames; blocks stay when the frame ends, so that
/// the same sequence of requests finds them again. Only the thread that drives a call uses it.
class Scratch {
 public:
  class Frame {
   public:
    explicit Frame(Scratch& scratch) : scratch_(scratch), mark_(scratch.used_) {}
    ~Frame() { scratch_.used_ = mark_; }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

    /// `count` elements of uninitialised memory, valid until the frame ends.
    template <class T>
    T* array(std::int64_t count) {
      return reinterpret_cast<T*>(scratch_.allocate(static_cast<std::size_t>(count), sizeof(T)));
    }

   private:
    Scratch& scratch_;
    std::size_t mark_;
  };

  explicit Scratch(Memory memory = {}) : memory_(std::move(memory)) {}

  std::size_t bytes() const noexcept;
  void release() noexcept { blocks_.clear(); }

 private:
  using Free = void (*)(std::byte*) noexcept;
  struct Block {
    std::unique_ptr<std::byte[], Free> bytes;
    std::size_t size = 0;
  };

  std::byte* allocate(std::size_t count, std::size_t element_bytes);

  Memory memory_;
  std::vector<Block> blocks_;
  std::size_t used_ = 0;
};

}  // namespace thiessen
