// SPDX-License-Identifier: Apache-2.0
#include "words/command_tree.hpp"

#include <sstream>
#include <string_view>

namespace thiessen::cli {
namespace {

/// CLI11 writes choices as "NAME:{euclidean,manhattan}".
std::vector<std::string> choices_of(const std::string& type) {
  const std::size_t begin = type.find(":{");
  if (begin == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 2, type.find('}') - begin - 2), ',');
}

FlagText describe_flag(const CLI::Option& option) {
  FlagText flag;
  for (const std::string& name : option.get_snames()) flag.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) flag.names.push_back("--" + name);
  const std::string type = option.get_type_name();
  if (option.get_items_expected_max() > 0) flag.word = type.substr(0, type.find(':'));
  flag.choices = choices_of(type);
  flag.help = option.get_description();
  flag.value = option.get_default_str();
  flag.group = option.get_group();
  return flag;
}

CommandText describe_command(const CLI::App& app, const std::string& name) {
  constexpr std::string_view kExample = "Example: ";
  CommandText command{name, app.get_description(), {}, {}, {}};
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty()) command.flags.push_back(describe_flag(*option));
  std::istringstream footer(app.get_footer());
  for (std::string line; std::getline(footer, line);)
    if (line.starts_with(kExample)) command.examples.push_back(line.substr(kExample.size()));
  for (const CLI::App* below : app.get_subcommands({}))
    command.commands.push_back(below->get_name());
  return command;
}

/// The parser cannot check a word that names a command before it knows all of them.
void add_command_names(std::vector<CommandText>& commands) {
  for (CommandText& command : commands)
    for (FlagText& flag : command.flags)
      if (flag.word == "COMMAND") flag.choices = commands.front().commands;
}

}  // namespace

std::vector<CommandText> describe(const CLI::App& app) {
  std::vector<CommandText> commands{describe_command(app, "")};
  for (const CLI::App* command : app.get_subcommands({}))
    commands.push_back(describe_command(*command, command->get_name()));
  add_command_names(commands);
  return commands;
}

}  // namespace thiessen::cli
