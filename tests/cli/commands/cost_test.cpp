// SPDX-License-Identifier: Apache-2.0
//
// The command `cost`.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

class CostTest : public CommandTest {
 protected:
  void expect_trouble(const std::string& arguments, const std::string& word) const {
    const Outcome outcome = run("cost " + arguments + " --labels labels.npy");
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(path("labels.npy"))) << arguments;
  }
};

TEST_F(CostTest, MethodsAgreeWithTheLibrary) {
  succeed(
      "cost --map noise:7 --random 12 --size 60x40 --seed 4 --labels labels.npy --distance "
      "distance.npy --site-index index.npy --back-link links.npy --write-map map.npy");
  Raster map = Raster::of<float>({40, 60});
  Raster sites = Raster::of<std::int32_t>({40, 60});
  Raster distance = Raster::of<float>({40, 60});
  Context context;
  material_map(context, map.view(), Material::noise, 7);
  random_sites(context, sites.view(), 12, 4);
  cost_distance(context, CostMap::stiffness(map.view()), sites.view(), {},
                {.distance = distance.view()});
  const auto same = [](const Raster& a, const Raster& b) {
    return a.size_bytes() == b.size_bytes() &&
           std::memcmp(a.bytes(), b.bytes(), a.size_bytes()) == 0;
  };
  EXPECT_TRUE(same(read("map.npy"), map));
  EXPECT_TRUE(same(read("distance.npy"), distance));
  for (const std::string algorithm : {"dijkstra", "relaxation"}) {
    succeed(
        "cost --stiffness map.npy --random 12 --seed 4 --labels other.npy --back-link links2.npy "
        "--overwrite --method " +
        algorithm);
    EXPECT_TRUE(same(read("other.npy"), read("labels.npy"))) << algorithm;
    EXPECT_TRUE(same(read("links2.npy"), read("links.npy"))) << algorithm;
  }
}

TEST_F(CostTest, HasTheKNearest) {
  write("cost.npy", raster_of<float>({1, 5}, {1, 1, 1, 1, 1}));
  write("sites.npy", raster_of<std::uint8_t>({1, 5}, {5, 0, 0, 0, 6}));
  write("mask.npy", raster_of<std::uint8_t>({1, 5}, {1, 1, 1, 1, 0}));
  succeed(
      "cost --cost cost.npy --sites sites.npy --mask mask.npy --k 3 --labels l.npy --distance "
      "d.npy "
      "--site-index i.npy --output-nodata 9");
  expect_cells<std::uint8_t>("l.npy", {5, 5, 5, 6, 9, 6, 6, 6, 5, 9, 0, 0, 0, 0, 9});
  expect_cells<std::int64_t>("i.npy", {0, 0, 0, 4, -2, 4, 4, 4, 0, -2, -1, -1, -1, -1, -2});
  const std::string arguments = "--cost cost.npy --sites sites.npy --k 2 ";
  expect_trouble(arguments + "--picture x.png", "--k 2 and --picture are given");
  expect_trouble(arguments + "--back-link x.npy", "--k 2 and back_link are given");
  expect_trouble(arguments + "--method dijkstra", "the k nearest are wanted, which only exact");
  expect_trouble(arguments + "--slab-rows 1", "--k 2 is not; slabs have the nearest alone");
}

TEST_F(CostTest, CarriesLabelsAlong) {
  const std::string cost = "cost --map uniform --random 40 --size 60x50 --overwrite ";
  succeed(cost + "--labels settled.npy --distance settled-cost.npy");
  succeed(cost +
          "--labels carried.npy --distance carried-cost.npy --method relaxation --labels-carried");
  EXPECT_EQ(read_bytes("settled-cost.npy"), read_bytes("carried-cost.npy"));
  EXPECT_NE(read_bytes("settled.npy"), read_bytes("carried.npy"));
  const Outcome wrong = run(cost + "--labels l.npy --labels-carried");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("--labels-carried: is for --method relaxation"), std::string::npos)
      << wrong.err;
}

TEST_F(CostTest, TellsOfIterationsAndIgnoredSites) {
  write("map.npy", raster_of<float>({1, 4}, {1, 1, 1, 0}));
  write_bytes("sites.csv", "x,y,label\n0,0,5\n3,0,6\n9,9,7\n");
  const Outcome outcome =
      run("cost --stiffness map.npy --sites sites.csv --labels labels.npy --method relaxation "
          "--json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("warning: sites.csv: 2 sites on barriers"), std::string::npos)
      << outcome.err;
  const auto report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report.at("iterations"), 3);
  EXPECT_EQ(report.at("active_cells"), (std::vector<int>{1, 1, 1}));
  EXPECT_EQ(report.at("ignored_sites"), 2);
  const Raster labels = read("labels.npy");
  EXPECT_EQ(labels.view<std::int32_t>()(0, 2), 5);
  EXPECT_EQ(labels.view<std::int32_t>()(0, 3), 0);
  std::filesystem::remove(path("labels.npy"));
  expect_trouble("--stiffness map.npy --sites sites.csv --strict", "2 sites on barriers");
}

/// --paths writes the cells from each start back to its site, as lines of text.
TEST_F(CostTest, Paths) {
  write("map.npy", raster_of<float>({2, 3}, {1, 0, 1, 1, 1, 1}));
  write_bytes("sites.csv", "0,0\n");
  write_bytes("from.csv", "2,0\n1,0\n");
  succeed(
      "cost --stiffness map.npy --sites sites.csv --connectivity 4 --paths-from from.csv --paths "
      "paths.csv -q");
  EXPECT_EQ(read_bytes("paths.csv"), "path,x,y\n1,2,0\n1,2,1\n1,1,1\n1,0,1\n1,0,0\n");
  const std::string call = "--stiffness map.npy --sites sites.csv --paths-from from.csv --paths ";
  expect_trouble(call + "labels.csv --distance d.npy --site-index ./d.npy", "two outputs");
  expect_trouble(call + "paths.npy", "--paths paths.npy: ");
}

TEST_F(CostTest, NodataOfTheMapMarksLabelsUnlessASiteHasIt) {
  write("map.npy", raster_of<std::uint8_t>({1, 4}, {1, 200, 1, 1}));
  write("sites.npy", raster_of<std::uint8_t>({1, 4}, {3, 0, 0, 5}));
  const std::string call = "cost --cost map.npy --map-nodata 200 --labels labels.npy --overwrite ";
  succeed(call + "--sites sites.npy --unreached 9");
  EXPECT_EQ(read("labels.npy").view<std::uint8_t>()(0, 1), 200);
  write("sites.npy", raster_of<bool>({1, 4}, {true, false, false, true}));  // numbered from 1 on
  succeed(call + "--sites sites.npy --unreached 9");
  EXPECT_EQ(read("labels.npy").view<std::int32_t>()(0, 1), 9);
  write_bytes("sites.csv", "x,y\n0,0\n");
  write("signed.npy", raster_of<float>({1, 4}, {1, -5, 1, 1}));
  succeed(
      "cost --cost signed.npy --map-nodata -5 --sites sites.csv --labels labels.npy --overwrite");
  EXPECT_EQ(read("labels.npy").view<std::int32_t>()(0, 1), -5);
  write("sites.npy", raster_of<std::uint8_t>({1, 4}, {3, 0, 0, 200}));
  succeed(call + "--sites sites.npy --unreached 9");
  EXPECT_EQ(read("labels.npy").view<std::uint8_t>()(0, 1), 9);
}

TEST_F(CostTest, HasOutputsOfAnotherLabel) {
  write("map.npy", raster_of<float>({1, 4}, {1, 1, 1, 3}));
  write("sites.npy", raster_of<std::uint8_t>({1, 4}, {3, 0, 0, 5}));
  succeed(
      "cost --cost map.npy --sites sites.npy --other-labels labels.npy --other-distance "
      "distance.npy --other-site-index index.npy");
  EXPECT_EQ(read("labels.npy").view<std::uint8_t>()(0, 0), 5);
  EXPECT_EQ(read("labels.npy").view<std::uint8_t>()(0, 3), 3);
  EXPECT_EQ(read("distance.npy").view<float>()(0, 1), 3);
  EXPECT_EQ(read("index.npy").view<std::int64_t>()(0, 1), 3);
}

TEST_F(CostTest, MaxDistanceIsInclusiveInTheTypeOfCosts) {
  write("map.npy", raster_of<float>({1, 3}, {1, 1, 1}));
  write("sites.npy", raster_of<std::uint8_t>({1, 3}, {1, 0, 0}));
  succeed(
      "cost --cost map.npy --sites sites.npy --spacing 0.1,0.1 --max-distance 0.1 --labels "
      "labels.npy");
  const Raster labels = read("labels.npy");
  EXPECT_EQ(labels.view<std::uint8_t>()(0, 1), 1);
  EXPECT_EQ(labels.view<std::uint8_t>()(0, 2), 0);
}

TEST_F(CostTest, InitialCostsAndNodata) {
  write("map.npy", raster_of<float>({1, 4}, {1, 1, -9, 1}));
  write("sites.npy", raster_of<std::int32_t>({1, 4}, {3, 0, 0, 4}));
  write("initial.npy", raster_of<float>({1, 4}, {10, 0, 0, 2}));
  succeed(
      "cost --cost map.npy --sites sites.npy --initial-cost initial.npy --map-nodata -9 "
      "--output-nodata 99 --unreached 77 --max-distance 10.5 --labels labels.npy --distance "
      "distance.npy --distance-type f64");
  const Raster labels = read("labels.npy");
  const Raster distance = read("distance.npy");
  EXPECT_EQ(labels.view<std::int32_t>()(0, 0), 3);
  EXPECT_EQ(labels.view<std::int32_t>()(0, 1), 77);
  EXPECT_EQ(labels.view<std::int32_t>()(0, 2), 99);
  EXPECT_EQ(distance.view<double>()(0, 0), 10);
  EXPECT_EQ(distance.view<double>()(0, 3), 2);
  EXPECT_TRUE(std::isnan(distance.view<double>()(0, 2)));
}

/// Up and down a hill, by cells of 100 m, with and without a map.
TEST_F(CostTest, Walks) {
  write("dem.npy", raster_of<std::int16_t>({1, 4}, {0, 10, -99, 0}));
  write("sites.npy", raster_of<std::uint8_t>({1, 4}, {1, 0, 0, 0}));
  write("slow.npy", raster_of<float>({1, 4}, {2, 2, 2, 2}));
  const std::string walk =
      "cost --elevation dem.npy --sites sites.npy --spacing 100,100 --distance distance.npy "
      "--labels labels.npy --overwrite --json ";
  const auto second_cost = [&](const std::string& more) {
    const Outcome outcome = run(walk + more);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(nlohmann::json::parse(outcome.out).at("unit"), "s");
    return read("distance.npy").view<float>()(0, 1);
  };
  EXPECT_FLOAT_EQ(second_cost(""), 60 * std::exp(3.5f * 0.15f));
  EXPECT_FLOAT_EQ(second_cost("--walk tobler --walk-direction to-site"),
                  60 * std::exp(3.5f * 0.05f));
  EXPECT_FLOAT_EQ(second_cost("--walk langmuir --method dijkstra"), 132);
  EXPECT_FLOAT_EQ(second_cost("--walk langmuir --cost slow.npy"), 264);
  EXPECT_FLOAT_EQ(second_cost("--walk langmuir --walk-coefficients 1,5,2,-3"), 150);
  EXPECT_FLOAT_EQ(second_cost("--walk langmuir --cost slow.npy --walk-map adds"), 132 + 200);
  EXPECT_FLOAT_EQ(second_cost("--walk langmuir --slope-factor -0.05 --walk-direction to-site"),
                  72 + 19.998f);
  EXPECT_FLOAT_EQ(second_cost("--walk langmuir --map uniform"), 132);
  EXPECT_FLOAT_EQ(read("distance.npy").view<float>()(0, 2), 132 + 72 + 109 * 1.9998f);
  second_cost("--elevation-nodata -99 --output-nodata 5");
  EXPECT_TRUE(std::isnan(read("distance.npy").view<float>()(0, 2)));
  EXPECT_EQ(read("labels.npy").view<std::uint8_t>()(0, 2), 5);
}

/// A path of a walk to the site leads round a peak.
TEST_F(CostTest, PathsOfAWalk) {
  write("dem.npy", raster_of<float>({2, 3}, {0, 0, 0, 0, 500, 0}));
  write_bytes("sites.csv", "0,1\n");
  write_bytes("from.csv", "2,1\n");
  succeed(
      "cost --elevation dem.npy --sites sites.csv --spacing 100,100 --walk-direction to-site "
      "--paths-from from.csv --paths paths.csv -q");
  EXPECT_EQ(read_bytes("paths.csv"), "path,x,y\n1,2,1\n1,1,0\n1,0,1\n");
}

TEST_F(CostTest, BadWalks) {
  write("dem.npy", raster_of<float>({1, 2}, {1, -1}));
  write("wide.npy", raster_of<float>({1, 3}, {1, -1, 0}));
  write("sites.npy", raster_of<std::int32_t>({1, 2}, {1, 0}));
  const std::string walk = "--elevation dem.npy --sites sites.npy ";
  expect_trouble("--map uniform --sites sites.npy --walk tobler", "--walk requires --elevation");
  expect_trouble(walk + "--walk running", "--walk running: must be one of tobler, langmuir");
  expect_trouble(walk + "--slope-factor -0.2", "--slope-factor -0.2: is for --walk langmuir");
  const std::string langmuir = walk + "--walk langmuir ";
  expect_trouble(langmuir + "--walk-coefficients 1,2,3", "1,2,3: must be 4 numbers");
  expect_trouble(langmuir + "--walk-coefficients 1,2,x,3", "'x' must be a number");
  expect_trouble(langmuir + "--walk-coefficients 1,2,9,-3",
                 "--walk-coefficients[2] = 9; must be less");
  expect_trouble(langmuir + "--slope-factor -1,2", "--slope-factor -1,2: must be a number");
  expect_trouble(walk + "--walk-map adds", "there is no map besides the elevation");
  expect_trouble(walk + "--walk-map divides", "must be one of multiplies, adds");
  expect_trouble(walk + "--walk-direction up", "must be one of from-site, to-site");
  expect_trouble(walk + "--map-nodata 3", "--map-nodata 3: is for a map from a file");
  expect_trouble(walk + "--elevation-nodata x", "--elevation-nodata x");
  expect_trouble(walk + "--write-map map.npy", "there is no map besides the elevation");
  expect_trouble(walk + "--slab-rows 1", "--elevation is not");
  expect_trouble("--elevation wide.npy --sites sites.npy", "wide.npy: has 3x1 cells");
  expect_trouble("--map uniform --elevation wide.npy --sites sites.npy", "wide.npy: has 3x1 cells");
  write("dem.npy", raster_of<float>({1, 2}, {1, HUGE_VALF}));
  expect_trouble(walk, "elevation[0, 1] = inf; must be NaN, or finite");
}

/// --picture paints the cells of a cost map.
TEST_F(CostTest, Picture) {
  succeed("cost --map gradient --random 9 --size 50x20 --picture cells.png");
  EXPECT_EQ(read_bytes("cells.png").substr(1, 3), "PNG");
}

/// Missing or wrong maps and sites are refused with the flag or the cell.
TEST_F(CostTest, BadInput) {
  write("map.npy", raster_of<float>({1, 2}, {1, -1}));
  write("sites.npy", raster_of<std::int32_t>({1, 2}, {1, 0}));
  write("other.npy", raster_of<std::int32_t>({2, 2}, {1, 0, 0, 0}));
  expect_trouble("--sites sites.npy", "no map: give --stiffness FILE");
  expect_trouble("--stiffness map.npy", "no sites: give --sites FILE");
  expect_trouble("--stiffness map.npy --sites sites.npy", "--stiffness[0, 1] -1; a stiffness");
  expect_trouble("--cost map.npy --sites sites.npy", "--cost[0, 1] -1; a cost");
  expect_trouble("--cost map.npy --sites other.npy", "map.npy: has 2x1 cells, and other.npy 2x2");
  expect_trouble("--map marble --sites sites.npy", "must be uniform, gradient, noise or maze");
  expect_trouble("--map noise:x --sites sites.npy",
                 "--map noise:x: seed x: must be a whole number");
  expect_trouble("--map noise --sites sites.npy --connectivity 6",
                 "--connectivity 6: must be 4, 8 or 16 in 2-D");
  expect_trouble("--map noise --sites sites.npy --method best",
                 "--method best: must be one of exact, dijkstra, relaxation");
  expect_trouble("--map noise --sites sites.npy --map-nodata 3", "--map-nodata 3");
  expect_trouble("--map noise --sites sites.npy --initial-cost sites.npy", "must hold f32 or f64");
  expect_trouble("--map noise --sites sites.npy --output-nodata 0.5", "--output-nodata 0.5");
  expect_trouble("--map noise --sites sites.npy --spacing 1,0", "--spacing");
}

}  // namespace
}  // namespace thiessen::cli
