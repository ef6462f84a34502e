// SPDX-License-Identifier: Apache-2.0
#include "cell_values.hpp"

#include <algorithm>
#include <cmath>

#include "io/exact.hpp"
#include "thiessen/element_visit.hpp"

namespace thiessen::cli {
namespace {

template <class T>
bool equals(T cell, T value) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(value)) return std::isnan(cell);
  return cell == value;
}

}  // namespace

bool can_hold(ElementType type, const LabelValue& value) {
  return visit_element_type(
      type, [&]<class T>(std::type_identity<T>) { return io::exactly<T>(value).has_value(); });
}

bool any_holds(const View<const void>& cells, const LabelValue& value) {
  return visit_element_type(cells.element_type(), [&]<class T>(std::type_identity<T>) {
    const auto* first = reinterpret_cast<const T*>(cells.bytes());
    const T wanted = io::exactly<T>(value).value();
    return std::any_of(first, first + cells.extents().count(),
                       [&](T cell) { return equals(cell, wanted); });
  });
}

void put_where(const View<void>& cells, const LabelValue& put, const View<const void>& where,
               const LabelValue& value) {
  const std::int64_t count = cells.extents().count();
  visit_element_type(where.element_type(), [&]<class From>(std::type_identity<From>) {
    const auto* from = reinterpret_cast<const From*>(where.bytes());
    const From wanted = io::exactly<From>(value).value();
    visit_element_type(cells.element_type(), [&]<class To>(std::type_identity<To>) {
      auto* to = reinterpret_cast<To*>(cells.bytes());
      const To written = io::exactly<To>(put).value();
      for (std::int64_t i = 0; i < count; ++i)
        if (equals(from[i], wanted)) to[i] = written;
    });
  });
}

}  // namespace thiessen::cli
