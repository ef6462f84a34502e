// SPDX-License-Identifier: Apache-2.0
//
// Which regions touch, and in how many places, while cells go from one region to another.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/make_room.hpp"
#include "core/statistics/pair_ids.hpp"
#include "core/statistics/tables.hpp"
#include "thiessen/choices/connectivity.hpp"

namespace thiessen::solvers {

class RegionPairs {
 public:
  RegionPairs(const Axes& extent, Connectivity connectivity) : extent_(extent) {
    for (int dz = -1; dz <= 1; ++dz)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) add_neighbour({dz, dy, dx}, connectivity);
  }

  /// Counts the contacts of all cells.
  void count_all(std::span<const std::uint32_t> slots) {
    for (std::size_t i = 0; i < slots.size(); ++i)
      for_each_neighbour(static_cast<std::int64_t>(i), [&](std::int64_t next, std::size_t kind) {
        const std::uint32_t other = slots[static_cast<std::size_t>(next)];
        if (static_cast<std::size_t>(next) >= i || other == slots[i]) return;
        make_room(noted_);
        change(id_of(slots[i], other), kind, 1);
      });
    forget_changes();
  }

  /// A cell goes to the slot `now`; `slots` has where it was. If it throws, nothing has changed.
  void replace(std::span<const std::uint32_t> slots, std::int64_t cell, std::uint32_t now) {
    struct Contact {
      std::uint32_t before;
      std::uint32_t after;
      std::size_t kind;
    };
    std::array<Contact, 26> contacts;
    std::size_t count = 0;
    const std::uint32_t before = slots[static_cast<std::size_t>(cell)];
    for_each_neighbour(cell, [&](std::int64_t next, std::size_t kind) {
      const std::uint32_t other = slots[static_cast<std::size_t>(next)];
      contacts[count++] = {id_of(before, other), id_of(now, other), kind};
    });
    make_room(noted_, 2 * std::ssize(contacts));
    for (std::size_t i = 0; i < count; ++i) {
      change(contacts[i].before, contacts[i].kind, -1);
      change(contacts[i].after, contacts[i].kind, 1);
    }
  }

  /// Whether most pairs that are held touch no longer.
  bool has_many_dead() const {
    constexpr std::size_t kSome = 1024;
    return pairs_.size() > 2 * live_ + kSome;
  }
  /// Forgets the pairs that touch no longer, with all changes. now[slot] is what a slot is called
  /// from now on.
  void forget_dead(std::span<const std::uint32_t> now) {
    RegionPairs kept(*this, Empty{});
    for (std::size_t id = 1; id < pairs_.size(); ++id) {
      if (total(id) == 0) continue;
      const std::uint32_t own = kept.id_of(now[pairs_.lower_slot(id)], now[pairs_.higher_slot(id)]);
      kept.counts_[own] = counts_[id];
      ++kept.live_;
    }
    *this = std::move(kept);
  }

  /// Calls visit(id) for all pairs that touch, or for those that have a slot.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::uint32_t id = 1; id < pairs_.size(); ++id)
      if (total(id) > 0) visit(id);
  }
  template <class Visit>
  void for_each_of(std::uint32_t slot, const Visit& visit) const {
    if (slot >= of_slot_.size()) return;
    for (const std::uint32_t id : of_slot_[slot])
      if (total(id) > 0) visit(id);
  }

  /// Calls visit(id, whether it touches now) for the pairs for which that is not as it was when
  /// changes were forgotten.
  template <class Visit>
  void for_each_changed(const Visit& visit) const {
    for (const std::uint32_t id : noted_)
      if ((total(id) > 0) != (note_[id] == Note::touched)) visit(id, total(id) > 0);
  }
  void forget_changes() {
    for (const std::uint32_t id : noted_) note_[id] = Note::none;
    noted_.clear();
  }

  std::uint64_t pair(std::uint32_t id) const { return pairs_.pairs()[id]; }
  const ContactCounts& counts(std::uint32_t id) const { return counts_[id]; }

  std::size_t bytes() const {
    std::size_t sum = pairs_.bytes() + counts_.capacity() * sizeof counts_[0] + note_.capacity() +
                      noted_.capacity() * sizeof noted_[0] +
                      of_slot_.capacity() * sizeof(std::vector<std::uint32_t>);
    for (const auto& ids : of_slot_) sum += ids.capacity() * sizeof(std::uint32_t);
    return sum;
  }

 private:
  struct Neighbour {
    Axes step;
    std::int64_t delta;
    std::size_t kind;
  };
  struct Empty {};
  /// Whether a pair touched when it first changed.
  enum class Note : std::uint8_t { none, apart, touched };

  /// The same neighbours, and no pairs.
  RegionPairs(const RegionPairs& other, Empty /*without pairs*/)
      : extent_(other.extent_), neighbours_(other.neighbours_) {}

  void add_neighbour(const Axes& step, Connectivity connectivity) {
    const auto axes = std::count_if(step.begin(), step.end(), [](auto s) { return s != 0; });
    const std::int64_t most = connectivity == Connectivity::faces   ? 1
                              : connectivity == Connectivity::edges ? 2
                                                                    : 3;
    if (axes == 0 || axes > most) return;
    const auto axis = std::find_if(step.begin(), step.end(), [](auto s) { return s != 0; });
    neighbours_.push_back({step, to_index(extent_, step),
                           axes > 1 ? static_cast<std::size_t>(kDiagonal)
                                    : static_cast<std::size_t>(axis - step.begin())});
  }

  template <class Visit>
  void for_each_neighbour(std::int64_t cell, const Visit& visit) const {
    const Axes at = to_cell(extent_, cell);
    for (const auto& [step, delta, kind] : neighbours_) {
      bool inside = true;
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const std::int64_t place = at[axis] + step[axis];
        inside = inside && place >= 0 && place < extent_[axis];
      }
      if (inside) visit(cell + delta, kind);
    }
  }

  /// The id of a pair, which may be a new one. If it throws, there is no new one.
  std::uint32_t id_of(std::uint32_t a, std::uint32_t b) {
    const std::size_t slots = std::size_t{std::max(a, b)} + 1;
    if (slots > of_slot_.size()) of_slot_.resize(std::max(slots, 2 * of_slot_.size()));
    make_room(counts_);
    make_room(note_);
    make_room(of_slot_[a]);
    make_room(of_slot_[b]);
    const std::uint32_t id = pairs_.id_of(a, b);
    if (id == PairIds::kNoPair || id < counts_.size()) return id;
    counts_.push_back({});
    note_.push_back(Note::none);
    of_slot_[a].push_back(id);
    of_slot_[b].push_back(id);
    return id;
  }

  std::int64_t total(std::size_t id) const {
    return std::accumulate(counts_[id].begin(), counts_[id].end(), std::int64_t{0});
  }

  void change(std::uint32_t id, std::size_t kind, int difference) {
    if (id == PairIds::kNoPair) return;
    const bool was_live = total(id) > 0;
    counts_[id][kind] += difference;
    const bool is_live = total(id) > 0;
    if (was_live == is_live) return;
    live_ = is_live ? live_ + 1 : live_ - 1;
    if (note_[id] != Note::none) return;
    note_[id] = was_live ? Note::touched : Note::apart;
    noted_.push_back(id);
  }

  Axes extent_;
  std::vector<Neighbour> neighbours_;
  PairIds pairs_;
  std::vector<ContactCounts> counts_ = std::vector<ContactCounts>(1);  ///< of each pair
  std::vector<Note> note_ = std::vector<Note>(1);                      ///< of each pair
  std::vector<std::uint32_t> noted_;                                   ///< pairs with a note
  std::vector<std::vector<std::uint32_t>> of_slot_;                    ///< the pairs of each slot
  std::size_t live_ = 0;                                               ///< pairs that touch
};

}  // namespace thiessen::solvers
