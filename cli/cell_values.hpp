// SPDX-License-Identifier: Apache-2.0
//
// Single values of cells, for any type.
#pragma once

#include "thiessen/labels.hpp"
#include "thiessen/raster.hpp"
#include "thiessen/view.hpp"

namespace thiessen::cli {

/// Whether a cell of this type can have exactly that value.
bool can_hold(ElementType type, const LabelValue& value);

/// Whether one of contiguous cells holds that value; NaN equals NaN. The type must be able to hold
/// it.
bool any_holds(const View<const void>& cells, const LabelValue& value);

/// Writes `put` where the cell of `where`, of the same extents, equals `value`; NaN equals NaN.
/// Both are contiguous. The types must be able to hold the values.
void put_where(const View<void>& cells, const LabelValue& put, const View<const void>& where,
               const LabelValue& value);

}  // namespace thiessen::cli
