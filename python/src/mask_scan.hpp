// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

// Distances counted in steps of a neighbourhood mask, by two scans of the raster: forwards over the
// neighbours that come earlier in row-major order, then backwards over their mirror images. It is
// how SciPy's distance_transform_cdt works, so that the site of a tie is the one that this order of
// visits meets first; nothing in the library proper depends on it.
namespace thiessen::python {

// A raster of int32 of any number of axes and any strides, in bytes. Features have one component
// per axis, component_stride apart, each with the same strides.
struct ScanRaster {
  std::byte* data = nullptr;
  std::span<const std::int64_t> strides;
};

struct ScanFeatures {
  std::byte* data = nullptr;  // null: not wanted
  std::int64_t component_stride = 0;
  std::span<const std::int64_t> strides;
};

// distances holds 0 at the sites and -1 elsewhere; it ends up with the steps to the nearest site,
// -1 where the mask leads to none. features holds each cell's own coordinates; they are replaced by
// those of the site that was found, or by -1. mask holds 3^n cells in row-major order, n the number
// of extents; only those before the centre are read, as both scans look back. All data must be
// aligned to int32. Throws std::bad_alloc alone.
void mask_scan(std::span<const std::int64_t> extents, std::span<const bool> mask,
               const ScanRaster& distances, const ScanFeatures& features);

}  // namespace thiessen::python
