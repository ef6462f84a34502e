// SPDX-License-Identifier: Apache-2.0
//
// The flags of io/files/access.hpp.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace thiessen::cli {

struct AccessArguments {
  std::string format;
  std::vector<std::string> drivers;
  bool remote = false;
};

/// `format_flags` are the names of the flag that gives the format of a file.
void add_access_flags(CLI::App& command, AccessArguments& arguments,
                      const char* format_flags = "--format,--input-format");

/// Holds for all files that the command opens from now on.
void set_access(const AccessArguments& arguments);

}  // namespace thiessen::cli
