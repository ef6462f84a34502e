// SPDX-License-Identifier: Apache-2.0
//
// What all rows of a picture share, and the cells that a row of its canvas shows.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/context_state.hpp"
#include "core/problem/cell_class.hpp"
#include "pictures/brush.hpp"
#include "pictures/canvas_axis.hpp"
#include "pictures/colour.hpp"
#include "thiessen/render.hpp"

namespace thiessen {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The number of a label that is NaN.
inline constexpr std::uint64_t kNotANumber = 0x7ff8000000000000u;

/// The least and the greatest finite distance; empty if there is none.
struct DistanceRange {
  double least = kInfinity;
  double greatest = -kInfinity;

  void add(double distance) {
    if (!(std::fabs(distance) < kInfinity)) return;
    least = std::min(least, distance);
    greatest = std::max(greatest, distance);
  }
  void add(const DistanceRange& other) {
    add(other.least);
    add(other.greatest);
  }
};

/// What all rows of a picture share.
struct Scene {
  RenderInputs inputs;  // with three axes
  RenderOptions options;
  CanvasAxis y;
  CanvasAxis x;
  std::vector<std::int64_t> columns = {};  // the cell for each column of the canvas
  SiteRule site_rule = {};
  std::uint64_t unreached = 0;
  std::uint64_t nodata = kNotANumber;
  bool by_label = false;
  DistanceRange range = {};
  double interval = 1;
  const Palette& palette = Palette::shared();
  std::vector<LinearColour> ramp = {};
  LinearColour background = {}, grey = {}, ink = {};
  Brush contour = {}, edge = {}, outline = {}, halo = {}, disc = {};
  int reach = 0;

  /// Whether cells whose label has this number are nodata.
  bool is_nodata(std::uint64_t number) const { return number == nodata || number == kNotANumber; }
};

/// Makes the scene without the range of its distances and without brushes; `thickness` of lines is
/// in pixels.
Scene make_scene(const RenderInputs& inputs, const RenderOptions& options,
                 const View<std::uint8_t>& pixels, double thickness);

/// Sets the range of the distances and the interval of the contours.
void measure_distances(ContextState& state, Scene& scene);

/// Reads the numbers that give the labels of row y of the canvas their colours.
void read_numbers(const Scene& scene, std::int64_t y, std::vector<std::uint64_t>& numbers);

void read_distances(const Scene& scene, std::int64_t y, std::vector<double>& distances);

}  // namespace thiessen
