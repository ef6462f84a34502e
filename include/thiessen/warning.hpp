// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "thiessen/export.hpp"

namespace thiessen {

/// The kind of suspicious input in a call that still has a result.
enum class WarningKind {
  no_site,          ///< there is no site at all, so that every cell is unreached or nodata
  ignored_sites,    ///< cost distance: sites on barriers, nodata, or outside the map
  outside_of_grid,  ///< all points lie outside the grid
  same_place,       ///< points where an earlier point of another label lies: they win no cell
  unreached_label,  ///< points with the label of unreached cells
  no_free_cell,     ///< all cells are sites or nodata, so that no other cell has a distance
};

/// "no_site", "ignored_sites" …
THIESSEN_API std::string_view name_of(WarningKind kind) noexcept;

/// A warning of Context::warnings(). With the option `strict` of a call it is an error instead.
struct Warning {
  WarningKind kind = WarningKind::no_site;
  /// The number of sites or points concerned. For `no_site` and `no_free_cell` it is the number of
  /// such rasters in a batch, and 1 without a batch.
  std::int64_t count = 0;
  /// Index of the first of these sites or points.
  std::int64_t first = 0;
  /// One line, with the count and the cause.
  std::string message = {};
};

}  // namespace thiessen
