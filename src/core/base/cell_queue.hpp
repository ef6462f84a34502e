// SPDX-License-Identifier: Apache-2.0
//
// Lists of cells that grow without end and give their memory back to the Context: chains of chunks
// of one size, so that a repeated call finds the chunks of the one before it.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>

#include "core/base/scratch.hpp"

namespace thiessen {

/// Free chunks of elements for the lists of all threads. The frame must be the innermost one while
/// lists grow.
template <class Element>
class ChunksOf {
 public:
  /// Elements of a chunk, of 64 KiB or less.
  static constexpr std::int64_t kElements = 65520 / sizeof(Element);
  struct Chunk {
    Chunk* next;
    Chunk* previous;
    Element elements[kElements];
  };

  explicit ChunksOf(Scratch::Frame& scratch) : scratch_(scratch) {}

  Chunk* take() {
    const std::scoped_lock lock(mutex_);
    if (free_ == nullptr) return scratch_.array<Chunk>(1);
    Chunk* chunk = free_;
    free_ = chunk->next;
    return chunk;
  }

  void give_back(Chunk* chunk) {
    const std::scoped_lock lock(mutex_);
    chunk->next = free_;
    free_ = chunk;
  }

 private:
  Scratch::Frame& scratch_;
  std::mutex mutex_;
  Chunk* free_ = nullptr;
};
using ChunkPool = ChunksOf<std::int64_t>;

/// The list of one thread: cells are added at the end, and taken from the end or the front.
class CellQueue {
 public:
  explicit CellQueue(ChunkPool& pool) : pool_(pool) {
    first_ = last_ = pool_.take();
    first_->previous = nullptr;
  }
  ~CellQueue() {
    while (first_ != last_) drop_first();
    pool_.give_back(last_);
  }
  CellQueue(const CellQueue&) = delete;
  CellQueue& operator=(const CellQueue&) = delete;

  bool empty() const { return first_ == last_ && front_ == back_; }

  void push(std::int64_t cell) {
    if (back_ == ChunkPool::kElements) append();
    last_->elements[back_++] = cell;
  }

  /// Takes the cell that was added last; the list must not be empty.
  std::int64_t pop_back() {
    if (back_ == 0) drop_last();
    const std::int64_t cell = last_->elements[--back_];
    if (first_ == last_ && front_ == back_) front_ = back_ = 0;
    return cell;
  }

  /// Takes the cell that was added first; the list must not be empty.
  std::int64_t pop_front() {
    if (front_ == ChunkPool::kElements) drop_first();
    const std::int64_t cell = first_->elements[front_++];
    if (first_ == last_ && front_ == back_) front_ = back_ = 0;
    return cell;
  }

 private:
  void append() {
    ChunkPool::Chunk* chunk = pool_.take();
    chunk->previous = last_;
    last_->next = chunk;
    last_ = chunk;
    back_ = 0;
  }
  void drop_first() {
    ChunkPool::Chunk* chunk = first_;
    first_ = chunk->next;
    pool_.give_back(chunk);
    front_ = 0;
  }
  void drop_last() {
    ChunkPool::Chunk* chunk = last_;
    last_ = chunk->previous;
    pool_.give_back(chunk);
    back_ = ChunkPool::kElements;
  }

  ChunkPool& pool_;
  ChunkPool::Chunk* first_;
  ChunkPool::Chunk* last_;
  std::int64_t front_ = 0;  ///< in the first chunk
  std::int64_t back_ = 0;   ///< in the last
};

}  // namespace thiessen
