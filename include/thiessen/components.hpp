// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "thiessen/choices/connectivity.hpp"
#include "thiessen/context.hpp"
#include "thiessen/export.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

struct ComponentsOptions {
  /// The neighbours that belong to the same component; `knights` is not allowed.
  Connectivity connectivity = Connectivity::corners;
  /// Cells with this value in the image belong to no component and get the label -1.
  std::optional<LabelValue> nodata = std::nullopt;
};

/// Numbers the connected areas of equal non-zero value 1, 2, … in the order of their first cells,
/// so that lines and areas of a binary image become separate sites.
///
/// image   2-D or 3-D host view of any element type and strides, aligned; zero and NaN cells are
///         background.
/// labels  the same extents, i32 or i64 (i32 must hold the number of cells), aligned; background
///         becomes 0. Must not overlap the image.
///
/// Returns the number of components. Time close to linear in the cells, 5 bytes a column of memory
/// (docs/time-and-memory.md). Throws Error: invalid_argument, out_of_memory, cancelled.
THIESSEN_API std::int64_t connected_components(Context& context, View<const void> image,
                                               const ComponentsOptions& options, View<void> labels);

/// The connected areas of an image, in memory of their own.
struct Components {
  Raster labels = {};  ///< i32, or i64 for 2^31 cells and more
  std::int64_t count = 0;
};

/// Same as above, but runs on default_context() and returns the results in newly allocated memory.
THIESSEN_API Components connected_components(View<const void> image,
                                             const ComponentsOptions& options = {});

}  // namespace thiessen
