// SPDX-License-Identifier: Apache-2.0
#include "bench/bench.hpp"

#include "commands/commands.hpp"

namespace thiessen::cli {

void add_bench(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("bench", "The measurements of the documents that the methods come from");
  command->footer(
      "Example: thiessen bench thrust --sites 1000\n"
      "Example: thiessen bench jfa-star --case 180x180,125 --quick --sizes 64 --sites 8\n"
      "Example: thiessen bench raster --quick --device cpu\n"
      "Example: thiessen bench stiffness --rounds 2 --largest 256");
  command->require_subcommand(1);
  add_bench_thrust(*command, action);
  add_bench_jfa_star(*command, action);
  add_bench_raster(*command, action);
  add_bench_stiffness(*command, action);
}

}  // namespace thiessen::cli
