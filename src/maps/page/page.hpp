// SPDX-License-Identifier: Apache-2.0
//
// A map as a page of HTML: pictures and values of all cells in one file that loads nothing else.
#pragma once

#include <cstdint>

#include "io/files/output_file.hpp"
#include "maps/layout/map.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::maps {

/// The most sites that a page lists.
inline constexpr std::size_t kMostPageSites = 100'000;

/// Writes a page with the layers of a map as pictures of so many pixels (y, x). A raster of more
/// than four million cells gives the values of every second, third … cell along both axes; returns
/// from one to the next. find_places() has been called. Throws Error: io, out_of_memory, cancelled.
std::int64_t write_page(Context& context, const MapContents& contents, const MapLook& look,
                        const std::optional<Georeference>& georeference, const Extents& pixels,
                        io::OutputFile& file);

}  // namespace thiessen::maps
