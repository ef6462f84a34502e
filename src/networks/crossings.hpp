// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <vector>

#include "networks/path_lines.hpp"

namespace thiessen::networks {

/// Where a way crosses from the region of the place a into that of b, both by number, a < b.
struct Crossing {
  std::int32_t a = 0, b = 0;
  double cost = std::numeric_limits<double>::infinity();  ///< of the way
  std::int64_t of_a = -1, of_b = -1;  ///< cells; the same one where a place lies in the other's

  auto operator<=>(const Crossing&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// The cheapest crossing of each two neighbouring regions, ascending by a, then b.
///
/// cost, number  of each cell: the cost from its place, and the number of that; 0 for none
///
/// Time O(cells · neighbours), memory O(pairs) for each thread.
std::vector<Crossing> find_crossings(ContextState& state, const SteppedMap& map,
                                     const NumberedPlaces& places, const double* cost,
                                     const std::int32_t* number);

}  // namespace thiessen::networks
