// SPDX-License-Identifier: Apache-2.0
//
// What users write and the parser does not take: words that are changed for it, and messages about
// words that it does not know.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace thiessen::cli {

/// The words after the program's name, with the numbers of a list in one word, as the parser wants:
/// "--bounds -5 0 10 20" becomes "--bounds -5,0,10,20", and so do --cell-size, --spacing and
/// --range; "--size 800 600" becomes "--size 800x600".
std::vector<std::string> with_lists_joined(std::vector<std::string> words);

/// The command that the words chose, or the program.
const CLI::App& chosen_command(const CLI::App& app);

/// The command of this name. Throws UsageError.
const CLI::App& find_command(const CLI::App& app, const std::string& name);

/// "thiessen voronoi".
std::string full_name(const CLI::App& command);

/// The parser's complaint in words for the user: the unknown word, the nearest known one, and where
/// to find help.
std::string explain(const CLI::App& app, const CLI::ParseError& error);

/// likely_name(): the candidate that was likely meant, or empty.
std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates);

/// "; did you mean WORD?", or nothing.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace thiessen::cli
