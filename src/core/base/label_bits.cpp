// SPDX-License-Identifier: Apache-2.0
#include "core/base/label_bits.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "operations/rows/numbers.hpp"
#include "thiessen/element_visit.hpp"
#include "thiessen/error.hpp"

namespace thiessen {
namespace {

template <class T>
bool holds_float(double value) {
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
    const double rounded = static_cast<double>(value);
    return holds_float<Integer>(rounded) && static_cast<Integer>(rounded) == value &&
           holds_float<T>(rounded);
  } else {
    return std::in_range<T>(value);
  }
}

std::string to_text(const LabelValue& value) {
  return std::visit(
      [](auto number) {
        if constexpr (std::is_same_v<decltype(number), double>)
          return shortest_decimal(number);
        else
          return std::to_string(number);
      },
      value);
}

}  // namespace

LabelBits to_label_bits(const LabelValue& value, ElementType type, const char* argument,
                        const char* whose) {
  return visit_element_type(type, [&]<class T>(std::type_identity<T>) {
    const bool held = std::visit(
        [&](auto number) {
          if (type == ElementType::boolean && number != 0 && number != 1) return false;
          if constexpr (std::is_same_v<decltype(number), double>)
            return holds_float<T>(number);
          else
            return holds_integer<T>(number);
        },
        value);
    if (!held)
      throw Error(ErrorCode::invalid_argument, {argument, to_text(value),
                                                "must be a value of " + std::string(whose) +
                                                    " type " + std::string(name_of(type))});
    const T element = std::visit([](auto number) { return static_cast<T>(number); }, value);
    LabelBits bits;
    std::memcpy(bits.bytes.data(), &element, sizeof element);
    return bits;
  });
}

}  // namespace thiessen
