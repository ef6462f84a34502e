// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "thiessen/choices/choice.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// The type of floating-point numbers.
enum class FloatType : std::uint8_t { f32, f64 };

inline constexpr std::string_view kFloatTypeNames[] = {"f32", "f64"};

constexpr std::string_view name_of(FloatType type) {
  return detail::choice_name(kFloatTypeNames, type);
}

/// The type with this name, or nullopt.
constexpr std::optional<FloatType> find_float_type(std::string_view name) {
  return detail::find_choice<FloatType>(kFloatTypeNames, name);
}

/// The type of elements that are such numbers.
constexpr ElementType to_element_type(FloatType type) {
  return type == FloatType::f64 ? ElementType::f64 : ElementType::f32;
}

}  // namespace thiessen
