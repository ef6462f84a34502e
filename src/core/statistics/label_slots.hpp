// SPDX-License-Identifier: Apache-2.0
//
// Labels numbered in the order in which they turn up, so that what is kept of each lies in one
// array, near to that of labels from the same part of the raster.
#pragma once

#include <cstdint>
#include <vector>

#include "core/statistics/tables.hpp"

namespace thiessen {

/// The slot of the labels that are left out.
inline constexpr std::uint32_t kLeftOut = 0;
/// No slot.
inline constexpr std::uint32_t kNoSlot = 0xFFFFFFFFu;

class LabelSlots {
 public:
  explicit LabelSlots(const std::vector<LabelKey>& left_out) : keys_(1) {
    for (const LabelKey key : left_out) slot_for(key) = kLeftOut;
  }

  /// The slot of a label, which is a new one for a label that was not seen before.
  std::uint32_t slot_of(LabelKey key) {
    if (key < direct_.size() && direct_[key] != kNoSlot) return direct_[key];
    if (key >= kMostDirect && !hashed_.empty())
      if (const Entry& entry = find(key); entry.slot != kNoSlot) return entry.slot;
    return add(key);
  }

  /// The slot of a label, or kNoSlot if it was not seen.
  std::uint32_t known_slot_of(LabelKey key) const {
    if (key < kMostDirect) return key < direct_.size() ? direct_[key] : kNoSlot;
    return hashed_.empty() ? kNoSlot : const_cast<LabelSlots*>(this)->find(key).slot;
  }

  /// One more than the last slot.
  std::size_t size() const { return keys_.size(); }
  LabelKey key(std::size_t slot) const { return keys_[slot]; }
  const std::vector<LabelKey>& keys() const { return keys_; }
  std::size_t bytes() const {
    return direct_.capacity() * sizeof direct_[0] + hashed_.capacity() * sizeof hashed_[0] +
           keys_.capacity() * sizeof keys_[0];
  }

  /// The slots from 1 on, ascending by their labels.
  std::vector<std::uint32_t> in_order(ElementType type) const {
    std::vector<std::uint32_t> slots;
    slots.reserve(size());
    for (const std::uint32_t slot : direct_)
      if (slot != kNoSlot && slot != kLeftOut) slots.push_back(slot);
    for (const Entry& entry : hashed_)
      if (entry.slot != kNoSlot && entry.slot != kLeftOut) slots.push_back(entry.slot);
    sort_slots(keys_, type, slots);
    return slots;
  }

 private:
  /// Labels below are looked up in an array, others in a hash table with linear probing.
  static constexpr LabelKey kMostDirect = LabelKey{1} << 20;

  struct Entry {
    LabelKey key = 0;
    std::uint32_t slot = kNoSlot;
  };

  std::uint32_t add(LabelKey key) {
    const auto slot = static_cast<std::uint32_t>(keys_.size());
    slot_for(key) = slot;
    keys_.push_back(key);
    return slot;
  }

  /// Where the slot of a new label goes.
  std::uint32_t& slot_for(LabelKey key) {
    if (key < kMostDirect) {
      if (key >= direct_.size()) grow_direct(key);
      return direct_[key];
    }
    if (2 * (used_ + 1) > hashed_.size()) grow_hashed();
    Entry& entry = find(key);
    if (entry.slot == kNoSlot) ++used_;
    entry.key = key;
    return entry.slot;
  }

  /// The entry of a label, or the free one where it would be.
  Entry& find(LabelKey key) {
    const std::size_t mask = hashed_.size() - 1;
    std::size_t place = key * 0x9E3779B97F4A7C15u >> shift_;
    while (hashed_[place].slot != kNoSlot && hashed_[place].key != key) place = (place + 1) & mask;
    return hashed_[place];
  }

  void grow_direct(LabelKey key) {
    std::size_t size = direct_.empty() ? 1024 : direct_.size();
    while (size <= key) size *= 2;
    direct_.resize(size, kNoSlot);
  }

  void grow_hashed() {
    std::vector<Entry> old(hashed_.empty() ? 1024 : 2 * hashed_.size());
    old.swap(hashed_);
    shift_ = 64;
    for (std::size_t size = hashed_.size(); size > 1; size /= 2) --shift_;
    for (const Entry& entry : old)
      if (entry.slot != kNoSlot) find(entry.key) = entry;
  }

  std::vector<std::uint32_t> direct_;
  std::vector<Entry> hashed_;
  std::size_t used_ = 0;
  int shift_ = 64;
  std::vector<LabelKey> keys_;  ///< of each slot
};

}  // namespace thiessen
