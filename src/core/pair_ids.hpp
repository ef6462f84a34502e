// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/label_slots.hpp"

namespace thiessen {

/// Pairs of slots numbered from 1 on, in the order in which they turn up: a hash table with linear
/// probing.
class PairIds {
 public:
  /// The number of what is no pair of labels: equal ones, or one that is left out.
  static constexpr std::uint32_t kNoPair = 0;

  std::uint32_t id_of(std::uint32_t a, std::uint32_t b) {
    if (a == b || a == kLeftOut || b == kLeftOut) return kNoPair;
    const std::uint64_t pair = a < b ? std::uint64_t{a} << 32 | b : std::uint64_t{b} << 32 | a;
    Entry* entry = &find(pair);
    if (entry->id != kNoPair) return entry->id;
    if (2 * pairs_.size() > entries_.size()) {
      grow();
      entry = &find(pair);
    }
    *entry = {pair, static_cast<std::uint32_t>(pairs_.size())};
    pairs_.push_back(pair);
    return entry->id;
  }

  /// One more than the last number.
  std::size_t size() const { return pairs_.size(); }
  const std::vector<std::uint64_t>& pairs() const { return pairs_; }
  std::size_t bytes() const {
    return entries_.capacity() * sizeof entries_[0] + pairs_.capacity() * sizeof pairs_[0];
  }
  std::uint32_t lower_slot(std::size_t id) const {
    return static_cast<std::uint32_t>(pairs_[id] >> 32);
  }
  std::uint32_t higher_slot(std::size_t id) const {
    return static_cast<std::uint32_t>(pairs_[id] & 0xFFFFFFFFu);
  }

 private:
  struct Entry {
    std::uint64_t pair = 0;
    std::uint32_t id = kNoPair;
  };

  /// The entry of a pair, or the free one where it would be.
  Entry& find(std::uint64_t pair) {
    const std::size_t mask = entries_.size() - 1;
    std::size_t place = pair * 0x9E3779B97F4A7C15u >> shift_;
    while (entries_[place].id != kNoPair && entries_[place].pair != pair)
      place = (place + 1) & mask;
    return entries_[place];
  }

  void grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    --shift_;
    for (const Entry& entry : old)
      if (entry.id != kNoPair) find(entry.pair) = entry;
  }

  static constexpr int kFirstBits = 10;

  std::vector<Entry> entries_ = std::vector<Entry>(std::size_t{1} << kFirstBits);
  int shift_ = 64 - kFirstBits;
  std::vector<std::uint64_t> pairs_ = {0};  ///< of each number
};

}  // namespace thiessen
