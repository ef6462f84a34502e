// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace thiessen::python {

// A raster of int32 of any number of axes and any strides, in bytes. Features have one component
// for each axis, component_stride apart, each with the same strides.
struct ScanRaster {
  std::byte* data = nullptr;
  std::span<const std::int64_t> strides;
};

struct ScanFeatures {
  std::byte* data = nullptr;  // null: not wanted
  std::int64_t component_stride = 0;
  std::span<const std::int64_t> strides;
};

// Distances counted in steps of a neighbourhood mask, by two scans of the raster: forwards over the
// neighbours that come earlier in row-major order, then backwards over their mirror images. A cell
// changes only if that makes it nearer, so that the site of a tie is the one that this order of
// visits meets first. This is how SciPy's distance_transform_cdt works; nothing in the library
// proper depends on it.
//
// distances holds 0 at the sites and anything else elsewhere; it ends up with the steps to the
// nearest site, and features with that site's coordinates; both are -1 where the mask leads to
// none. mask holds 3^n cells in row-major order, n >= 1 the number of extents; only those before
// the centre are read. All data must be aligned to int32. between_rows is called now and then, and
// may throw.
void mask_scan(std::span<const std::int64_t> extents, std::span<const bool> mask,
               const ScanRaster& distances, const ScanFeatures& features,
               const std::function<void()>& between_rows);

}  // namespace thiessen::python
