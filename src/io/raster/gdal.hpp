// SPDX-License-Identifier: Apache-2.0
//
// What the file layer needs of GDAL, without its types. without_gdal.cpp implements it in a build
// without GDAL.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "io/files/output_file.hpp"
#include "io/raster/inspect.hpp"
#include "io/raster/raster_file.hpp"
#include "io/raster/raster_rows.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// Reads a raster; empty if no driver of GDAL knows the file. Throws Error{io}.
std::optional<RasterFile> read_gdal_raster(const std::filesystem::path& path,
                                           const ReadOptions& options);

/// The same for rows; null if no driver knows the file.
std::unique_ptr<RowReader> open_gdal_rows(const std::filesystem::path& path,
                                          const ReadOptions& options);

/// The same without the cells, for the band of this number.
std::optional<RasterInfo> inspect_gdal_raster(const std::filesystem::path& path, int number);

/// Whether GDAL opens the file as a raster, rather than as a vector file.
bool is_gdal_raster(const std::filesystem::path& path);
bool is_gdal_vector(const std::filesystem::path& path);

/// What to add to the message that no reader knows the file: the reason, and a flag that would
/// help.
std::string gdal_advice(const std::filesystem::path& path);

/// Throws if a GeoTIFF cannot be written, see require_writable.
void require_geotiff(const std::filesystem::path& path, ElementType type, const Extents& extents,
                     const WriteOptions& options);

/// Begins a GeoTIFF; the caller has called require_geotiff.
std::unique_ptr<RowWriter> write_geotiff_rows(OutputFile& file, ElementType type,
                                              const Extents& extents, const WriteOptions& options);

/// The same for the other formats of GDAL; options.format is the short name of the driver.
void require_library_format(const std::filesystem::path& path, ElementType type,
                            const Extents& extents, const WriteOptions& options);
std::unique_ptr<RowWriter> write_library_rows(OutputFile& file, ElementType type,
                                              const Extents& extents, const WriteOptions& options);

}  // namespace thiessen::io
