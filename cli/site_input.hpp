// SPDX-License-Identifier: Apache-2.0
//
// The sites of a command: from the words of the command line to what the library takes.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "progress.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// The words as they are; parsed when the command runs, so that every error has the same form.
struct SiteArguments {
  std::string file;
  std::string random, seed = "0", size;
  std::string components, values, nodata;
  bool zero_is_site = false;
};

void add_site_flags(CLI::App& command, SiteArguments& arguments);

struct Sites {
  Raster raster;
  std::optional<LabelValue> nodata;  ///< value of the raster's cells outside of the domain
  std::vector<LabelValue> values;
  bool zero_is_site = false;

  const Grid& grid() const { return raster.grid(); }
  const Extents& extents() const { return raster.extents(); }
};

/// Reads or draws them, in two stages of `progress`. Throws UsageError for what the user can mend.
Sites load_sites(const SiteArguments& arguments, Context& context, Progress& progress);

}  // namespace thiessen::cli
