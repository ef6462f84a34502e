// SPDX-License-Identifier: Apache-2.0
//
// What can be computed of the nearest site, as results of a command.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "result_files.hpp"
#include "site_input.hpp"

namespace thiessen::cli {

/// The words as they are.
struct ResultArguments {
  std::string labels, distance, squared, site_index, offset, direction, picture;
  std::string distance_type = "f32";
  bool overwrite = false;
};

void add_result_flags(CLI::App& command, ResultArguments& arguments);

class NearestSiteResults {
 public:
  /// Checks what is asked for. Throws UsageError.
  NearestSiteResults(const ResultArguments& arguments, const Sites& sites);

  ResultFiles& files() { return files_; }

  /// Empty views for what is not wanted. After files().reserve().
  NearestSiteOutputs views();

  /// Paints the picture if there is to be one, and returns whether.
  bool paint(Context& context, const Sites& sites);

 private:
  ResultFile* add(const std::string& path, ElementType type, const Extents& extents,
                  bool needed = false);

  ResultFiles files_;
  ResultFile *labels_, *distance_, *squared_, *site_index_, *offset_, *direction_;
  ResultFile* picture_ = nullptr;
};

}  // namespace thiessen::cli
