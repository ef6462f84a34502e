// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace thiessen::cli {

/// Does what the words of a command line say, and returns the exit code of the process. For one
/// command line in the life of a process.
int run_command_line(int argc, char** argv);

}  // namespace thiessen::cli
