// SPDX-License-Identifier: Apache-2.0
//
// One file a command. Each adds its subcommand to the parser, with what to run when it is chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace thiessen::cli {

/// What the chosen command does; set while the command line is parsed.
using Action = std::function<void()>;

void add_voronoi(CLI::App& app, Action& action);
void add_devices(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);
void add_man(CLI::App& app, Action& action);
void add_proximity(CLI::App& app, Action& action);

/// The words after the program's name, with a second dash before the long flags of gdal_proximity
/// that have only one, which the parser would take for a heap of short ones. Other commands' words
/// stay as they are.
std::vector<std::string> with_two_dashes(std::vector<std::string> words);

}  // namespace thiessen::cli
