// SPDX-License-Identifier: Apache-2.0
//
// Single values of cells, for any type.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <type_traits>

#include "thiessen/labels.hpp"
#include "thiessen/view.hpp"

namespace thiessen::io {

/// NaN equals NaN.
template <class T>
bool equals(T cell, T value) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(value)) return std::isnan(cell);
  return cell == value;
}

/// Whether a cell of this type can have exactly that value.
bool can_hold(ElementType type, const LabelValue& value);

/// The value, if a cell of this type can have it.
std::optional<LabelValue> if_held(ElementType type, const std::optional<LabelValue>& value);

/// Whether one of contiguous cells holds that value; NaN equals NaN. The type must be able to hold
/// it.
bool any_holds(const View<const void>& cells, const LabelValue& value);

/// Its shortest decimal form, as users write it.
std::string label_text(const LabelValue& value);

/// Writes `put` where the cell of `where`, of the same extents, equals `value`; NaN equals NaN.
/// Both are contiguous. The types must be able to hold the values.
void replace_where(const View<void>& cells, const LabelValue& put, const View<const void>& where,
                   const LabelValue& value);

}  // namespace thiessen::io
