// SPDX-License-Identifier: Apache-2.0
//
// Turns the element type that a view or a raster has at run time into a template argument:
//
//   visit_element_type(raster.element_type(), [&]<class T>(std::type_identity<T>) {
//     const auto* cells = reinterpret_cast<const T*>(raster.bytes());
//     …
//   });
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

}  // namespace thiessen
