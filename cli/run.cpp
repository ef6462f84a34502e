// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "commands/commands.hpp"
#include "io/files/utf8.hpp"
#include "slabs/ranks.hpp"
#include "talk/interrupt.hpp"
#include "talk/report.hpp"
#include "thiessen/error.hpp"
#include "words/arguments.hpp"
#include "words/command_line.hpp"
#include "words/help_format.hpp"
#include "words/kept_inputs.hpp"
#include "words/option_flags.hpp"

namespace thiessen::cli {
namespace {

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;
constexpr int kInterrupted = 130;

int report_error(const std::string& message, int exit_code) {
  std::fprintf(stderr, "thiessen: %s\n", io::in_one_line(message).c_str());
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

/// An error as one rank tells it, where there are many.
int report_error_of_ranks(const std::string& message, int exit_code) {
  return may_tell_error(exit_code) ? report_error(name_of_rank() + message, exit_code) : exit_code;
}

/// For a rank that leaves the complaint to the first one: the launcher ends all ranks as soon as
/// one has failed, so that this one must not fail before the first one has said why.
int wait_for_first_rank(int exit_code) {
  constexpr std::chrono::seconds kPatience(10);
  std::this_thread::sleep_for(kPatience);
  return exit_code;
}

int report_exception(const std::exception& error, const CLI::App& command) {
  // Work that a signal broke off may look like any other failure. The launcher of ranks tells it.
  if (interrupted())
    return ranks().are_many() ? kInterrupted : report_error("interrupted", kInterrupted);
  if (const auto* other = dynamic_cast<const OtherRankFailed*>(&error)) return other->exit_code();
  if (const auto* usage = dynamic_cast<const UsageError*>(&error))
    return report_error_of_ranks(usage->what(), kBadUsage);
  if (const auto* failure = dynamic_cast<const Error*>(&error))
    return report_error_of_ranks(with_flag_names(*failure, command), exit_code_of(failure->code()));
  return report_error_of_ranks(error.what(), kFailed);
}

int run_action(const CLI::App& app, const Action& action, const std::vector<std::string>& words) {
  int exit_code = 0;
  try {
    for (const CLI::App* command : app.get_subcommands()) {
      join_ranks(command->get_name(), words);
      require_outputs_apart(*command);
    }
    exit_code = action();
  } catch (const std::exception& error) {
    exit_code = report_exception(error, chosen_command(app));
  }
  leave_ranks(exit_code);
  return exit_code;
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app{"Exact raster Voronoi diagrams and distance transforms", "thiessen"};
  app.set_version_flag("--version", [] {
    const std::string mpi = mpi_version();
    return THIESSEN_VERSION + (mpi.empty() ? "" : " (with " + mpi + ")");
  });
  app.formatter(std::make_shared<HelpFormat>());
  app.set_help_all_flag("--help-all", "Print the help of all flags and exit");
  app.require_subcommand(1);
  app.footer(
      "Data goes to files, reports of --json go to stdout, and everything else goes to stderr. "
      "Exit code: 0; 1 failed (of compare: different); 2 bad usage or input; 130 interrupted.");
  Action action;
  add_voronoi(app, action);
  add_cost(app, action);
  add_proximity(app, action);
  add_compare(app, action);
  add_render(app, action);
  add_info(app, action);
  add_describe(app, action);
  add_devices(app, action);
  add_completion(app, action);
  add_man(app, action);
  add_help(app, action);
  std::vector<std::string> words = with_two_dashes({argv + std::min(argc, 1), argv + argc});
  words = with_lists_joined(std::move(words));
  install_signal_handlers();
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // as CLI11 wants them
  } catch (const CLI::Success& asked) {
    // The parser answers --help whatever stands before it.
    if (!is_reporting_rank()) return 0;
    if (!app.remaining().empty()) return report_error(explain(app, asked), kBadUsage);
    // A copy: what was thrown ends with this block.
    action = [&app, answer = CLI::Success(asked)] {
      app.exit(answer);
      flush_stdout();
    };
  } catch (const CLI::ParseError& error) {
    return is_reporting_rank() ? report_error(explain(app, error), kBadUsage)
                               : wait_for_first_rank(kBadUsage);
  }
  return run_action(app, action, words);
}

}  // namespace thiessen::cli
