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
    if (pair == pairs_[last_])
      return last_;  // boundaries meet the same pair several times in a row
    std::uint32_t* id = &find(pair);
    if (*id != kNoPair) return last_ = *id;
    if (2 * pairs_.size() > ids_.size()) {
      grow();
      id = &find(pair);
    }
    pairs_.push_back(pair);
    return last_ = *id = static_cast<std::uint32_t>(pairs_.size() - 1);
  }

  /// One more than the last number.
  std::size_t size() const { return pairs_.size(); }
  const std::vector<std::uint64_t>& pairs() const { return pairs_; }
  std::size_t bytes() const {
    return ids_.capacity() * sizeof ids_[0] + pairs_.capacity() * sizeof pairs_[0];
  }
  std::uint32_t lower_slot(std::size_t id) const {
    return static_cast<std::uint32_t>(pairs_[id] >> 32);
  }
  std::uint32_t higher_slot(std::size_t id) const {
    return static_cast<std::uint32_t>(pairs_[id] & 0xFFFFFFFFu);
  }

 private:
  /// The number of a pair in the table, or where it would be. The pair itself is in the list.
  std::uint32_t& find(std::uint64_t pair) {
    const std::size_t mask = ids_.size() - 1;
    std::size_t place = pair * 0x9E3779B97F4A7C15u >> shift_;
    while (ids_[place] != kNoPair && pairs_[ids_[place]] != pair) place = (place + 1) & mask;
    return ids_[place];
  }

  void grow() {
    ids_.assign(2 * ids_.size(), kNoPair);
    --shift_;
    for (std::size_t id = 1; id < pairs_.size(); ++id)
      find(pairs_[id]) = static_cast<std::uint32_t>(id);
  }

  static constexpr int kFirstBits = 10;

  std::vector<std::uint32_t> ids_ = std::vector<std::uint32_t>(std::size_t{1} << kFirstBits);
  int shift_ = 64 - kFirstBits;
  std::uint32_t last_ = kNoPair;            ///< what was returned
  std::vector<std::uint64_t> pairs_ = {0};  ///< of each number
};

}  // namespace thiessen
