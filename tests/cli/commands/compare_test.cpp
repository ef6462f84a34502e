// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/command.hpp"

namespace thiessen::cli {
namespace {

class CompareCommandTest : public CommandTest {
 protected:
  void SetUp() override {
    write("a.npy", raster_of<std::int32_t>({1, 4}, {1, 1, 2, 2}));
    write("b.npy", raster_of<std::int32_t>({1, 4}, {1, 2, 2, 2}));
    write("da.npy", raster_of<float>({1, 4}, {0, 1, 1, 0}));
    write("db.npy", raster_of<float>({1, 4}, {0, 1, 1, 2}));
    write("ia.npy", raster_of<std::int64_t>({1, 4}, {0, 0, 3, 3}));
    write("ib.npy", raster_of<std::int64_t>({1, 4}, {0, 3, 3, 3}));
    write("short.npy", raster_of<std::int32_t>({1, 3}, {1, 1, 2}));
  }

  void expect_trouble(const std::string& arguments, const std::string& word) {
    const Outcome outcome = run("compare " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
  }
};

TEST_F(CompareCommandTest, ExitCodeSaysWhetherResultsAreEqual) {
  EXPECT_EQ(run("compare a.npy a.npy").exit_code, 0);
  EXPECT_EQ(run("compare a.npy b.npy").exit_code, 1);
  EXPECT_EQ(run("compare da.npy db.npy").exit_code, 1);
  EXPECT_EQ(run("compare da.npy db.npy --tolerance 2").exit_code, 0);
  EXPECT_EQ(run("compare --labels a.npy b.npy --distance da.npy da.npy").exit_code, 1);
  EXPECT_EQ(run("compare --labels a.npy b.npy --distance da.npy da.npy --allow-ties").exit_code, 0);
  EXPECT_EQ(run("compare --labels a.npy b.npy --distance da.npy db.npy --allow-ties").exit_code, 1);
  EXPECT_EQ(run("compare --site-index ia.npy ib.npy --metric euclidean").exit_code, 1);
}

/// The report was asked for: it goes to stdout.
TEST_F(CompareCommandTest, SaysWhatDiffers) {
  const Outcome outcome = run("compare --labels a.npy b.npy --distance da.npy db.npy");
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("worst cell               [0, 3]"), std::string::npos) << outcome.out;
  EXPECT_EQ(run("compare a.npy b.npy --quiet").out, "");
  EXPECT_EQ(run("compare a.npy a.npy").out, "equal: 4 cells\n");
}

TEST_F(CompareCommandTest, JsonSaysTheSame) {
  const Outcome outcome = run("compare --labels a.npy b.npy --distance da.npy db.npy --json");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(outcome.err, "");
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(json["equal"], false);
  EXPECT_EQ(json["differing"], 2);
  EXPECT_EQ(json["ties"], 1);
  EXPECT_EQ(json["largest_excess"], 2.0);
  EXPECT_TRUE(json["largest_relative_excess"].is_null());  // infinite
  EXPECT_EQ(json["worst_cell"], (std::vector<int>{0, 3}));
}

TEST_F(CompareCommandTest, AllElseIs2) {
  expect_trouble("", "nothing to compare");
  expect_trouble("a.npy", "files");
  expect_trouble("a.npy missing.npy", "missing.npy");
  expect_trouble("a.npy short.npy", "different extents");
  expect_trouble("a.npy da.npy", "floats");
  expect_trouble("a.npy ia.npy", "a.npy and ia.npy: hold labels of different types, i32 and i64");
  expect_trouble("--distance a.npy b.npy", "--distance a.npy: is i32");
  expect_trouble("--site-index a.npy b.npy", "i64");
  expect_trouble("--labels a.npy b.npy --metric euclidean", "--site-index");
  expect_trouble("--site-index ia.npy ib.npy --metric euclidean --spacing 1", "--spacing");
  expect_trouble("--labels a.npy b.npy --spacing 1,1", "--metric");
  expect_trouble("a.npy b.npy --tolerance -1", "--tolerance");
  expect_trouble("a.npy b.npy --labels a.npy b.npy", "--labels");
  expect_trouble("--labels a.npy short.npy", "different extents");
}

TEST_F(CompareCommandTest, AReportThatCannotBeWrittenIs2) {
  for (const std::string flag : {"", " --json"})
    EXPECT_EQ(run("compare a.npy a.npy" + flag, {.output = "/dev/full"}).exit_code, 2);
}

}  // namespace
}  // namespace thiessen::cli
