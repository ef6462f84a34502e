// SPDX-License-Identifier: Apache-2.0
//
// Which sites others beat on a whole block of cells. Where S is a sum over axes of convex functions
// of the difference, S to one site less S to another is a sum of functions that rise or fall along
// their axis all the way. It is greatest where each of them is greatest, at one end of its axis, so
// a site that is nearer at all corners is nearer at every cell. On one side of a large object, this
// leaves of its rim what faces the block, where a least and a greatest S would leave a wide lens.
// By chessboard distance, where S is the greatest part, each part of the nearer site is compared
// with some part of the other one: the same axis at both ends, or another axis over the whole
// block.
//
// A site comes before another one on a block if it is nearer at every cell, or not farther at any
// and first in the order of ties. So of many sites that tie all over a block few are left.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/cells.hpp"
#include "core/search/geometry.hpp"
#include "cpu/nearest_k/site_boxes.hpp"

namespace thiessen::cpu {

/// A site, or a box of sites, against a block: the parts of S along each axis.
template <class Scalar>
struct BlockBounds {
  using Ends = std::array<std::array<Scalar, 2>, kAxes>;

  Ends least, greatest;                             ///< at the two ends of each axis
  std::array<Scalar, kAxes> least_of, greatest_of;  ///< all along it
  /// Whether the way round is the same for all cells; if not, it neither beats nor is beaten.
  bool is_one_way;
  std::int64_t sites;
  std::int64_t first, last;  ///< site indices
  SiteGroups groups;
};

/// What has to come before an item so that no cell needs it.
struct BeatenBy {
  std::int64_t count;  ///< sites, or labels
  bool labels;         ///< labels are counted, and one site of the item's own label is enough
  bool ties;           ///< only nearer sites are counted
};

template <class Geometry, class Scalar>
class CornerBounds {
 public:
  using Bounds = BlockBounds<Scalar>;

  /// Forgets all that were added. The block has so many ends along each axis, 1 or 2.
  void clear(const std::array<std::size_t, kAxes>& ends) {
    ends_ = ends;
    all_.clear();
    box_.clear();
  }
  void add(const Bounds& bounds) { add_first(bounds, all_.size()); }
  /// Adds the first site of the place-th, which is a box, after all others. It may come before a
  /// site that the others of the box do not come before.
  void add_first(const Bounds& bounds, std::size_t place) {
    all_.push_back(bounds);
    box_.push_back(place);
  }

  /// Chooses for each corner the nearest of those that were added, to compare all with them.
  void choose(const BeatenBy& by) {
    by_ = by;
    chosen_.clear();
    within_.clear();
    for (std::size_t z = 0; z < ends_[0]; ++z)
      for (std::size_t y = 0; y < ends_[1]; ++y)
        for (std::size_t x = 0; x < ends_[2]; ++x) choose_at({z, y, x});
    std::sort(chosen_.begin(), chosen_.end());
    chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
    stamp_ = 0;
    counted_.assign(all_.size(), 0);
    number_groups();
  }

  /// Whether no cell needs the place-th that was added.
  bool is_beaten(std::size_t place) {
    const Bounds& own = all_[place];
    if (!own.is_one_way) return false;
    for (const auto& [corner, exact] : within_)
      if (exact_at(own.least, corner) < exact) return false;
    ++stamp_;
    std::int64_t before = 0;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const Bounds& other = all_[chosen_[i]];
      const Order order = order_of(other, own);
      if (order == Order::none) continue;
      if (by_.labels && own.groups.is_one() && other.groups.has(own.groups.id[0])) return true;
      if (by_.ties && order != Order::nearer) continue;
      before += by_.labels ? count_new_groups(i) : count_new_sites(chosen_[i]);
      if (before >= by_.count) return true;
    }
    return false;
  }

 private:
  using Corner = std::array<std::size_t, kAxes>;
  enum class Order { none, before, nearer };
  struct Placed {
    Scalar exact;
    std::int64_t last;
    std::size_t place;

    bool operator<(const Placed& other) const {
      return exact != other.exact ? exact < other.exact : last < other.last;
    }
  };

  static Scalar exact_at(const typename Bounds::Ends& parts, const Corner& corner) {
    return Geometry::combine(Geometry::combine(parts[0][corner[0]], parts[1][corner[1]]),
                             parts[2][corner[2]]);
  }

  void choose_at(const Corner& corner) {
    order_.clear();
    for (std::size_t place = 0; place < all_.size(); ++place)
      if (all_[place].is_one_way)
        order_.push_back({exact_at(all_[place].greatest, corner), all_[place].last, place});
    // Many sites of few labels may lie near.
    const std::int64_t most = by_.labels ? 4 * by_.count : by_.count;
    const auto end = order_.begin() + std::min<std::int64_t>(most, std::ssize(order_));
    std::partial_sort(order_.begin(), end, order_.end());
    std::int64_t before = 0;
    seen_.clear();
    Scalar within = std::numeric_limits<Scalar>::max();
    for (auto each = order_.begin(); each < end && before < by_.count; ++each) {
      const Bounds& bounds = all_[each->place];
      const std::int64_t own = by_.labels ? see(bounds.groups) : bounds.sites;
      if (own > 0) chosen_.push_back(each->place);
      if (before == 0 || !by_.labels) within = each->exact;
      before += own;
    }
    within_.emplace_back(corner, within);
  }

  /// Adds groups to those that were seen, and returns how many are new.
  std::int64_t see(const SiteGroups& groups) {
    std::int64_t added = 0;
    for (int i = 0; i < groups.count; ++i) {
      const std::uint32_t id = groups.id[static_cast<std::size_t>(i)];
      if (std::find(seen_.begin(), seen_.end(), id) != seen_.end()) continue;
      seen_.push_back(id);
      ++added;
    }
    return added;
  }

  /// Numbers the groups of those that were chosen.
  void number_groups() {
    if (!by_.labels) return;
    seen_.clear();
    for (const std::size_t place : chosen_) {
      const SiteGroups& groups = all_[place].groups;
      seen_.insert(seen_.end(), groups.id.begin(), groups.id.begin() + groups.count);
    }
    std::sort(seen_.begin(), seen_.end());
    seen_.erase(std::unique(seen_.begin(), seen_.end()), seen_.end());
    numbers_.clear();
    for (const std::size_t place : chosen_) {
      auto& numbers = numbers_.emplace_back();
      const SiteGroups& groups = all_[place].groups;
      for (std::size_t i = 0; i < static_cast<std::size_t>(groups.count); ++i)
        numbers[i] = static_cast<std::size_t>(
            std::lower_bound(seen_.begin(), seen_.end(), groups.id[i]) - seen_.begin());
    }
    stamps_.assign(seen_.size(), 0);
  }

  /// The sites of one of those that were chosen, which come in ascending order.
  std::int64_t count_new_sites(std::size_t place) {
    std::uint64_t& counted = counted_[box_[place]];
    if (counted == stamp_) return 0;
    if (box_[place] == place) counted = stamp_;
    return all_[place].sites;
  }

  std::int64_t count_new_groups(std::size_t chosen) {
    std::int64_t added = 0;
    for (int i = 0; i < all_[chosen_[chosen]].groups.count; ++i) {
      std::uint64_t& stamp = stamps_[numbers_[chosen][static_cast<std::size_t>(i)]];
      added += stamp != stamp_ ? 1 : 0;
      stamp = stamp_;
    }
    return added;
  }

  /// Whether the parts of S to one are less than those to another everywhere, or not greater.
  static Order compare(Scalar greatest, Scalar least) {
    return greatest < least ? Order::nearer : greatest == least ? Order::before : Order::none;
  }

  static Order order_of(const Bounds& other, const Bounds& own) {
    const Order parts = std::is_same_v<Geometry, Chessboard> ? order_of_greatest(other, own)
                                                             : order_of_sums(other, own);
    return parts == Order::before && other.last >= own.first ? Order::none : parts;
  }

  static Order order_of_sums(const Bounds& other, const Bounds& own) {
    Scalar worst{};
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      worst += std::max(other.greatest[axis][0] - own.least[axis][0],
                        other.greatest[axis][1] - own.least[axis][1]);
    return compare(worst, Scalar{});
  }

  static Order order_of_greatest(const Bounds& other, const Bounds& own) {
    Order all = Order::nearer;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      Order best = std::min(compare(other.greatest[axis][0], own.least[axis][0]),
                            compare(other.greatest[axis][1], own.least[axis][1]));
      for (const Scalar least : own.least_of)
        best = std::max(best, compare(other.greatest_of[axis], least));
      all = std::min(all, best);
    }
    return all;
  }

  std::array<std::size_t, kAxes> ends_{};
  BeatenBy by_{};
  std::vector<Bounds> all_;
  std::vector<std::size_t>
      box_;  ///< the place of the box that each is the first site of, or its own
  std::vector<Placed> order_;
  std::vector<std::size_t> chosen_;
  /// At each corner, the S within which others have to be to beat anything.
  std::vector<std::pair<Corner, Scalar>> within_;
  std::vector<std::uint32_t> seen_;                                  ///< groups
  std::vector<std::array<std::size_t, SiteGroups::kMost>> numbers_;  ///< of those of each chosen
  std::vector<std::uint64_t> stamps_;   ///< of each number: for which item it was counted last
  std::vector<std::uint64_t> counted_;  ///< the same of those that were added
  std::uint64_t stamp_ = 0;
};

}  // namespace thiessen::cpu
