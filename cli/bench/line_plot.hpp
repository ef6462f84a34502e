// SPDX-License-Identifier: Apache-2.0
//
// A line chart as SVG: what the benches need of one, and no more.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace thiessen::cli {

struct LinePlot {
  struct Series {
    std::string name;
    std::vector<std::array<double, 2>> points;  ///< (x, y), finite
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

  /// The whole file. Colours go with the place in the list of series and suit those who do not see
  /// all colours (M. Okabe, K. Ito); marks tell the series apart as well.
  std::string svg() const;
};

}  // namespace thiessen::cli
