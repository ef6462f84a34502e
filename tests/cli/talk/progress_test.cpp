// SPDX-License-Identifier: Apache-2.0
//
// What the command shows about long work, at a terminal and elsewhere.
#include <csignal>
#include <regex>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace thiessen::cli {
namespace {

constexpr std::string_view kShort = "voronoi --random 9 --size 30x20 --labels l.npy --overwrite";
/// Work of at least a second on any machine; sanitizers make it a hundred times as long.
constexpr std::string_view kLong =
    THIESSEN_SANITIZED
        ? "voronoi --random 100 --size 1000x1000 --method brute-force --threads 1 --labels "
          "l.npy"
        : "voronoi --random 10000 --size 1000x1000 --method brute-force --threads 1 --labels "
          "l.npy";
/// Work that is longer than anybody waits; to be interrupted.
constexpr std::string_view kEndless =
    "voronoi --random 200000 --size 5000x5000 --method brute-force --threads 1 --labels e.npy";
constexpr std::string_view kEraseLine = "\r\033[K";
constexpr std::string_view kWholeText =
    "0...10...20...30...40...50...60...70...80...90...100 - done.\n";

class ProgressTest : public CommandTest {
 protected:
  Outcome run_at_terminal(std::string_view arguments, int columns = 80,
                          const std::string& terminal = "xterm") const {
    return run(arguments, {.environment = {{"TERM", terminal}}, .terminal = columns});
  }

  /// The output until a signal comes, one second after the start.
  std::string told_of_endless(std::string_view flags, int columns = 80,
                              const std::string& terminal = "xterm") const {
    const Outcome outcome =
        run(std::string(kEndless) + " " + std::string(flags),
            {.environment = {{"TERM", terminal}},
             .terminal = columns,
             .interruption = Interruption{SIGINT, {}, std::chrono::seconds(1)}});
    EXPECT_EQ(outcome.exit_code, 130);
    return outcome.err;
  }
};

/// The bars, one after the other, without the control characters that move the cursor.
std::vector<std::string> bars_of(const std::string& text) {
  std::vector<std::string> bars;
  const std::regex bar("\r([^\r\033]+)\033\\[K");
  for (std::sregex_iterator match(text.begin(), text.end(), bar), end; match != end; ++match)
    bars.push_back((*match)[1]);
  return bars;
}

TEST_F(ProgressTest, IsToldElsewhereOnlyIfAskedFor) {
  succeed(kShort);
  const Outcome outcome = run(std::string(kShort) + " --progress");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, kWholeText);
  EXPECT_EQ(outcome.out, "");
}

TEST_F(ProgressTest, WorkInManyPiecesPrintsTheSameText) {
  EXPECT_EQ(run("voronoi --random 60 --size 1000x1000 --method brute-force --threads 1"
                " --labels l.npy --progress")
                .err,
            kWholeText);
}

/// The progress of a command with a read, components and a picture is complete.
TEST_F(ProgressTest, ReadingCounts) {
  write("sites.npy", raster_of<std::uint8_t>({2, 2}, {0, 1, 0, 0}));
  EXPECT_EQ(run("voronoi --sites sites.npy --components 4 --picture p.png --progress").err,
            kWholeText);
}

TEST_F(ProgressTest, QuietIsQuiet) {
  succeed(std::string(kShort) + " --progress --quiet");
  for (const std::string flag : {"-q", "--no-progress"})
    EXPECT_EQ(told_of_endless(flag), "thiessen: interrupted\r\n");
}

TEST_F(ProgressTest, WishesExcludeEachOther) {
  const Outcome outcome = run(std::string(kShort) + " --progress --no-progress");
  EXPECT_EQ(outcome.exit_code, 2);
  expect_one_line_of_complaint(outcome);
}

TEST_F(ProgressTest, AnErrorHasALineOfItsOwn) {
  const Outcome outcome = run("voronoi --sites none.npy --labels l.npy --progress");
  EXPECT_EQ(outcome.exit_code, 2);
  const std::vector<std::string> lines = lines_of(outcome.err);
  ASSERT_EQ(lines.size(), 2U) << outcome.err;
  EXPECT_EQ(lines[0], "0");
  EXPECT_TRUE(lines[1].starts_with("thiessen: none.npy")) << lines[1];
}

TEST_F(ProgressTest, TimingComesAfterIt) {
  const Outcome outcome = run(std::string(kShort) + " --progress --timing");
  EXPECT_TRUE(outcome.err.starts_with(kWholeText)) << outcome.err;
}

TEST_F(ProgressTest, ABarAtATerminal) {
  const Outcome outcome = run_at_terminal(kLong);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(outcome.err.ends_with(kEraseLine));
  const std::vector<std::string> bars = bars_of(outcome.err);
  ASSERT_GE(bars.size(), 2U) << outcome.err;
  const std::regex form(R"( *(\d+)% \[#*\.*\] [a-z ]+(, \d+\.\d Mpixel/s)?(, \d+:\d\d left)?)");
  int last = 0;
  for (const std::string& bar : bars) {
    std::smatch match;
    ASSERT_TRUE(std::regex_match(bar, match, form)) << bar;
    EXPECT_LT(bar.size(), 80U);
    const int percent = std::stoi(bar);
    EXPECT_LE(last, percent);
    EXPECT_LE(percent, 100);
    last = percent;
  }
}

TEST_F(ProgressTest, ABarFitsTheTerminal) {
  for (const int columns : {1, 5, 20, 40, 1000}) {
    for (const std::string& bar : bars_of(told_of_endless("", columns)))
      EXPECT_LT(bar.size(), static_cast<std::size_t>(columns)) << bar;
  }
}

TEST_F(ProgressTest, ShortWorkNeedsNoBar) {
  EXPECT_EQ(run_at_terminal(kShort).err, "");
  EXPECT_EQ(run_at_terminal(std::string(kShort) + " --progress").err, "");
}

TEST_F(ProgressTest, ADumbTerminalGetsNoBar) {
  for (const std::string terminal : {"dumb", ""}) {
    EXPECT_EQ(told_of_endless("", 80, terminal), "thiessen: interrupted\r\n");
    const std::string text = run_at_terminal(std::string(kShort) + " --progress", 80, terminal).err;
    EXPECT_EQ(text.substr(0, 12), "0...10...20.");
  }
}

TEST_F(ProgressTest, ABarGoesBeforeAComplaintComes) {
  const Outcome outcome =
      run(kEndless, {.environment = {{"TERM", "xterm"}},
                     .terminal = 80,
                     .interruption = Interruption{.signal = SIGINT, .after_words = true}});
  const std::string& told = outcome.err;
  EXPECT_GE(bars_of(told).size(), 1U);
  EXPECT_TRUE(told.ends_with("\r\033[Kthiessen: interrupted\r\n")) << told;
}

}  // namespace
}  // namespace thiessen::cli
