// SPDX-License-Identifier: Apache-2.0
//
// The domain that the raster of --like gives to results.
#pragma once

#include <string>

#include "io/raster_file.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::cli {

/// For each cell of the raster file 1 if it lies in the domain, else 0, as u8; no axes if all cells
/// do. If there are several bands, the first one decides. `nodata` is --nodata: a value, "none", or
/// empty for the file's own value. Throws UsageError.
Raster load_domain(const std::string& path, const std::string& nodata,
                   const io::ReadOptions& options);

}  // namespace thiessen::cli
