// SPDX-License-Identifier: Apache-2.0
#include "bench/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "words/arguments.hpp"

namespace thiessen::cli {

FloodingTimes flooding_times(const Context& context, double milliseconds) {
  FloodingTimes times;
  for (const Phase& phase : context.phases()) {
    if (phase.name == "copy to device") times.to_device += phase.milliseconds;
    if (phase.name == "copy to host") times.to_host += phase.milliseconds;
    if (phase.name.starts_with("pass")) times.passes += phase.milliseconds;
  }
  const double copies = times.to_device + times.to_host;
  if (times.passes == 0) times.passes = std::max(milliseconds - copies, 0.0);
  times.rest = std::max(milliseconds - copies - times.passes, 0.0);
  return times;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

CLI::Option* add_choice(CLI::App& command, const char* flag, std::string& value, const char* type,
                        const char* help) {
  return command.add_option(flag, value, help)
      ->capture_default_str()
      ->type_name(type)
      ->check(check_word)
      ->group("Choice");
}

void add_list(CLI::App& command, const char* flag, std::vector<std::string>& values,
              const char* type, const char* help) {
  command.add_option(flag, values, help)
      ->allow_extra_args(false)
      ->type_name(type)
      ->check(check_word)
      ->group("Choice");
}

int parse_rounds(const std::string& flag, const std::string& text) {
  return static_cast<int>(parse_integer(flag, text, 1, 1000));
}

Extents parse_flat_size(const std::string& flag, const std::string& text) {
  const Extents extents = parse_size(flag, text);
  if (extents.rank() != 2 || extents.count() > std::numeric_limits<std::int32_t>::max())
    throw UsageError(flag + " " + text + ": must be WxH with less than 2^31 cells");
  return extents;
}

std::int64_t parse_sites(const std::string& flag, const std::string& text, std::int64_t cells) {
  if (!text.ends_with('%')) return parse_integer(flag, text, 0, cells);
  const double share = parse_positive(flag, text.substr(0, text.size() - 1)) / 100;
  if (share > 1) throw UsageError(flag + " " + text + ": must be at most 100%");
  return std::llround(share * static_cast<double>(cells));
}

std::vector<DeviceInfo> devices_of(const std::vector<std::string>& names) {
  std::vector<DeviceInfo> found;
  const std::vector<DeviceInfo> all = devices();
  for (const DeviceInfo& device : all)
    if (names.empty() && device.available) found.push_back(device);
  for (const std::string& name : names) {
    const Context context({.device = name});  // throws what is wrong with the name
    const auto device = std::find_if(all.begin(), all.end(), [&](const DeviceInfo& each) {
      return each.name == context.device();
    });
    if (device != all.end()) found.push_back(*device);
  }
  return found;
}

std::string device_text(const std::string& device, int threads) {
  if (threads == 0) return device;
  return device + ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

std::string device_text(const Context& context) {
  const std::string device(context.device());
  return device_text(device, device == "cpu" ? context.threads() : 0);
}

}  // namespace thiessen::cli
