// SPDX-License-Identifier: Apache-2.0
//
// What a map maker gets of the sites of a run besides rasters: their regions as polygons, the
// borders between these as lines, tables of both, and lines of equal distance.
#pragma once

#include <CLI/CLI.hpp>
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

/// The words of the command line, not parsed yet.
struct FeatureArguments {
  std::string polygons, edges, table, adjacency;
  std::vector<std::string> sums;
  ContourArguments contours;

  VectorNeeds needs() const {
    const bool regions =
        !polygons.empty() || !edges.empty() || !table.empty() || !adjacency.empty();
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
  /// Why polygons of points follow the cells; empty if their edges are straight.
  std::string why_in_steps = {};
};

/// The files of one run: their names are checked and the files opened first, and at the end they
/// get their names with the rasters of the run.
class FeatureFiles {
 public:
  /// Takes the names of the files from `results`. Throws UsageError for a name that is no such
  /// file, or that another output has, and for sites on a grid that is not 2-D.
  FeatureFiles(FeatureArguments arguments, const Sites& sites, ResultFiles& results,
               bool overwrite);

  void write(Context& context, const FeatureInputs& inputs, Report& report);

  /// Adds the names of the files.
  void tell(nlohmann::ordered_json& names) const;

 private:
  io::OutputFile* add(const std::string& path, bool with_geometry, ResultFiles& results,
                      bool overwrite);

  void write_regions(Context& context, FeatureInputs inputs, Report& report);

  FeatureArguments arguments_;
  std::vector<std::unique_ptr<io::OutputFile>> files_;
  io::OutputFile *polygons_ = nullptr, *edges_ = nullptr, *table_ = nullptr, *adjacency_ = nullptr;
  std::optional<ContourFile> contours_;
};

}  // namespace thiessen::cli
