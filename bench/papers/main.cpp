// SPDX-License-Identifier: Apache-2.0
//
// thiessen-bench: the tables of the papers that the methods come from, measured again.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "bench.hpp"
#include "io/files/utf8.hpp"
#include "talk/interrupt.hpp"
#include "thiessen/error.hpp"
#include "words/arguments.hpp"
#include "words/command_line.hpp"

namespace thiessen::bench {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;
constexpr int kInterrupted = 130;

int complain(const std::string& message, int exit_code) {
  std::fprintf(stderr, "thiessen-bench: %s\n", io::in_one_line(message).c_str());
  return exit_code;
}

bool is_bad_usage(const std::exception& error) {
  if (const auto* failure = dynamic_cast<const Error*>(&error))
    return failure->code() == ErrorCode::invalid_argument ||
           failure->code() == ErrorCode::unsupported;
  return dynamic_cast<const cli::UsageError*>(&error) != nullptr;
}

int run(int argc, char** argv) {
  CLI::App app{"The tables and figures of the papers that the methods come from, measured again",
               "thiessen-bench"};
  app.set_version_flag("--version", THIESSEN_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Tables go to stdout, or into the folder of --output, of which plots.py in bench/papers "
      "makes "
      "the figures. Exit code: 0; 1 failed; 2 bad usage or input; 130 interrupted.");
  Action action;
  add_thrust(app, action);
  add_jfa_star(app, action);
  add_raster(app, action);
  add_stiffness(app, action);
  cli::install_signal_handlers();
  try {
    app.parse(argc, argv);
    action();
  } catch (const CLI::Success& asked) {
    return app.exit(asked);
  } catch (const CLI::ParseError& error) {
    return complain(cli::explain(app, error), kBadUsage);
  } catch (const std::exception& error) {
    // Work that a signal broke off may look like any other failure.
    if (cli::interrupted()) return complain("interrupted", kInterrupted);
    return complain(error.what(), is_bad_usage(error) ? kBadUsage : kFailed);
  }
  return 0;
}

}  // namespace
}  // namespace thiessen::bench

int main(int argc, char** argv) { return thiessen::bench::run(argc, argv); }
