// SPDX-License-Identifier: Apache-2.0
//
// The canvas of a picture has at least as many units as there are pixels. If the raster is a little
// larger than the picture, its cells are the units; if it is smaller, several units show one cell;
// if it is much larger, a unit shows the cell in its middle.
#pragma once

#include <algorithm>
#include <cstdint>

namespace thiessen {

/// From cells to units of the canvas to pixels along one axis.
struct CanvasAxis {
  CanvasAxis(std::int64_t cell_count, std::int64_t pixel_count, double thickness)
      : cells(cell_count), pixels(pixel_count) {
    const auto most = static_cast<std::int64_t>(std::max(2.0, 32 / thickness));
    size = std::max(pixels, cells <= pixels * most ? cells : pixels * most);
    marks = std::min(cells, size);
    scale = static_cast<double>(pixels) / static_cast<double>(size);
  }

  std::int64_t cell_of(std::int64_t unit) const {
    return size == cells ? unit : (2 * unit + 1) * cells / (2 * size);
  }
  /// One place for a mark: one of the cells that a unit shows, or one of the units that show a
  /// cell.
  std::int64_t mark_of(std::int64_t unit) const { return size == marks ? unit : cell_of(unit); }
  std::int64_t middle_of_mark(std::int64_t mark) const {
    return size == marks ? mark : (2 * mark + 1) * size / (2 * marks);
  }
  std::int64_t first_cell_of_mark(std::int64_t mark) const {
    return marks == cells ? mark : mark * cells / marks;
  }
  std::int64_t first_unit(std::int64_t pixel) const { return pixel * size / pixels; }
  std::int64_t end_unit(std::int64_t pixel) const {
    return ((pixel + 1) * size + pixels - 1) / pixels;
  }
  /// The share of a unit that lies in a pixel, in 256ths.
  std::uint64_t share(std::int64_t unit, std::int64_t pixel) const {
    const std::int64_t begin = std::max(unit * pixels, pixel * size);
    const std::int64_t end = std::min((unit + 1) * pixels, (pixel + 1) * size);
    return static_cast<std::uint64_t>((end - begin) * 256 / pixels);
  }

  std::int64_t cells;
  std::int64_t pixels;
  std::int64_t size;   // units of the canvas
  std::int64_t marks;  // cells, or units if there are fewer of them
  double scale;        // pixels in a unit
};

}  // namespace thiessen
