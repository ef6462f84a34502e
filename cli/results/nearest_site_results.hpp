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
#include "io/raster/azimuths.hpp"
#include "results/output_flags.hpp"
#include "results/result_files.hpp"
#include "words/format_choice.hpp"

namespace thiessen::cli {

/// The words of the command line, not parsed yet.
struct ResultArguments : FileArguments {
  ResultArguments() : FileArguments(kNearestSiteOutputs) {}
};

void add_result_flags(CLI::App& command, ResultArguments& arguments);

class NearestSiteResults {
 public:
  /// Checks the wanted results. Those of which vector outputs are made are there, too. `cells` of
  /// the sites, if they are no points, are read where nodata cells need a label that no site has.
  /// Throws UsageError.
  NearestSiteResults(const ResultArguments& arguments, const NearestSiteOptions& options,
                     const Sites& sites, RowSource* cells, int threads,
                     const VectorNeeds& needs = {});

  ResultFiles& files() { return files_; }

  /// The outputs, with empty views for those that are not wanted. Call files().reserve() before.
  NearestSiteOutputs views() const { return outputs_->views<NearestSiteOutputs>(); }

  /// What vector outputs are made of, where it is needed: of points the site index, or their
  /// numbers from 1 on, else the labels; and the distance.
  View<const void> regions() const;
  View<const void> distance() const { return outputs_->raster("distance"); }

  /// Whether regions() are numbers, of points that have no labels: half the memory of site indices.
  /// Not with --ties-unreached, which changes labels and no site indices.
  /// Then unreached and nodata cells are to have the labels kUnreached and kNodata.
  bool numbers_points() const { return numbers_points_; }

  /// Label of nodata cells, if there may be any.
  const std::optional<LabelValue>& output_nodata() const { return output_nodata_; }

  /// Tells it if it was chosen among those that no site has.
  void tell_nodata(const TalkArguments& talk, Report& report) const;

  /// Makes azimuths on the map of directions, all of them without a number: of all rows in memory,
  /// or of some.
  void turn_directions() { turn_directions(views()); }
  void turn_directions(const NearestSiteOutputs& rows);

  /// Writes --output-nodata into the nodata cells of the labels; `cells` are the sites there.
  void mark_nodata(const Sites& sites) { mark_nodata(sites, sites.raster.view(), views()); }
  void mark_nodata(const Sites& sites, const View<const void>& cells,
                   const NearestSiteOutputs& rows);

  /// What takes the outputs by rows; for a plan they need no open files.
  std::vector<StreamedOutput> sinks();

  /// Paints the picture if one is wanted, and returns whether. `unreached` is the label of
  /// unreached cells.
  bool paint(Context& context, const Sites& sites, const LabelValue& unreached);

 private:
  void add_picture(const std::string& path, const Sites& sites);
  void mark_sites(const Sites& sites);

  io::WriteOptions options_;  // shared by all files
  FormatChoice format_;
  std::int64_t k_;
  bool are_points_, numbers_points_, is_nodata_spare_;
  std::optional<LabelValue> output_nodata_;
  std::optional<io::Azimuths> azimuths_;  // where directions are none
  ResultFiles files_;
  std::optional<OutputRasters> outputs_;
  ResultFile* picture_ = nullptr;
  ResultFile* marks_ = nullptr;  // sites for the picture, if they are not cells of the raster
};

}  // namespace thiessen::cli
