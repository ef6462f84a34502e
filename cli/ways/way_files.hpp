// SPDX-License-Identifier: Apache-2.0
//
// The files of ways between places, of one run of `cost`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "inputs/cost_input.hpp"
#include "io/files/output_file.hpp"
#include "results/cost_results.hpp"
#include "talk/report.hpp"
#include "ways/way_arguments.hpp"

namespace thiessen::cli {

class WayFiles {
 public:
  /// Opens the files among those of `results`, and reads the places of --to without their cells.
  /// Throws UsageError.
  WayFiles(const WayArguments& arguments, const CostResultArguments& files, const CostInput& input,
           const SiteArguments& sites, CostResults& results, Context& context, Progress& progress);

  /// Finds the ways by these options, and writes what is wanted of them.
  void write(Context& context, const CostDistanceOptions& options, Report& report);

  /// What reading and searching showed.
  const std::vector<CommandWarning>& warnings() const { return warnings_; }

 private:
  void find_places(const SiteArguments& sites, Context& context, Progress& progress);
  void write_network(Context& context, const CostDistanceOptions& options, Report& report);
  void write_ways(Context& context, const CostDistanceOptions& options, Report& report);
  void write_corridor(Context& context, const CostDistanceOptions& options, Report& report);
  void write_polygon(Context& context, const View<const void>& inside, double least,
                     const CostDistanceOptions& options);
  void keep_warnings(const Context& context);
  CostMap map() const { return {input_.map.view(), input_.edge_weight}; }

  const WayArguments& arguments_;
  const CostInput& input_;
  Sites places_;
  io::OutputFile *table_ = nullptr, *paths_ = nullptr, *network_ = nullptr, *polygon_ = nullptr;
  ResultFile* corridor_ = nullptr;
  std::vector<CommandWarning> warnings_;
};

}  // namespace thiessen::cli
