// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <iostream>

#include "arguments.hpp"
#include "commands/commands.hpp"
#include "interrupt.hpp"
#include "thiessen/error.hpp"

namespace thiessen::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;
constexpr int kInterrupted = 130;

int complain(const char* message, int exit_code) {
  std::fprintf(stderr, "thiessen: %s\n", message);
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
      break;
  }
  return kFailed;
}

int run_action(const Action& action) {
  try {
    action();
    return 0;
  } catch (const UsageError& error) {
    return complain(error.what(), kBadUsage);
  } catch (const Error& error) {
    return complain(error.what(), exit_code_of(error.code()));
  } catch (const std::exception& error) {
    return complain(error.what(), kFailed);
  }
}

int main(int argc, char** argv) {
  CLI::App app{"Exact raster Voronoi diagrams and distance transforms", "thiessen"};
  app.set_version_flag("--version", THIESSEN_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Data goes to files, reports to stdout with --json, all else to stderr. Exit code: 0; "
      "1 failed; 2 bad usage or input; 130 interrupted.");
  Action action;
  add_voronoi(app, action);
  add_devices(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return complain((std::string(error.what()) + " (see thiessen --help)").c_str(), kBadUsage);
  }
  install_signal_handlers();
  return run_action(action);
}

}  // namespace
}  // namespace thiessen::cli

int main(int argc, char** argv) { return thiessen::cli::main(argc, argv); }
