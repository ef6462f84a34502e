// SPDX-License-Identifier: Apache-2.0
//
// How the file layer reports errors: Error{io} of one line, which begins with the file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include "thiessen/error.hpp"

namespace thiessen::io {

/// The text without control characters, which would break the line.
inline std::string one_line(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return text;
}

/// The beginning of some bytes in a form for messages: quoted, ASCII, not too long.
inline std::string excerpt(std::string_view bytes) {
  constexpr std::size_t kLongest = 60;
  std::string text = one_line(std::string(bytes.substr(0, kLongest)));
  for (char& c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return "'" + text + (bytes.size() > kLongest ? "...'" : "'");
}

[[noreturn]] inline void fail(const std::filesystem::path& file, const std::string& what) {
  throw Error(ErrorCode::io, (file.empty() ? "''" : one_line(file.string())) + ": " + what);
}

/// For a failed system call: names what could not be done, and the reason (a value of errno).
[[noreturn]] inline void fail(const std::filesystem::path& file, const std::string& what,
                              int reason) {
  fail(file, what + ": " + std::generic_category().message(reason));
}

}  // namespace thiessen::io
