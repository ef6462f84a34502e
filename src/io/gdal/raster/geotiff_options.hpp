// SPDX-License-Identifier: Apache-2.0
//
// The options by which a GeoTIFF is stored. Only gdal_*.cpp include this.
//
// Only options of storage are allowed, so the values come back whatever the options are.
#pragma once

#include <cpl_string.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "io/raster/raster_file.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// A raster as pages of bands of rows; strides in bytes.
struct Planes {
  std::int64_t pages = 1, bands = 1, height = 0, width = 0;
  std::int64_t page_stride = 0, band_stride = 0, row_stride = 0, cell_stride = 0;
  bool is_picture = false;
};

/// A list of NAME=VALUE for GDAL: our options, and then the user's.
class GeotiffOptions {
 public:
  /// Throws Error{io} for an option of the user that does not concern storage or that loses values.
  GeotiffOptions(const std::filesystem::path& path, ElementType type, const Planes& planes,
                 const WriteOptions& options);

  void set(const std::string& name, const std::string& value);
  CSLConstList list() const noexcept { return list_.List(); }

 private:
  void set_blocks(ElementType type, const Planes& planes);
  void add(const std::filesystem::path& path, const std::string& option);

  CPLStringList list_;
};

}  // namespace thiessen::io
