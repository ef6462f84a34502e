// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <string>

#include "commands/commands.hpp"
#include "talk/report.hpp"
#include "words/command_line.hpp"

namespace thiessen::cli {
void add_help(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("help", "Help for a command");
  command->footer("Example: thiessen help voronoi");
  const auto name = std::make_shared<std::string>();
  command->add_option("command", *name, "The command; without it, all as a whole")
      ->type_name("COMMAND");
  command->callback([&app, name, &action] {
    action = [&app, name] {
      const CLI::App& about = name->empty() ? app : find_command(app, *name);
      std::cout << about.get_formatter()->make_help(&about, full_name(about),
                                                    CLI::AppFormatMode::Normal);
      flush_stdout();
    };
  });
}

}  // namespace thiessen::cli
