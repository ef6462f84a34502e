// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "command_line.hpp"
#include "commands/commands.hpp"
#include "interrupt.hpp"
#include "kept_inputs.hpp"
#include "report.hpp"
#include "thiessen/error.hpp"

namespace thiessen::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;
constexpr int kInterrupted = 130;

int complain(const std::string& message, int exit_code) {
  std::fprintf(stderr, "thiessen: %s\n", in_one_line(message).c_str());
  return exit_code;
}

int exit_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::unsupported:
      return kBadUsage;
    case ErrorCode::cancelled:
      return kInterrupted;
    case ErrorCode::out_of_memory:
    case ErrorCode::io:
    case ErrorCode::device_failed:
      break;
  }
  return kFailed;
}

int run_action(const CLI::App& app, const Action& action) {
  try {
    for (const CLI::App* command : app.get_subcommands()) require_outputs_apart(*command);
    return action();
  } catch (const std::exception& error) {
    // Work that a signal broke off may look like any other failure.
    if (interrupted()) return complain("interrupted", kInterrupted);
    if (const auto* usage = dynamic_cast<const UsageError*>(&error))
      return complain(usage->what(), kBadUsage);
    if (const auto* failure = dynamic_cast<const Error*>(&error))
      return complain(with_suggestion(in_flags(failure->what())), exit_code_of(failure->code()));
    return complain(error.what(), kFailed);
  }
}

/// Opens the standard descriptors that the caller has closed. Else the first files would get them,
/// and messages would be written into these files.
void occupy_standard_descriptors() {
  int descriptor = 0;
  do {
    descriptor = ::open("/dev/null", O_RDWR);
  } while (descriptor >= 0 && descriptor <= 2);
  if (descriptor > 2) ::close(descriptor);
}

int run_command_line(int argc, char** argv) {
  CLI::App app{"Exact raster Voronoi diagrams and distance transforms", "thiessen"};
  app.set_version_flag("--version", THIESSEN_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Data goes to files, reports to stdout with --json, all else to stderr. Exit code: 0; "
      "1 failed (of compare: different); 2 bad usage or input; 130 interrupted.");
  Action action;
  add_voronoi(app, action);
  add_cost(app, action);
  add_proximity(app, action);
  add_compare(app, action);
  add_render(app, action);
  add_info(app, action);
  add_bench(app, action);
  add_devices(app, action);
  add_completion(app, action);
  add_man(app, action);
  add_help(app, action);
  std::vector<std::string> words = with_two_dashes({argv + std::min(argc, 1), argv + argc});
  words = with_lists_joined(std::move(words));
  std::reverse(words.begin(), words.end());  // as CLI11 wants them
  install_signal_handlers();
  try {
    app.parse(std::move(words));
  } catch (const CLI::Success& asked) {
    // The parser answers --help whatever stands before it.
    if (!app.remaining().empty()) return complain(explain(app, asked), kBadUsage);
    // A copy: what was thrown ends with this block.
    action = [&app, answer = CLI::Success(asked)] {
      app.exit(answer);
      flush_stdout();
    };
  } catch (const CLI::ParseError& error) {
    return complain(explain(app, error), kBadUsage);
  }
  return run_action(app, action);
}

}  // namespace
}  // namespace thiessen::cli

int main(int argc, char** argv) {
  try {
    thiessen::cli::occupy_standard_descriptors();
    return thiessen::cli::run_command_line(argc, argv);
  } catch (...) {  // not even memory for the parser
    std::fputs("thiessen: failed before the command began\n", stderr);
    return 1;
  }
}
