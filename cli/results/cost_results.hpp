// SPDX-License-Identifier: Apache-2.0
//
// The results of the command `cost`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>

#include "inputs/cost_input.hpp"
#include "results/cost_paths.hpp"
#include "results/output_flags.hpp"
#include "results/result_files.hpp"
#include "words/format_choice.hpp"

namespace thiessen::cli {

/// The words of the command line, not parsed yet.
struct CostResultArguments : FileArguments {
  CostResultArguments() : FileArguments(kCostDistanceOutputs) {}

  std::string map;
  PathArguments paths;
};

void add_cost_result_flags(CLI::App& command, CostResultArguments& arguments);

class CostResults {
 public:
  /// Checks the wanted results. Those of which vector outputs are made are there, too. `cells` of
  /// the sites are null if they are points. Throws UsageError.
  CostResults(const CostResultArguments& arguments, const CostInput& input, RowSource* cells,
              int threads, const VectorNeeds& needs = {});

  ResultFiles& files() { return files_; }

  /// The label of nodata cells, if it differs from that of unreached ones.
  const std::optional<LabelValue>& nodata_label() const { return nodata_label_; }

  /// Tells it if it was chosen among those that no site has.
  void tell_nodata(const TalkArguments& talk, Report& report) const;

  /// What takes the outputs by rows.
  std::vector<StreamedOutput> sinks() { return outputs_->sinks(files_); }

  /// The outputs, with empty views for those that are not wanted. Call files().reserve() before.
  CostDistanceOutputs views() const { return outputs_->views<CostDistanceOutputs>(); }

  /// What vector outputs are made of, where it is needed: the site index of points, else the
  /// labels; and the cost.
  View<const void> regions() const;
  View<const void> distance() const { return outputs_->raster("distance"); }

  /// Makes the cells of these rows nodata that lie outside of the study area: where `mask` is 0.
  /// Costs are found before, so that paths may lead through them.
  void mark_outside(const View<const void>& mask, const CostDistanceOutputs& rows) const;

  /// What paths are read from, if there are any.
  PathRasters path_rasters() const;

  /// Makes the copy of the map and the picture from the results.
  void finish(Context& context, const CostInput& input, const CostDistanceOptions& options);

 private:
  void add_map(const std::string& path, const CostInput& input);
  void add_picture(const std::string& path);
  void paint(Context& context, const CostDistanceOptions& options);

  Extents extents_;
  io::WriteOptions options_;
  FormatChoice format_;
  bool are_points_, is_nodata_spare_ = false;
  std::optional<LabelValue> nodata_label_;
  ResultFiles files_;
  std::optional<OutputRasters> outputs_;
  ResultFile *picture_ = nullptr, *map_ = nullptr, *marks_ = nullptr;
};

}  // namespace thiessen::cli
