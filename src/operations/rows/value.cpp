// SPDX-License-Identifier: Apache-2.0
#include "operations/rows/value.hpp"

#include <type_traits>

#include "operations/rows/numbers.hpp"

namespace thiessen {
namespace {

template <class T>
std::string text_of(const T& value) {
  if constexpr (std::is_same_v<T, std::monostate>) {
    return "";
  } else if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_same_v<T, double>) {
    return shortest_decimal(value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value;
  } else if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else {
    std::string text;
    for (const LabelValue& each : value)
      text += (text.empty() ? "" : ",") +
              std::visit([](const auto& number) { return text_of(number); }, each);
    return text;
  }
}

}  // namespace

std::string to_text(const Value& value) {
  return std::visit([](const auto& each) { return text_of(each); }, value);
}

}  // namespace thiessen
