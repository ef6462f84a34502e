// SPDX-License-Identifier: Apache-2.0
//
// Options of storage that the user gives for an output of GDAL.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/files/io_error.hpp"

namespace thiessen::io {

struct CreationOption {
  std::string name, value;
};

/// The two sides of NAME=VALUE; empty for anything else.
inline std::optional<CreationOption> split_option(const std::string& option) {
  const std::size_t equals = option.find('=');
  if (equals == std::string::npos || option.find('\0') != std::string::npos) return std::nullopt;
  return CreationOption{option.substr(0, equals), option.substr(equals + 1)};
}

[[noreturn]] inline void refuse_option(const std::filesystem::path& path, const std::string& option,
                                       const std::string& rule) {
  fail(path, "cannot be created with the option " + excerpt(option) + ": " + rule);
}

/// Throws Error{io} for what is not NAME=VALUE.
inline CreationOption parse_option(const std::filesystem::path& path, const std::string& option) {
  const std::optional<CreationOption> sides = split_option(option);
  if (!sides) refuse_option(path, option, "it is not NAME=VALUE");
  return *sides;
}

}  // namespace thiessen::io
