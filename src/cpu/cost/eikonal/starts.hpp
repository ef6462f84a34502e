// SPDX-License-Identifier: Apache-2.0
//
// The cells around sites, which get exact costs along straight lines
// (core/cost/straight_lines.hpp).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/base/context_state.hpp"
#include "core/cost/eikonal.hpp"
#include "core/cost/inputs.hpp"
#include "cpu/cost/eikonal/cell_words.hpp"
#include "cpu/cost/eikonal/front.hpp"

namespace thiessen::cpu::eikonal {

/// What is known of cells, one element a cell.
struct Answers {
  double* cost = nullptr;    ///< t; infinity where it is not known
  CellWord* word = nullptr;  ///< all else (cell_words.hpp); starts set rank and kHasNoDirection
  /// The unit vector in which the front crosses the cell, 0 at a site: two floats a word, in the
  /// order of the axes of the raster, so that 3-D has two words. Null where only costs are wanted.
  std::int64_t* direction[2] = {};

  bool has_sites() const { return direction[0] != nullptr; }
  static std::int64_t two_floats(float low, float high) {
    return std::bit_cast<std::int64_t>(std::array{low, high});
  }
};

/// Sites, and where they lie in their cells.
struct PlacedSites {
  CostSites<double> list;
  const std::array<double, kAxes>* offset = nullptr;  ///< in cells from the centre; null: 0
};

/// Sets the cells within `radius` cells (of the widest spacing) of a site to the least cost along
/// straight lines from sites, at one cost to that of the site with the least rank, and all others
/// to infinity.
void start_answers(ContextState& state, const Ground& ground, const PlacedSites& sites,
                   double radius, const Answers& answers);

}  // namespace thiessen::cpu::eikonal
