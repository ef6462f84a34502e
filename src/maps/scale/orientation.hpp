// SPDX-License-Identifier: Apache-2.0
//
// Rasters that are mirrored on a map, as where their rows run to the north, are turned for
// pictures.
#pragma once

#include <cstddef>
#include <optional>

#include "thiessen/grid.hpp"
#include "thiessen/view.hpp"

namespace thiessen::maps {

struct Turn {
  bool rows = true;                ///< the last row comes first, else the last column
  Georeference georeference = {};  ///< afterwards
};

/// How a raster of these extents (y, x) is turned; nothing if it is not mirrored.
std::optional<Turn> turn_of(const std::optional<Georeference>& georeference,
                            const Extents& extents);

/// Turns cells of so many bytes each.
void turn_cells(std::byte* cells, std::size_t bytes, const Extents& extents, const Turn& turn);

}  // namespace thiessen::maps
