// SPDX-License-Identifier: Apache-2.0
//
// Completions for shells, made from the parser itself.
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "commands/commands.hpp"
#include "talk/report.hpp"
#include "words/command_tree.hpp"

namespace thiessen::cli {
namespace {

using CLI::detail::join;

/// The text with a backslash before each of these characters.
std::string escaped(const std::string& text, std::string_view characters) {
  std::string result;
  for (const char c : text) {
    if (characters.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// The text as one word of a shell in which a quote ends a quoted word, and '\'' puts a quote into
/// it.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

/// The commands below a command, its flags, and the values of a word without a flag.
std::string words_of(const CommandText& command) {
  std::vector<std::string> words = command.commands;
  for (const FlagText& flag : command.flags) {
    const std::vector<std::string>& more = flag.names.empty() ? flag.choices : flag.names;
    words.insert(words.end(), more.begin(), more.end());
  }
  return join(words, " ");
}

bool takes_files(const CommandText& command) {
  for (const FlagText& flag : command.flags)
    if (flag.names.empty() && flag.takes_file()) return true;
  return false;
}

/// The flags of one command that take a value, as branches of a case.
void print_bash_values(const CommandText& command, std::ostream& out) {
  for (const FlagText& flag : command.flags) {
    if (flag.names.empty() || flag.word.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : flag.names)
      patterns.push_back("'" + command.name + " " + name + "'");
    out << "    " << join(patterns, " | ") << ") ";
    if (flag.takes_file()) {
      out << "_thiessen_files";
    } else {
      out << "_thiessen_words '" << join(flag.choices, " ") << "'";
    }
    out << "; return ;;\n";
  }
}

void print_bash(const std::vector<CommandText>& commands, std::ostream& out) {
  out << "# bash completion for thiessen\n"
         "_thiessen_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
         "_thiessen_files() {\n"
         "  compopt -o filenames 2> /dev/null\n"
         "  mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
         "}\n"
         "_thiessen() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  local command=${COMP_WORDS[1]}\n"
         "  COMPREPLY=()\n"
         "  # --flag=value comes as three words.\n"
         "  if [[ $cur == = ]]; then cur=; "
         "elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
         "  if ((COMP_CWORD == 1)); then\n"
         "    _thiessen_words '";
  out << words_of(commands[0])
      << "'\n    return\n  fi\n"
         "  case \"$command $prev\" in\n";
  for (const CommandText& command : commands) print_bash_values(command, out);
  out << "  esac\n  case $command in\n";
  for (const CommandText& command : commands) {
    if (command.name.empty()) continue;
    out << "    " << quoted(command.name) << ") ";
    if (takes_files(command)) out << "[[ $cur != -* ]] && _thiessen_files && return; ";
    out << "_thiessen_words '" << words_of(command) << "' ;;\n";
  }
  out << "  esac\n}\ncomplete -F _thiessen thiessen\n";
}

std::string zsh_value(const FlagText& flag) {
  if (flag.word.empty()) return "";
  std::string value = ":" + flag.word + ":";
  if (flag.takes_file()) value += "_files";
  if (!flag.choices.empty()) value += "(" + join(flag.choices, " ") + ")";
  return value;
}

void print_zsh_flag(const FlagText& flag, std::ostream& out) {
  const std::string help = "[" + escaped(flag.help, "[]:\\") + "]" + zsh_value(flag);
  if (flag.names.empty()) out << " \\\n        " << quoted("*" + zsh_value(flag));
  for (const std::string& name : flag.names)
    out << " \\\n        " << quoted("(" + join(flag.names, " ") + ")" + name + help);
}

void print_zsh(const std::vector<CommandText>& commands, std::ostream& out) {
  out << "#compdef thiessen\n_thiessen() {\n  local context state line\n  _arguments -C";
  for (const FlagText& flag : commands[0].flags) print_zsh_flag(flag, out);
  out << " \\\n        '1:command:->command' '*::argument:->argument'\n"
         "  case $state in\n    command)\n      local -a commands\n      commands=(\n";
  for (const CommandText& command : commands)
    if (!command.name.empty())
      out << "        " << quoted(command.name + ":" + escaped(command.help, ":\\")) << "\n";
  out << "      )\n      _describe command commands ;;\n    argument)\n"
         "      case $words[1] in\n";
  for (const CommandText& command : commands) {
    if (command.name.empty()) continue;
    out << "      " << quoted(command.name) << ") _arguments";
    for (const FlagText& flag : command.flags) print_zsh_flag(flag, out);
    out << " ;;\n";
  }
  // A file in $fpath is called at once; otherwise the function must be registered.
  out << "      esac ;;\n  esac\n}\n"
         "if [ \"$funcstack[1]\" = _thiessen ]; then _thiessen \"$@\"; "
         "else compdef _thiessen thiessen; fi\n";
}

void print_fish_flag(const FlagText& flag, const std::string& condition, std::ostream& out) {
  out << "complete -c thiessen -n " << quoted(condition);
  for (const std::string& name : flag.names)
    out << (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
  if (flag.takes_file()) {
    out << (flag.names.empty() ? " -F" : " -r -F");
  } else if (!flag.choices.empty()) {
    out << (flag.names.empty() ? " -a " : " -x -a ") << quoted(join(flag.choices, " "));
  } else if (!flag.word.empty()) {
    out << " -x";
  }
  out << " -d '" << escaped(flag.help, "'\\") << "'\n";
}

/// The condition that this command is being completed.
std::string fish_condition(const CommandText& command) {
  return command.name.empty() ? "__fish_use_subcommand"
                              : "__fish_seen_subcommand_from " + command.name;
}

void print_fish(const std::vector<CommandText>& commands, std::ostream& out) {
  out << "# fish completion for thiessen\ncomplete -c thiessen -f\n";
  for (const CommandText& command : commands) {
    if (!command.name.empty())
      out << "complete -c thiessen -n " << quoted(fish_condition(commands[0])) << " -a "
          << command.name << " -d '" << escaped(command.help, "'\\") << "'\n";
    for (const FlagText& flag : command.flags) print_fish_flag(flag, fish_condition(command), out);
  }
}

void print(const std::string& shell, const std::vector<CommandText>& commands) {
  if (shell == "bash") print_bash(commands, std::cout);
  if (shell == "zsh") print_zsh(commands, std::cout);
  if (shell == "fish") print_fish(commands, std::cout);
  flush_stdout();
}

}  // namespace

void add_completion(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("completion", "Completions of this command for a shell");
  command->footer("Example: thiessen completion bash");
  const auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "The shell")
      ->required()
      ->type_name("SHELL")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback(
      [&app, shell, &action] { action = [&app, shell] { print(*shell, describe(app)); }; });
}

}  // namespace thiessen::cli
