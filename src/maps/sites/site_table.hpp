// SPDX-License-Identifier: Apache-2.0
//
// What a map tells of each site: its name, its colour, its cells, and where its name stands.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "maps/sites/site_names.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::maps {

struct SiteRow {
  LabelValue label = std::int64_t{0};
  std::string name = {};  ///< its label if it has none
  Colour colour = {};
  std::int64_t cells = 0;
  double greatest_distance = std::numeric_limits<double>::quiet_NaN();  ///< NaN: unknown
  double y = 0, x = 0;    ///< where its name stands, in cells; 0 is the corner of the first one
  bool is_point = false;  ///< that is the centre of its only site cell
};

struct SiteTable {
  std::vector<SiteRow> rows;  ///< in the order of the names; then by label
  /// For each cell the row of its label and 1, in C order; 0: unreached or nodata.
  std::vector<std::uint32_t> row_of_cell;
};

/// The sites of a raster of labels; without labels there are none. Rasters are contiguous.
///
/// Time O(cells + sites·log sites), memory 4 bytes a cell.
SiteTable make_site_table(Context& context, const RenderInputs& inputs,
                          const RenderOptions& options, const SiteNames& names);

/// Finds where names stand: at the centre of a site that is a single cell; elsewhere in the cell
/// that is farthest from other labels and from the ends of the raster. Time O(cells).
void find_places(Context& context, const RenderInputs& inputs, const RenderOptions& options,
                 SiteTable& table);

}  // namespace thiessen::maps
