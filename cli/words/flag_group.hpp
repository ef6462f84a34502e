// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "words/arguments.hpp"

namespace thiessen::cli {

/// The flags of one group in the help of a command.
class FlagGroup {
 public:
  FlagGroup(CLI::App& command, const char* name) : command_(command), name_(name) {}

  /// Takes a word of this type or, in a vector, several.
  template <class Value>
  CLI::Option* option(const char* flag, Value& value, const char* type, const char* help) const {
    return command_.add_option(flag, value, help)->type_name(type)->group(name_);
  }
  /// The same; an empty word is an error.
  template <class Value>
  CLI::Option* word(const char* flag, Value& value, const char* type, const char* help) const {
    return option(flag, value, type, help)->check(check_word);
  }
  /// Takes the name of a file that is read; "-" is standard input.
  template <class Value>
  CLI::Option* input(const char* flag, Value& value, const char* help) const {
    return option(flag, value, "FILE", help)->transform(input_name)->check(check_file_name);
  }
  /// Takes the name of a file that is written; "-" is standard output.
  CLI::Option* output(const std::string& flag, std::string& value, const std::string& help) const {
    return option(flag.c_str(), value, "FILE", help.c_str())->check(check_output_name);
  }
  CLI::Option* flag(const char* name, bool& value, const char* help) const {
    return command_.add_flag(name, value, help)->group(name_);
  }

 private:
  CLI::App& command_;
  const char* name_;
};

}  // namespace thiessen::cli
