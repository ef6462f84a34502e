// SPDX-License-Identifier: Apache-2.0
//
// The elevation of a call of cost_distance(): turned from the caller's array into that which
// methods compute with, and the cells that lie outside of the domain because of it.
#pragma once

#include <cstdint>

#include "core/base/cell_access.hpp"
#include "core/base/scratch.hpp"
#include "core/cost/inputs.hpp"
#include "core/cost/problem.hpp"
#include "core/problem/cell_class.hpp"

namespace thiessen {

/// What a walk goes over, in C order.
template <class T>
struct WalkedGround {
  const T* resistance = nullptr;  ///< NaN also where the elevation is not known
  const T* elevation = nullptr;   ///< as in PlacedSteps; 0 where it is not known
};

/// Loads both. Without a map resistances are 1. Throws Error{invalid_argument} naming the first
/// illegal cell.
template <class T>
WalkedGround<T> load_walked_ground(const CostProblem& problem, const CostViews& views,
                                   const Loop& loop, Scratch::Frame& scratch);

/// Tells which cells lie outside of the domain: those that are nodata in the map or the elevation.
class OutsideCells {
 public:
  OutsideCells(const CostProblem& problem, const CostViews& views);

  /// Whether there may be any.
  bool any() const { return of_map_.nodata || of_elevation_.nodata; }
  /// Writes kNodataCell for those among `count` (<= kChunk) cells from `cell` on, another class for
  /// the others.
  void find(const Axes& cell, std::int64_t count, std::uint8_t* classes) const;

 private:
  CellReader map_;
  CellReader elevation_;
  SiteRule of_map_;
  SiteRule of_elevation_;
};

}  // namespace thiessen
