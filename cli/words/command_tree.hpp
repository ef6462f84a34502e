// SPDX-License-Identifier: Apache-2.0
//
// The commands and their flags as the parser knows them, for texts about them: completions and
// manual pages.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace thiessen::cli {

struct FlagText {
  std::vector<std::string> names;    ///< with their hyphens; empty: a word without a flag
  std::string word;                  ///< the word that it takes: FILE, N, …; empty: none
  std::vector<std::string> choices;  ///< the values that it takes, if they are few
  std::string help, value;           ///< what it does, and its default
  std::string group;

  bool takes_file() const { return word == "FILE" || word == "DIR"; }
};

struct CommandText {
  std::string name;  ///< "voronoi", "bench thrust"; empty: the program itself
  std::string help;
  std::vector<FlagText> flags;
  std::vector<std::string> examples;
  std::vector<std::string> commands;  ///< the last words of the commands below it

  bool is_nested() const { return name.find(' ') != std::string::npos; }
  /// The command above it: "bench" for "bench thrust".
  std::string parent() const { return is_nested() ? name.substr(0, name.rfind(' ')) : ""; }
};

/// The program first, then its commands in their order, each before those below it.
std::vector<CommandText> describe(const CLI::App& app);

}  // namespace thiessen::cli
