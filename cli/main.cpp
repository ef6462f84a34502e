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
#include "commands/commands.hpp"
#include "interrupt.hpp"
#include "thiessen/error.hpp"

namespace thiessen::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;
constexpr int kInterrupted = 130;

/// One line on stderr, whatever a file name or argument in it holds.
int complain(const std::string& message, int exit_code) {
  std::string line;
  for (const char c : message) line += static_cast<unsigned char>(c) < ' ' || c == '\x7f' ? '?' : c;
  std::fprintf(stderr, "thiessen: %s\n", line.c_str());
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

int run_action(const Action& action) {
  try {
    return action();
  } catch (const std::exception& error) {
    // What a signal broke off may look like any other failure.
    if (interrupted()) return complain("interrupted", kInterrupted);
    if (const auto* usage = dynamic_cast<const UsageError*>(&error))
      return complain(usage->what(), kBadUsage);
    if (const auto* failure = dynamic_cast<const Error*>(&error))
      return complain(in_flags(failure->what()), exit_code_of(failure->code()));
    return complain(error.what(), kFailed);
  }
}

/// Descriptors that the caller closed would be given to the first files that are opened, and
/// messages would end in them.
void occupy_standard_descriptors() {
  int descriptor = 0;
  do {
    descriptor = ::open("/dev/null", O_RDWR);
  } while (descriptor >= 0 && descriptor <= 2);
  if (descriptor > 2) ::close(descriptor);
}

int complain_about_usage(const CLI::App& app, const CLI::ParseError& error, const char* word) {
  std::string message = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && word != nullptr &&
      app.get_subcommands().empty()) {
    message = "there is no command '" + std::string(word) + "'";
  }
  return complain(message + " (see thiessen --help)", kBadUsage);
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
  try {
    std::vector<std::string> words = with_two_dashes({argv + std::min(argc, 1), argv + argc});
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app.parse(std::move(words));
  } catch (const CLI::Success& help) {
    const int exit_code = app.exit(help);
    if (std::fflush(stdout) != 0) return complain("standard output: cannot be written", kFailed);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    return complain_about_usage(app, error, argc > 1 ? argv[1] : nullptr);
  }
  install_signal_handlers();
  return run_action(action);
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
