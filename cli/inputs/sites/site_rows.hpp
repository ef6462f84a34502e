// SPDX-License-Identifier: Apache-2.0
//
// Sites that are cells, some rows at a time: of a raster file, burned from a layer, or drawn; and
// the numbers of their connected areas.
#pragma once

#include <memory>

#include "inputs/sites/site_input.hpp"
#include "slabs/file_rows.hpp"

namespace thiessen::cli {

/// Sites that are described and are no points, as a source of rows, which throws UsageError and
/// Error{io}. What it refers to must outlive it.
FileRows site_rows(const SiteArguments& arguments, const Sites& sites, int threads);

/// The labels that the features of a layer have on a grid. Threads may use the layer in turn, but
/// not at once.
ReadRows burning(std::shared_ptr<const io::VectorFile> layer, Grid grid);

}  // namespace thiessen::cli
