// SPDX-License-Identifier: Apache-2.0
//
// The flags that say in which format outputs are written, and how.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

#include "io/raster/raster_file.hpp"

namespace thiessen::cli {

/// The words of the command line, not parsed yet.
struct FormatArguments {
  std::string format;
  std::vector<std::string> creation_options;
};

/// Adds `--output-format` and `--creation-option` to a command with several outputs.
void add_format_flags(CLI::App& command, FormatArguments& arguments);

/// What these flags mean for each output: the format is for those whose suffix it fits, the options
/// are for those that GDAL writes.
class FormatChoice {
 public:
  explicit FormatChoice(FormatArguments arguments) : arguments_(std::move(arguments)) {}

  /// Sets the options of an output of this name. Throws UsageError if its suffix names no format.
  void set(const std::string& path, io::WriteOptions& options);

  /// Throws UsageError for a flag that no output has used.
  void require_use() const;

 private:
  FormatArguments arguments_;
  bool format_is_used_ = false, options_are_used_ = false;
};

}  // namespace thiessen::cli
