// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "thiessen/choices/choice.hpp"
#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// The contents of a picture. A content with an empty view is left out. All views have the same
/// extents (y, x).
struct RenderInputs {
  /// Labels of any element type. Every value gets its own colour, the same in every picture.
  View<const void> labels = {};
  /// Distances, f32 or f64.
  View<const void> distance = {};
  /// Raster whose cells that are neither zero nor NaN are marked as sites.
  View<const void> sites = {};
};

/// A colour of the sRGB space.
struct Colour {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;

  bool operator==(const Colour&) const = default;
};

/// The quantity by which the cells of a picture are coloured.
enum class RenderMode {
  cells,     ///< the label; the distance too if there are no labels
  distance,  ///< the distance, along a ramp
};

inline constexpr std::string_view kRenderModeNames[] = {"cells", "distance"};

constexpr std::string_view name_of(RenderMode mode) {
  return detail::choice_name(kRenderModeNames, mode);
}

/// The mode with this name, or nullopt.
constexpr std::optional<RenderMode> find_render_mode(std::string_view name) {
  return detail::find_choice<RenderMode>(kRenderModeNames, name);
}

/// Colours of distances from the least to the greatest; the lightness changes evenly.
enum class Ramp {
  dusk,   ///< dark violet, teal, light yellow
  ember,  ///< black, red, cream
  ice,    ///< nearly white to navy
  grey,   ///< black to white
  // Those of matplotlib.
  viridis,  ///< violet, green, yellow
  magma,    ///< black, purple, cream
  cividis,  ///< blue, grey, yellow; the same to the colour-blind
};

inline constexpr std::string_view kRampNames[] = {"dusk",    "ember", "ice",    "grey",
                                                  "viridis", "magma", "cividis"};

constexpr std::string_view name_of(Ramp ramp) { return detail::choice_name(kRampNames, ramp); }

/// The ramp with this name, or nullopt.
constexpr std::optional<Ramp> find_ramp(std::string_view name) {
  return detail::find_choice<Ramp>(kRampNames, name);
}

/// How the distance runs along the ramp.
enum class RampScale { linear, sqrt, log };

inline constexpr std::string_view kRampScaleNames[] = {"linear", "sqrt", "log"};

constexpr std::string_view name_of(RampScale scale) {
  return detail::choice_name(kRampScaleNames, scale);
}

/// The scale with this name, or nullopt.
constexpr std::optional<RampScale> find_ramp_scale(std::string_view name) {
  return detail::find_choice<RampScale>(kRampScaleNames, name);
}

/// How sites are marked.
enum class Marks {
  none,
  solid,    ///< single cells as discs, lines and areas filled
  outline,  ///< single cells as discs, the border of lines and areas
};

inline constexpr std::string_view kMarksNames[] = {"none", "solid", "outline"};

constexpr std::string_view name_of(Marks marks) { return detail::choice_name(kMarksNames, marks); }

/// The marks with this name, or nullopt.
constexpr std::optional<Marks> find_marks(std::string_view name) {
  return detail::find_choice<Marks>(kMarksNames, name);
}

struct RenderOptions {
  RenderMode mode = RenderMode::cells;

  /// Lines between cells of different labels.
  bool edges = true;
  /// Colour of these lines. Empty: darker than the cells.
  std::optional<Colour> edge_colour = std::nullopt;

  Marks marks = Marks::solid;

  /// Lines of equal distance: at all multiples of `contour_interval` (finite, > 0), or of an
  /// interval of 1, 2 or 5 times a power of ten that makes five to twelve of them.
  bool contours = false;
  std::optional<double> contour_interval = std::nullopt;

  /// How much darker the colours of labels become towards the greatest distance: 0 (not at all) to
  /// 1.
  double shade = 0.3;

  Ramp ramp = Ramp::dusk;
  RampScale ramp_scale = RampScale::linear;
  /// Distances at both ends of the ramp, finite and rising. Without it, they are the least and the
  /// greatest finite distance.
  std::optional<std::array<double, 2>> range = std::nullopt;

  /// Cells with this label are nodata and become grey, like cells with the distance NaN.
  std::optional<LabelValue> label_nodata = std::nullopt;
  /// Cells with this value in the raster of sites are not sites.
  std::optional<LabelValue> site_nodata = std::nullopt;
  /// Cells with this label are unreached and have the colour `background`, like cells with an
  /// infinite distance.
  LabelValue unreached = std::int64_t{0};
  /// Colour of unreached cells.
  Colour background = {255, 255, 255};

  /// How opaque coloured cells are, 0 to 1; less than 1 needs pixels of four channels. Lines and
  /// marks stay opaque.
  double opacity = 1;
};

/// Paints a nearest-site map.
///
/// inputs   host views, aligned. Labels or distances, or sites alone.
/// options  see RenderOptions.
/// pixels   u8 host view of extents (y, x, 3): red, green, blue. Or (y, x, 4), with an opacity that
///          is 255 for opaque; unreached and nodata cells are then transparent. Any number of
///          pixels. A raster with more cells than pixels along an axis is averaged in linear light
///          (at most 32768 cells a pixel). A raster with fewer cells is magnified without
///          smoothing. Lines and marks are as thick as suits the size of the picture and the mean
///          size of the cells. Must not overlap the inputs.
///
/// Colours come from OKLCH (B. Ottosson, "A perceptual color space for image processing", 2020):
/// neighbouring labels are a golden angle of hue apart. A whole number has the same colour in every
/// element type. The bytes are the same on every machine and for every number of threads.
///
/// Time O(cells + pixels); memory for each thread O(columns · thickness of lines). Throws Error:
/// invalid_argument, out_of_memory, cancelled.
THIESSEN_API void render(Context& context, const RenderInputs& inputs, const RenderOptions& options,
                         View<std::uint8_t> pixels);

/// Same as above, with the default options.
THIESSEN_API void render(Context& context, const RenderInputs& inputs, View<std::uint8_t> pixels);

/// Same as above, but runs on default_context() and returns a new picture.
///
/// size     pixels (y, x), or (y, x, 4) for a picture with opacity; empty: a pixel for each cell.
THIESSEN_API Array<std::uint8_t> render(const RenderInputs& inputs,
                                        const RenderOptions& options = {},
                                        const Extents& size = {});

}  // namespace thiessen
