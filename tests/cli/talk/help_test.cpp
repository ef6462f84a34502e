// SPDX-License-Identifier: Apache-2.0
//
// What the command says about itself: help, examples, completions, manual pages. New commands and
// flags are tested without being named here.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.hpp"

namespace thiessen::cli {
namespace {

namespace fs = std::filesystem;

class HelpTest : public CommandTest {
 protected:
  std::string help_of(const std::string& command) const {
    const Outcome outcome = run(command + " --help");
    EXPECT_EQ(outcome.exit_code, 0) << command;
    return outcome.out;
  }

  std::vector<std::string> commands() const {
    std::vector<std::string> names;
    const std::vector<std::string> lines = lines_of(help_of(""));
    for (auto line = std::find(lines.begin(), lines.end(), "Subcommands:"); line != lines.end();
         ++line) {
      std::smatch match;
      if (std::regex_match(*line, match, std::regex(R"(  (\S+) .*\S)"))) names.push_back(match[1]);
    }
    EXPECT_GE(names.size(), 4U);
    return names;
  }

  /// Runs a program of the system in our folder; returns what it prints on both streams.
  std::string output_of(const std::string& command) const {
    const std::string line = "cd '" + path("").string() + "' && PATH='" + folder_of_command() +
                             ":'$PATH && {\n" + command + "\n} 2>&1";
    std::FILE* const stream = ::popen(line.c_str(), "r");
    std::string text;
    for (int c = std::fgetc(stream); c != EOF; c = std::fgetc(stream)) text += static_cast<char>(c);
    EXPECT_EQ(::pclose(stream), 0) << command << "\n" << text;
    return text;
  }

  /// Completes the last of these words, like bash when the user presses the tabulator.
  std::string completed(const std::string& words) const {
    write_bytes("complete.bash", run("completion bash").out);
    return output_of("bash -c 'set -u; source ./complete.bash; COMP_WORDS=(" + words +
                     "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _thiessen; "
                     "printf \"%s \" \"${COMPREPLY[@]}\"'");
  }

 private:
  static std::string folder_of_command() { return fs::path(THIESSEN_COMMAND).parent_path(); }
};

bool is_installed(const char* program) {
  return std::system(("command -v " + std::string(program) + " > /dev/null").c_str()) == 0;
}

std::vector<std::string> examples_of(const std::string& help) {
  constexpr std::string_view kExample = "Example: thiessen ";
  std::vector<std::string> examples;
  for (const std::string& line : lines_of(help))
    if (line.starts_with(kExample)) examples.push_back(line.substr(kExample.size()));
  return examples;
}

/// The manual page has the same texts as --help, in a form that can be taken apart.
TEST_F(HelpTest, EveryFlagHasHelp) {
  const std::regex entry(R"(\n\.TP\n(\\f[BI][^\n]*)\n([^\n]*))");
  for (const std::string& command : commands()) {
    const std::string page = run("man " + command).out;
    std::sregex_iterator flag(page.begin(), page.end(), entry);
    ASSERT_NE(flag, std::sregex_iterator()) << command;
    for (; flag != std::sregex_iterator(); ++flag)
      EXPECT_TRUE(std::regex_match((*flag)[2].str(), std::regex("[A-Za-z0-9].{5,}")))
          << command << ": " << (*flag)[1] << ": " << (*flag)[2];
  }
}

TEST_F(HelpTest, HelpFitsAScreen) {
  for (const std::string& command : commands()) {
    const std::string help = help_of(command), all = run(command + " --help-all").out;
    EXPECT_LE(lines_of(help).size(), 60U) << command;
    if (!commands_of(help).empty()) continue;
    const bool tells_of_more = help.find("\nFlags of rarer use: --help-all\n") != std::string::npos;
    EXPECT_EQ(tells_of_more, help.size() < all.size()) << command;
  }
}

/// What the short help shows of the commands with the most flags.
TEST_F(HelpTest, HelpShowsWhatMostCallsNeed) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> common = {
      {"voronoi",
       {"--sites", "--size", "--like", "--method", "--metric", "--spacing", "--max-distance",
        "--labels", "--distance", "--picture", "--polygons", "--table", "--device", "--threads",
        "--memory", "--json", "--quiet"}},
      {"cost",
       {"--cost", "--stiffness", "--sites", "--connectivity", "--labels", "--distance", "--paths",
        "--device", "--memory", "--json"}},
      {"proximity",
       {"--values", "--maxdist", "--distunits", "--ot", "--of", "--nodata", "--overwrite"}},
      {"render", {"--labels", "--distance", "--output", "--size", "--legend"}}};
  for (const auto& [command, flags] : common)
    for (const std::string& flag : flags)
      EXPECT_TRUE(std::regex_search(help_of(command), std::regex("\n  [^ ]*" + flag + "[ ,\n]")))
          << command << " " << flag;
}

TEST_F(HelpTest, EveryCommandHasAnExample) {
  for (const std::string& command : commands())
    EXPECT_GE(examples_of(help_of(command)).size(), 1U) << command;
}

TEST_F(HelpTest, EveryExampleRuns) {
  const Raster sites = raster_of<std::uint8_t>({3, 4}, {1, 0, 0, 0, 0, 0, 0, 2, 0, 3, 0, 0});
  for (const char* const name : {"sites.npy", "sites.png", "a.npy", "b.npy", "dem.npy"})
    write(name, sites);
  write_bytes("sites.csv", "x,y,label\n1,2,3\n2,1,4\n");
  for (const std::string& command : commands()) {
    for (const std::string& example : examples_of(help_of(command))) {
      EXPECT_TRUE(example.starts_with(command)) << example;
      const Outcome outcome = run(example);
      EXPECT_EQ(outcome.exit_code, 0) << example << "\n" << outcome.err;
    }
  }
}

TEST_F(HelpTest, BashCompletesCommandsAndFlags) {
  for (const std::string& command : commands())
    EXPECT_EQ(completed("thiessen " + command), command + " ");
  EXPECT_EQ(completed("thiessen vor"), "voronoi ");
  EXPECT_EQ(completed("thiessen voronoi --dista"), "--distance-to --distance --distance-type ");
  EXPECT_EQ(completed("thiessen voronoi --metric m"), "manhattan ");
  EXPECT_EQ(completed("thiessen voronoi --metric = m"), "manhattan ");
  EXPECT_EQ(completed("thiessen voronoi --metric ="),
            "euclidean manhattan chessboard octagonal chamfer-3-4 chamfer-5-7-11 ellipsoidal "
            "great-circle ");
  EXPECT_EQ(completed("thiessen voronoi --threads \"\""), " ");
  EXPECT_EQ(completed("thiessen completion \"\""), "-h --help --help-all bash zsh fish ");
  EXPECT_EQ(completed("thiessen man dev"), "devices ");
  EXPECT_EQ(completed("thiessen nonsense \"\""), " ");
}

TEST_F(HelpTest, BashCompletesFileNames) {
  write_bytes("two words.npy", "");
  EXPECT_EQ(completed("thiessen voronoi --sites t"), "two words.npy ");
  EXPECT_EQ(completed("thiessen voronoi --sites = t"), "two words.npy ");
}

TEST_F(HelpTest, TheCompletionsAreSoundScripts) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const Outcome outcome = run("completion " + shell);
    EXPECT_EQ(outcome.exit_code, 0);
    EXPECT_NE(outcome.out, "");
    write_bytes(shell, outcome.out);
    if (!is_installed(shell.c_str())) continue;
    EXPECT_EQ(output_of(shell + " -n " + shell), "") << shell;
  }
}

TEST_F(HelpTest, FishCompletesToo) {
  if (!is_installed("fish")) GTEST_SKIP() << "there is no fish";
  write_bytes("complete.fish", run("completion fish").out);
  const auto complete = [&](const std::string& line) {
    return output_of("HOME=. fish --no-config -c 'source complete.fish; complete -C \"" + line +
                     "\"'");
  };
  EXPECT_TRUE(complete("thiessen vor").starts_with("voronoi\t"));
  EXPECT_TRUE(complete("thiessen voronoi --metric m").starts_with("manhattan"));
  EXPECT_EQ(complete("thiessen devices --metr"), "");
  EXPECT_NE(complete("thiessen voronoi --dist").find("--distance-type"), std::string::npos);
}

TEST_F(HelpTest, WrongWordsAreTold) {
  for (const std::string line : {"completion", "completion tcsh", "man nonsense",
                                 "man voronoi nonsense", "man --all none/x"}) {
    const Outcome outcome = run(line);
    EXPECT_NE(outcome.exit_code, 0) << line;
    expect_one_line_of_complaint(outcome);
  }
}

TEST_F(HelpTest, EveryCommandHasAPage) {
  fs::create_directory(path("pages"));
  succeed("man --all pages");
  const auto page = [&](const std::string& name) { return read_bytes("pages/" + name + ".1"); };
  for (const std::string& command : commands()) {
    EXPECT_EQ(run("man " + command).out, page("thiessen-" + command));
    EXPECT_NE(page("thiessen-" + command).find(".SH EXAMPLES"), std::string::npos) << command;
  }
  EXPECT_EQ(run("man").out, page("thiessen"));
  if (!is_installed("man")) return;
  EXPECT_EQ(output_of("for page in pages/*; do LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "
                      "\"$page\" > /dev/null; done"),
            "");
  EXPECT_NE(
      output_of("LC_ALL=C.UTF-8 man -l pages/thiessen-voronoi.1").find("--max-distance LENGTH"),
      std::string::npos);
}

}  // namespace
}  // namespace thiessen::cli
