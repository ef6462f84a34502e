// SPDX-License-Identifier: Apache-2.0
//
// Manual pages, made from the parser itself.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "commands/commands.hpp"
#include "io/files/output_file.hpp"
#include "talk/report.hpp"
#include "words/arguments.hpp"
#include "words/command_line.hpp"
#include "words/command_tree.hpp"

namespace thiessen::cli {
namespace {

/// The text in a form that roff prints unchanged.
std::string roff(const std::string& text) {
  std::string result = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\') {
      result += "\\e";
    } else {
      result += c == '-' ? "\\-" : std::string(1, c);
    }
  }
  return result;
}

std::string page_name(const CommandText& command) {
  return command.name.empty() ? "thiessen" : "thiessen-" + command.name;
}

std::string synopsis(const CommandText& command) {
  std::string text = ".B thiessen";
  if (!command.name.empty()) text += " " + roff(command.name);
  if (!command.commands.empty()) text += "\n.I COMMAND";
  text += "\n[\\fIFLAG\\fR]...\n";
  if (command.name.empty()) return text;
  for (const FlagText& flag : command.flags)
    if (flag.names.empty()) text += ".I " + roff(flag.word) + "\n";
  return text;
}

std::string flag_entry(const FlagText& flag) {
  std::string text = ".TP\n";
  for (const std::string& name : flag.names)
    text += (name == flag.names.front() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (!flag.word.empty())
    text += (flag.names.empty() ? "\\fI" : " \\fI") + roff(flag.word) + "\\fR";
  text += "\n" + roff(flag.help) + ".\n";
  if (!flag.choices.empty()) {
    text += "One of";
    for (const std::string& choice : flag.choices)
      text += (choice == flag.choices.front() ? " " : ", ") + roff(choice);
    text += ".\n";
  }
  if (!flag.value.empty()) text += "Default: " + roff(flag.value) + ".\n";
  return text;
}

std::string options(const CommandText& command) {
  std::string text = ".SH OPTIONS\n", group;
  for (const FlagText& flag : command.flags) {
    if (flag.group != group && flag.group != "Options" && flag.group != "Positionals")
      text += ".SS " + roff(flag.group) + "\n";
    group = flag.group;
    text += flag_entry(flag);
  }
  return text;
}

std::string examples(const CommandText& command) {
  if (command.examples.empty()) return "";
  std::string text = ".SH EXAMPLES\n";
  for (const std::string& example : command.examples)
    text += ".PP\n.EX\n" + roff(example) + "\n.EE\n";
  return text;
}

/// The commands of the program.
std::string commands_section(const CommandText& command, const std::vector<CommandText>& commands) {
  if (command.commands.empty()) return "";
  std::string text = ".SH COMMANDS\n";
  for (const CommandText& below : commands)
    if (!below.name.empty())
      text += ".TP\n\\fB" + roff(page_name(below)) + "\\fR(1)\n" + roff(below.help) + ".\n";
  return text;
}

std::string see_also(const CommandText& command, const std::vector<CommandText>& commands) {
  std::vector<std::string> pages;
  for (const CommandText& other : commands)
    if (other.name != command.name) pages.push_back(".BR " + roff(page_name(other)) + " (1)");
  std::string text = ".SH SEE ALSO\n";
  for (const std::string& page : pages) text += page + (page == pages.back() ? "\n" : " ,\n");
  return text;
}

constexpr std::string_view kCommonSections =
    ".SH FILES\n"
    "What is read is recognised by its first bytes, what is written by the suffix of its name.\n"
    "A file appears whole or not at all: it is written without a name, or with a hidden one, and "
    "gets its own at the end.\n"
    "Data goes to files, reports to the standard output, all else to the standard error.\n"
    ".SH EXIT STATUS\n"
    ".TP\n0\nDone.\n"
    ".TP\n1\nFailed: no memory, or a file that cannot be written.\n"
    ".TP\n2\nBad usage or bad input.\n"
    ".TP\n130\nInterrupted; nothing is left half\\-written. A second signal ends the command at "
    "once: 130 after SIGINT, 143 after SIGTERM.\n";

std::string page(const CommandText& command, const std::vector<CommandText>& commands) {
  std::string title = page_name(command);
  std::transform(title.begin(), title.end(), title.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return ".TH " + title + " 1 \"\" \"thiessen " THIESSEN_VERSION "\" \"User Commands\"\n" +
         ".SH NAME\n" + roff(page_name(command)) + " \\- " + roff(command.help) + "\n" +
         ".SH SYNOPSIS\n" + synopsis(command) + ".SH DESCRIPTION\n" + roff(command.help) + ".\n" +
         commands_section(command, commands) + options(command) + examples(command) +
         std::string(kCommonSections) + see_also(command, commands);
}

void write_pages(const std::filesystem::path& folder, const std::vector<CommandText>& commands) {
  for (const CommandText& command : commands) {
    const std::string text = page(command, commands);
    io::OutputFile file(folder / (page_name(command) + ".1"), true);
    file.write(text.data(), text.size());
    file.commit();
  }
}

}  // namespace

void add_man(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("man", "A manual page, for man -l -");
  command->footer("Example: thiessen man voronoi");
  const auto name = std::make_shared<std::string>();
  const auto folder = std::make_shared<std::string>();
  auto* about =
      command
          ->add_option("command", *name, "The command that it is about; without it, all as a whole")
          ->type_name("COMMAND");
  command->add_option("--all", *folder, "Write the page of every command into this folder")
      ->type_name("DIR")
      ->check(check_file_name)
      ->excludes(about);
  command->callback([&app, name, folder, &action] {
    action = [&app, name, folder] {
      const std::vector<CommandText> commands = describe(app);
      if (!folder->empty()) return write_pages(*folder, commands);
      if (!name->empty()) find_command(app, *name);
      std::cout << page(*std::ranges::find(commands, *name, &CommandText::name), commands);
      flush_stdout();
    };
  });
}

}  // namespace thiessen::cli
