// SPDX-License-Identifier: Apache-2.0
#include "words/device_choice.hpp"

#include "words/arguments.hpp"
#include "words/flag_group.hpp"

namespace thiessen::cli {

void add_device_flags(CLI::App& command, DeviceArguments& arguments) {
  const FlagGroup choice(command, "Choice");
  choice
      .word("--device", arguments.device, "NAME",
            "auto, cpu, cuda[:i] or opencl[:i]; several: cuda:0,cuda:1 or cuda:all")
      ->capture_default_str();
  choice
      .word("--threads", arguments.threads, "N", "Threads, up to 1024; 0: one for each processor")
      ->capture_default_str();
  choice
      .word("--instructions", arguments.instructions, "SET",
            "Best instruction set to use: auto, none, sse4, avx2, avx512")
      ->capture_default_str()
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
