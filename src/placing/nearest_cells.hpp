// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/context_state.hpp"

namespace thiessen::placing {

/// A place (z, y, x) in units of 2^-16 of a cell, for each site; or nothing.
using Places = std::vector<std::optional<Axes>>;

/// For each site the cell of its region nearest to its place: site i has the label i + 1. That is
/// the one with the smallest index where several are at equal distance; -1 for a site without a
/// place or a cell.
///
/// spacing  one length an axis of the raster, of which there are 2 or 3
///
/// Distances are compared as the integers of core/order/weights.hpp. Time O(cells), memory 32 bytes
/// a site for each thread. Source: none.
std::vector<std::int64_t> find_nearest_cells(ContextState& state, const Axes& extent,
                                             std::span<const double> spacing,
                                             const std::int32_t* labels, const Places& places);

}  // namespace thiessen::placing
