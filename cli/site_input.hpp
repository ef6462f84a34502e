// SPDX-License-Identifier: Apache-2.0
//
// The sites of a command: from the words of the command line to what the library takes.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grid_input.hpp"
#include "io/raster_file.hpp"
#include "progress.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// The words as they are; parsed when the command runs, so that every error has the same form.
struct SiteArguments {
  std::string file, band, layer, label_field;
  std::string random, seed = "0";
  std::string components, values, nodata;
  bool zero_is_site = false;
  GridArguments grid;
};

void add_site_flags(CLI::App& command, SiteArguments& arguments);

/// Sites on a grid: cells of a raster, or points.
struct Sites {
  std::string name;  ///< what messages call them
  Grid grid = {};

  Raster raster = {};                     ///< without axes if they are points
  std::optional<LabelValue> nodata = {};  ///< value of its cells outside of the domain
  std::vector<LabelValue> values = {};
  bool zero_is_site = false;

  std::vector<double> points = {};  ///< (y, x) or (z, y, x) of one after the other, in cells
  Raster point_labels = {};         ///< without axes if they have none

  bool are_points() const { return raster.extents().rank() == 0; }
  const Extents& extents() const { return grid.extents; }
  PointList point_list() const;
  /// Of the labels that they have or are given.
  ElementType label_type() const;
};

/// The label that `flag` gives to other cells than those of a site: a value of the labels' type, or
/// none if `text` is empty.
std::optional<LabelValue> parse_other_label(const std::string& flag, const std::string& text,
                                            const Sites& sites);

/// Reads or draws them, in two stages of `progress`. Throws UsageError for what the user can mend.
Sites load_sites(const SiteArguments& arguments, Context& context, Progress& progress);

/// The cells of a raster file, of a band if it is given, and what is nodata in it: `nodata` if it
/// is given ("none": nothing), else what the file says.
Sites read_raster_sites(const std::string& path, const std::string& band, const std::string& nodata,
                        io::ReadOptions options);

/// nearest_site() for either kind; `options` get what the sites say.
void find_nearest(Context& context, const Sites& sites, NearestSiteOptions options,
                  const NearestSiteOutputs& out);

}  // namespace thiessen::cli
