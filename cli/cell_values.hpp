// SPDX-License-Identifier: Apache-2.0
//
// Single values of cells of any type.
#pragma once

#include <type_traits>

#include "thiessen/labels.hpp"
#include "thiessen/raster.hpp"

namespace thiessen::cli {

/// Calls `visit(std::type_identity<T>{})` with the C++ type of the cells; bool as u8.
template <class Visitor>
decltype(auto) with_cell_type(ElementType type, Visitor&& visit) {
  switch (type) {
    case ElementType::i8:
      return visit(std::type_identity<std::int8_t>{});
    case ElementType::u16:
      return visit(std::type_identity<std::uint16_t>{});
    case ElementType::i16:
      return visit(std::type_identity<std::int16_t>{});
    case ElementType::u32:
      return visit(std::type_identity<std::uint32_t>{});
    case ElementType::i32:
      return visit(std::type_identity<std::int32_t>{});
    case ElementType::u64:
      return visit(std::type_identity<std::uint64_t>{});
    case ElementType::i64:
      return visit(std::type_identity<std::int64_t>{});
    case ElementType::f32:
      return visit(std::type_identity<float>{});
    case ElementType::f64:
      return visit(std::type_identity<double>{});
    case ElementType::boolean:
    case ElementType::u8:
      break;
  }
  return visit(std::type_identity<std::uint8_t>{});
}

/// Whether a cell of this type can have exactly that value.
bool can_hold(ElementType type, const LabelValue& value);

/// Puts `put` into those cells where the cell of `where`, a raster of the same extents, equals
/// `value`; NaN equals NaN. The types can hold the values.
void put_where(Raster& cells, const LabelValue& put, const Raster& where, const LabelValue& value);

}  // namespace thiessen::cli
