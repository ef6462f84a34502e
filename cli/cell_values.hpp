// SPDX-License-Identifier: Apache-2.0
//
// Single values of cells of any type.
#pragma once

#include "thiessen/labels.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::cli {

/// Whether a cell of this type can have exactly that value.
bool can_hold(ElementType type, const LabelValue& value);

/// Whether a cell holds that value, NaN being equal to NaN. The type can hold it.
bool any_holds(const Raster& cells, const LabelValue& value);

/// Puts `put` into those cells where the cell of `where`, a raster of the same extents, equals
/// `value`; NaN equals NaN. The types can hold the values.
void put_where(Raster& cells, const LabelValue& put, const Raster& where, const LabelValue& value);

}  // namespace thiessen::cli
