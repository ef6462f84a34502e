// SPDX-License-Identifier: Apache-2.0
//
// Recognises the formats that have readers of our own.
#pragma once

#include <cstddef>
#include <string_view>

namespace thiessen::io {

enum class OwnFormat { none, npy, png, pnm };

inline constexpr std::size_t kSignatureBytes = 8;

/// The format of a file that begins with these bytes; kSignatureBytes of them are enough.
inline OwnFormat own_format(std::string_view start) {
  using namespace std::string_view_literals;
  if (start.starts_with("\x93NUMPY"sv)) return OwnFormat::npy;
  if (start.starts_with("\x89PNG\r\n\x1a\n"sv)) return OwnFormat::png;
  const bool pnm = start.size() >= 3 && start[0] == 'P' && start[1] >= '1' && start[1] <= '6' &&
                   " \t\n\v\f\r#"sv.find(start[2]) != std::string_view::npos;
  return pnm ? OwnFormat::pnm : OwnFormat::none;
}

}  // namespace thiessen::io
