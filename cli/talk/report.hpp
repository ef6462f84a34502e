// SPDX-License-Identifier: Apache-2.0
//
// The report of a command about its run: `--timing` as text on stderr, `--json` for programs on
// stdout.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "thiessen/context.hpp"
#include "thiessen/view.hpp"

namespace thiessen::cli {

/// Flushes stdout. A reader that has gone, such as head when it has enough, is not an error. Throws
/// Error{io} if stdout cannot be written.
void flush_stdout();

/// Prints it on stdout, and does flush_stdout().
void print_to_stdout(const nlohmann::ordered_json& json);

/// The list of them, in array order.
nlohmann::ordered_json to_json(const Extents& extents);

/// The words that say what to report.
struct TalkArguments {
  bool timing = false, json = false, quiet = false;
  bool strict = false;  ///< a warning is an error
  bool progress = false, no_progress = false;
};

void add_talk_flags(CLI::App& command, TalkArguments& arguments);

class Report {
 public:
  explicit Report(std::string command);

  /// Adds the time since the last step (or the start) under this name.
  void step(const std::string& name);
  /// Adds the call of the library: its phases, its sum and its speed.
  void computed(const Context& context, const Extents& extents);
  void set(const std::string& key, nlohmann::ordered_json value);

  void append(const std::string& key, nlohmann::ordered_json value);

  /// Prints what the flags want.
  void print(const TalkArguments& arguments) const;

 private:
  using Clock = std::chrono::steady_clock;

  struct Step {
    std::string name;
    double milliseconds;
    double mpixel_per_s;      // 0: not a computation
    std::vector<Step> parts;  // phases
    std::string detail = {};
  };

  double lap();
  void print_timing() const;
  void print_json() const;
  static nlohmann::ordered_json to_json(const Step& step);

  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
  std::vector<Step> steps_;
  nlohmann::ordered_json facts_;
};

}  // namespace thiessen::cli
