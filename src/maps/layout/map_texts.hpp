// SPDX-License-Identifier: Apache-2.0
//
// Texts on the picture of a map, of which none covers another.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "maps/drawing/drawing.hpp"
#include "maps/lines/map_lines.hpp"
#include "maps/sites/site_table.hpp"

namespace thiessen::maps {

/// Puts texts on a picture in the order in which they come, each where there is room for it.
class MapTexts {
 public:
  /// `frame` is the picture, `cells` are the extents of the raster that it shows.
  MapTexts(Drawing& drawing, const Box& frame, const Extents& cells, double unit);

  /// Names of sites, of large regions first; returns how many there is no room for.
  std::int64_t put_names(const std::vector<SiteRow>& sites);

  /// A number on each line that is long enough for it; `factor` converts levels to the unit shown.
  void put_numbers(const std::vector<ContourLine>& lines, double factor);

 private:
  Point to_picture(double y, double x) const;
  bool put(const Point& corner, const std::string& text, const TextStyle& style, const Size& size);
  bool is_free(const Box& box) const;
  bool put_name(const SiteRow& site);
  bool put_number(const std::vector<Point>& line, const std::string& text);

  Drawing& drawing_;
  Box frame_;
  double scale_x_, scale_y_;  // pixels in a cell
  double unit_;
  std::vector<Box> taken_;
};

}  // namespace thiessen::maps
