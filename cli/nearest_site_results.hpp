// SPDX-License-Identifier: Apache-2.0
//
// What can be computed of the nearest site, as results of a command.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "result_files.hpp"
#include "site_input.hpp"

namespace thiessen::cli {

/// The words as they are.
struct ResultArguments {
  std::string labels, distance, squared, site_index, offset, direction, picture;
  std::string distance_type = "f32", output_nodata;
  std::vector<std::string> creation_options;
  bool overwrite = false;
};

void add_result_flags(CLI::App& command, ResultArguments& arguments);

class NearestSiteResults {
 public:
  /// Checks what is asked for. Throws UsageError.
  NearestSiteResults(const ResultArguments& arguments, const Sites& sites, int threads);

  ResultFiles& files() { return files_; }

  /// Empty views for what is not wanted. After files().reserve().
  NearestSiteOutputs views();

  /// Puts --output-nodata into the nodata cells of the labels.
  void mark_nodata(const Sites& sites);

  /// Paints the picture if there is to be one, and returns whether. `unreached` is the label of
  /// unreached cells.
  bool paint(Context& context, const Sites& sites, const LabelValue& unreached);

 private:
  ResultFile* add(const std::string& path, ElementType type, const Extents& extents,
                  io::WriteOptions options, bool needed = false);
  io::WriteOptions with_nodata(const std::optional<LabelValue>& value) const;
  void add_picture(const std::string& path, const Sites& sites);
  void mark_sites(const Sites& sites);

  io::WriteOptions options_;  // what all files share
  bool has_geotiff_ = false;
  std::optional<LabelValue> output_nodata_;
  ResultFiles files_;
  ResultFile *labels_, *distance_, *squared_, *site_index_, *offset_, *direction_;
  ResultFile* picture_ = nullptr;
  ResultFile* marks_ = nullptr;  // sites for the picture, if they are not those of the raster
};

}  // namespace thiessen::cli
