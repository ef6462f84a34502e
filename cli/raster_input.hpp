// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "io/raster_file.hpp"

namespace thiessen::cli {

/// Reads a raster, if there is memory for it.
io::RasterFile read_raster_file(const std::string& path, const io::ReadOptions& options = {});

}  // namespace thiessen::cli
