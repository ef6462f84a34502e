// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/make_room.hpp"
#include "core/statistics/label_slots.hpp"

namespace thiessen {

/// Pairs of slots numbered from 1 on, in the order in which they turn up. A slot has a list of its
/// first pairs with higher ones. Slots and pairs that turn up together lie together there, which a
/// hash table would tear apart; it is for the pairs of slots that have many.
class PairIds {
 public:
  /// The number of what is no pair of labels: equal ones, or one that is left out.
  static constexpr std::uint32_t kNoPair = 0;

  std::uint32_t id_of(std::uint32_t a, std::uint32_t b) {
    if (a == b || a == kLeftOut || b == kLeftOut) return kNoPair;
    const std::uint32_t lower = a < b ? a : b;
    const std::uint64_t pair = std::uint64_t{lower} << 32 | (a < b ? b : a);
    if (lower >= first_.size()) first_.resize(std::size_t{lower} + 1);
    int listed = 0;
    for (std::uint32_t id = first_[lower]; id != kNoPair; id = next_[id], ++listed)
      if (pairs_[id] == pair) return id;
    if (listed == kMostListed) return hashed_id_of(pair);
    const std::uint32_t id = add(pair, first_[lower]);
    first_[lower] = id;
    return id;
  }

  /// One more than the last number.
  std::size_t size() const { return pairs_.size(); }
  const std::vector<std::uint64_t>& pairs() const { return pairs_; }
  std::size_t bytes() const {
    return (first_.capacity() + next_.capacity() + hashed_.capacity()) * sizeof first_[0] +
           pairs_.capacity() * sizeof pairs_[0];
  }
  std::uint32_t lower_slot(std::size_t id) const {
    return static_cast<std::uint32_t>(pairs_[id] >> 32);
  }
  std::uint32_t higher_slot(std::size_t id) const {
    return static_cast<std::uint32_t>(pairs_[id] & 0xFFFFFFFFu);
  }

 private:
  static constexpr int kMostListed = 16;

  std::uint32_t add(std::uint64_t pair, std::uint32_t next) {
    make_room(next_);
    make_room(pairs_);
    next_.push_back(next);
    pairs_.push_back(pair);
    return static_cast<std::uint32_t>(pairs_.size() - 1);
  }

  std::uint32_t hashed_id_of(std::uint64_t pair) {
    if (2 * (in_use_ + 1) > hashed_.size()) grow();
    std::uint32_t& id = find(pair);
    if (id != kNoPair) return id;
    const std::uint32_t found = add(pair, kNoPair);
    ++in_use_;
    return id = found;
  }

  /// The number of a pair in the hash table, or where it would be: linear probing.
  std::uint32_t& find(std::uint64_t pair) {
    const std::size_t mask = hashed_.size() - 1;
    std::size_t place = pair * 0x9E3779B97F4A7C15u >> shift_;
    while (hashed_[place] != kNoPair && pairs_[hashed_[place]] != pair) place = (place + 1) & mask;
    return hashed_[place];
  }

  void grow() {
    std::vector<std::uint32_t> old(hashed_.empty() ? 1024 : 2 * hashed_.size());
    old.swap(hashed_);
    shift_ = 65 - static_cast<int>(std::bit_width(hashed_.size()));
    for (const std::uint32_t id : old)
      if (id != kNoPair) find(pairs_[id]) = id;
  }

  std::vector<std::uint32_t> first_;             ///< of the pairs of a slot
  std::vector<std::uint32_t> next_ = {kNoPair};  ///< of each number: that of the slot's next pair
  std::vector<std::uint32_t> hashed_;            ///< numbers in a hash table
  std::size_t in_use_ = 0;
  int shift_ = 64;
  std::vector<std::uint64_t> pairs_ = {0};  ///< of each number
};

}  // namespace thiessen
