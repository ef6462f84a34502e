// SPDX-License-Identifier: Apache-2.0
//
// An image beneath the cells of a map.
#pragma once

#include <optional>
#include <string>

#include "io/raster/raster_file.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::cli {

/// Reads an image that shows the same area as a raster of these extents: a PNG of any kind; what
/// the readers of rasters read as colours; or one band, from black for its least value to white for
/// its greatest, nodata transparent. Returns u8 (y, x, 4). Throws UsageError: it has other
/// proportions than the raster or, if both have a georeference, another area.
Raster read_underlay(const std::string& path, const Extents& extents,
                     const std::optional<Georeference>& georeference,
                     const io::ReadOptions& options);

}  // namespace thiessen::cli
