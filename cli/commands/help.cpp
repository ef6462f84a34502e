// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "talk/report.hpp"
#include "words/arguments.hpp"
#include "words/command_line.hpp"

namespace thiessen::cli {
namespace {

/// The text that --help prints for a command.
std::string help_of(const CLI::App& command) {
  return command.get_formatter()->make_help(&command, full_name(command),
                                            CLI::AppFormatMode::Normal);
}

void print_help(const CLI::App& app, const std::string& name) {
  const CLI::App* found = name.empty() ? &app : nullptr;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) {
    names.push_back(command->get_name());
    if (command->get_name() == name) found = command;
  }
  if (found == nullptr)
    throw UsageError("there is no command '" + name + "'" + suggestion(name, names));
  std::cout << help_of(*found);
  flush_stdout();
}

}  // namespace

void add_help(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("help", "What --help says of a command");
  command->footer("Example: thiessen help voronoi");
  const auto name = std::make_shared<std::string>();
  command->add_option("command", *name, "The command; without it, all as a whole")
      ->type_name("COMMAND");
  command->callback([&app, name, &action] { action = [&app, name] { print_help(app, *name); }; });
}

}  // namespace thiessen::cli
