// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace thiessen::io {

/// The letters of ASCII in lower case, whatever the locale: for suffixes and words of formats.
inline char lower_case(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline std::string lower_case(std::string text) {
  for (char& c : text) c = lower_case(c);
  return text;
}

}  // namespace thiessen::io
