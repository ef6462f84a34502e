// SPDX-License-Identifier: Apache-2.0
//
// A queue of cells by their cost for E. W. Dijkstra's algorithm, whose costs never fall below the
// one taken last: the radix heap of R. K. Ahuja, K. Mehlhorn, J. B. Orlin, R. E. Tarjan, "Faster
// algorithms for the shortest path problem" (1990).
//
// The bits of floats that are not negative are in the order of the floats. Bucket b > 0 holds the
// costs whose bits first differ from those of the last cost at bit b - 1, bucket 0 those that equal
// it. When bucket 0 is empty, the least cost of the next bucket becomes the last one, and that
// bucket is spread over those before it. What gets a lesser cost is put in once more; nodes with an
// older cost are stale, and are dropped when they are met.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "core/base/cell_queue.hpp"

namespace thiessen::cpu::cost {

/// Nodes with a `cost` of type T; is_stale(node) tells which of them no longer count. Where telling
/// that takes longer than to carry nodes along, `kSpreadsStale` has it told of taken nodes alone.
template <class T, class Node, class IsStale, bool kSpreadsStale = false>
class RadixHeap {
 public:
  using Pool = ChunksOf<Node>;

  RadixHeap(Pool& pool, IsStale is_stale) : is_stale_(is_stale), pool_(pool) {}
  ~RadixHeap() {
    for (Bucket& bucket : buckets_) clear(bucket);
  }
  RadixHeap(const RadixHeap&) = delete;
  RadixHeap& operator=(const RadixHeap&) = delete;

  /// Its cost must not be less than that of the node taken last.
  void put(const Node& node) { add(node); }

  /// Takes a node with the least cost; nullopt if there is none left.
  std::optional<Node> pop_least() {
    for (;;) {
      while (buckets_[0].chunk != nullptr) {
        const Node node = pop_last(buckets_[0]);
        if (!is_stale_(node)) return node;
      }
      std::size_t next = 1;
      while (next < buckets_.size() && buckets_[next].chunk == nullptr) ++next;
      if (next == buckets_.size()) return std::nullopt;
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

  bool is_spread(const Node& node) const { return kSpreadsStale || !is_stale_(node); }

  /// Spreads the nodes of the first bucket that has any over those before it: all share more bits
  /// with the least of their costs than with the last one.
  void spread(Bucket& bucket) {
    Bucket from = bucket;
    bucket = {};
    T least = std::numeric_limits<T>::infinity();
    for_each(from, [&](const Node& node) {
      if (node.cost < least && is_spread(node)) least = node.cost;
    });
    if (least < std::numeric_limits<T>::infinity()) {
      last_ = std::bit_cast<Bits>(least);
      for_each(from, [&](const Node& node) {
        if (is_spread(node)) add(node);
      });
    }
    clear(from);
  }

  IsStale is_stale_;
  Pool& pool_;
  std::array<Bucket, 8 * sizeof(T) + 1> buckets_{};
  Bits last_ = 0;
};

/// A cell with the cost that it had when it was put in. `Cell` holds its index.
template <class T, class Cell>
struct CellNode {
  T cost;
  Cell cell;
};

/// Whether a cell has another cost by now.
template <class T, class Cell>
struct HasOtherCost {
  const T* cost;

  bool operator()(const CellNode<T, Cell>& node) const {
    return node.cost != cost[static_cast<std::int64_t>(node.cell)];
  }
};

/// Cells by their cost in an array.
template <class T, class Cell>
class RadixQueue {
 public:
  using Heap = RadixHeap<T, CellNode<T, Cell>, HasOtherCost<T, Cell>>;
  using Pool = typename Heap::Pool;

  RadixQueue(const T* cost, Pool& pool) : cost_(cost), heap_(pool, {cost}) {}

  void put(std::int64_t cell) { heap_.put({cost_[cell], static_cast<Cell>(cell)}); }

  /// -1 if there is none left.
  std::int64_t pop_least() {
    const auto node = heap_.pop_least();
    return node ? static_cast<std::int64_t>(node->cell) : -1;
  }

 private:
  const T* cost_;
  Heap heap_;
};

}  // namespace thiessen::cpu::cost
