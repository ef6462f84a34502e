// SPDX-License-Identifier: Apache-2.0
//
// Lines of equal distance as a vector layer.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <optional>
#include <string>

#include "inputs/sites/site_input.hpp"
#include "io/files/output_file.hpp"
#include "results/result_files.hpp"
#include "talk/report.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// The words of the command line, not parsed yet.
struct ContourArguments {
  std::string file, interval = "auto", levels;

  bool are_given() const { return !file.empty(); }
};

void add_contour_flags(CLI::App& command, ContourArguments& arguments);

/// The least and the greatest finite distance of a contiguous raster, if they differ.
std::optional<std::array<double, 2>> range_of(const View<const void>& distance);

/// The round interval of which this range has about a dozen.
double auto_interval(const std::optional<std::array<double, 2>>& range);

/// The file of one run, among `files`.
class ContourFile {
 public:
  /// Throws UsageError for a name that is no such file, or that `files` have, too, for levels that
  /// are none, and for a grid that is not 2-D.
  ContourFile(const ContourArguments& arguments, const Sites& sites, ResultFiles& files);

  /// `distance` is contiguous.
  void write(Context& context, const View<const void>& distance, const Grid& grid, Report& report);

 private:
  ContourOptions options_;  ///< without interval and levels: the interval is chosen
  io::OutputFile& file_;
};

}  // namespace thiessen::cli
