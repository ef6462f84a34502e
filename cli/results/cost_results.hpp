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
  bool has_ways = false;  ///< outputs of ways between places, which are not among these; no flag
};

void add_cost_result_flags(CLI::App& command, CostResultArguments& arguments);

class CostResults : public RunResults {
 public:
  /// Checks the wanted results. Those of which vector outputs are made are there, too. `cells` of
  /// the sites are null if they are points. Throws UsageError.
  CostResults(const CostResultArguments& arguments, const CostDistanceOptions& options,
              const CostInput& input, RowSource* cells, int threads, const VectorNeeds& needs = {});

  /// The outputs, with empty views for those that are not wanted. Call files().reserve() before.
  CostDistanceOutputs views() const { return views_of<CostDistanceOutputs>(); }

  /// Makes the cells of these rows nodata that lie outside of the study area: where `mask` is 0.
  /// Costs are found before, so that paths may lead through them.
  void mark_outside(const View<const void>& mask, const CostDistanceOutputs& rows) const;

  /// Promises another raster of costs of this type.
  ResultFile& add_costs(const std::string& path, FloatType type);

  /// What paths are read from, if there are any.
  PathRasters path_rasters() const;

  /// Makes the copy of the map and the picture from the results.
  void finish(Context& context, const CostInput& input, const CostDistanceOptions& options);

 private:
  void paint(Context& context, const CostDistanceOptions& options);

  Extents extents_;
  std::int64_t k_;  ///< as in the options
  ResultFile* map_ = nullptr;
};

}  // namespace thiessen::cli
