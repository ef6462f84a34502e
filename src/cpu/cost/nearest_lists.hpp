// SPDX-License-Identifier: Apache-2.0
//
// The sites that reach a cell at the least costs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/base/scratch.hpp"
#include "core/cost/inputs.hpp"

namespace thiessen::cpu::cost {

/// A site of a cell, and what its cheapest path to the cell costs.
template <class T>
struct SiteCost {
  T cost = std::numeric_limits<T>::infinity();
  Rank rank = kNoRank;
};

/// A list of `places` sites for each cell, in ascending order of cost. An empty place has the cost
/// infinity and kNoRank.
template <class T>
class NearestLists {
 public:
  NearestLists(std::int64_t cells, std::int64_t places, Scratch::Frame& scratch)
      : places_(places),
        greatest_(scratch.array<T>(cells)),
        lists_(scratch.array<SiteCost<T>>(cells * places)) {}

  /// Empties the lists of the cells from `begin` to before `end`.
  void clear(std::int64_t begin, std::int64_t end) {
    std::fill(greatest_ + begin, greatest_ + end, std::numeric_limits<T>::infinity());
    std::fill(of(begin), of(end), SiteCost<T>());
  }

  std::int64_t places() const { return places_; }
  SiteCost<T>* of(std::int64_t cell) const { return lists_ + cell * places_; }
  /// The cost that a further site has to be below; infinity while there is an empty place.
  T greatest(std::int64_t cell) const { return greatest_[cell]; }

  bool has(std::int64_t cell, Rank rank, T cost) const {
    const SiteCost<T>* each = of(cell);
    for (const auto* const end = each + places_; each != end && each->cost <= cost; ++each)
      if (each->rank == rank) return each->cost == cost;
    return false;
  }

  /// Enters a site, or lowers its cost; whether the list has changed. A full list loses its last
  /// site. NaN changes nothing.
  bool offer(std::int64_t cell, Rank rank, T cost) {
    if (!(cost < greatest(cell))) return false;
    SiteCost<T>* place = of(cell);
    for (; place->cost <= cost; ++place)
      if (place->rank == rank) return false;
    SiteCost<T>* end = place;
    const SiteCost<T>* const last = of(cell) + places_ - 1;
    while (end != last && end->rank != rank && end->rank != kNoRank) ++end;
    std::move_backward(place, end, end + 1);
    *place = {cost, rank};
    greatest_[cell] = last->cost;
    return true;
  }

 private:
  std::int64_t places_;
  T* greatest_;  ///< of each cell the last cost of its list: most offers are turned down by it
  SiteCost<T>* lists_;
};

}  // namespace thiessen::cpu::cost
