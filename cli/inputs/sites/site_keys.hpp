// SPDX-License-Identifier: Apache-2.0
//
// Columns that say to which site a row belongs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inputs/sites/site_input.hpp"
#include "io/table/feature_file.hpp"

namespace thiessen::cli {

/// A label of a raster of one axis as text, which is one key for labels of any type.
std::string label_text(const Raster& labels, std::int64_t row);

/// A column of labels: integers where they are, else reals.
io::Column label_column(const std::string& name, const Raster& labels);

/// The labels of rows, and their names if sites have names; `suffix` ends the names of the columns.
std::vector<io::Column> label_keys(const Sites& sites, const Raster& labels,
                                   const std::string& suffix = "");

/// site_index (of points), label, name (if sites have names); `suffix` ends the names. `regions`
/// has for each row the place of a point in the list, i64, or else the label.
std::vector<io::Column> site_keys(const Sites& sites, const Raster& regions,
                                  const std::string& suffix = "");

}  // namespace thiessen::cli
