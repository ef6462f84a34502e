// SPDX-License-Identifier: Apache-2.0
//
// The grid of a command whose sites have none of their own.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "thiessen/grid.hpp"

namespace thiessen::cli {

/// The words as they are.
struct GridArguments {
  std::string size, like, bounds, cell_size;
};

void add_grid_flags(CLI::App& command, GridArguments& arguments);

/// Which of the flags is given, or null.
const char* given_flag(const GridArguments& arguments);

/// The grid that the flags describe, or nothing if there are none. With --bounds it is north-up:
/// row 0 lies at the greatest y, whole cells cover the bounds, and a millionth of a cell more does
/// not ask for another one.
std::optional<Grid> load_grid(const GridArguments& arguments);

/// Throws UsageError if the georeference gives cells no lengths that add up as those of a plane do:
/// in degrees, or sheared. `name` says whose grid it is, `advice` how to do without.
void require_planar(const Grid& grid, const std::string& name, const std::string& advice);

/// World length of one cell along each axis, in array order and for the library: `text` if it is
/// given, else what the georeference says; empty (cells) if there is neither. Throws UsageError as
/// require_planar() does.
std::vector<double> choose_spacing(const std::string& text, const Grid& grid,
                                   const std::string& name);

/// World coordinates to cells: the centre of the first cell is (0, 0).
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
