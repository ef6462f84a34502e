// SPDX-License-Identifier: Apache-2.0
//
// A raster file as GDAL opens it: pages, bands, types, grid. Only gdal_*.cpp include this.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/gdal_session.hpp"
#include "thiessen/grid.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// A TIFF may have several pages; other files have one.
struct GdalSource {
  Dataset first_page;
  std::vector<std::string> further_pages = {};  ///< names that GDAL opens

  std::int64_t pages() const { return static_cast<std::int64_t>(further_pages.size()) + 1; }
};

/// Opens a file; empty if no driver knows it. Throws Error{io} for a set of rasters, listing their
/// names.
std::optional<GdalSource> open_source(const GdalSession& session,
                                      const std::filesystem::path& path);

bool is_tiff(GDALDatasetH dataset);

/// The type of a band's cells. Throws Error{io} for complex numbers.
ElementType element_type_of(const std::filesystem::path& path, GDALRasterBandH band);

/// The grid of so many pages like this one.
Grid grid_of(const std::filesystem::path& path, GDALDatasetH page, std::int64_t pages);

/// The nodata value of a band, if its cells can hold it.
std::optional<LabelValue> nodata_of(GDALRasterBandH band, ElementType type);

}  // namespace thiessen::io
