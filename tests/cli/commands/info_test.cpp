// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/command.hpp"
#include "io/raster/raster_file.hpp"

namespace thiessen::cli {
namespace {

class InfoTest : public CommandTest {
 protected:
  nlohmann::json info(const std::string& file) {
    const Outcome outcome = run("info --json " + file);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return nlohmann::json::parse(outcome.out);
  }
};

TEST_F(InfoTest, TellsOfLabels) {
  write("a.npy", raster_of<std::int16_t>({2, 3}, {0, -4, 7, 7, 0, 7}));
  const nlohmann::json json = info("a.npy");
  EXPECT_EQ(json["format"], "NPY");
  EXPECT_EQ(json["type"], "i16");
  EXPECT_EQ(json["extents"], (std::vector<int>{2, 3}));
  EXPECT_EQ(json["min"], -4);
  EXPECT_EQ(json["max"], 7);
  EXPECT_EQ(json["zero"], 2);
  EXPECT_EQ(json["nonzero"], 4);
  EXPECT_EQ(json["distinct"], 3);
  EXPECT_FALSE(json.contains("nan"));
}

TEST_F(InfoTest, TellsOfDistances) {
  write("d.npy", raster_of<double>({1, 2, 2}, {0.5, std::numeric_limits<double>::quiet_NaN(),
                                               std::numeric_limits<double>::infinity(), 0}));
  const nlohmann::json json = info("d.npy");
  EXPECT_EQ(json["extents"], (std::vector<int>{1, 2, 2}));
  EXPECT_EQ(json["min"], 0.0);
  EXPECT_EQ(json["max"], 0.5);
  EXPECT_EQ(json["nan"], 1);
  EXPECT_EQ(json["infinite"], 1);
  EXPECT_EQ(json["distinct"], 4);
}

TEST_F(InfoTest, CountsDistinctValuesUpToABound) {
  Raster raster = Raster::of<std::int32_t>({300, 300});
  std::iota(raster.view<std::int32_t>().data(), raster.view<std::int32_t>().data() + 90'000, 0);
  write("many.npy", raster);
  EXPECT_EQ(info("many.npy")["distinct"], "more than 65536");
}

TEST_F(InfoTest, TellsPeopleXFirst) {
  write("p.png", raster_of<std::uint8_t>({2, 3}, {0, 1, 2, 3, 4, 5}));
  const Outcome outcome = run("info p.png");
  EXPECT_EQ(outcome.err, "");
  EXPECT_NE(outcome.out.find("format       PNG\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("extents      3 x 2\n"), std::string::npos) << outcome.out;
}

TEST_F(InfoTest, TakesRastersWithoutCells) {
  write("none.npy", Raster::of<float>({0, 5}));
  const nlohmann::json json = info("none.npy");
  EXPECT_FALSE(json.contains("min"));
  EXPECT_EQ(json["distinct"], 0);
}

TEST_F(InfoTest, CountsNodataCellsApart) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  write("sites.npy", raster_of<std::int16_t>({1, 4}, {5, 0, 0, -3}));
  succeed("voronoi --sites sites.npy --nodata -3 --labels labels.tif");
  const nlohmann::json json = info("labels.tif");
  EXPECT_EQ(json["nodata"], -3);
  EXPECT_EQ(json["nodata_cells"], 1);
  EXPECT_EQ(json["nonzero"], 3);
  EXPECT_EQ(json["min"], 5);
  EXPECT_EQ(json["distinct"], 1);
}

TEST_F(InfoTest, TellsOfPointsAndLayers) {
  write_bytes("p.csv", "x,y,z,label\n1,2,3,7\n-1,5,0.5,8\n");
  const nlohmann::json points = info("p.csv");
  EXPECT_EQ(points["points"], 2);
  EXPECT_EQ(points["axes"], 3);
  EXPECT_EQ(points["least"], (nlohmann::json{-1.0, 2.0, 0.5}));
  EXPECT_EQ(points["greatest"], (nlohmann::json{1.0, 5.0, 3.0}));
  EXPECT_EQ(points["labels"], "i32");
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  write_bytes(
      "l.geojson",
      R"({"type": "FeatureCollection", "name": "wells", "features": [{"type": "Feature",)"
      R"("properties": {"id": 4}, "geometry": {"type": "Point", "coordinates": [1, 2]}}]})");
  const nlohmann::json layers = info("l.geojson")["layers"];
  ASSERT_EQ(layers.size(), 1U);
  EXPECT_EQ(layers[0]["name"], "wells");
  EXPECT_EQ(layers[0]["features"], 1);
  EXPECT_EQ(layers[0]["fields"]["id"], "Integer");
}

TEST_F(InfoTest, ComplainsOfOtherFiles) {
  write_bytes("text.txt", "hello, world\n");
  for (const std::string file : {"text.txt", "missing.npy", "''", "--bogus", ""}) {
    const Outcome outcome = run("info " + file);
    EXPECT_EQ(outcome.exit_code, 2) << file;
    expect_one_line_of_complaint(outcome);
  }
}

}  // namespace
}  // namespace thiessen::cli
