// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "words/arguments.hpp"

namespace thiessen::bench {

using cli::UsageError;

void add_arguments(CLI::App& command, Arguments& arguments, Devices devices,
                   const std::string& usual_rounds, const char* quick) {
  add_choice(command, "--seed", arguments.seed, "S", "Seed of all that is random");
  add_choice(
      command, "--rounds", arguments.rounds, "R",
      "Rounds that are measured; one more comes before them (default: " + usual_rounds + ")");
  command.add_flag("--quick", arguments.quick, quick)->group("Choice");
  if (devices == Devices::one) {
    command.add_option("--device", arguments.devices, "auto, cpu, cuda[:i] or opencl[:i]")
        ->expected(1)
        ->type_name("NAME")
        ->check(cli::check_word)
        ->group("Choice");
  } else {
    add_list(command, "--device", arguments.devices, "NAME",
             "Devices to run on; may be repeated (default: all that there are)");
  }
  add_choice(command, "--threads", arguments.threads, "N",
             "Threads of the CPU, up to 1024; 0: one for each processor");
  const auto flag = [&](const char* name, bool& value, const char* help) {
    command.add_flag(name, value, help)->group("Outputs");
  };
  command
      .add_option("--output", arguments.folder,
                  "Write each table as .csv, all of them as .json, and the rasters of the figures "
                  "as .npy into this folder, which is new or empty; plots.py draws what is there")
      ->type_name("DIR")
      ->check(cli::check_file_name)
      ->group("Outputs");
  flag("--overwrite", arguments.overwrite, "The folder may hold files, which are replaced");
  flag("--json", arguments.json, "Print the tables as JSON on stdout, not as CSV");
  flag("-q,--quiet", arguments.quiet, "Do not tell on stderr which case runs");
}

CLI::Option* add_choice(CLI::App& command, const char* flag, std::string& value, const char* type,
                        const std::string& help) {
  return command.add_option(flag, value, help)
      ->capture_default_str()
      ->type_name(type)
      ->check(cli::check_word)
      ->group("Choice");
}

void add_list(CLI::App& command, const char* flag, std::vector<std::string>& values,
              const char* type, const char* help) {
  command.add_option(flag, values, help)
      ->allow_extra_args(false)
      ->type_name(type)
      ->check(cli::check_word)
      ->group("Choice");
}

std::string Case::name() const {
  return cli::size_text(extents) + ", " + std::to_string(sites) + (sites == 1 ? " site" : " sites");
}

int rounds_of(const Arguments& arguments, const std::string& usual) {
  const std::string& text = !arguments.rounds.empty() ? arguments.rounds
                            : arguments.quick         ? "1"
                                                      : usual;
  return static_cast<int>(cli::parse_integer("--rounds", text, 1, 1000));
}

std::vector<std::string> parts_of(const std::string& list) { return CLI::detail::split(list, ','); }

Extents parse_flat_size(const std::string& flag, const std::string& text) {
  const Extents extents = cli::parse_size(flag, text);
  if (extents.rank() != 2 || extents.count() > std::numeric_limits<std::int32_t>::max())
    throw UsageError(flag + " " + text + ": must be WxH with less than 2^31 cells");
  return extents;
}

std::int64_t parse_sites(const std::string& flag, const std::string& text, std::int64_t cells) {
  if (!text.ends_with('%')) return cli::parse_integer(flag, text, 0, cells);
  const double share = cli::parse_positive(flag, text.substr(0, text.size() - 1)) / 100;
  if (share > 1) throw UsageError(flag + " " + text + ": must be at most 100%");
  return std::llround(share * static_cast<double>(cells));
}

int threads_of(const Arguments& arguments) {
  return static_cast<int>(cli::parse_integer("--threads", arguments.threads, 0, 1024));
}

Context open_device(const Arguments& arguments) {
  return Context({.device = arguments.devices.empty() ? "auto" : arguments.devices.front(),
                  .threads = threads_of(arguments),
                  .stage_times = true});
}

std::vector<DeviceInfo> devices_of(const Arguments& arguments) {
  std::vector<DeviceInfo> found;
  const std::vector<DeviceInfo> all = devices();
  for (const DeviceInfo& device : all)
    if (arguments.devices.empty() && device.available) found.push_back(device);
  for (const std::string& name : arguments.devices) {
    const Context context({.device = name});  // throws what is wrong with the name
    const auto device = std::find_if(all.begin(), all.end(), [&](const DeviceInfo& each) {
      return each.name == context.device();
    });
    if (device != all.end()) found.push_back(*device);
  }
  return found;
}

CallTimes call_times(const Context& context, double milliseconds) {
  CallTimes times;
  for (const Phase& phase : context.phases()) {
    if (phase.name == "copy to device") times.to_device += phase.milliseconds;
    if (phase.name == "copy to host") times.to_host += phase.milliseconds;
    if (phase.name.starts_with("pass")) times.passes += phase.milliseconds;
  }
  if (times.passes == 0) times.passes = std::max(milliseconds - times.copies(), 0.0);
  times.rest = std::max(milliseconds - times.copies() - times.passes, 0.0);
  return times;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace thiessen::bench
