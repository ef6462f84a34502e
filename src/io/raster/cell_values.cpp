// SPDX-License-Identifier: Apache-2.0
#include "io/raster/cell_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <type_traits>
#include <variant>

#include "io/raster/exact.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::io {

bool can_hold(ElementType type, const LabelValue& value) {
  return visit_element_type(
      type, [&]<class T>(std::type_identity<T>) { return cast_exactly<T>(value).has_value(); });
}

std::optional<LabelValue> if_held(ElementType type, const std::optional<LabelValue>& value) {
  return value && can_hold(type, *value) ? value : std::nullopt;
}

bool any_holds(const View<const void>& cells, const LabelValue& value) {
  return visit_element_type(cells.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* first = reinterpret_cast<const T*>(cells.bytes());
    const T wanted = cast_exactly<T>(value).value();
    return std::any_of(first, first + cells.extents().count(),
                       [&](T cell) { return equals(cell, wanted); });
  });
}

std::string label_text(const LabelValue& value) {
  return std::visit(
      [](auto number) {
        char text[32];
        const auto end = std::to_chars(std::begin(text), std::end(text), number).ptr;
        return std::string(std::begin(text), end);
      },
      value);
}

void replace_where(const View<void>& cells, const LabelValue& put, const View<const void>& where,
                   const LabelValue& value) {
  const std::int64_t count = cells.extents().count();
  visit_element_type(where.element_type(), [&]<class From>(std::type_identity<From>) {
    const auto* from = reinterpret_cast<const From*>(where.bytes());
    const From wanted = cast_exactly<From>(value).value();
    visit_element_type(cells.element_type(), [&]<class To>(std::type_identity<To>) {
      auto* to = reinterpret_cast<To*>(cells.bytes());
      const To written = cast_exactly<To>(put).value();
      for (std::int64_t i = 0; i < count; ++i)
        if (equals(from[i], wanted)) to[i] = written;
    });
  });
}

}  // namespace thiessen::io
