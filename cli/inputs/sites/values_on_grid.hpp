// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "inputs/sites/site_input.hpp"

namespace thiessen::cli {

/// The quantities of a raster file on the grid of the sites as f64, with `missing` in its nodata
/// cells. `flag` names the file in messages. Throws UsageError.
Raster values_on_grid(const std::string& flag, const std::string& path, const Sites& sites,
                      double missing);

/// The same in the type of the file, so that numbers count as they are typed; integers with a
/// nodata value become f64.
Raster numbers_on_grid(const std::string& flag, const std::string& path, const Sites& sites,
                       double missing);

}  // namespace thiessen::cli
