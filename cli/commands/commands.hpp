// SPDX-License-Identifier: Apache-2.0
//
// One file a command. Each adds its subcommand to the parser, with what to run when it is chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace thiessen::cli {

/// What the chosen command does; set while the command line is parsed.
using Action = std::function<void()>;

void add_voronoi(CLI::App& app, Action& action);
void add_devices(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);
void add_man(CLI::App& app, Action& action);

}  // namespace thiessen::cli
