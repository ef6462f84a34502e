// SPDX-License-Identifier: Apache-2.0
//
// The study area of a command: outside of it, results are nodata.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "inputs/site_input.hpp"
#include "talk/progress.hpp"

namespace thiessen::cli {

/// The words of the command line, not parsed yet.
struct MaskArguments {
  std::string file, layer;
  bool clip_sites = false;
  bool transform = false;  ///< as in LayerArguments, whose flag it is
};

void add_mask_flags(CLI::App& command, MaskArguments& arguments);

/// Takes what lies outside of the study area out of the domain of sites, if one is given; with
/// --clip-sites, sites there are none. In a raster the cells are inside that are neither 0 nor NaN
/// nor nodata, of areas those whose centres lie in one; sites.area keeps their layer. Throws
/// UsageError, also if no cell is inside.
void apply_mask(const MaskArguments& arguments, const io::ReadOptions& reading, Sites& sites);

}  // namespace thiessen::cli
