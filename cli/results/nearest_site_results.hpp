// SPDX-License-Identifier: Apache-2.0
//
// The outputs of nearest_site(), as results of a command.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "inputs/sites/site_input.hpp"
#include "results/output_flags.hpp"
#include "results/result_files.hpp"
#include "words/format_choice.hpp"

namespace thiessen::cli {

/// The words of the command line, not parsed yet.
struct ResultArguments : FileArguments {
  ResultArguments() : FileArguments(kNearestSiteOutputs) {}
};

void add_result_flags(CLI::App& command, ResultArguments& arguments);

class NearestSiteResults : public RunResults {
 public:
  /// Checks the wanted results. Those of which vector outputs are made are there, too. `cells` of
  /// the sites, if they are no points, are read where nodata cells need a label that no site has.
  /// Throws UsageError.
  NearestSiteResults(const ResultArguments& arguments, const NearestSiteOptions& options,
                     const Sites& sites, RowSource* cells, int threads,
                     const VectorNeeds& needs = {});

  /// The outputs, with empty views for those that are not wanted. Call files().reserve() before.
  NearestSiteOutputs views() const { return views_of<NearestSiteOutputs>(); }

  /// Whether regions() are numbers, of points that have no labels: half the memory of site indices.
  /// Not with --ties-unreached, which changes labels and no site indices.
  /// Then unreached and nodata cells are to have the labels kUnreached and kNodata.
  bool numbers_points() const { return numbers_points_; }

  /// Writes --output-nodata into the nodata cells of the labels; `cells` are the sites there.
  void mark_nodata(const Sites& sites) { mark_nodata(sites, sites.raster.view(), views()); }
  void mark_nodata(const Sites& sites, const View<const void>& cells,
                   const NearestSiteOutputs& rows);

  /// Paints the picture if one is wanted, and returns whether. `unreached` is the label of
  /// unreached cells.
  bool paint(Context& context, const Sites& sites, const LabelValue& unreached);

 private:
  void mark_sites(const Sites& sites);

  std::int64_t k_;
  bool numbers_points_;
};

}  // namespace thiessen::cli
