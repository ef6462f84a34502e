// SPDX-License-Identifier: Apache-2.0
//
// The flags of maps.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "maps/layout/map.hpp"
#include "maps/scale/ground.hpp"
#include "maps/sites/site_names.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

/// The words that say what lengths mean.
struct UnitArguments {
  std::string unit;       ///< to tell distances and costs in; empty: that of the raster
  std::string cell_size;  ///< in that unit; empty: that of the raster
};

struct LayoutArguments {
  std::string title, legend = "none", underlay;
  maps::NamesFile names;
  bool scale_bar = false, north_arrow = false, site_names = false, contour_labels = false;
  UnitArguments units;
};

void add_layout_flags(CLI::App& command, LayoutArguments& arguments);

/// Throws UsageError.
std::optional<maps::CellSize> to_cell_size(const UnitArguments& arguments);

/// The first of the flags given that make a map of a picture; empty: none.
std::string flag_of_map(const LayoutArguments& arguments);

/// Throws UsageError for what does not go with the layers, or cannot be drawn.
maps::MapLook to_look(const LayoutArguments& arguments, const RenderInputs& layers,
                      const RenderOptions& options, const maps::Ground& ground);

/// Sets range and interval of the contours, which the library would choose by itself, so that the
/// map can tell them.
void complete_options(const RenderInputs& layers, RenderOptions& options);

}  // namespace thiessen::cli
