// SPDX-License-Identifier: Apache-2.0
#include "words/device_choice.hpp"

#include "words/arguments.hpp"

namespace thiessen::cli {

void add_device_flags(CLI::App& command, DeviceArguments& arguments) {
  const auto option = [&](const char* flag, std::string& value, const char* type,
                          const char* help) {
    return command.add_option(flag, value, help)
        ->capture_default_str()
        ->type_name(type)
        ->check(check_word)
        ->group("Choice");
  };
  option("--device", arguments.device, "NAME",
         "auto, cpu, cuda[:i] or opencl[:i]; several: cuda:0,cuda:1 or cuda:all");
  option("--threads", arguments.threads, "N", "Threads, up to 1024; 0: one for each processor");
  option("--instructions", arguments.instructions, "SET",
         "Best instruction set to use: auto, none, sse4, avx2, avx512")
      ->check(CLI::IsMember(choice_names(kInstructionsNames)));
}

Context open_context(const DeviceArguments& arguments, bool stage_times) {
  const std::int64_t threads = parse_integer("--threads", arguments.threads, 0, 1024);
  return Context({.device = arguments.device,
                  .threads = static_cast<int>(threads),
                  .instructions = find_instructions(arguments.instructions),
                  .stage_times = stage_times});
}

}  // namespace thiessen::cli
