// SPDX-License-Identifier: Apache-2.0
//
// Values of a band with scale and offset, as the quantities that they stand for: f64, with NaN
// where the stored value is nodata.
#pragma once

#include <memory>
#include <optional>

#include "io/raster/raster_file.hpp"
#include "io/raster/raster_rows.hpp"
#include "thiessen/labels.hpp"

namespace thiessen::io {

/// The stored cells · scale + offset. `nodata` is a stored value.
Raster quantities(const Raster& stored, const Scaling& scaling,
                  const std::optional<LabelValue>& nodata);

/// The same of rows; those of a file without scale and offset stay as they are.
std::unique_ptr<RowReader> quantity_rows(std::unique_ptr<RowReader> stored,
                                         const std::optional<LabelValue>& nodata);

}  // namespace thiessen::io
