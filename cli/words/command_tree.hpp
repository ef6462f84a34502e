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
  std::string name;  ///< empty: the program itself
  std::string help;
  std::vector<FlagText> flags;
  std::vector<std::string> examples;
  std::vector<std::string> commands;  ///< of the program: the names of all
};

/// The program first, then its commands in their order.
std::vector<CommandText> describe(const CLI::App& app);

}  // namespace thiessen::cli
