// SPDX-License-Identifier: Apache-2.0
//
// From an element type known at run time to a template argument.
#pragma once

#include <cstdint>
#include <type_traits>

#include "thiessen/view.hpp"

namespace thiessen {

/// Calls `visit(std::type_identity<T>{})` with the C++ type that stands for `type`; bool as u8.
template <class Visitor>
decltype(auto) visit_element_type(ElementType type, Visitor&& visit) {
  switch (type) {
    case ElementType::boolean:
    case ElementType::u8:
      break;
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
  }
  return visit(std::type_identity<std::uint8_t>{});
}

/// The same by width alone, for elements that are only copied.
template <class Visitor>
decltype(auto) visit_element_width(ElementType type, Visitor&& visit) {
  switch (size_of(type)) {
    case 1:
      return visit(std::type_identity<std::uint8_t>{});
    case 2:
      return visit(std::type_identity<std::uint16_t>{});
    case 4:
      return visit(std::type_identity<std::uint32_t>{});
    default:
      return visit(std::type_identity<std::uint64_t>{});
  }
}

}  // namespace thiessen
