// SPDX-License-Identifier: Apache-2.0
//
// Converts numbers to cells, only if nothing is lost.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "thiessen/labels.hpp"

namespace thiessen::io {

template <class Cell>
std::optional<Cell> cast_exactly(double value) {
  if constexpr (std::is_floating_point_v<Cell>) {
    const auto cell = static_cast<Cell>(value);
    if (static_cast<double>(cell) == value || std::isnan(value)) return cell;
  } else {
    // 2^digits is a double; the greatest value itself may not be.
    const double end = std::ldexp(1.0, std::numeric_limits<Cell>::digits);
    const auto least = static_cast<double>(std::numeric_limits<Cell>::min());
    if (value >= least && value < end && value == std::trunc(value)) {
      return static_cast<Cell>(value);
    }
  }
  return std::nullopt;
}

/// The label as a cell of type Cell; empty if it cannot be one.
template <class Cell>
std::optional<Cell> cast_exactly(const LabelValue& label) {
  return std::visit(
      []<class Value>(Value value) -> std::optional<Cell> {
        if constexpr (std::is_floating_point_v<Value>) {
          return cast_exactly<Cell>(static_cast<double>(value));
        } else if constexpr (std::is_floating_point_v<Cell>) {
          const auto cell = static_cast<Cell>(value);
          const std::optional<Value> back = cast_exactly<Value>(static_cast<double>(cell));
          return back == value ? std::optional<Cell>(cell) : std::nullopt;
        } else {
          return std::in_range<Cell>(value) ? std::optional<Cell>(static_cast<Cell>(value))
                                            : std::nullopt;
        }
      },
      label);
}

}  // namespace thiessen::io
