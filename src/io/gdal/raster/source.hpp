// SPDX-License-Identifier: Apache-2.0
//
// A raster file as GDAL opens it: pages, bands, types, grid. Only gdal_*.cpp include this.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/gdal/raster/zarr.hpp"
#include "io/gdal/session.hpp"
#include "io/raster/raster_file.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// A TIFF may have several pages, an array of Zarr planes; other files have one page.
struct GdalSource {
  Dataset first_page = nullptr;
  std::vector<std::string> further_pages = {};   ///< names that GDAL opens
  std::optional<ZarrArray> zarr = std::nullopt;  ///< in place of pages

  /// The first page or plane.
  GDALDatasetH first() const { return zarr ? zarr->plane.get() : first_page.get(); }
  std::int64_t pages() const { return static_cast<std::int64_t>(further_pages.size()) + 1; }
};

/// Opens a file; empty if no driver knows it. Throws Error{io} for a set of rasters, listing their
/// names.
std::optional<GdalSource> open_source(const GdalSession& session,
                                      const std::filesystem::path& path);

bool is_tiff(GDALDatasetH dataset);

/// The type of a band's cells. Throws Error{io} for complex numbers.
ElementType element_type_of(const std::filesystem::path& path, GDALRasterBandH band);

/// The type that GDAL has for cells; that of bool is Byte.
GDALDataType gdal_type_of(ElementType type);

Grid grid_of(const std::filesystem::path& path, const GdalSource& source);

/// The nodata value of a band, if its cells can hold it.
std::optional<LabelValue> nodata_of(GDALRasterBandH band, ElementType type);

/// The same; but zero in Zarr is what chunks hold that are not there, as Python writes it for all.
std::optional<LabelValue> nodata_of(const GdalSource& source, GDALRasterBandH band,
                                    ElementType type);

/// The cells (y, x) of a block of a band.
Extents block_of(GDALRasterBandH band);

/// Scale and offset of a band.
Scaling scaling_of(GDALRasterBandH band);

}  // namespace thiessen::io
