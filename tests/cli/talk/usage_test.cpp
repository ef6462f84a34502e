// SPDX-License-Identifier: Apache-2.0
//
// What users type: slips, lists with blanks, other ways to ask for help; and readers that go away.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace thiessen::cli {
namespace {

class UsageTest : public CommandTest {
 protected:
  void expect_complaint(const std::string& arguments, const std::vector<std::string>& words,
                        int exit_code = 2) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << arguments;
    expect_one_line_of_complaint(outcome);
    for (const std::string& word : words)
      EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " in\n" << outcome.err;
  }

  /// Both write the same labels.
  void expect_same(const std::string& spaced, const std::string& plain) const {
    succeed(spaced + " --labels spaced.npy --overwrite");
    succeed(plain + " --labels plain.npy --overwrite");
    EXPECT_EQ(read_bytes("spaced.npy"), read_bytes("plain.npy")) << spaced;
  }
};

TEST_F(UsageTest, ASlipInAFlagIsToldTheNearest) {
  const std::string line = "voronoi --random 5 --size 8x6 --labels l.npy ";
  expect_complaint("voronoi --sites a.csv --label-fied code --size 9x9 --labels l.npy",
                   {"--label-fied: thiessen voronoi has no such flag", "mean --label-field?",
                    "(see thiessen voronoi --help)"});
  expect_complaint(line + "--label-fied=code", {"--label-fied:", "mean --label-field?"});
  expect_complaint(line + "--metrc manhattan", {"mean --metric?"});
  expect_complaint(line + "--ovewrite", {"mean --overwrite?"});
  expect_complaint("info --jsn", {"--jsn: thiessen info has no such flag", "mean --json?"});
  const Outcome far = run(line + "--nothing-like-it");
  EXPECT_EQ(far.err.find("did you mean"), std::string::npos) << far.err;
  EXPECT_NE(far.err.find("--nothing-like-it"), std::string::npos) << far.err;
}

TEST_F(UsageTest, ASlipInACommandIsToldTheNearest) {
  expect_complaint("voronio", {"no command 'voronio'", "mean voronoi?"});
  expect_complaint("voronio --help", {"no command 'voronio'", "mean voronoi?"});
  expect_complaint("proximiti a.tif b.tif", {"no command 'proximiti'", "mean proximity?"});
  expect_complaint("man voronio", {"no command 'voronio'", "mean voronoi?"});
  expect_complaint("help voronio", {"no command 'voronio'", "mean voronoi?"});
  expect_complaint("xyz", {"no command 'xyz'"});
}

TEST_F(UsageTest, ASlipInANameIsToldTheNearest) {
  const std::string line = "voronoi --random 5 --size 8x6 --labels l.npy ";
  expect_complaint(line + "--metric manhatan",
                   {"--metric manhatan: must be one of euclidean", "mean manhattan?"});
  expect_complaint(line + "--method jfa-satr", {"--method jfa-satr", "mean jfa-star?"});
  expect_complaint(line + "--algorithm jfa-satr", {"--method jfa-satr", "mean jfa-star?"});
  expect_complaint(line + "--method jfa-thrust --device cpu", {"--method jfa-thrust; cpu has:"});
  expect_complaint(line + "--device cup", {"--device cup", "mean cpu?"});
  expect_complaint("render --ramp virdis", {"--ramp virdis", "mean viridis?"});
}

/// --algorithm stands for --method in every command that has it.
TEST_F(UsageTest, TheMethodHasTwoNames) {
  const std::string sites = "--random 5 --size 8x6 --seed 3 ";
  expect_same("voronoi " + sites + "--algorithm jfa", "voronoi " + sites + "--method jfa");
  expect_same("cost --map noise " + sites + "--algorithm dijkstra",
              "cost --map noise " + sites + "--method dijkstra");
}

TEST_F(UsageTest, ListsMayBeWrittenWithBlanks) {
  const std::string line = "voronoi --random 5 --seed 3 ";
  expect_same(line + "--bounds 0 0 10 20 --cell-size 1", line + "--bounds 0,0,10,20 --cell-size 1");
  expect_same(line + "--bounds -5 -7.5 -1e0 20 --cell-size 1 2",
              line + "--bounds -5,-7.5,-1,20 --cell-size 1,2");
  expect_same(line + "--size 9 7 --spacing 2 3", line + "--size 9x7 --spacing 2,3");
  expect_same(line + "--size 9 7 4 --spacing 2 3 1", line + "--size 9x7x4 --spacing 2,3,1");
  const Settings settings{.folder = path("")};
  const Outcome quoted = run_command({"voronoi", "--random", "5", "--bounds", "-5 0 10 20",
                                      "--cell-size", "1", "--labels", "quoted.npy"},
                                     settings);
  EXPECT_EQ(quoted.exit_code, 0) << quoted.err;
  expect_complaint(line + "--bounds 0 0 10 --cell-size 1 --labels l.npy",
                   {"--bounds 0,0,10", "x0,y0,x1,y1"});
  expect_complaint(line + "--bounds 0 0 10 20 30 --cell-size 1 --labels l.npy", {"30"});
}

TEST_F(UsageTest, HelpMayComeFirst) {
  for (const std::string command : {"voronoi", "devices", "help"}) {
    const Outcome outcome = run("help " + command);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, run(command + " --help").out);
  }
  EXPECT_EQ(run("help").out, run("--help").out);
  EXPECT_NE(run("help").out, "");
}

/// The reader stops early, like `head` when it has enough.
TEST_F(UsageTest, AReaderThatGoesIsNoError) {
  for (const std::string words : {"man voronoi", "voronoi --help", "help voronoi", "--help",
                                  "completion bash", "devices --json", "devices", "--version"}) {
    write_bytes("script", "{ sleep 0.2; '" THIESSEN_COMMAND "' " + words +
                              " 2> err; echo $? > code; } | true\n"
                              "while [ ! -s code ]; do sleep 0.05; done\n");
    const std::string run_script = "cd '" + path("").string() + "' && rm -f code && bash script";
    ASSERT_EQ(std::system(run_script.c_str()), 0);
    EXPECT_EQ(read_bytes("code"), "0\n") << words;
    EXPECT_EQ(read_bytes("err"), "") << words;
  }
}

TEST_F(UsageTest, AFullDiskBehindStdoutIsStillAnError) {
  Settings settings;
  settings.output = "/dev/full";
  const Outcome outcome = run("man voronoi", settings);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("standard output"), std::string::npos) << outcome.err;
}

TEST_F(UsageTest, AGridBeyondMemoryIsToldWithItsFlags) {
  expect_complaint("voronoi --random 5 --bounds 0,0,100000,50000 --cell-size 0.025 --labels l.npy",
                   {"--cell-size 0.025 with --bounds 0,0,100000,50000 makes 4000000x2000000 cells",
                    "need 29802.3 GiB of memory", "GiB are available"},
                   1);
  expect_complaint("voronoi --random 5 --size 4000000x2000000 --labels l.npy",
                   {"--size 4000000x2000000 makes", "GiB"}, 1);
  write_bytes("p.csv", "x,y\n1,2\n");
  expect_complaint("voronoi --sites p.csv --size 4000000x2000000 --labels l.npy",
                   {"--size 4000000x2000000 makes", "GiB"}, 1);
  expect_complaint("voronoi --random 5 --bounds 0,0,9,9 --cell-size 1e-9 --labels l.npy",
                   {"--cell-size 1e-9", "makes 9e+09 cells along an axis", "2^30"});
}

}  // namespace
}  // namespace thiessen::cli
