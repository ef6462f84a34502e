// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "io/raster_file.hpp"

namespace thiessen::cli {

/// Reads a raster, if there is memory for it.
/// "--band": a number, or rgb.
void choose_band(const std::string& band, io::ReadOptions& options);

io::RasterFile read_raster_file(const std::string& path, const io::ReadOptions& options = {});

}  // namespace thiessen::cli
