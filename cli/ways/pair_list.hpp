// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inputs/sites/site_input.hpp"

namespace thiessen::cli {

/// The pairs of a table whose first two columns are labels or names of sites and of places of --to.
/// A first line in which neither is one has headings. Two positions of each pair, in
/// the order of labels: cost_table()'s. `origins` and `destinations` are the labels. Throws
/// UsageError.
std::vector<std::int64_t> read_pairs(const std::string& path, const Sites& sites,
                                     const Raster& origins, const Sites& places,
                                     const Raster& destinations);

}  // namespace thiessen::cli
