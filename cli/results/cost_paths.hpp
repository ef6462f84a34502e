// SPDX-License-Identifier: Apache-2.0
//
// Least-cost paths from points back to their sites, as text or as lines of a vector layer.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "inputs/cost_input.hpp"
#include "io/files/output_file.hpp"
#include "results/result_files.hpp"

namespace thiessen::cli {

/// The words of the command line, not parsed yet.
struct PathArguments {
  std::string file, from;
  bool transform = false;  ///< as in LayerArguments, whose flag it is

  bool are_given() const { return !file.empty(); }
  /// Whether paths lead from starts to their sites; else they are those between places.
  bool lead_to_sites() const { return !from.empty(); }
  /// Whether the file is a vector layer, and no text.
  bool are_lines() const;
  bool are_lines_to_sites() const { return lead_to_sites() && are_lines(); }
};

void add_path_flags(CLI::App& command, PathArguments& arguments);

/// The rasters that paths are read from.
struct PathRasters {
  View<const std::uint8_t> back_link;
  View<const void> regions;   ///< for lines: the site index of points, the labels of other sites
  View<const void> distance;  ///< for lines: the costs, f32 or f64
  /// For lines within cells.
  View<const float> direction = {};
  View<const std::int64_t> site_index = {};
};

/// The paths of one run: their starts are read first, and the file is opened among `files`.
class CostPaths {
 public:
  /// Throws UsageError for a name that is no such file, or that `files` have, too, and for starts
  /// that are none.
  CostPaths(const PathArguments& arguments, const CostInput& input, ResultFiles& files);

  void write(const CostInput& input, const PathRasters& rasters,
             const CostDistanceOptions& options);

  /// What reading the starts showed.
  const std::vector<CommandWarning>& warnings() const { return starts_.warnings; }

  /// The starts without a path, since they are unreached or on nodata cells; empty if there are
  /// none.
  std::optional<CommandWarning> lost() const;

 private:
  void write_text(const Extents& extents);
  /// The places of a path, cell by cell or within cells: (y, x) of one after the other.
  std::vector<double> places_of(const std::vector<std::int64_t>& path, const CostInput& input,
                                const PathRasters& rasters,
                                const CostDistanceOptions& options) const;
  void write_lines(const CostInput& input, const PathRasters& rasters,
                   const CostDistanceOptions& options);

  PathArguments arguments_;
  PathStarts starts_;
  io::OutputFile& file_;
  std::vector<std::vector<std::int64_t>> paths_;  ///< of each start, as linear indices
};

}  // namespace thiessen::cli
