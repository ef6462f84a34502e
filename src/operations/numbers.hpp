// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <string>

namespace thiessen {

/// The shortest decimal form that reads back as the same double, for messages and weights.
inline std::string shortest_decimal(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

}  // namespace thiessen
