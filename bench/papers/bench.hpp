// SPDX-License-Identifier: Apache-2.0
//
// The measurements of each paper, as commands of thiessen-bench, and the flags that all of them
// have.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "thiessen/context.hpp"
#include "thiessen/devices.hpp"
#include "thiessen/view.hpp"

namespace thiessen::bench {

/// The work of the chosen command. Parsing the command line sets it.
using Action = std::function<void()>;

void add_thrust(CLI::App& app, Action& action);
void add_jfa_star(CLI::App& app, Action& action);
void add_raster(CLI::App& app, Action& action);
void add_stiffness(CLI::App& app, Action& action);

/// The words of the flags that all commands have, not parsed yet.
struct Arguments {
  std::string seed = "0", rounds, threads = "0", folder;
  std::vector<std::string> devices;
  bool quick = false, overwrite = false, json = false, quiet = false;
};

/// How many devices a command runs on.
enum class Devices { one, all };

void add_arguments(CLI::App& command, Arguments& arguments, Devices devices,
                   const std::string& usual_rounds, const char* quick);

/// A flag of the group "Choice" that takes one word.
CLI::Option* add_choice(CLI::App& command, const char* flag, std::string& value, const char* type,
                        const std::string& help);

/// The same for a flag that may be repeated.
void add_list(CLI::App& command, const char* flag, std::vector<std::string>& values,
              const char* type, const char* help);

/// Has `run` called with the arguments when the command was chosen.
template <class Given, class Run>
void set_action(CLI::App& command, const Given& arguments, Action& action, Run run) {
  command.callback([arguments, run, &action] { action = [arguments, run] { run(*arguments); }; });
}

/// Random sites on a raster.
struct Case {
  Extents extents;
  std::int64_t sites = 0;

  /// "720x720, 2000 sites".
  std::string name() const;
};

/// 1 to 1000 rounds: those of the flag, or one of --quick, or the usual ones.
int rounds_of(const Arguments& arguments, const std::string& usual);

/// The words of a list: "64,128".
std::vector<std::string> parts_of(const std::string& list);

/// "WxH" with at most as many cells as i32 can number.
Extents parse_flat_size(const std::string& flag, const std::string& text);

/// "1000", or "1%" of the cells; at most all of them.
std::int64_t parse_sites(const std::string& flag, const std::string& text, std::int64_t cells);

/// The number of --threads; 0: one for each processor.
int threads_of(const Arguments& arguments);

/// The device of a command that runs on one.
Context open_device(const Arguments& arguments);

/// The devices of --device, in their order; without it all of this machine. Throws for a device
/// that does not exist.
std::vector<DeviceInfo> devices_of(const Arguments& arguments);

/// Milliseconds that a call takes.
template <class Call>
double milliseconds_of(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - start;
  return elapsed.count();
}

/// Where the time of a call went, in milliseconds.
///
/// It is found from the names of the phases: "copy to device" and "copy to host" are copies, names
/// that begin with "pass" the passes. If a device has none of these, all of its time counts as
/// passes. A CUDA device has phases if its context asks for the times of stages.
struct CallTimes {
  double to_device = 0;
  double passes = 0;
  double to_host = 0;
  double rest = 0;  ///< sites into states, states into results, and time without a phase

  double copies() const { return to_device + to_host; }
  double without_copies() const { return passes + rest; }
};

/// The times of the last call in `context`, which took `milliseconds`.
CallTimes call_times(const Context& context, double milliseconds);

/// The median; for an even number of values the mean of the two in the middle; 0 without values.
double median(std::vector<double> values);

}  // namespace thiessen::bench
