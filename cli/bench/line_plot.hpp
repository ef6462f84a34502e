// SPDX-License-Identifier: Apache-2.0
//
// Line charts as SVG, with just what the benches need.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace thiessen::cli {

struct LinePlot {
  struct Series {
    std::string name;
    std::vector<std::array<double, 2>> points;  ///< (x, y), finite; drawn by ascending x
  };

  enum class Scale {
    linear,  ///< from 0
    binary,  ///< logarithmic, ticks at powers of two; all values > 0
    decades  ///< logarithmic, ticks at powers of ten; 0 stands at the end, as "0"
  };

  std::string title, x_label, y_label;
  Scale x_scale = Scale::linear;
  Scale y_scale = Scale::linear;
  std::vector<Series> series;

  /// svg_of() for this plot alone.
  std::string svg() const;
};

/// The whole file: the plots below each other. Colours follow the place in the list of series and
/// suit colour-blind readers (M. Okabe, K. Ito); marks distinguish the series as well. The picture
/// is as wide as its longest text needs, and a plot as high as its legend.
std::string svg_of(const std::vector<LinePlot>& plots);

}  // namespace thiessen::cli
