// SPDX-License-Identifier: Apache-2.0
#include "words/command_line.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>
#include <utility>

#include "thiessen/choices/choice.hpp"

namespace thiessen::cli {
namespace {

using Words = std::vector<std::string>;

/// A flag whose list may come as several words. CLI11's options of several words would take files
/// behind the numbers, too, and stop at -.5 as at a flag.
struct ListFlag {
  std::string_view name;
  std::size_t most;
  const char* separator;
};

constexpr ListFlag kListFlags[] = {{"--bounds", 4, ","},
                                   {"--cell-size", 2, ","},
                                   {"--spacing", 3, ","},
                                   {"--range", 2, ","},
                                   {"--size", 3, "x"}};

bool is_number(const std::string& word) {
  double number = 0;
  const char* const end = word.data() + word.size();
  const auto result = std::from_chars(word.data(), end, number);
  return result.ec == std::errc{} && result.ptr == end && std::isfinite(number);
}

Words split_at_blanks(const std::string& word) {
  std::istringstream stream(word);
  Words parts;
  for (std::string part; stream >> part;) parts.push_back(part);
  return parts;
}

/// The numbers from `begin` on, at most `most`, in one word; and behind them the first word that is
/// not a number.
Words take_numbers(const Words& words, std::size_t& begin, std::size_t most) {
  Words numbers;
  for (; begin < words.size(); ++begin) {
    const Words parts = split_at_blanks(words[begin]);
    if (parts.empty() || numbers.size() + parts.size() > most) break;
    if (!std::all_of(parts.begin(), parts.end(), is_number)) break;
    numbers.insert(numbers.end(), parts.begin(), parts.end());
  }
  return numbers;
}

Words flags_of(const CLI::App& command) {
  Words flags;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
  }
  return flags;
}

std::string no_command(const CLI::App& app, const std::string& name) {
  Words names;
  for (const CLI::App* below : app.get_subcommands({})) names.push_back(below->get_name());
  return "there is no command '" + name + "'" + suggestion(name, names);
}

bool is_flag(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && !is_number(word);
}

/// Explains "--metric: manhatan not in {euclidean,manhattan}" by the rule that it breaks; else
/// empty.
std::string explain_choice(const std::string& message) {
  const std::size_t colon = message.find(": ");
  const std::size_t list = message.find(" not in {");
  if (colon == std::string::npos || list == std::string::npos || list < colon) return "";
  const std::string word = message.substr(colon + 2, list - colon - 2);
  const Words choices =
      CLI::detail::split(message.substr(list + 9, message.rfind('}') - list - 9), ',');
  return message.substr(0, colon) + " " + word + ": must be one of " +
         CLI::detail::join(choices, ", ") + suggestion(word, choices);
}

/// Explains words that the parser left over; else empty.
std::string explain_leftovers(const CLI::App& command) {
  const Words leftovers = command.remaining();
  const auto flag = std::find_if(leftovers.begin(), leftovers.end(), is_flag);
  if (flag != leftovers.end()) {
    const std::string name = flag->substr(0, flag->find('='));
    return name + ": " + full_name(command) + " has no such flag" +
           suggestion(name, flags_of(command));
  }
  if (leftovers.empty() || command.get_subcommands({}).empty()) return "";
  return no_command(command, leftovers.front());
}

}  // namespace

const CLI::App& chosen_command(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

const CLI::App& find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* below : app.get_subcommands({}))
    if (below->get_name() == name) return *below;
  throw UsageError(no_command(app, name));
}

Words with_lists_joined(Words words) {
  Words joined;
  for (std::size_t i = 0; i < words.size();) {
    joined.push_back(words[i]);
    const auto flag = std::find_if(std::begin(kListFlags), std::end(kListFlags),
                                   [&](const ListFlag& each) { return each.name == words[i]; });
    ++i;
    if (flag == std::end(kListFlags)) continue;
    const Words numbers = take_numbers(words, i, flag->most);
    if (!numbers.empty()) joined.push_back(CLI::detail::join(numbers, flag->separator));
  }
  return joined;
}

std::string full_name(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  return (parent == nullptr ? "" : full_name(*parent) + " ") + command.get_name();
}

std::string nearest_word(const std::string& word, const Words& candidates) {
  const std::vector<std::string_view> names(candidates.begin(), candidates.end());
  return std::string(likely_name(word, names));
}

std::string suggestion(const std::string& word, const Words& candidates) {
  const std::string nearest = nearest_word(word, candidates);
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(app);
  std::string message = explain_leftovers(command);
  if (message.empty()) message = explain_choice(error.what());
  if (message.empty()) message = error.what();
  return message + " (see " + full_name(command) + " --help)";
}

}  // namespace thiessen::cli
