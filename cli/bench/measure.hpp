// SPDX-License-Identifier: Apache-2.0
//
// What the measurements share: where the time of a call went, medians, counts of sites.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "thiessen/context.hpp"
#include "thiessen/devices.hpp"
#include "thiessen/view.hpp"

namespace thiessen::cli {

/// Milliseconds that a call takes.
template <class Call>
double milliseconds_of(const Call& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  const std::chrono::duration<double, std::milli> elapsed =
      std::chrono::steady_clock::now() - start;
  return elapsed.count();
}

/// Where the time of a call of jump flooding went, in milliseconds.
///
/// It is found from the names of the phases: "copy to device" and "copy to host" are copies, names
/// that begin with "pass" the passes. If a device has none of these, all of its time counts as
/// passes. A CUDA device has phases if its context asks for the times of stages.
struct FloodingTimes {
  double to_device = 0;
  double passes = 0;
  double to_host = 0;
  double rest = 0;  ///< sites into states, states into results, and time without a phase

  double without_copies() const { return passes + rest; }
};

/// The times of the last call in `context`, which took `milliseconds`.
FloodingTimes flooding_times(const Context& context, double milliseconds);

/// The median; for an even number of values the mean of the two in the middle; 0 without values.
double median(std::vector<double> values);

/// The median of value(item) over all items.
template <class Item, class Value>
double median_of(const std::vector<Item>& items, const Value& value) {
  std::vector<double> values;
  values.reserve(items.size());
  for (const Item& item : items) values.push_back(value(item));
  return median(values);
}

/// A flag of the group "Choice" that takes one word.
CLI::Option* add_choice(CLI::App& command, const char* flag, std::string& value, const char* type,
                        const char* help);

/// The same for a flag that may be repeated.
void add_list(CLI::App& command, const char* flag, std::vector<std::string>& values,
              const char* type, const char* help);

/// A number of rounds, 1 to 1000.
int parse_rounds(const std::string& flag, const std::string& text);

/// "WxH" with at most as many cells as i32 can number.
Extents parse_flat_size(const std::string& flag, const std::string& text);

/// "1000", or "1%" of the cells; at most all of them.
std::int64_t parse_sites(const std::string& flag, const std::string& text, std::int64_t cells);

/// The devices of these names, in their order; without names all of this machine. Throws UsageError
/// for a device that does not exist.
std::vector<DeviceInfo> devices_of(const std::vector<std::string>& names);

/// "cpu, 2 threads"; threads of the CPU, 0 for other devices.
std::string device_text(const std::string& device, int threads);
std::string device_text(const Context& context);

}  // namespace thiessen::cli
