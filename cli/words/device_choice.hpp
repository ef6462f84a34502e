// SPDX-License-Identifier: Apache-2.0
//
// The choice of the device of a command.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "thiessen/context.hpp"

namespace thiessen::cli {

/// The words of the command line, not parsed yet.
struct DeviceArguments {
  std::string device = "auto", threads = "0", instructions;
};

void add_device_flags(CLI::App& command, DeviceArguments& arguments);

/// stage_times: whether times of stages are told (ContextOptions::stage_times).
Context open_context(const DeviceArguments& arguments, bool stage_times = false);

}  // namespace thiessen::cli
