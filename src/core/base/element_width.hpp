// SPDX-License-Identifier: Apache-2.0
//
// Turns the width of an element, known at run time, into a template argument.
#pragma once

#include <cstdint>
#include <type_traits>

#include "thiessen/view.hpp"

namespace thiessen {

/// Calls `visit(std::type_identity<T>{})` with the unsigned integer as wide as `type`: for elements
/// that are only copied.
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
