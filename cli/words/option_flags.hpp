// SPDX-License-Identifier: Apache-2.0
//
// The flags of options that the table of an operation has: added, read, and written into the struct
// of options by their rows.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "operations/rows/operation.hpp"

namespace thiessen::cli {

/// "--map-nodata" of the option map_nodata.
std::string flag_of(std::string_view name);

/// A message of the library in the words of a command: with the flag in place of the argument, if
/// the command has such a flag.
std::string with_flag_names(const Error& error, const CLI::App& command);

/// The options of an operation that a command has.
struct OnlyOptions {
  std::initializer_list<std::string_view> names;
};

class OptionFlags {
 public:
  OptionFlags(const Operation& operation, const OnlyOptions& options);
  /// Without the options that a command reads in its own way, of which the files of the sites tell,
  /// or which only some calls have.
  OptionFlags(const Operation& operation, std::initializer_list<std::string_view> left_out);
  OptionFlags(const OptionFlags&) = delete;

  /// Adds the flags, after the flags of inputs, which some of them need.
  void add_to(CLI::App& command);

  bool is_given(std::string_view name) const { return !given_word(name).empty(); }
  /// The word that was given, or the word for the default.
  std::string word(std::string_view name) const;
  /// The names of the options whose flags were given.
  std::vector<std::string_view> given() const;

  /// Writes what was given into the struct of options, for rasters of so many axes. Throws
  /// UsageError naming the flag, its value and the rule.
  void apply(void* options, int rank) const;
  /// The same of one option.
  void apply(std::string_view name, void* options, int rank) const;
  /// Writes the word of another flag into an option, for rasters of two axes; conditions are not
  /// checked.
  void set(std::string_view name, const std::string& flag, const std::string& word,
           void* options) const;

 private:
  void add(CLI::App& command, const Field& field);
  const std::string& given_word(std::string_view name) const;
  void check_conditions(const Field& field) const;

  const Operation& operation_;
  std::map<const Field*, std::string> words_;  ///< "true" for a flag without a value
};

}  // namespace thiessen::cli
