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

void print_help(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* command = &app;
  for (const std::string& word : words) {
    std::vector<std::string> names;
    const CLI::App* found = nullptr;
    for (const CLI::App* below : command->get_subcommands({})) {
      names.push_back(below->get_name());
      if (below->get_name() == word) found = below;
    }
    if (found == nullptr)
      throw UsageError("there is no command '" + CLI::detail::join(words, " ") + "'" +
                       suggestion(word, names));
    command = found;
  }
  std::cout << help_of(*command);
  flush_stdout();
}

}  // namespace

void add_help(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("help", "What --help says of a command");
  command->footer("Example: thiessen help voronoi");
  const auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("command", *words, "The command; without it, all as a whole")
      ->expected(1, 2)
      ->type_name("COMMAND");
  command->callback(
      [&app, words, &action] { action = [&app, words] { print_help(app, *words); }; });
}

}  // namespace thiessen::cli
