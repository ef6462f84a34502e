// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace thiessen::io {

/// The bytes of the character of UTF-8 that `text`, which is not empty, begins with; 0: there is
/// none.
inline std::size_t length_of_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t length = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < length) return 0;
  std::uint32_t code = byte(0) & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code >= kLeast[length] && code <= 0x10ffff && !surrogate ? length : 0;
}

inline bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = length_of_character(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

/// The text with a '?' for every control character, which a terminal would obey: those of ASCII,
/// and those that have two bytes in UTF-8.
inline std::string in_one_line(const std::string& text) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : '\0');
    const bool of_two_bytes = byte == 0xc2 && next >= 0x80 && next < 0xa0;
    line += byte < ' ' || byte == 0x7f || of_two_bytes ? '?' : text[i];
    if (of_two_bytes) ++i;
  }
  return line;
}

/// Whether these bytes are text in UTF-8 without control characters.
inline bool is_plain_text(std::string_view bytes) {
  return is_utf8(bytes) && in_one_line(std::string(bytes)) == bytes;
}

}  // namespace thiessen::io
