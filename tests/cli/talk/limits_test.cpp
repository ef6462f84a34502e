// SPDX-License-Identifier: Apache-2.0
//
// The command on a system that gives it little: no threads, no stack.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "io/raster/raster_file.hpp"

namespace thiessen::cli {
namespace {

class LimitsTest : public CommandTest {};

TEST_F(LimitsTest, ThreadsThatCannotStartAreSaidInOneLine) {
  const Settings settings{.memory_limit = std::uint64_t{2} << 30};  // a thread takes 4 MiB of it
  if (run("--version", settings).exit_code != 0)
    GTEST_SKIP() << "this build does not start in so little address space (a sanitizer?)";
  const Outcome outcome = run(
      "voronoi --random 50 --size 900x900 --threads 1024 --device cpu --labels out.npy", settings);
  EXPECT_EQ(outcome.exit_code, 1);
  expect_one_line_of_complaint(outcome);
  EXPECT_NE(outcome.err.find("--threads 1024; only "), std::string::npos) << outcome.err;
  EXPECT_EQ(names(), std::vector<std::string>{});
}

/// As after `ulimit -s 128`.
TEST_F(LimitsTest, ASmallStackIsEnough) {
  if (THIESSEN_SANITIZED) GTEST_SKIP() << "frames are larger";
  const Settings settings{.stack_limit = std::uint64_t{128} << 10};
  const std::string file = io::has_gdal() ? "c.tif" : "c.npy";
  const std::vector<std::string> calls = {
      "voronoi --random 300 --size 50x40x30 --metric chessboard --threads 1 --labels a.npy",
      "voronoi --random 300 --size 50x40x30 --threads 2 --labels b.npy",
      "voronoi --random 20000 --size 400x300 --picture c.png --labels " + file,
      "cost --random 30 --map noise --size 200x100 --labels d.npy",
      "compare --labels a.npy b.npy",
      "info " + file,
      "devices",
      "man"};
  for (const std::string& arguments : calls) {
    const Outcome outcome = run(arguments, settings);
    EXPECT_EQ(outcome.signal, 0) << arguments;
    EXPECT_LE(outcome.exit_code, 1) << arguments << "\n" << outcome.err;
  }
}

}  // namespace
}  // namespace thiessen::cli
