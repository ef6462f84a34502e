// SPDX-License-Identifier: Apache-2.0
//
// Lines and discs: a round brush put on every seed of a row and of the rows near it.
#pragma once

#include <cstdint>
#include <vector>

namespace thiessen {

/// How densely a brush covers the units of the canvas around it, 0 to 255. A brush that is thinner
/// than a unit covers its own unit in part.
class Brush {
 public:
  Brush() = default;
  /// `width` is in pixels; `scale_y` and `scale_x` are height and width of a unit in pixels;
  /// `strength` is 0 to 1.
  Brush(double width, double scale_y, double scale_x, double strength);

  int reach_y() const { return reach_y_; }
  int reach_x() const { return reach_x_; }

  /// Puts the brush on seeds of the row `dy` units away; covered[x] is the unit of column x, and
  /// there is room for reach_x() units on both sides.
  void put(int dy, const std::vector<std::int32_t>& seeds, std::uint8_t* covered) const;

 private:
  std::uint8_t coverage(double distance, double radius, double soft, double strength) const;

  int reach_y_ = 0;
  int reach_x_ = 0;
  std::vector<std::uint8_t> coverage_;  // of a quarter: (reach_y + 1) rows of 2·reach_x + 1
  std::vector<int> half_width_;         // for each of these rows
};

}  // namespace thiessen
