// SPDX-License-Identifier: Apache-2.0
//
// Lines as vector layers: paths of least cost, and lines of equal distance.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "io/raster/raster_file.hpp"

namespace thiessen::cli {
namespace {

using Json = nlohmann::json;

class LinesTest : public CommandTest {
 protected:
  void SetUp() override {
    if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  }

  Json features(const std::string& name) const {
    return Json::parse(read_bytes(name)).at("features");
  }

  void expect_refused(const std::string& arguments, const std::string& message) const {
    constexpr int kUsage = 2;
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, kUsage) << arguments;
    EXPECT_EQ(outcome.err, "thiessen: " + message + "\n") << arguments;
  }

  template <class T>
  static T value_at(const std::string& bytes, std::size_t place) {
    T value{};
    std::memcpy(&value, bytes.data() + place, sizeof value);
    return value;
  }

  /// The measures of the lines of a shapefile, whose records are polylines with measures of one
  /// part.
  std::vector<std::vector<double>> measures(const std::string& name) const {
    constexpr std::size_t kHeader = 100, kParts = 8 + 36, kPoints = kParts + 4, kPoint = 16;
    constexpr std::int32_t kPolyLineM = 23;
    const std::string bytes = read_bytes(name);
    std::vector<std::vector<double>> lines;
    for (std::size_t record = kHeader; record < bytes.size();) {
      EXPECT_EQ(value_at<std::int32_t>(bytes, record + 8), kPolyLineM);
      EXPECT_EQ(value_at<std::int32_t>(bytes, record + kParts), 1);
      const auto count = static_cast<std::size_t>(value_at<std::int32_t>(bytes, record + kPoints));
      const std::size_t first = record + kPoints + 8 + (count + 1) * kPoint;
      std::vector<double>& line = lines.emplace_back();
      for (std::size_t i = 0; i < count; ++i)
        line.push_back(value_at<double>(bytes, first + 8 * i));
      record = first + 8 * count;
    }
    return lines;
  }
};

constexpr const char* kPaths =
    "cost --cost cost.npy --spacing 10,10 --sites sites.csv --label-field site --paths-from "
    "from.csv --overwrite --paths ";

class PathsTest : public LinesTest {
 protected:
  void SetUp() override {
    LinesTest::SetUp();
    write("cost.npy", raster_of<float>({2, 4}, {1, 1, 2, 1, 1, 1, HUGE_VALF, 1}));
    write_bytes("sites.csv", "x,y,site\n0,0,Well\n");
    write_bytes("from.csv", "x,y,id,house\n3,0,41,Oak\n2,1,42,Ash\n0,0,43,Elm\n");
  }
};

/// A line through the centres of cells for each start that has a path, with what its file says.
TEST_F(PathsTest, AreLinesWithTheFieldsOfTheirStarts) {
  const Outcome outcome = run(std::string(kPaths) + "p.geojson --quiet");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json all = features("p.geojson");
  ASSERT_EQ(all.size(), 2U);  // a barrier has no path
  EXPECT_EQ(all[0].at("geometry"), Json::parse(R"({"type":"LineString",
              "coordinates":[[3.0,0.0],[2.0,0.0],[1.0,0.0],[0.0,0.0]]})"));
  EXPECT_EQ(all[0].at("properties"),
            Json::parse(R"({"path":1,"site_index":0,"label":1,"name":"Well","cost":40.0,
              "length":30.0,"from_label":41,"house":"Oak"})"));
  EXPECT_EQ(all[1].at("properties").at("path"), 3);
  EXPECT_EQ(all[1].at("properties").at("house"), "Elm");
  EXPECT_EQ(all[1].at("properties").at("length"), 0);
  EXPECT_EQ(all[1].at("geometry").at("coordinates").size(), 2U);  // both the cell of the site
}

/// The cost from the start is the measure, where the format has one.
TEST_F(PathsTest, HaveTheirCostAsMeasure) {
  const Outcome outcome = run(std::string(kPaths) + "p.shp --quiet");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(measures("p.shp"), (std::vector<std::vector<double>>{{0, 15, 30, 40}, {0, 0}}));
  for (const std::string name : {"p.gpkg", "p.fgb"})
    EXPECT_EQ(run(kPaths + name + " --quiet").exit_code, 0) << name;
}

/// Sites that are cells have no index, and starts of a layer have the fields of their features.
TEST_F(PathsTest, OfCellsAndLayersInTheWorld) {
  const std::string layer = R"({"type":"FeatureCollection",
    "crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32631"}},
    "features":[{"type":"Feature","id":5,)";
  write_bytes("road.geojson", layer + R"("properties":{"number":7},
    "geometry":{"type":"LineString","coordinates":[[0.5,0],[0.5,2]]}}]})");
  write_bytes("from.geojson", layer + R"("properties":{"house":"Oak"},
    "geometry":{"type":"MultiPoint","coordinates":[[1.2,1.6],[3.9,0.1]]}}]})");
  succeed(
      "cost --map uniform --bounds 0,0,4,2 --cell-size 1 --sites road.geojson --label-field number "
      "--paths-from from.geojson --paths p.geojson");
  const Json all = features("p.geojson");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].at("geometry").at("coordinates"), Json::parse("[[1.5,1.5],[0.5,1.5]]"));
  EXPECT_EQ(all[1].at("geometry").at("coordinates"),
            Json::parse("[[3.5,0.5],[2.5,0.5],[1.5,0.5],[0.5,0.5]]"));
  EXPECT_EQ(all[1].at("properties"), Json::parse(R"({"path":2,"label":7,"cost":3.0,"length":3.0,
    "source_fid":5,"house":"Oak"})"));
  // In degrees, with steps in metres, the length of a path is not told.
  const std::string begin = R"({"type":"FeatureCollection","features":[{"type":"Feature",)";
  write_bytes("well.geojson", begin + R"("properties":{},
    "geometry":{"type":"Point","coordinates":[0.5,0.5]}}]})");
  write_bytes("farm.geojson", begin + R"("properties":{},
    "geometry":{"type":"Point","coordinates":[1.5,0.5]}}]})");
  succeed(
      "cost --map uniform --bounds 0,0,2,1 --cell-size 1 --sites well.geojson --metric ellipsoidal "
      "--paths-from farm.geojson --paths e.geojson");
  const Json properties = features("e.geojson")[0].at("properties");
  EXPECT_FALSE(properties.contains("length"));
  EXPECT_NEAR(properties.at("cost").get<double>(), 111315, 10);
}

/// Paths lead through what lies outside of a study area.
TEST_F(PathsTest, LeadThroughWhatIsMasked) {
  write("mask.npy", raster_of<std::uint8_t>({2, 4}, {1, 1, 0, 1, 1, 1, 1, 1}));
  const Outcome outcome = run(std::string(kPaths) + "p.csv --mask mask.npy --quiet");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(read_bytes("p.csv"), "path,x,y\n1,3,0\n1,2,0\n1,1,0\n1,0,0\n3,0,0\n");
}

TEST_F(PathsTest, BadInput) {
  expect_refused(std::string(kPaths) + "p.tif",
                 "--paths p.tif: has no suffix of a format for vector layers: .gpkg, .geojson, "
                 ".json, .fgb, .shp; .csv and .txt are text");
  expect_refused(std::string(kPaths) + "p.gpkg --polygons ./p.gpkg",
                 "p.gpkg: is given for two outputs; each needs a file of its own");
  expect_refused("cost --map uniform --size 3x3x3 --random 2 --paths-from from.csv --paths p.gpkg",
                 "from.csv: line 1 names columns x and y, but no z");
  write_bytes("deep.csv", "1,1,1\n");
  expect_refused("cost --map uniform --size 3x3x3 --random 2 --paths-from deep.csv --paths p.gpkg",
                 "--paths p.gpkg: vector outputs need a grid of 2 axes; this one has 3");
  write_bytes("sites.geojson", R"({"type":"FeatureCollection","features":[]})");
  expect_refused("voronoi --sites sites.geojson --size 5x5 --polygons sites.geojson --overwrite",
                 "sites.geojson: is the input sites.geojson; an output needs a file of its own");
}

class ContoursTest : public LinesTest {
 protected:
  void SetUp() override {
    LinesTest::SetUp();
    write_bytes("sites.csv", "x,y\n500.5,20.5\n");
  }

  /// The levels of the lines of a layer.
  std::vector<double> levels(const std::string& name) const {
    std::vector<double> levels;
    for (const Json& feature : features(name))
      levels.push_back(feature.at("properties").at("level").get<double>());
    return levels;
  }
};

constexpr const char* kSquare = " --bounds 480,0,521,41 --cell-size 1 --overwrite";

TEST_F(ContoursTest, AreLinesInTheWorld) {
  const std::string call =
      std::string("voronoi --sites sites.csv") + kSquare + " --contours-to c.geojson";
  succeed(call + " --contours 5");
  EXPECT_EQ(levels("c.geojson"), (std::vector<double>{5, 10, 15, 20, 25, 25, 25, 25}));
  const Json ring = features("c.geojson")[1].at("geometry");
  EXPECT_EQ(ring.at("type"), "LineString");
  EXPECT_EQ(ring.at("coordinates").front(), ring.at("coordinates").back());
  for (const Json& point : ring.at("coordinates"))
    EXPECT_NEAR(std::hypot(point[0].get<double>() - 500.5, point[1].get<double>() - 20.5), 10,
                0.03);
  succeed(call + " --contour-levels 12.5,4,12.5");
  EXPECT_EQ(levels("c.geojson"), (std::vector<double>{4, 12.5}));
  const Outcome outcome = run(call + " --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out).at("contour_interval"), 5);
  EXPECT_EQ(Json::parse(outcome.out).at("files"), Json::array({"c.geojson"}));
  for (const std::string name : {"c.gpkg", "c.fgb", "c.shp"})
    succeed(std::string("voronoi --sites sites.csv") + kSquare + " --contours-to " + name);
}

/// What has no distance cuts lines off.
TEST_F(ContoursTest, OfStudyAreasBarriersAndProximity) {
  Raster mask = Raster::of<std::uint8_t>({41, 41});
  Raster cost = Raster::of<float>({41, 41});
  for (std::int64_t y = 0; y < 41; ++y)
    for (std::int64_t x = 0; x < 41; ++x) {
      mask.view<std::uint8_t>()(y, x) = x < 30 ? 1 : 0;
      cost.view<float>()(y, x) = y < 35 ? 2 : HUGE_VALF;
    }
  write("mask.npy", mask);
  write("cost.npy", cost);
  const std::string contours = " --contours-to c.geojson --contour-levels ";
  const std::string voronoi = std::string("voronoi --sites sites.csv") + kSquare;
  succeed(voronoi + contours + "5,10 --mask mask.npy");
  const Json cut = features("c.geojson")[1].at("geometry").at("coordinates");
  EXPECT_NE(cut.front(), cut.back());
  EXPECT_EQ(cut.front()[0], 509.5);  // the centre of the last cell
  EXPECT_EQ(cut.back()[0], 509.5);
  succeed(std::string("cost --cost cost.npy --sites sites.csv") + kSquare + contours + "10,39");
  EXPECT_EQ(levels("c.geojson"), (std::vector<double>{10, 39}));
  EXPECT_EQ(features("c.geojson")[1].at("geometry").at("coordinates").front()[1], 6.5);
  write("sites.npy", [] {
    Raster sites = Raster::of<std::uint8_t>({41, 41});
    std::fill_n(sites.bytes(), 41 * 41, std::byte{0});
    sites.view<std::uint8_t>()(20, 20) = 1;
    return sites;
  }());
  succeed(
      "proximity sites.npy d.npy -ot Byte -fixed-buf-val 7 --contours 10 --contours-to c.geojson "
      "--overwrite");
  EXPECT_EQ(levels("c.geojson"), (std::vector<double>{10, 20}));
}

TEST_F(ContoursTest, BadInput) {
  const std::string call = std::string("voronoi --sites sites.csv") + kSquare;
  expect_refused(call + " --contours-to c.csv",
                 "c.csv: has no suffix of a format for vector layers: .gpkg, .geojson, .json, "
                 ".fgb, .shp");
  expect_refused(call + " --contours-to c.gpkg --contours -5",
                 "--contours -5: must be a finite number > 0");
  expect_refused(call + " --contours-to c.gpkg --contours 1e-7",
                 "--contours 1e-07: distances up to 28.2843 have more than 100000 of it; give a "
                 "longer one");
  expect_refused(call + " --contours-to c.gpkg --contour-levels 5,x",
                 "--contour-levels 5,x: 'x' must be a finite number");
  expect_refused(call + " --contours-to c.gpkg --polygons c.gpkg",
                 "c.gpkg: is given for two outputs; each needs a file of its own");
  expect_refused(call + " --labels l.npy --contours 5",
                 "--contours requires --contours-to (see thiessen voronoi --help)");
  expect_refused("voronoi --random 3 --size 5x5x5 --contours-to c.gpkg",
                 "--random: vector outputs need a grid of 2 axes; this one has 3");
  expect_refused(call + " --slab-rows 1 --contours-to c.gpkg",
                 "--slab-rows 1: the run is not done in slabs: vector outputs are not");
  EXPECT_EQ(names(), (std::vector<std::string>{"sites.csv"}));
}

}  // namespace
}  // namespace thiessen::cli
