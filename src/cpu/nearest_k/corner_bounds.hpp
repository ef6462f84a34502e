// SPDX-License-Identifier: Apache-2.0
//
// Which sites are beaten by k others on a whole block of cells. Where S is a sum over axes of
// convex functions of the difference, S to one site less S to another is a sum of functions that
// rise or fall along their axis all the way. It is greatest at a corner of the block, so a site
// that is nearer at all corners is nearer at every cell. On one side of a large object, this leaves
// of its rim what faces the block, where a least and a greatest S would leave a wide lens.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace thiessen::cpu {

template <class Scalar>
class CornerBounds {
 public:
  static constexpr std::size_t kMostCorners = 8;

  /// A site, or a number of sites: the least and the greatest S at each corner.
  struct Bounds {
    std::array<Scalar, kMostCorners> least, greatest;
    std::int64_t sites;
  };

  /// Forgets all that were added. The block has so many corners.
  void clear(std::size_t corners) {
    corners_ = corners;
    all_.clear();
  }
  void add(const Bounds& bounds) { all_.push_back(bounds); }

  /// Chooses for each corner the k nearest of those that were added, to compare all with them.
  void choose(std::int64_t k) {
    k_ = k;
    chosen_.clear();
    for (std::size_t corner = 0; corner < corners_; ++corner) choose_at(corner);
    std::sort(chosen_.begin(), chosen_.end());
    chosen_.erase(std::unique(chosen_.begin(), chosen_.end()), chosen_.end());
  }

  /// Whether the place-th that was added is beaten at every corner by the same k sites.
  bool is_beaten(std::size_t place) const {
    const Bounds& own = all_[place];
    for (std::size_t corner = 0; corner < corners_; ++corner)
      if (own.least[corner] <= within_[corner]) return false;
    std::int64_t sites = 0;
    for (const std::size_t other : chosen_) {
      if (is_beaten_by(own, all_[other])) sites += all_[other].sites;
      if (sites >= k_) return true;
    }
    return false;
  }

 private:
  void choose_at(std::size_t corner) {
    order_.clear();
    for (const Bounds& each : all_) order_.emplace_back(each.greatest[corner], order_.size());
    const auto end = order_.begin() + std::min<std::int64_t>(k_, std::ssize(order_));
    std::partial_sort(order_.begin(), end, order_.end());
    std::int64_t sites = 0;
    for (auto each = order_.begin(); each < end && sites < k_; ++each) {
      chosen_.push_back(each->second);
      within_[corner] = each->first;
      sites += all_[each->second].sites;
    }
  }

  bool is_beaten_by(const Bounds& own, const Bounds& other) const {
    for (std::size_t corner = 0; corner < corners_; ++corner)
      if (own.least[corner] <= other.greatest[corner]) return false;
    return true;
  }

  std::size_t corners_ = 0;
  std::int64_t k_ = 0;
  std::vector<Bounds> all_;
  std::vector<std::pair<Scalar, std::size_t>> order_;  ///< greatest S at a corner, and place
  std::vector<std::size_t> chosen_;
  std::array<Scalar, kMostCorners> within_{};  ///< k sites are within this S at each corner
};

}  // namespace thiessen::cpu
