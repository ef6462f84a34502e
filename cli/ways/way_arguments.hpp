// SPDX-License-Identifier: Apache-2.0
//
// The flags of `cost` for ways between places: tables of costs, networks and corridors.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "results/cost_paths.hpp"
#include "thiessen/thiessen.hpp"
#include "words/option_flags.hpp"

namespace thiessen::cli {

/// The words of the command line, not parsed yet.
struct WayArguments {
  std::string to, to_label_field, table, pairs, network, corridor, polygon;
  OptionFlags limits{kCorridor, OnlyOptions{{"within", "within_percent"}}};

  bool are_given() const { return !to.empty() || !network.empty(); }
  bool has_corridor() const { return !corridor.empty() || !polygon.empty(); }
};

/// `sites` are the flags of paths, which --to goes with, too.
void add_way_flags(CLI::App& command, WayArguments& arguments);

/// Throws UsageError for flags that do not go together.
void check_ways(const WayArguments& arguments, const PathArguments& paths);

}  // namespace thiessen::cli
