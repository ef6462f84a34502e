// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace thiessen {

/// Options of the methods that go through the raster's cells (docs/raster-methods.md).
struct RasterOptions {
  /// For Method::raster_gpu: up to so many sites every cell is compared with all of them; with
  /// more, each cell looks around itself until it meets one, as Method::expansion does. >= 0; -1:
  /// what was measured for the device.
  std::int64_t scan_sites = -1;

  /// For Method::circle_growing: by how many cells (of the longest spacing) the radius grows from
  /// round to round. 1 to 2^30; 0: 1. Results do not depend on it.
  std::int64_t growth_step = 0;

  /// For Method::dilation and Method::expansion on the CPU, as Tu and Wang have them, who settle no
  /// labels: a dilated cell takes the first of the labels that reach it in its round, whether or
  /// not a site of a lesser index is as near; a cell expands its neighbourhood until a site is met,
  /// and takes the nearest of those met, whether or not a nearer one lies in a larger
  /// neighbourhood. Approximate; deterministic.
  bool labels_carried = false;
};

}  // namespace thiessen
