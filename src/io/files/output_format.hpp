// SPDX-License-Identifier: Apache-2.0
//
// In which format an output is written: that of its suffix, or one that is asked for.
#pragma once

#include <filesystem>
#include <string>

namespace thiessen::io {

/// Who writes a file.
enum class Format { npy, png, pgm, ppm, geotiff, gdal };

struct OutputFormat {
  Format format = Format::npy;
  std::string driver = {};  ///< the short name that GDAL has for it; empty for our own formats
};

/// The format of an output. `wanted` is its name, as GDAL has it (GTiff, COG, Zarr, netCDF …), or
/// NPY, PNG or PNM; empty: that of the suffix. "-", the standard output, is NPY unless PNG is
/// wanted. Throws Error{io} if the suffix names no format, or another one.
OutputFormat output_format(const std::filesystem::path& path, const std::string& wanted);

/// Whether `wanted` is a format for the suffix of this name: one of its own or, if the suffix is
/// not known, any of GDAL.
bool is_format_for(const std::filesystem::path& path, const std::string& wanted);

}  // namespace thiessen::io
