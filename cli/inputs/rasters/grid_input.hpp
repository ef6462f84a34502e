// SPDX-License-Identifier: Apache-2.0
//
// The grid of a command whose sites have none.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "thiessen/choices/earth.hpp"
#include "thiessen/choices/metric.hpp"
#include "thiessen/grid.hpp"

namespace thiessen::cli {

/// The words of the command line, not parsed yet.
struct GridArguments {
  std::string size, like, like_grid, bounds, cell_size;
  std::optional<Grid> known = {};  ///< that of another raster of the run; no flag
};

void add_grid_flags(CLI::App& command, GridArguments& arguments);

/// The flag that is given, or null.
const char* given_flag(const GridArguments& arguments);

/// The raster of --like or --like-grid; empty if there is none.
const std::string& like_file(const GridArguments& arguments);

/// The grid that the flags describe, or empty if there are none. With --bounds it is north-up: row
/// 0 lies at the greatest y, and whole cells cover the bounds, to within a millionth of a cell.
std::optional<Grid> load_grid(const GridArguments& arguments);

/// The flags that give the number of cells: "--size 9x9 makes 9x9 cells".
std::string cause_of(const GridArguments& arguments, const Extents& extents);

/// Throws UsageError if the georeference gives cells no lengths that add up as in a plane: in
/// degrees, or sheared. `name` says whose grid it is, `advice` what to do instead.
void require_planar(const Grid& grid, const std::string& name, const std::string& advice);

/// Whether a grid in degrees can be measured on the Earth: it is 2-D, and its rows are parallels.
bool can_be_on_earth(const Grid& grid);

/// Advice against measuring in degrees: the metric on the Earth where it can be, and flags with a
/// spacing in metres for the middle latitude and its error elsewhere.
std::string advice_for_degrees(const Grid& grid);

/// Whether the columns of a grid of longitude and latitude go all around the Earth.
bool goes_around_earth(const Grid& grid);

/// World length of one cell along each axis, in array order, for the library: from `text` if it is
/// given, else from the georeference; empty (cells) if there is neither. Throws UsageError like
/// require_planar().
std::vector<double> choose_spacing(const std::string& text, const Grid& grid,
                                   const std::string& name);

/// Where the cells of a grid in degrees lie, for the metrics on the Earth, on the ellipsoid of its
/// coordinate reference system. Throws UsageError for another grid, and if `spacing`, what
/// --spacing says, is given, too.
Earth choose_earth(const Grid& grid, const std::string& name, Metric metric,
                   const std::string& spacing);

/// Converts world coordinates to cells: the centre of the first cell is (0, 0).
class WorldToCell {
 public:
  /// Throws UsageError naming `name` if the georeference maps the grid onto a line or a point.
  WorldToCell(const Georeference& georeference, const std::string& name);

  /// Column and row, with fractions.
  std::array<double, 2> operator()(double x, double y) const;

 private:
  std::array<double, 6> transform_;
  double determinant_;
};

}  // namespace thiessen::cli
