// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "inputs/sites/site_input.hpp"

namespace thiessen::cli {

/// The quantities of a raster file on the grid of the sites, with `missing` in its nodata cells;
/// integers become f64. `flag` names the file in messages. Throws UsageError.
Raster values_on_grid(const std::string& flag, const std::string& path, const Sites& sites,
                      double missing);

}  // namespace thiessen::cli
