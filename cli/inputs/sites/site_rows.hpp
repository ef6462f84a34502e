// SPDX-License-Identifier: Apache-2.0
//
// Sites that are cells, some rows at a time: of a raster file, burned from a layer, or drawn; and
// the numbers of their connected areas.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "inputs/sites/site_input.hpp"
#include "io/raster/raster_rows.hpp"
#include "slabs/file_rows.hpp"

namespace thiessen::cli {

/// Opens sites that are described and are no points. Used on one thread, beside the caller's.
/// Throws UsageError, Error{io}.
std::unique_ptr<io::RowReader> open_site_rows(const SiteArguments& arguments, const Sites& sites,
                                              int threads);

/// The same as a source of rows. What it refers to must outlive it.
FileRows site_rows(const SiteArguments& arguments, const Sites& sites, int threads);

/// Opens the raster of the labels that the features of a layer have on a grid. Threads may use the
/// layer in turn, but not at once.
std::unique_ptr<io::RowReader> open_layer_rows(std::shared_ptr<const io::VectorFile> layer,
                                               Grid grid);

/// Opens, for lines and areas, a raster of f64 that has in each cell of a feature the value of
/// that; `values` has one for each row of the attributes. Used likewise.
std::unique_ptr<io::RowReader> open_value_rows(const Sites& sites, std::vector<double> values);

}  // namespace thiessen::cli
