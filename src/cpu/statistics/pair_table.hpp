// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thiessen::cpu::statistics {

/// Counts for pairs of slots, kKinds for each: a hash table with linear probing.
template <int kKinds>
class PairTable {
 public:
  struct Entry {
    std::uint64_t pair = kFree;
    std::array<std::int64_t, kKinds> counts{};
  };

  PairTable() { clear(1024); }

  /// Two slots, neither of which is kLeftOut, as one number: the lower one above.
  static std::uint64_t pair_of(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t low = a < b ? a : b;
    const std::uint64_t high = a < b ? b : a;
    return low << 32 | high;
  }

  std::array<std::int64_t, kKinds>& counts_of(std::uint64_t pair) {
    Entry* entry = &find(pair);
    if (entry->pair == kFree) {
      if (2 * ++used_ > entries_.size()) {
        grow();
        entry = &find(pair);
      }
      entry->pair = pair;
    }
    return entry->counts;
  }

  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const Entry& entry : entries_)
      if (entry.pair != kFree)
        visit(static_cast<std::uint32_t>(entry.pair >> 32),
              static_cast<std::uint32_t>(entry.pair & 0xFFFFFFFFu), entry.counts);
  }

  std::size_t size() const { return used_; }

 private:
  static constexpr std::uint64_t kFree = 0;  ///< no pair, as its slots are left out

  /// The entry of a pair, or the free one where it would be.
  Entry& find(std::uint64_t pair) {
    const std::size_t mask = entries_.size() - 1;
    std::size_t place = pair * 0x9E3779B97F4A7C15u >> shift_;
    while (entries_[place].pair != kFree && entries_[place].pair != pair)
      place = (place + 1) & mask;
    return entries_[place];
  }

  void clear(std::size_t size) {
    entries_.assign(size, Entry{});
    shift_ = 64;
    for (; size > 1; size /= 2) --shift_;
  }

  void grow() {
    std::vector<Entry> old;
    old.swap(entries_);
    clear(2 * old.size());
    for (const Entry& entry : old)
      if (entry.pair != kFree) find(entry.pair) = entry;
  }

  std::vector<Entry> entries_;
  std::size_t used_ = 0;
  int shift_ = 64;
};

}  // namespace thiessen::cpu::statistics
