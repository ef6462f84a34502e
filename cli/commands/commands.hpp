// SPDX-License-Identifier: Apache-2.0
//
// One file for each command. Each adds its subcommand to the parser, and the function to run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace thiessen::cli {

/// The work of the chosen command. Parsing the command line sets it.
class Action {
 public:
  /// A function that returns the exit code, or void for 0.
  template <class Run>
  Action& operator=(Run run) {
    if constexpr (std::is_same_v<std::invoke_result_t<Run>, int>)
      run_ = std::move(run);
    else
      run_ = [run = std::move(run)] {
        run();
        return 0;
      };
    return *this;
  }

  int operator()() const { return run_(); }

 private:
  std::function<int()> run_;
};

void add_voronoi(CLI::App& app, Action& action);
void add_cost(CLI::App& app, Action& action);
void add_compare(CLI::App& app, Action& action);
void add_render(CLI::App& app, Action& action);
void add_describe(CLI::App& app, Action& action);
void add_devices(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);
void add_man(CLI::App& app, Action& action);
void add_proximity(CLI::App& app, Action& action);
void add_help(CLI::App& app, Action& action);

/// The words after the program's name, with a second dash before those long flags of gdal_proximity
/// that have only one; the parser would take them for many short flags. Words of other commands
/// stay as they are.
std::vector<std::string> with_two_dashes(std::vector<std::string> words);

}  // namespace thiessen::cli
