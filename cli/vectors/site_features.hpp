// SPDX-License-Identifier: Apache-2.0
//
// What a map maker gets of the sites of a run besides rasters: their regions as polygons, the
// borders between these as lines, tables of both, and lines of equal distance.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inputs/sites/site_input.hpp"
#include "io/table/feature_file.hpp"
#include "results/result_files.hpp"
#include "talk/report.hpp"
#include "thiessen/thiessen.hpp"
#include "vectors/contour_file.hpp"

namespace thiessen::cli {

/// What is made of regions.
enum class RegionOutput { polygons, edges, table, adjacency };

/// The words of the command line, not parsed yet.
struct FeatureArguments {
  std::array<std::string, 4> files;  ///< by RegionOutput
  std::vector<std::string> sums;
  ContourArguments contours;

  VectorNeeds needs() const {
    const bool regions = std::any_of(files.begin(), files.end(),
                                     [](const std::string& file) { return !file.empty(); });
    return {.regions = regions, .distance = regions || contours.are_given()};
  }
  bool are_given() const { return needs().any(); }
};

void add_feature_flags(CLI::App& command, FeatureArguments& arguments);

/// The rasters of which they are made, and what they mean.
struct FeatureInputs {
  const Sites& sites;
  View<const void> regions;   ///< see NearestSiteResults::regions(); of costs the same
  View<const void> distance;  ///< to the sites, f32 or f64
  std::optional<LabelValue> unreached = std::nullopt, nodata = std::nullopt;  ///< of labels
  /// Length of a cell along y and x; empty where cells have no one size, on the Earth.
  std::vector<double> spacing = {};
  /// On the Earth the area of a cell of each row, in square metres.
  std::vector<double> cell_areas = {};
  /// How points have weights: none or power where edges are straight.
  Weighting weighting = Weighting::none;
  /// Why polygons of points follow the cells; empty if their edges are straight.
  std::string why_cell_outlines = {};
};

/// The files of one run, among `files`.
class FeatureFiles {
 public:
  /// Throws UsageError for a name that is no such file, or that another output has, and for sites
  /// on a grid that is not 2-D.
  FeatureFiles(const FeatureArguments& arguments, const Sites& sites, ResultFiles& files);

  void write(Context& context, const FeatureInputs& inputs, Report& report);

 private:
  io::OutputFile* file(RegionOutput output) const {
    return files_[static_cast<std::size_t>(output)];
  }
  void write_regions(Context& context, FeatureInputs inputs, Report& report);

  const FeatureArguments& arguments_;
  std::array<io::OutputFile*, 4> files_ = {};  ///< null: not wanted
  std::optional<ContourFile> contours_;
};

}  // namespace thiessen::cli
