// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// Which neighbours belong to the same component: those that share a face (4 in 2-D, 6 in 3-D), or
/// also those that share an edge or a corner (8 in 2-D, 26 in 3-D).
enum class Connectivity { faces, corners };

struct ComponentsOptions {
  Connectivity connectivity = Connectivity::corners;
  /// Cells of this value belong to no component and get the label -1.
  std::optional<LabelValue> nodata = std::nullopt;
};

/// Numbers the connected areas of equal non-zero value 1, 2, … in the order of their first cells,
/// so that lines and areas of a binary image become separate sites.
///
/// image   2-D or 3-D host view of any element type and strides, aligned; zero and NaN cells are
///         background.
/// labels  the same extents, i32 or i64 (i32 must hold the number of cells), aligned; background
/// becomes
///         0. Must not overlap the image.
///
/// Returns the number of components. Time close to linear in the cells, at worst cells ·
/// log(cells); no memory but the labels (union-find in place) and 5 bytes a column (3-D: 14).
/// Throws Error: invalid_argument, out_of_memory, cancelled.
THIESSEN_API std::int64_t connected_components(Context& context, View<const void> image,
                                               const ComponentsOptions& options, View<void> labels);

}  // namespace thiessen
