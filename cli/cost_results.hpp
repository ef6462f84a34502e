// SPDX-License-Identifier: Apache-2.0
//
// What the command `cost` computes.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cost_input.hpp"
#include "result_files.hpp"

namespace thiessen::cli {

/// The words as they are.
struct CostResultArguments {
  std::string labels, distance, site_index, back_link, picture, map, paths, paths_from;
  std::string distance_type = "f32", output_nodata;
  bool overwrite = false;
};

void add_cost_result_flags(CLI::App& command, CostResultArguments& arguments);

class CostResults {
 public:
  /// Checks what is asked for. Throws UsageError.
  CostResults(const CostResultArguments& arguments, const CostInput& input, int threads);

  ResultFiles& files() { return files_; }

  /// Label of nodata cells, if it is another than that of unreached ones.
  const std::optional<LabelValue>& nodata_label() const { return nodata_label_; }

  /// Empty views for what is not wanted. After files().reserve().
  CostDistanceOutputs views();

  /// What is made of the results: the copy of the map, the picture, the paths.
  void finish(Context& context, const CostInput& input, const CostDistanceOptions& options);
  /// Gives the paths their file.
  void commit();

 private:
  ResultFile* add(const std::string& path, ElementType type, io::WriteOptions options,
                  bool needed = false);
  void paint(Context& context, const CostDistanceOptions& options);
  void write_paths(const CostInput& input, int connectivity);

  CostResultArguments arguments_;
  Extents extents_;
  io::WriteOptions options_;
  std::optional<LabelValue> nodata_label_;
  ResultFiles files_;
  std::optional<io::OutputFile> paths_;
  ResultFile *labels_ = nullptr, *distance_ = nullptr, *site_index_ = nullptr,
             *back_link_ = nullptr, *picture_ = nullptr, *map_ = nullptr, *marks_ = nullptr;
};

}  // namespace thiessen::cli
