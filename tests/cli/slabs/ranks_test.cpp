// SPDX-License-Identifier: Apache-2.0
//
// Runs on ranks of MPI: the files are those of one process, byte for byte, and the end of one rank
// is that of all.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/command.hpp"
#include "cli/equal_runs.hpp"
#include "io/raster/raster_file.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

using nlohmann::json;

/// What a launcher of MPI needs in a container, where root starts more ranks than processors.
const std::vector<std::pair<std::string, std::string>> kLaunching = {
    {"OMPI_ALLOW_RUN_AS_ROOT", "1"},
    {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
    {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
    {"OMPI_MCA_hwloc_base_binding_policy", "none"},
    {"PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe"}};

class RanksTest : public EqualRunsTest {
 protected:
  void SetUp() override {
    if (std::string(THIESSEN_MPIEXEC).empty()) GTEST_SKIP() << "this build has no MPI";
  }

  Outcome run_on(int ranks, const std::string& arguments, Settings settings = {}) const {
    settings.launcher = {THIESSEN_MPIEXEC, THIESSEN_MPIEXEC_NUMPROC_FLAG, std::to_string(ranks)};
    settings.environment.insert(settings.environment.end(), kLaunching.begin(), kLaunching.end());
    return run(arguments, settings);
  }

  /// Runs `command`, in which @ stands for the run, in one process and on ranks.
  void expect_equal(const std::string& command, const std::vector<std::string>& files,
                    const std::vector<int>& ranks) {
    SCOPED_TRACE(command);
    succeed(named(command, "once") + " --overwrite -q");
    for (const int count : ranks) {
      const Outcome outcome = run_on(count, named(command, "ranks") + " --overwrite -q");
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_EQ(outcome.out, "");
      for (const std::string& file : files) {
        EXPECT_TRUE(read_bytes("once" + file) == read_bytes("ranks" + file))
            << file << " of " << count << " ranks";
        std::filesystem::remove(path("ranks" + file));
      }
    }
  }

  /// The lines of ours on stderr.
  static std::vector<std::string> complaints(const Outcome& outcome) {
    std::vector<std::string> lines = lines_of(outcome.err);
    std::erase_if(lines, [](const std::string& line) { return !line.starts_with("thiessen: "); });
    return lines;
  }

  void expect_refused(const std::string& arguments, const std::string& words) const {
    const Outcome outcome = run_on(3, arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << outcome.err;
    const std::vector<std::string> told = complaints(outcome);
    ASSERT_EQ(told.size(), 1U) << arguments << outcome.err;
    EXPECT_NE(told[0].find(words), std::string::npos) << arguments << ": " << told[0];
  }

  /// The processes that a launcher has started from our command.
  static std::vector<pid_t> ranks_of(pid_t launcher) {
    std::vector<pid_t> found;
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
      const pid_t process = std::atoi(entry.path().filename().c_str());
      std::error_code none;
      if (process > 0 &&
          std::filesystem::read_symlink(entry.path() / "exe", none) ==
              std::filesystem::weakly_canonical(THIESSEN_COMMAND, none) &&
          parent_of(process, 3) == launcher)
        found.push_back(process);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  /// The ancestor that is no proxy of a launcher, at most so many steps up.
  static pid_t parent_of(pid_t process, int steps) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    pid_t parent = 0;
    for (std::string name, value; status >> name && std::getline(status, value);)
      if (name == "PPid:") parent = std::atoi(value.c_str());
    std::error_code none;
    const auto name =
        std::filesystem::read_symlink("/proc/" + std::to_string(parent) + "/exe", none)
            .filename()
            .string();
    return steps > 0 && name.find("proxy") != std::string::npos ? parent_of(parent, steps - 1)
                                                                : parent;
  }

  static constexpr int kAll = -1;

  /// Sends a signal to the rank that was started as `number`-th, or to the launcher, once all write
  /// an output.
  Outcome end_one_of_three(int number, int signal, const std::string& arguments) {
    Settings settings;
    std::chrono::steady_clock::time_point sent;
    bool is_sent = false;
    const auto strike = [&](pid_t launcher) {
      if (is_sent) return false;
      const std::vector<pid_t> processes = ranks_of(launcher);
      if (processes.size() != 3) return false;
      for (const pid_t process : processes)
        if (output_files(process).size() < 3) return false;  // two, and its input
      const pid_t struck = number == kAll ? launcher : processes[static_cast<std::size_t>(number)];
      is_sent = ::kill(struck, signal) == 0;
      sent = std::chrono::steady_clock::now();
      return false;
    };
    settings.interruption = Interruption{.signal = SIGINT, .ready = strike};
    Outcome outcome = run_on(3, arguments, settings);
    EXPECT_TRUE(is_sent);
    outcome.reaction = std::chrono::steady_clock::now() - sent;
    return outcome;
  }
};

TEST_F(RanksTest, WriteTheFilesOfOneProcess) {
  write("sites.npy", draw({300, 170}, 60));
  const std::string every =
      "voronoi --sites sites.npy --labels @l.npy --distance @d.npy --squared @s.npy --site-index "
      "@i.npy --offset @o.npy --direction @r.npy";
  const std::vector<std::string> files = {"l.npy", "d.npy", "s.npy", "i.npy", "o.npy", "r.npy"};
  expect_equal(every, files, {2, 3, 4});
  expect_equal(every +
                   " --nodata 9 --output-nodata 65535 --max-distance 20 --periodic x,y "
                   "--slab-rows 17",
               files, {3});
  expect_equal(every + " --nodata 0 --free-nodata --slab-rows 30", files, {3});
  expect_equal(
      "voronoi --sites sites.npy --signed-distance --values 11,12 --distance @d.npy --slab-rows 40",
      {"d.npy"}, {2});
  expect_equal(
      "voronoi --sites sites.npy --distance @d.npy --distance-to boundary --metric manhattan "
      "--periodic y --slab-rows 33",
      {"d.npy"}, {4});
  expect_equal("proximity sites.npy @p.npy --ot Byte", {"p.npy"}, {3});
}

TEST_F(RanksTest, WriteVolumesMasksAndThinRasters) {
  write("volume.npy", draw({23, 40, 31}, 50));
  expect_equal("voronoi --sites volume.npy --labels @l.npy --offset @o.npy --slab-rows 3",
               {"l.npy", "o.npy"}, {3});
  Raster mask(ElementType::boolean, {120, 90});
  for (std::size_t i = 0; i < mask.size_bytes(); ++i)
    mask.bytes()[i] = std::byte{i % 421 == 0 ? std::uint8_t{1} : std::uint8_t{0}};
  write("mask.npy", mask);
  expect_equal("voronoi --sites mask.npy --labels @l.npy --periodic y --slab-rows 13", {"l.npy"},
               {4});
  write("thin.npy", draw({2, 900}, 40));
  const std::string distance = io::has_gdal() ? "d.tif" : "d.npy";
  expect_equal("voronoi --sites thin.npy --labels @l.npy --distance @" + distance,
               {"l.npy", distance}, {4});
}

TEST_F(RanksTest, WritePointsAndRandomSites) {
  std::string points = "x,y,name\n";
  for (int i = 0; i < 300; ++i)
    points += std::to_string((i * 7919) % 1900 / 10.0 - 5) + "," +
              std::to_string((i * 104729) % 4100 / 10.0 - 50) + "," + std::to_string(i + 5) + "\n";
  write_bytes("points.csv", points);
  write("like.npy", draw({310, 170}, 60));
  const std::string every = "voronoi --sites points.csv --labels @l.npy --distance @d.npy ";
  expect_equal(every + "--size 170x310 --label-field name --slab-rows 40", {"l.npy", "d.npy"}, {3});
  expect_equal(every + "--like like.npy --nodata 9 --metric chessboard", {"l.npy", "d.npy"}, {2});
  expect_equal("voronoi --sites points.csv --size 170x2 --site-index @i.npy", {"i.npy"}, {4});
  expect_equal("voronoi --random 200 --size 170x310 --labels @r.npy --slab-rows 40", {"r.npy"},
               {3});
}

TEST_F(RanksTest, WriteLayers) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  write_line("lines.geojson");
  expect_equal(
      "voronoi --sites lines.geojson --bounds 0,0,30,50 --cell-size 1 --spacing 1,1 --labels "
      "@l.tif --distance @d.npy --slab-rows 7",
      {"l.tif", "d.npy"}, {3});
}

TEST_F(RanksTest, WriteGeoTiffs) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  write("sites.tif", draw({2300, 530}, 90));
  expect_equal("voronoi --sites sites.tif --labels @l.tif --distance @d.tif --offset @o.tif",
               {"l.tif", "d.tif", "o.tif"}, {2});
  expect_equal(
      "proximity sites.tif @p.tif --ot UInt16 -nodata 65000 --co COMPRESS=NONE "
      "--slab-rows 77",
      {"p.tif"}, {3});
  write("volume.tif", draw({9, 40, 31}, 30));
  expect_equal("voronoi --sites volume.tif --labels @l.tif --distance @d.npy", {"l.tif", "d.npy"},
               {4});
}

TEST_F(RanksTest, CountWhatEachDoesAndReceives) {
  write("sites.npy", draw({40, 170}, 60));
  const Outcome outcome = run_on(4,
                                 "voronoi --sites sites.npy --distance d.npy --signed-distance "
                                 "--slab-rows 4 --threads 1 --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const json report = json::parse(outcome.out);
  ASSERT_EQ(report["ranks"].size(), 4U);
  for (const json& rank : report["ranks"]) {
    EXPECT_EQ(rank["rows"], 10);
    EXPECT_EQ(rank["slabs"], 3);
    EXPECT_LE(rank["faces_received"], 4);
    // A site, a label and the nearest cell that is none, for each column.
    EXPECT_LE(rank["bytes_of_faces"], rank["faces_received"].get<int>() * (170 * 10 + 200));
  }
  EXPECT_EQ(report["ranks"][3]["first_row"], 30);
}

TEST_F(RanksTest, TellOnceWhatTheyDoNotDo) {
  write("sites.npy", draw({60, 50}, 20));
  write_bytes("points.csv", "1.5,2\n");
  const std::string sites = "voronoi --sites sites.npy ";
  expect_refused("info sites.npy", "info does not run on 3 ranks");
  expect_refused(sites + "--labels l.png", "l.png is not written by rows");
  expect_refused(sites + "--labels l.npy --metric chessboard", "--metric chessboard is not");
  expect_refused("cost --cost sites.npy --random 3 --labels l.npy",
                 "cost does not run on 3 ranks: what one of its slabs finds changes others");
  expect_refused("voronoi --sites points.csv --size 5x5 --squared s.npy", "squared");
  expect_refused("voronoi --sites points.csv --size 1x1 --labels l.npy --strict", "point");
  expect_refused("voronoi --sites none.npy --labels l.npy", "none.npy");
  expect_refused(sites + "--labels l.npy --spacing 1,2,3", "--spacing");
  expect_refused(sites + "--labels sites.npy", "sites.npy");
  expect_refused(sites + "--values 3 --labels l.npy --strict", "no site");
  expect_refused(sites + "--labels l.npy --what", "--what");
  EXPECT_EQ(names(), (std::vector<std::string>{"points.csv", "sites.npy"}));
  const Outcome plan = run_on(2, sites + "--labels l.npy --dry-run");
  EXPECT_EQ(plan.exit_code, 0) << plan.err;
  EXPECT_NE(plan.out.find("each of 2 ranks"), std::string::npos) << plan.out;
  EXPECT_EQ(lines_of(plan.out).size(), 1U) << plan.out;
}

TEST_F(RanksTest, AreRunsOfTheirOwnIfTheyAreTold) {
  Settings settings;
  settings.environment = {{"THIESSEN_MPI", "0"}};
  const Outcome outcome = run_on(2, "--version", settings);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(lines_of(outcome.out).size(), 2U) << outcome.out;
}

TEST_F(RanksTest, EndTogetherIfOneIsKilled) {
  // mpirun of Open MPI waits for two seconds before it hands SIGTERM on.
  write("sites.npy", draw({20'000, 1700}, 60));
  const std::string long_run =
      "voronoi --sites sites.npy --labels l.npy --distance d.npy --signed-distance --slab-rows 1 "
      "--threads "
      "1";
  for (const auto& [number, signal] : {std::pair(0, SIGKILL), {1, SIGKILL}, {kAll, SIGTERM}}) {
    const Outcome outcome = end_one_of_three(number, signal, long_run);
    EXPECT_NE(outcome.exit_code, 0);
    EXPECT_LT(outcome.reaction.count(), 30.0);
    EXPECT_EQ(names(), (std::vector<std::string>{"sites.npy"})) << "rank " << number;
  }
}

TEST_F(RanksTest, EndTogetherIfOneCannotReadItsRows) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  write("sites.tif", draw({4096, 600}, 3000));
  std::string bytes = read_bytes("sites.tif");
  const std::size_t of_rank_2 = bytes.size() / 8 * 5;
  std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(of_rank_2), bytes.size() / 12, '\x55');
  write_bytes("sites.tif", bytes);
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = run_on(4, "voronoi --sites sites.tif --labels l.npy --distance d.tif");
  EXPECT_NE(outcome.exit_code, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  ASSERT_GE(complaints(outcome).size(), 1U) << outcome.err;
  EXPECT_NE(complaints(outcome)[0].find("thiessen: rank 2: sites.tif"), std::string::npos)
      << outcome.err;
  EXPECT_EQ(names(), (std::vector<std::string>{"sites.tif"}));
}

}  // namespace
}  // namespace thiessen::cli
