// SPDX-License-Identifier: Apache-2.0
//
// Which cells connected components join, in one raster and across slabs.
#pragma once

#include "core/base/cells.hpp"
#include "thiessen/choices/connectivity.hpp"

namespace thiessen {

/// Whether a cell is joined with the cell of equal value at this offset, of -1, 0 and 1.
inline bool joins(Connectivity connectivity, const Axes& offset) {
  int steps = 0;
  for (const std::int64_t step : offset) steps += step != 0 ? 1 : 0;
  if (connectivity == Connectivity::faces) return steps <= 1;
  return connectivity != Connectivity::edges || steps <= 2;
}

/// Throws Error{invalid_argument} for one that components of a raster of this rank do not have.
void check_connectivity(Connectivity connectivity, int rank);

}  // namespace thiessen
