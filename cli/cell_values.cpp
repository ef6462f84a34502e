// SPDX-License-Identifier: Apache-2.0
#include "cell_values.hpp"

#include <cmath>
#include <limits>
#include <utility>
#include <variant>

namespace thiessen::cli {
namespace {

template <class T>
T to_cell(const LabelValue& value) {
  return std::visit([](auto number) { return static_cast<T>(number); }, value);
}

template <class T>
bool holds_real(double value) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::isnan(value) || static_cast<double>(static_cast<T>(value)) == value;
  } else {
    // The bounds are powers of two, so they are exact as doubles.
    const double low = static_cast<double>(std::numeric_limits<T>::min());
    const double high = std::ldexp(1.0, std::numeric_limits<T>::digits);
    return value >= low && value < high && value == std::floor(value);
  }
}

template <class T, class Integer>
bool holds_integer(Integer value) {
  if constexpr (std::is_floating_point_v<T>) {
    const auto real = static_cast<double>(value);
    return holds_real<Integer>(real) && static_cast<Integer>(real) == value && holds_real<T>(real);
  } else {
    return std::in_range<T>(value);
  }
}

template <class T>
bool equals(T cell, T value) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(value)) return std::isnan(cell);
  return cell == value;
}

}  // namespace

bool can_hold(ElementType type, const LabelValue& value) {
  return with_cell_type(type, [&]<class T>(std::type_identity<T>) {
    return std::visit(
        [](auto number) {
          if constexpr (std::is_same_v<decltype(number), double>)
            return holds_real<T>(number);
          else
            return holds_integer<T>(number);
        },
        value);
  });
}

void put_where(Raster& cells, const LabelValue& put, const Raster& where, const LabelValue& value) {
  const std::int64_t count = cells.extents().count();
  with_cell_type(where.element_type(), [&]<class From>(std::type_identity<From>) {
    const auto* from = reinterpret_cast<const From*>(where.bytes());
    const From wanted = to_cell<From>(value);
    with_cell_type(cells.element_type(), [&]<class To>(std::type_identity<To>) {
      auto* to = reinterpret_cast<To*>(cells.bytes());
      const To written = to_cell<To>(put);
      for (std::int64_t i = 0; i < count; ++i)
        if (equals(from[i], wanted)) to[i] = written;
    });
  });
}

}  // namespace thiessen::cli
