// SPDX-License-Identifier: Apache-2.0
//
// The domain that the raster of --like gives to results.
#pragma once

#include <optional>
#include <string>

#include "io/raster/inspect.hpp"
#include "io/raster/raster_file.hpp"
#include "thiessen/labels.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::cli {

/// For each cell of the raster file 1 if it lies in the domain, else 0, as u8; no axes if all cells
/// do. If there are several bands, FILE|band=N says which one decides. `nodata` is --nodata: a
/// value, "none", or empty for the file's own value. Throws UsageError.
Raster load_domain(const std::string& path, const std::string& nodata,
                   const io::ReadOptions& options);

/// The value of cells outside of the domain, if a cell of the file can hold one.
std::optional<LabelValue> value_outside(const std::string& path, const std::string& nodata,
                                        const io::RasterInfo& info);

}  // namespace thiessen::cli
