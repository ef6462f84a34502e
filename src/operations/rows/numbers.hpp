// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdio>
#include <string>

namespace thiessen {

/// The shortest decimal form that reads back as the same double, for messages and weights.
inline std::string shortest_decimal(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

/// A number of bytes for people: "1.5 GiB", "192.0 MiB".
inline std::string text_of_bytes(double bytes) {
  const bool is_large = bytes >= 0x1p30;
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %s", bytes / (is_large ? 0x1p30 : 0x1p20),
                is_large ? "GiB" : "MiB");
  return text;
}

}  // namespace thiessen
