// SPDX-License-Identifier: Apache-2.0
//
// A queue of cells by their cost for E. W. Dijkstra's algorithm, whose costs never fall below the
// one taken last: the radix heap of R. K. Ahuja, K. Mehlhorn, J. B. Orlin, R. E. Tarjan, "Faster
// algorithms for the shortest path problem" (1990).
//
// The bits of floats that are not negative are in the order of the floats. Bucket b > 0 holds the
// costs whose bits first differ from those of the last cost at bit b - 1, bucket 0 those that equal
// it. When bucket 0 is empty, the least cost of the next bucket becomes the last one, and that
// bucket is spread over those before it. A cell whose cost falls is put in once more; nodes with an
// older cost are stale, and are dropped when they are met.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/base/cell_queue.hpp"

namespace thiessen::cpu::cost {

/// `Cell` holds the index of a cell.
template <class T, class Cell>
class RadixQueue {
 public:
  struct Node {
    T cost;
    Cell cell;
  };
  using Pool = ChunksOf<Node>;

  /// The queue takes nodes for which cost[cell] is no longer their cost as stale.
  RadixQueue(const T* cost, Pool& pool) : cost_(cost), pool_(pool) {}
  ~RadixQueue() {
    for (Bucket& bucket : buckets_) clear(bucket);
  }
  RadixQueue(const RadixQueue&) = delete;
  RadixQueue& operator=(const RadixQueue&) = delete;

  /// Puts a cell in by its cost, which is not less than that of the cell taken last.
  void put(std::int64_t cell) { add({cost_[cell], static_cast<Cell>(cell)}); }

  /// Takes a cell with the least cost; -1 if there is none left.
  std::int64_t pop_least() {
    for (;;) {
      while (buckets_[0].chunk != nullptr) {
        const Node node = pop_last(buckets_[0]);
        if (!is_stale(node)) return static_cast<std::int64_t>(node.cell);
      }
      std::size_t next = 1;
      while (next < buckets_.size() && buckets_[next].chunk == nullptr) ++next;
      if (next == buckets_.size()) return -1;
      spread(buckets_[next]);
    }
  }

 private:
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  using Chunk = typename Pool::Chunk;

  /// Full chunks behind one that has `count` nodes, at least one.
  struct Bucket {
    Chunk* chunk = nullptr;
    std::int64_t count = 0;
  };

  bool is_stale(const Node& node) const {
    return node.cost != cost_[static_cast<std::int64_t>(node.cell)];
  }

  void add(const Node& node) {
    Bucket& bucket =
        buckets_[static_cast<std::size_t>(std::bit_width(std::bit_cast<Bits>(node.cost) ^ last_))];
    if (bucket.chunk == nullptr || bucket.count == Pool::kElements) {
      Chunk* const chunk = pool_.take();
      chunk->next = bucket.chunk;
      bucket = {chunk, 0};
    }
    bucket.chunk->elements[bucket.count++] = node;
  }

  Node pop_last(Bucket& bucket) {
    const Node node = bucket.chunk->elements[--bucket.count];
    if (bucket.count == 0) drop_chunk(bucket);
    return node;
  }

  void drop_chunk(Bucket& bucket) {
    Chunk* const chunk = bucket.chunk;
    bucket = {chunk->next, Pool::kElements};
    pool_.give_back(chunk);
  }

  void clear(Bucket& bucket) {
    while (bucket.chunk != nullptr) drop_chunk(bucket);
  }

  template <class Visit>
  static void for_each(const Bucket& bucket, const Visit& visit) {
    std::int64_t count = bucket.count;
    for (const Chunk* chunk = bucket.chunk; chunk != nullptr; chunk = chunk->next) {
      for (std::int64_t i = 0; i < count; ++i) visit(chunk->elements[i]);
      count = Pool::kElements;
    }
  }

  /// Spreads the nodes of the first bucket that has any over those before it: all share more bits
  /// with the least of their costs than with the last one.
  void spread(Bucket& bucket) {
    Bucket from = bucket;
    bucket = {};
    T least = std::numeric_limits<T>::infinity();
    for_each(from, [&](const Node& node) {
      if (node.cost < least && !is_stale(node)) least = node.cost;
    });
    if (least < std::numeric_limits<T>::infinity()) {
      last_ = std::bit_cast<Bits>(least);
      for_each(from, [&](const Node& node) {
        if (!is_stale(node)) add(node);
      });
    }
    clear(from);
  }

  const T* cost_;
  Pool& pool_;
  std::array<Bucket, 8 * sizeof(T) + 1> buckets_{};
  Bits last_ = 0;
};

}  // namespace thiessen::cpu::cost
