// SPDX-License-Identifier: Apache-2.0
//
// The legend of a map: colours of sites, special cells, contours, the ramp of distances.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "maps/drawing/drawing.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::maps {

/// The colours that pictures with these options have at even distances from one end of
/// options.range to the other.
std::vector<Colour> ramp_colours(Context& context, const RenderOptions& options);

struct LegendEntry {
  enum class Kind { colour, line };

  Kind kind = Kind::colour;
  Colour colour = {};
  std::string text = {};
};

struct LegendRamp {
  std::string title = {};
  std::vector<Colour> colours = {};      ///< at even distances
  std::array<double, 2> range = {0, 1};  ///< distances at the ends, in the unit of the title
};

struct LegendContents {
  std::string title = {};  ///< of the entries
  std::vector<LegendEntry> entries = {};
  std::string more = {};                 ///< below the entries: what is left out
  std::vector<LegendEntry> others = {};  ///< special cells, contours
  std::optional<LegendRamp> ramp = {};
};

/// A legend; `unit` is the size in which all of it scales, 1 for letters of 13 pixels.
class Legend {
 public:
  Legend(LegendContents contents, double unit);

  Size size() const { return size_; }
  void draw(Drawing& drawing, const Point& corner) const;

  /// The height of an entry.
  static double entry_height(double unit) { return 19 * unit; }

 private:
  TextStyle text_style(bool bold = false) const;
  double height_of_text(const std::string& text, bool bold) const;
  void draw_entry(Drawing& drawing, const Point& corner, const LegendEntry& entry) const;
  void draw_ramp(Drawing& drawing, const Point& corner) const;

  LegendContents contents_;
  double unit_;
  Size size_;
};

}  // namespace thiessen::maps
