// SPDX-License-Identifier: Apache-2.0
//
// Burns geometries onto a raster; only gdal_*.cpp include this.
#pragma once

#include <ogr_api.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "thiessen/grid.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// Some rows of a grid.
struct GridRows {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Gives cells that are still zero to one geometry after the other, by the rule of VectorFile, in
/// some rows of a grid: the same cells as where all rows are given at once.
class GeometryBurner {
  enum class Rule { centres, touched };

 public:
  /// Makes all cells zero; `cells` has them in C order. With `all_touched` an area gets all cells
  /// that it touches. Throws Error{invalid_argument} for a grid
  /// that is not 2-D or has no georeference.
  GeometryBurner(const Grid& grid, const GridRows& rows, ElementType type, std::byte* cells,
                 bool all_touched = false);

  /// Burns a geometry without curves; `label` is a cell of that type. Returns false and does
  /// nothing if it lies too far away.
  bool burn(OGRGeometryH geometry, const std::byte* label);

 private:
  /// A rectangle of cells: from (x, y) to before (end_x, end_y).
  struct Window {
    std::int64_t x, y, end_x, end_y;
  };

  bool to_cells(OGRGeometryH geometry) const;
  bool meets_rows(OGRGeometryH geometry) const;
  void burn_parts(OGRGeometryH geometry, Rule rule_of_areas);
  void burn_vertices(OGRGeometryH geometry);
  void burn_cell(double x, double y);
  void burn_shape(OGRGeometryH shape, Rule rule);
  void burn_rows(OGRGeometryH shape, Rule rule, const Window& rows);
  void give(const Window& rows);

  GridRows rows_;
  ElementType type_;
  std::byte* cells_;
  Rule rule_of_areas_;
  std::int64_t height_;
  std::int64_t width_;
  std::array<double, 6> to_cells_{};  // from world coordinates
  const std::byte* label_ = nullptr;
  bool found_ = false;  // whether the geometry has a cell of the grid, free or not
  std::vector<std::uint8_t> mask_;
};

}  // namespace thiessen::io
