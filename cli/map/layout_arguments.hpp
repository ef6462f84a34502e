// SPDX-License-Identifier: Apache-2.0
//
// The flags of maps.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "map/ground.hpp"
#include "map/map.hpp"
#include "map/site_names.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {

struct LayoutArguments {
  std::string title, legend = "none", underlay;
  NamesArguments names;
  bool scale_bar = false, north_arrow = false, site_names = false, contour_labels = false;
  UnitArguments units;
};

void add_layout_flags(CLI::App& command, LayoutArguments& arguments);

/// The first of the flags given that make a map of a picture; empty: none.
std::string flag_of_map(const LayoutArguments& arguments);

/// Throws UsageError for what does not go with the layers, or cannot be drawn.
MapLook to_look(const LayoutArguments& arguments, const RenderInputs& layers,
                const RenderOptions& options, const Ground& ground);

/// Sets range and interval of the contours, which the library would choose by itself, so that the
/// map can tell them.
void complete_options(const RenderInputs& layers, RenderOptions& options);

}  // namespace thiessen::cli
