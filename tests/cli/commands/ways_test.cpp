// SPDX-License-Identifier: Apache-2.0
//
// Ways between places: tables of costs, networks and corridors.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.hpp"
#include "io/raster/raster_file.hpp"

namespace thiessen::cli {
namespace {

/// Two rows of cells, with a wall of 9 that has no gap in the lower row.
class WaysTest : public CommandTest {
 protected:
  using Json = nlohmann::json;

  void SetUp() override {
    if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
    write("cost.npy", raster_of<float>({2, 4}, {1, 1, 1, 1, 1, 1, 9, 1}));
    write_bytes("towns.csv", "x,y,town\n0,0,Ash\n3,0,Birch\n3,1,Cedar\n");
    write_bytes("ports.csv", "x,y,port\n3,1,Dock\n0,1,Ebb\n");
  }

  Outcome cost(const std::string& flags) const {
    return run("cost --cost cost.npy --sites towns.csv --label-field town --connectivity 4 " +
               flags);
  }
  Json properties(const std::string& name, std::size_t feature) const {
    return Json::parse(read_bytes(name)).at("features").at(feature).at("properties");
  }
  void expect_refused(const std::string& flags, const std::string& message) const {
    const Outcome outcome = cost(flags);
    EXPECT_EQ(outcome.exit_code, kBadUsage) << flags;
    EXPECT_EQ(outcome.err, "thiessen: " + message + "\n") << flags;
  }
};

constexpr const char* kToPorts = "--to ports.csv --to-label-field port --quiet ";

TEST_F(WaysTest, TableHasARowForEachPair) {
  const Outcome outcome = cost(std::string(kToPorts) + "--cost-table costs.csv");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_bytes("costs.csv"),
            "label_from,name_from,label_to,name_to,cost\n1,Ash,1,Dock,4\n1,Ash,2,Ebb,1\n"
            "2,Birch,1,Dock,1\n2,Birch,2,Ebb,4\n3,Cedar,1,Dock,0\n3,Cedar,2,Ebb,5\n");
}

TEST_F(WaysTest, PairsAreNamesOrLabels) {
  write_bytes("pairs.csv", "from,to\nCedar,Ebb\n1,Dock\n");
  const Outcome outcome =
      cost(std::string(kToPorts) + "--pairs pairs.csv --cost-table costs.csv --paths ways.geojson");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_bytes("costs.csv"),
            "label_from,name_from,label_to,name_to,cost\n3,Cedar,2,Ebb,5\n1,Ash,1,Dock,4\n");
  EXPECT_EQ(properties("ways.geojson", 0),
            Json::parse(R"({"label_from":3,"name_from":"Cedar","label_to":2,"name_to":"Ebb",
                "cost":5.0,"length":5.0})"));
  write_bytes("pairs.csv", "from,to\n");
  EXPECT_EQ(cost(std::string(kToPorts) + "--pairs pairs.csv --cost-table c.csv").err,
            "thiessen: pairs.csv: has no pair\n");
  write_bytes("pairs.csv", "Ash,Ebb\nCedar,Fen\n");
  EXPECT_EQ(cost(std::string(kToPorts) + "--pairs pairs.csv --cost-table c.csv").err,
            "thiessen: pairs.csv: line 2 has the place Fen; must be a label or a name of "
            "ports.csv\n");
}

TEST_F(WaysTest, WaysThatThereAreNotHaveNoCost) {
  const Outcome outcome =
      cost(std::string(kToPorts) + "--max-distance 1 --cost-table costs.csv --paths ways.geojson");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_bytes("costs.csv"),
            "label_from,name_from,label_to,name_to,cost\n1,Ash,1,Dock,\n1,Ash,2,Ebb,1\n"
            "2,Birch,1,Dock,1\n2,Birch,2,Ebb,\n3,Cedar,1,Dock,0\n3,Cedar,2,Ebb,\n");
  EXPECT_EQ(properties("ways.geojson", 2).at("length"), 0);
}

TEST_F(WaysTest, NetworkJoinsNeighbours) {
  const Outcome outcome = cost("--network net.geojson --quiet");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(properties("net.geojson", 0),
            Json::parse(R"({"label_a":1,"name_a":"Ash","label_b":2,"name_b":"Birch","cost":3.0,
                "length":3.0,"in_tree":true})"));
  EXPECT_EQ(cost("--network net.gpkg --labels labels.npy --quiet").exit_code, 0);
}

TEST_F(WaysTest, CorridorIsARasterAndAnArea) {
  const Outcome outcome = cost(std::string(kToPorts) +
                               "--corridor excess.npy --within-percent 100 --corridor-polygon "
                               "area.geojson");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Raster excess = read("excess.npy");
  EXPECT_EQ(excess.element_type(), ElementType::f32);
  EXPECT_EQ(excess.view<float>()(1, 3), 0);
  EXPECT_EQ(properties("area.geojson", 0).at("least_cost"), 0);
}

TEST_F(WaysTest, RefusesFlagsThatDoNotGoTogether) {
  expect_refused("--to ports.csv",
                 "--to ports.csv: needs --cost-table, --paths, --corridor or --corridor-polygon");
  expect_refused("--paths p.gpkg", "--paths p.gpkg: needs --paths-from or --to");
  expect_refused("--to ports.csv --paths-from ports.csv --paths p.gpkg",
                 "--to ports.csv: does not go with --paths-from");
  expect_refused("--to ports.csv --corridor-polygon p.gpkg",
                 "--corridor-polygon p.gpkg: needs --within or --within-percent");
  expect_refused("--to ports.csv --pairs towns.csv --corridor c.tif",
                 "--pairs towns.csv: needs --cost-table or --paths");
  expect_refused("--to ports.csv --cost-table t.csv --initial-cost cost.npy",
                 "--initial-cost: is for costs from the nearest site, not for ways between places");
  expect_refused("--network n.gpkg --method eikonal",
                 "--method eikonal; a network is made of steps, whose costs the other methods "
                 "have");
}

}  // namespace
}  // namespace thiessen::cli
