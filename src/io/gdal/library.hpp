// SPDX-License-Identifier: Apache-2.0
//
// Files that GDAL writes by name, other than GeoTIFF. Only gdal_*.cpp include this.
#pragma once

#include <gdal.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "io/files/output_file.hpp"
#include "io/raster/raster_rows.hpp"

namespace thiessen::io {

/// What such a file is to be.
struct LibraryFile {
  std::filesystem::path name;    ///< under which GDAL writes it
  std::filesystem::path target;  ///< what messages call it
  ElementType type = ElementType::u8;
  Extents extents = {};
  WriteOptions options = {};   ///< `format` is the short name of the driver
  Checkpoint checkpoint = {};  ///< called now and then

  /// The axis of the rows or planes that come one after the other.
  int row_axis() const { return options.bands == Bands::first ? 1 : 0; }
};

/// Writes a file, and reads it back.
class LibraryWriter : public RowWriter {
 public:
  /// After finish(): opens what is written, and returns it as rows of the type of the file.
  virtual GDALDatasetH open_written() = 0;
  virtual void read_back(std::int64_t first, std::int64_t count, std::byte* cells) = 0;
};

/// By GDALCreateCopy() from a temporary GeoTIFF.
std::unique_ptr<LibraryWriter> write_copy(const LibraryFile& file);

/// Zarr, format 2, row after row.
std::unique_ptr<LibraryWriter> write_zarr(const LibraryFile& file);

}  // namespace thiessen::io
