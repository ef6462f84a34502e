// SPDX-License-Identifier: Apache-2.0
//
// A command that is killed, or interrupted twice: what it leaves, and what the next one finds.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "io/raster/raster_file.hpp"
#include "talk/interrupt.hpp"

namespace thiessen::cli {
namespace {

/// Runs with output files that have hidden names, or no names, before they are whole.
class KillTest : public CommandTest, public ::testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    if (hidden_names()) return;
    const int trial = ::open(path("").c_str(), O_TMPFILE | O_RDWR, 0600);
    if (trial < 0) GTEST_SKIP() << "this file system has no files without names";
    ::close(trial);
  }

  bool hidden_names() const { return GetParam(); }

  /// Runs a command with three outputs that would take minutes, until the signals.
  Outcome run_until(Interruption interruption) const {
    interruption.ready = [this](pid_t process) { return output_files(process).size() == 3; };
    const std::string last = io::has_gdal() ? "d.tif" : "d.npy";
    return run(
        "voronoi --random 200000 --size 1500x1500 --method brute-force --labels l.npy "
        "--picture p.png --distance " +
            last,
        {.environment = {{"THIESSEN_UNNAMED_FILES", hidden_names() ? "0" : "1"}},
         .interruption = interruption});
  }

  void expect_next_run_clears() const {
    succeed("voronoi --random 5 --size 8x6 --labels next.npy");
    EXPECT_EQ(names(), std::vector<std::string>{"next.npy"});
  }
};

TEST_P(KillTest, TheNextRunClearsWhatAKilledOneLeaves) {
  const Outcome outcome = run_until({.signal = SIGKILL});
  EXPECT_EQ(outcome.signal, SIGKILL);
  EXPECT_EQ(names().size(), hidden_names() ? 3U : 0U);
  expect_next_run_clears();
}

TEST_P(KillTest, ASecondSignalEndsAtOnce) {
  const Outcome outcome = run_until({.signal = SIGINT, .second_signal = SIGTERM});
  EXPECT_EQ(outcome.signal, 0);
  // Two signals wait, and either may come second.
  EXPECT_TRUE(outcome.exit_code == 130 || outcome.exit_code == 143) << outcome.exit_code;
  EXPECT_EQ(outcome.err, "") << "the first one ended it in good order";
  // With a sanitizer it may come late: the end by the first one then removes files with a name.
  const std::size_t left = hidden_names() ? 3 : 0;
  EXPECT_TRUE(names().size() == left || (THIESSEN_SANITIZED && names().size() < left));
  expect_next_run_clears();
}

INSTANTIATE_TEST_SUITE_P(Names, KillTest, ::testing::Bool(), [](const auto& test) {
  return test.param ? std::string("hidden") : std::string("none");
});

/// Nobody looks whether a signal came.
[[noreturn]] void ignore_signals(int first, int second) {
  install_signal_handlers();
  std::raise(first);
  std::raise(second);
  std::_Exit(0);
}

TEST(SecondSignalDeathTest, EndsWhatDoesNotLook) {
  EXPECT_EXIT(ignore_signals(SIGINT, SIGINT), ::testing::ExitedWithCode(130), "^$");
  EXPECT_EXIT(ignore_signals(SIGINT, SIGTERM), ::testing::ExitedWithCode(143), "^$");
  EXPECT_EXIT(ignore_signals(SIGTERM, SIGINT), ::testing::ExitedWithCode(130), "^$");
}

TEST(SecondSignalDeathTest, TheFirstEndsNothingByItself) {
  EXPECT_EXIT(
      {
        install_signal_handlers();
        std::raise(SIGTERM);
        std::_Exit(interrupted() ? 7 : 8);
      },
      ::testing::ExitedWithCode(7), "^$");
}

}  // namespace
}  // namespace thiessen::cli
