// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// What a picture shows; an empty view is left out.
struct RenderInputs {
  /// 2-D labels; every value gets a colour of its own, the same in every picture.
  View<const void> labels = {};
  /// 2-D f32 or f64 distances: shade the colours, or colour the picture if there are no labels.
  View<const void> distance = {};
  /// 2-D raster whose non-zero cells are marked in black.
  View<const void> sites = {};
};

/// Paints a Voronoi picture: a colour for each label, cell edges darkened, sites marked in black,
/// unreached cells (label 0) white and nodata cells (distance NaN) grey.
///
/// pixels  u8 view of extents (y, x, 3): red, green, blue.
///
/// Colours depend on the label's bits alone. Time O(cells), no memory.
/// Throws Error: invalid_argument, cancelled.
THIESSEN_API void render(Context& context, const RenderInputs& inputs, View<std::uint8_t> pixels);

}  // namespace thiessen
