// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "io/raster_file.hpp"

namespace thiessen::cli {

/// "--band": a number, or rgb.
void choose_band(const std::string& band, io::ReadOptions& options);

/// Whether an input is a pipe or device, whose header can be read only once.
bool is_stream(const std::string& name);

/// Reads a raster, if there is memory for it.
io::RasterFile read_raster_file(const std::string& path, const io::ReadOptions& options = {});

}  // namespace thiessen::cli
