// SPDX-License-Identifier: Apache-2.0
//
// Cost distance of a raster that is larger than the memory that a command may take
// (thiessen/slabs/cost_slabs.hpp): what is known of all cells lies in a file (cost_store.hpp),
// and slabs are visited until none changes another one.
#pragma once

#include <string>

#include "inputs/cost_input.hpp"
#include "results/cost_results.hpp"
#include "results/warnings.hpp"
#include "slabs/slab_plan.hpp"
#include "talk/progress.hpp"
#include "talk/report.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// What such a run takes; `results` and `at_once` in bytes a cell.
SlabNeeds cost_slab_needs(const CostInput& input, const CostDistanceOptions& options,
                          const CostResultArguments& results, std::size_t result_bytes,
                          std::size_t at_once);

/// A run in slabs, and whom it tells.
struct CostSlabRun {
  Context& context;
  const SlabPlan& plan;
  CostInput& input;  ///< described
  const SiteArguments& sites;
  const std::string& initial_cost_file;   ///< of a raster; empty: 0,
  const std::string& initial_cost_field;  ///< or what lines and areas have in a field
  const CostResultArguments& results;
  CostDistanceOptions options;
  Progress& progress;
  Report& report;
  Warnings& warnings;
};

/// Solves it, writes the files, and returns their names. Throws UsageError.
nlohmann::ordered_json solve_cost_by_slabs(CostSlabRun& run);

}  // namespace thiessen::cli
