// SPDX-License-Identifier: Apache-2.0
//
// Names of sites, and features that are no sites.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "inputs/sites/site_input.hpp"
#include "io/table/feature_file.hpp"
#include "io/table/vector_file.hpp"

namespace thiessen::cli {

/// Warns of so many `what` ("points") of a file that have no name.
void warn_of_unnamed(std::int64_t count, const std::string& what, const std::string& name,
                     std::vector<CommandWarning>& warnings);

/// Warns of features that are left out as they have no geometry, and of those without a name.
void warn_of_features(const io::VectorFile& layer, const std::string& name,
                      std::vector<CommandWarning>& warnings);

/// Drops the column that the names of sites come from if it is called name, as our own is.
void drop_name_column(const std::string& label_field, std::vector<io::Column>& columns);

/// Takes the names that a raster file has for its labels.
void load_value_names(const SiteArguments& arguments, Sites& sites);

}  // namespace thiessen::cli
