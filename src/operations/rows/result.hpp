// SPDX-License-Identifier: Apache-2.0
//
// What a call finds besides the outputs of its cells: numbers, and lists whose length nobody knows
// before. A row shows each as an array that the results own; a number alone is an array of one.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "thiessen/view.hpp"

namespace thiessen {

/// How many numbers a row of a list has: one, y and x, one for each axis of the raster, or one for
/// each pair of axes.
enum class Columns : std::uint8_t { one, two, axes, axes_squared };

struct ResultText {
  std::string_view name;
  std::string_view help;
  Columns columns = Columns::one;
};

struct Result : ResultText {
  ElementType element = ElementType::u8;
  bool is_of_labels = false;  ///< the labels tell the element type, and not `element`
  bool is_list = false;       ///< else a number
  bool is_view = false;       ///< a list that the results do not own, but keep as it is
  std::span<const std::string_view> choices = {};  ///< names of the values of a number
  View<const void> (*view)(const Result&, const void* results) = nullptr;
};

}  // namespace thiessen
