// SPDX-License-Identifier: Apache-2.0
//
// A queue of cells by their cost for E. W. Dijkstra's algorithm, whose costs never fall below the
// one taken last: the radix heap of R. K. Ahuja, K. Mehlhorn, J. B. Orlin, R. E. Tarjan, "Faster
// algorithms for the shortest path problem" (1990).
//
// The bits of floats that are not negative are in the order of the floats. Bucket b > 0 holds the
// costs whose bits first differ from those of the last cost at bit b - 1, bucket 0 those that equal
// it. When bucket 0 is empty, the least cost of the next bucket becomes the last one, and that
// bucket is spread over those before it.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace thiessen::cpu::cost {

template <class T>
class RadixQueue {
 public:
  struct Node {
    T cost;
    std::uint32_t cell;
  };

  bool empty() const { return count_ == 0; }

  /// Forgets all cells; costs may begin at 0 again.
  void clear() {
    for (auto& bucket : buckets_) bucket.clear();
    count_ = 0;
    last_ = 0;
  }

  /// `cost` is not less than that of the node taken last.
  void push(T cost, std::int64_t cell) {
    const Node node{cost, static_cast<std::uint32_t>(cell)};
    buckets_[bucket_of(cost)].push_back(node);
    ++count_;
  }

  /// Takes a node with the least cost. Nodes for which is_stale() may get lost on the way; `found`
  /// is false if no other was left.
  template <class IsStale>
  bool take(Node& found, const IsStale& is_stale) {
    while (count_ > 0) {
      if (buckets_[0].empty()) spread_next(is_stale);
      if (buckets_[0].empty()) continue;
      found = buckets_[0].back();
      buckets_[0].pop_back();
      --count_;
      if (!is_stale(found)) return true;
    }
    return false;
  }

  std::size_t bytes() const {
    std::size_t bytes = 0;
    for (const auto& bucket : buckets_) bytes += bucket.capacity() * sizeof(Node);
    return bytes;
  }

 private:
  using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

  std::size_t bucket_of(T cost) const {
    return static_cast<std::size_t>(std::bit_width(std::bit_cast<Bits>(cost) ^ last_));
  }

  template <class IsStale>
  void spread_next(const IsStale& is_stale) {
    std::size_t next = 1;
    while (buckets_[next].empty()) ++next;
    std::vector<Node>& from = buckets_[next];
    const auto end = std::remove_if(from.begin(), from.end(), is_stale);
    count_ -= static_cast<std::size_t>(from.end() - end);
    from.erase(end, from.end());
    if (from.empty()) return;
    last_ = std::bit_cast<Bits>(
        std::min_element(from.begin(), from.end(), [](const Node& a, const Node& b) {
          return a.cost < b.cost;
        })->cost);
    // All of them share the bits from `next` on with the new last cost, so none stays here.
    for (const Node& node : from) buckets_[bucket_of(node.cost)].push_back(node);
    from.clear();
  }

  std::array<std::vector<Node>, 8 * sizeof(T) + 1> buckets_;
  std::size_t count_ = 0;
  Bits last_ = 0;
};

}  // namespace thiessen::cpu::cost
