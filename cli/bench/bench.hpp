// SPDX-License-Identifier: Apache-2.0
//
// The measurements of each document, as commands below `bench`.
#pragma once

#include "commands/commands.hpp"

namespace thiessen::cli {

void add_bench_thrust(CLI::App& bench, Action& action);
void add_bench_jfa_star(CLI::App& bench, Action& action);
void add_bench_raster(CLI::App& bench, Action& action);
void add_bench_stiffness(CLI::App& bench, Action& action);

}  // namespace thiessen::cli
