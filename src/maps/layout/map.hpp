// SPDX-License-Identifier: Apache-2.0
//
// A map for a report: the picture of a result with what explains it around.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "io/files/output_file.hpp"
#include "maps/drawing/drawing.hpp"
#include "maps/scale/ground.hpp"
#include "maps/scale/numbers.hpp"
#include "maps/scale/units.hpp"
#include "maps/sites/site_table.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::maps {

/// What is around the picture, and on it.
struct MapLook {
  std::string title = {};
  bool legend = false;
  std::optional<std::size_t> legend_rows = {};  ///< most sites in it; nothing: as many as fit
  bool scale_bar = false;
  bool north_arrow = false;
  bool site_names = false;
  bool contour_labels = false;
  bool see_through =
      false;             ///< what is beneath shows where there are no sites or cells are not opaque
  Raster underlay = {};  ///< u8 (y, x, 4), beneath the cells; none: white
};

/// What a map shows. Rasters are contiguous.
struct MapContents {
  RenderInputs layers = {};
  RenderOptions options =
      {};  ///< with the range and the interval of the contours, if there are any
  SiteTable sites = {};
  Ground ground = {};
  ValueUnit unit = {};  ///< of distances
};

struct MapReport {
  Size page = {};
  Box frame = {};                   ///< of the picture on the page
  std::int64_t names_left_out = 0;  ///< for want of room
};

/// The most sites that the legend of a map has.
std::size_t sites_in_legend(const MapLook& look, std::size_t sites, const Extents& pixels);

/// Draws a map whose picture has so many pixels (y, x), and finishes the file's contents. In an SVG
/// and a PDF the picture itself is three times as fine, and borders and contours are lines. Throws
/// Error: io, out_of_memory, cancelled, unsupported.
MapReport draw_map(Context& context, const MapContents& contents, const MapLook& look,
                   const Extents& pixels, io::OutputFile& file, DrawingFormat format);

}  // namespace thiessen::maps
