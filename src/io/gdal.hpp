// SPDX-License-Identifier: Apache-2.0
//
// What the file layer asks of GDAL, without a type of it. In a build without GDAL without_gdal.cpp
// answers.
#pragma once

#include <filesystem>
#include <optional>

#include "io/inspect.hpp"
#include "io/output_file.hpp"
#include "io/raster_file.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// Reads a raster; nothing if no driver of GDAL knows the file. Throws Error{io}.
std::optional<RasterFile> read_gdal_raster(const std::filesystem::path& path,
                                           const ReadOptions& options);

/// The same without the cells.
std::optional<RasterInfo> inspect_gdal_raster(const std::filesystem::path& path);

/// Whether GDAL opens it as a raster, or else as a vector file.
bool is_gdal_raster(const std::filesystem::path& path);
bool is_gdal_vector(const std::filesystem::path& path);

/// What require_writable says of a GeoTIFF.
void require_geotiff(const std::filesystem::path& path, ElementType type, const Extents& extents,
                     const WriteOptions& options);

/// Writes a GeoTIFF; the caller has called require_geotiff.
void write_geotiff(OutputFile& file, const View<const void>& raster, const WriteOptions& options);

}  // namespace thiessen::io
