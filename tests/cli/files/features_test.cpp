// SPDX-License-Identifier: Apache-2.0
//
// What a map maker gets: polygons, edges, tables, adjacency, study areas and names.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "cli/command.hpp"
#include "cli/coordinate_systems.hpp"
#include "io/raster/raster_file.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

using Json = nlohmann::json;
const std::string kSpare = "thiessen: cells outside of the domain have the label ";
constexpr const char* kGrid = " --bounds 0,0,100,80 --cell-size 1";

class FeaturesTest : public CommandTest {
 protected:
  void SetUp() override {
    if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
    write_bytes("shops.csv",
                "x,y,name,staff\n10,10,Alpha,3\n80,20,\"Beta \"\"B\"\"\",5\n40,70,Gamma,\n"
                "41,70,Gamma,7\n");
    write_bytes("area.geojson", layer(R"({"type":"Polygon","coordinates":[
      [[5,5],[95,12],[60,75],[20,60],[5,5]],[[40,30],[40,40],[50,40],[50,30],[40,30]]]})"));
    write_bytes("roads.geojson", R"({"type":"FeatureCollection","crs":)" + crs() + R"(,"features":[
      {"type":"Feature","properties":{"road":"A1","lanes":4},"geometry":{"type":"LineString","coordinates":[[0,10],[100,10]]}},
      {"type":"Feature","properties":{"road":"B2","lanes":2},"geometry":{"type":"LineString","coordinates":[[0,70],[60,70]]}},
      {"type":"Feature","properties":{"road":"A1","lanes":6},"geometry":{"type":"LineString","coordinates":[[90,60],[90,70]]}}]})");
  }

  static std::string crs() {
    return R"({"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32631"}})";
  }
  static std::string layer(const std::string& geometry) {
    return R"({"type":"FeatureCollection","crs":)" + crs() +
           R"(,"features":[{"type":"Feature","properties":{},"geometry":)" + geometry + "}]}";
  }

  Json features(const std::string& name) const {
    return Json::parse(read_bytes(name)).at("features");
  }

  std::vector<int> bytes_of(const std::string& name) const {
    const Raster raster = read(name);
    const auto* cells = raster.view<std::uint8_t>().data();
    return {cells, cells + raster.extents().count()};
  }

  std::vector<std::string> rows(const std::string& name) const {
    std::vector<std::string> lines = lines_of(read_bytes(name));
    for (std::string& line : lines) std::erase(line, '\r');
    return lines;
  }

  /// The area of a multipolygon.
  static double area_of(const Json& feature) {
    double area = 0;
    for (const Json& polygon : feature.at("geometry").at("coordinates"))
      for (const Json& ring : polygon)
        for (std::size_t i = 0; i + 1 < ring.size(); ++i)
          area += (ring[i][0].get<double>() * ring[i + 1][1].get<double>() -
                   ring[i + 1][0].get<double>() * ring[i][1].get<double>()) /
                  2;
    return area;
  }

  void expect_refused(const std::string& arguments, const std::string& message) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, kBadUsage) << arguments;
    EXPECT_EQ(outcome.err, "thiessen: " + message + "\n") << arguments;
  }
};

TEST_F(FeaturesTest, PolygonsOfPointsHaveStraightEdges) {
  const Outcome outcome = run(std::string("voronoi --sites shops.csv --label-field name") + kGrid +
                              " --polygons p.geojson --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(Json::parse(outcome.out).at("outlines"), "straight");
  const Json all = features("p.geojson");
  ASSERT_EQ(all.size(), 4U);
  double area = 0;
  for (const Json& feature : all) {
    area += area_of(feature);
    EXPECT_NEAR(feature.at("properties").at("area").get<double>(), area_of(feature), 1e-9);
  }
  EXPECT_NEAR(area, 8000, 8000 * 1e-9);
  const Json& beta = all[1].at("properties");
  EXPECT_EQ(beta.at("site_index"), 1);
  EXPECT_EQ(beta.at("label"), 2);
  EXPECT_EQ(beta.at("name"), "Beta \"B\"");
  EXPECT_EQ(beta.at("staff"), 5);
  EXPECT_EQ(beta.at("cells"), 2993);
  EXPECT_EQ(all[2].at("properties").at("staff"), Json());
  EXPECT_EQ(all[3].at("properties").at("label"), 3);  // equal names share a number
  EXPECT_EQ(all[0].at("geometry").at("coordinates")[0][0][0][0].get<double>(), 330.0 / 7);
}

/// On grids in degrees areas are square metres: together those of the ellipsoid, and of the sphere.
TEST_F(FeaturesTest, AreasOnTheEarth) {
  write_bytes("towns.csv", "lon,lat,name\n0,50,Alpha\n100,-20,Beta\n-179,89,Gamma\n");
  const std::string grid = " --sites towns.csv --bounds -180,-90,180,90 --cell-size 7.5 ";
  const auto total = [&](const std::string& arguments) {
    const Outcome outcome =
        run(arguments + grid + "--table t.csv --polygons p.geojson --overwrite --json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(Json::parse(outcome.out).at("area_unit"), "square metre");
    const std::vector<std::string> lines = rows("t.csv");
    const Json polygons = features("p.geojson");
    EXPECT_EQ(lines[0], "site_index,label,cells,area,x,y,greatest_distance,mean_distance,name");
    double sum = 0;
    for (std::size_t i = 0; i < polygons.size(); ++i) {
      const double area = polygons[i].at("properties").at("area").get<double>();
      std::istringstream fields(lines[i + 1]);
      std::string field;
      for (int column = 0; column < 4; ++column) std::getline(fields, field, ',');
      EXPECT_NEAR(std::stod(field) / area, 1, 1e-12);
      sum += area;
    }
    return sum;
  };
  EXPECT_NEAR(total("voronoi --metric ellipsoidal"), 510065621724088.4, 10);
  const double sphere = 4 * 3.14159265358979323846 * 6371008.8 * 6371008.8;
  EXPECT_NEAR(total("voronoi --metric great-circle") / sphere, 1, 1e-12);
  EXPECT_NEAR(total("cost --map uniform --metric ellipsoidal"), 510065621724088.4, 10);
}

TEST_F(FeaturesTest, TablesTellOfSitesAndOfPairs) {
  write("people.npy", [] {
    Raster people = Raster::of<float>({80, 100});
    std::fill_n(people.view<float>().data(), 8000, 2.0F);
    return people;
  }());
  succeed(std::string("voronoi --sites shops.csv --label-field name") + kGrid +
          " --table t.csv --sum-of people.npy --adjacency a.csv --quiet");
  const std::vector<std::string> table = rows("t.csv");
  ASSERT_EQ(table.size(), 5U);
  EXPECT_EQ(table[0],
            "site_index,label,name,cells,area,x,y,greatest_distance,mean_distance,people_sum,"
            "people_mean,people_least,people_greatest,staff");
  EXPECT_TRUE(table[1].starts_with("0,1,Alpha,1857,1857,20.4827679052235,20.9464189553043,"));
  EXPECT_TRUE(table[1].ends_with(",3714,2,2,2,3")) << table[1];
  const std::vector<std::string> pairs = rows("a.csv");
  ASSERT_EQ(pairs.size(), 6U);
  EXPECT_EQ(pairs[0],
            "site_index_a,label_a,name_a,site_index_b,label_b,name_b,border,least_distance");
  EXPECT_EQ(pairs[5], "2,3,Gamma,3,3,Gamma,47.75,1");
}

/// Regions are numbers of points without labels, unless their site indices are wanted, too.
TEST_F(FeaturesTest, TablesAreTheSameWithSiteIndices) {
  write_bytes("points.csv", "x,y\n0.5,0.5\n10.5,0.5\n6.5,8.5\n");
  for (const std::string options :
       {"", "--ties-unreached", "--unreached 2 --max-distance 4", "--metric manhattan"}) {
    SCOPED_TRACE(options);
    const std::string command =
        "voronoi --sites points.csv --bounds 0,0,11,11 --cell-size 1 --overwrite --quiet " +
        options;
    succeed(command + " --table t.csv --adjacency a.csv");
    succeed(command + " --table u.csv --adjacency b.csv --site-index index.npy");
    EXPECT_EQ(rows("t.csv"), rows("u.csv"));
    EXPECT_EQ(rows("a.csv"), rows("b.csv"));
  }
}

/// The regions of lines follow the cells; their fields are those of the first feature of a name.
TEST_F(FeaturesTest, RegionsOfLinesFollowTheCells) {
  const Outcome outcome =
      run(std::string("voronoi --sites roads.geojson --label-field road") + kGrid +
          " --polygons p.geojson --edges e.geojson --table t.csv --adjacency "
          "a.csv --labels l.npy --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Json report = Json::parse(outcome.out);
  EXPECT_EQ(report.at("outlines"), "along cells");
  EXPECT_EQ(report.at("why_along_cells"), "sites that are cells have no points for straight edges");
  const Json all = features("p.geojson");
  ASSERT_EQ(all.size(), 2U);
  const Raster labels = read("l.npy");
  for (std::size_t i = 0; i < 2; ++i) {
    const auto* cells = labels.view<std::int32_t>().data();
    const auto own = std::count(cells, cells + 8000, static_cast<std::int32_t>(i) + 1);
    EXPECT_EQ(all[i].at("properties").at("cells"), own);
    EXPECT_EQ(all[i].at("properties").at("area"), static_cast<double>(own));
    EXPECT_EQ(area_of(all[i]), static_cast<double>(own));
  }
  EXPECT_EQ(all[0].at("properties").at("name"), "A1");
  EXPECT_EQ(all[0].at("properties").at("lanes"), 4);
  EXPECT_EQ(all[0].at("geometry").at("coordinates").size(), 1U);
  for (const Json& edge : features("e.geojson")) {
    EXPECT_EQ(edge.at("properties").at("name_a"), "A1");
    EXPECT_EQ(edge.at("properties").at("name_b"), "B2");
  }
  EXPECT_EQ(rows("a.csv")[0], "label_a,name_a,label_b,name_b,contacts,border,shortest_way");
  EXPECT_EQ(rows("t.csv").size(), 3U);
}

/// Polygons are cut off at the edges of the study area, cells at their centres.
TEST_F(FeaturesTest, StudyAreaOfALayer) {
  const std::string command = std::string("voronoi --sites shops.csv --label-field name") + kGrid +
                              " --mask area.geojson --overwrite";
  succeed(command + " --polygons p.geojson --edges e.geojson --labels l.npy --distance d.npy");
  double area = 0;
  for (const Json& feature : features("p.geojson")) area += area_of(feature);
  EXPECT_NEAR(area, 3845, 3845 * 1e-9);
  EXPECT_EQ(features("e.geojson").size(), 4U);  // one of five lies in the hole
  const Raster labels = read("l.npy"), distance = read("d.npy");
  EXPECT_EQ(labels.view<std::int32_t>()(40, 45), -1);  // in the hole
  EXPECT_TRUE(std::isnan(distance.view<float>()(40, 45)));
  EXPECT_EQ(labels.view<std::int32_t>()(20, 40), 3);
  succeed(command + " --clip-sites --labels l.npy");  // Gamma lies outside
  EXPECT_EQ(read("l.npy").view<std::int32_t>()(20, 40), 2);
}

TEST_F(FeaturesTest, StudyAreaOfARaster) {
  Raster mask = Raster::of<std::uint8_t>({80, 100});
  std::fill_n(mask.bytes(), 8000, std::byte{0});
  for (int y = 10; y < 30; ++y)
    for (int x = 5; x < 95; ++x) mask.view<std::uint8_t>()(y, x) = 9;
  write("mask.npy", mask);
  const Outcome outcome = run(std::string("voronoi --sites shops.csv") + kGrid +
                              " --mask mask.npy --polygons p.geojson --table t.csv --quiet");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  double area = 0;
  for (const Json& feature : features("p.geojson")) area += area_of(feature);
  EXPECT_NEAR(area, 20 * 90, 1e-6);
  // Sites that are cells: those outside count, unless they are clipped.
  const Raster sites = raster_of<std::uint8_t>({1, 5}, {7, 0, 0, 0, 9});
  write("sites.npy", sites);
  write("right.npy", raster_of<std::uint8_t>({1, 5}, {0, 1, 1, 1, 1}));
  succeed("voronoi --sites sites.npy --mask right.npy --output-nodata 255 --labels a.npy");
  EXPECT_EQ(bytes_of("a.npy"), (std::vector<int>{255, 7, 7, 9, 9}));
  succeed(
      "voronoi --sites sites.npy --mask right.npy --clip-sites --output-nodata 255 --labels b.npy");
  EXPECT_EQ(bytes_of("b.npy"), (std::vector<int>{255, 9, 9, 9, 9}));
}

/// Cells outside get a label that no site has, nor unreached cells, and a line says which.
TEST_F(FeaturesTest, LabelsOutsideAreChosen) {
  write("right.npy", raster_of<std::uint8_t>({1, 5}, {0, 1, 1, 1, 1}));
  const auto chosen = [&](const std::string& arguments) {
    const Outcome outcome =
        run("voronoi --mask right.npy --overwrite --labels l.npy --sites " + arguments + " --json");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find(kSpare), std::string::npos) << outcome.err;
    return Json::parse(outcome.out)["output_nodata"];
  };
  write("bytes.npy", raster_of<std::uint8_t>({1, 5}, {7, 0, 0, 0, 255}));
  EXPECT_EQ(chosen("bytes.npy"), 254);
  EXPECT_EQ(bytes_of("l.npy"), (std::vector<int>{254, 7, 7, 255, 255}));
  EXPECT_EQ(chosen("bytes.npy --unreached 254"), 253);
  write("short.npy", raster_of<std::int16_t>({1, 5}, {7, 0, 0, 0, 9}));
  EXPECT_EQ(chosen("short.npy"), -1);
  write("minus.npy", raster_of<std::int16_t>({1, 5}, {7, 0, 0, 0, -1}));
  EXPECT_EQ(chosen("minus.npy"), -32768);
  write("float.npy", raster_of<float>({1, 5}, {7, 0, 0, 0, -1}));
  EXPECT_TRUE(chosen("float.npy").is_null());
  EXPECT_TRUE(std::isnan(read("l.npy").view<float>()(0, 0)));
  succeed("voronoi --mask right.npy --sites bytes.npy --labels q.npy -q");
  succeed("voronoi --mask right.npy --sites bytes.npy --distance d.npy");
  Raster all = Raster::of<std::uint8_t>({1, 256});
  Raster inside = Raster::of<std::uint8_t>({1, 256});
  for (int x = 0; x < 256; ++x) {
    all.view<std::uint8_t>()(0, x) = static_cast<std::uint8_t>(x);
    inside.view<std::uint8_t>()(0, x) = x > 3 ? 1 : 0;
  }
  write("all.npy", all);
  write("inside.npy", inside);
  expect_refused("voronoi --mask inside.npy --sites all.npy --labels a.npy --zero-is-site",
                 "--output-nodata is missing: cells outside of the domain need a label, and sites "
                 "have all values of the labels' type u8");
}

/// Paths of least cost lead through what lies outside; results there are nodata.
TEST_F(FeaturesTest, CostsAndProximityInAStudyArea) {
  write("sites.npy", raster_of<std::uint8_t>({1, 5}, {7, 0, 0, 0, 0}));
  write("cost.npy", raster_of<float>({1, 5}, {1, 1, 1, 1, 1}));
  write("mask.npy", raster_of<std::uint8_t>({1, 5}, {0, 0, 1, 1, 1}));
  succeed(
      "cost --cost cost.npy --sites sites.npy --mask mask.npy --output-nodata 255 --labels l.npy "
      "--distance d.npy --back-link b.npy --site-index i.npy --table t.csv");
  EXPECT_EQ(bytes_of("l.npy"), (std::vector<int>{255, 255, 7, 7, 7}));
  EXPECT_EQ(bytes_of("b.npy")[1], 255);
  EXPECT_TRUE(std::isnan(read("d.npy").view<float>()(0, 1)));
  EXPECT_EQ(read("d.npy").view<float>()(0, 4), 4);
  EXPECT_EQ(read("i.npy").view<std::int64_t>()(0, 0), -2);
  EXPECT_EQ(rows("t.csv")[1], "7,3,3,3,0,4,3");
  const Outcome chosen =
      run("cost --cost cost.npy --sites sites.npy --mask mask.npy --labels m.npy");
  EXPECT_EQ(chosen.exit_code, 0);
  EXPECT_EQ(chosen.err, kSpare + "255; --output-nodata chooses another\n");
  EXPECT_EQ(bytes_of("m.npy"), (std::vector<int>{255, 255, 7, 7, 7}));
  succeed("proximity sites.npy p.npy --mask mask.npy --nodata -1");
  EXPECT_EQ(read("p.npy").view<float>()(0, 1), -1);
  EXPECT_EQ(read("p.npy").view<float>()(0, 2), 2);
  succeed(std::string("proximity roads.geojson r.npy --where lanes>4") + kGrid);
  EXPECT_EQ(read("r.npy").view<float>()(15, 0), 90);
  expect_refused("proximity roads.geojson s.npy",
                 "roads.geojson has no grid of its own: give --size WxH, --like FILE, or --bounds "
                 "x0,y0,x1,y1 with --cell-size");
  expect_refused("proximity sites.npy s.npy --size 5x5",
                 "--size: is for sources without a grid; sites.npy is a raster");
  const Outcome none = run("proximity sites.npy q.npy --mask mask.npy --clip-sites --nodata -1");
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_EQ(read("q.npy").view<float>()(0, 2), -1);
}

TEST_F(FeaturesTest, FeaturesAreSelectedAndTransformed) {
  const std::string roads = std::string("voronoi --sites roads.geojson --label-field road") + kGrid;
  succeed(roads + " --where lanes>4 --table t.csv");
  ASSERT_EQ(rows("t.csv").size(), 2U);
  EXPECT_TRUE(rows("t.csv")[1].ends_with(",2,A1,6")) << rows("t.csv")[1];
  succeed(roads + " --spat 0,65,50,75 --table u.csv");
  EXPECT_TRUE(rows("u.csv")[1].ends_with(",1,B2,2")) << rows("u.csv")[1];
  const Outcome sql = run_command(
      {"voronoi", "--sites", "roads.geojson", "--sql", "select road from roads order by lanes",
       "--label-field", "road", "--bounds", "0,0,100,80", "--cell-size", "1", "--table", "v.csv"},
      {.folder = path("")});
  EXPECT_EQ(sql.exit_code, 0) << sql.err;
  EXPECT_TRUE(rows("v.csv")[1].starts_with("1,B2,")) << rows("v.csv")[1];
  expect_refused(roads + " --where lane>4 --table w.csv",
                 "roads.geojson: cannot select features by 'lane>4': \"lane\" not recognised as an "
                 "available field.");
  expect_refused(roads + " --spat 1,2,3 --table w.csv",
                 "--spat 1,2,3: must be x0,y0,x1,y1 with x0 <= x1, y0 <= y1");
  expect_refused(std::string("voronoi --sites shops.csv --transform") + kGrid + " --table w.csv",
                 "--transform: is not for points of a text file, as in shops.csv");
  const Georeference utm{.transform = {0, 1, 0, 80, 0, -1}, .crs = kUtm};
  Raster grid(ElementType::u8, Grid{.extents = {80, 100}, .georeference = utm});
  std::fill_n(grid.bytes(), 8000, std::byte{1});
  io::OutputFile file(path("grid.tif"), false);
  io::write_raster(file, grid.view(), {.georeference = utm});
  file.commit();
  // The point of the origin of UTM zone 31 at the equator, 500 km from its false origin.
  write_bytes("degrees.geojson", R"({"type":"FeatureCollection","features":[{"type":"Feature",
    "properties":{},"geometry":{"type":"Point","coordinates":[-1.4886,0.0004]}}]})");
  const std::string degrees = "voronoi --sites degrees.geojson --like-grid grid.tif --table d.csv";
  expect_refused(degrees,
                 "degrees.geojson: is in EPSG:4326 (WGS 84), the grid in EPSG:32631 (WGS 84 / UTM "
                 "zone 31N); --transform takes it there");
  succeed(degrees + " --transform");
  EXPECT_TRUE(rows("d.csv")[1].starts_with("0,1,8000,")) << rows("d.csv")[1];
  // A grid of --bounds has the coordinates of its sites, and the other layers are transformed.
  write_bytes("all.geojson", R"({"type":"FeatureCollection","features":[{"type":"Feature",
    "properties":{},"geometry":{"type":"Polygon",
    "coordinates":[[[-3,-1],[0,-1],[0,1],[-3,1],[-3,-1]]]}}]})");
  expect_refused(roads + " --where lanes>4 --mask all.geojson --table e.csv",
                 "--mask all.geojson: is in EPSG:4326 (WGS 84), the grid in EPSG:32631 (WGS 84 / "
                 "UTM zone 31N); --transform takes it there");
  succeed(roads + " --where lanes>4 --mask all.geojson --transform --table e.csv");
  EXPECT_TRUE(rows("e.csv")[1].starts_with("1,A1,8000,")) << rows("e.csv")[1];
}

/// Roads with a speed, a river that no path crosses, a start with a cost of its own.
TEST_F(FeaturesTest, CostsFromLayers) {
  write_bytes("speeds.geojson", R"({"type":"FeatureCollection","crs":)" + crs() + R"(,"features":[
      {"type":"Feature","properties":{"speed":0.5},"geometry":{"type":"LineString","coordinates":[[0.5,0.5],[4.5,0.5]]}}]})");
  write_bytes("river.geojson", layer(R"({"type":"LineString","coordinates":[[3.5,0],[3.5,1]]})"));
  write_bytes("start.geojson", R"({"type":"FeatureCollection","crs":)" + crs() + R"(,"features":[
      {"type":"Feature","properties":{"wait":7},"geometry":{"type":"Point","coordinates":[0.5,0.5]}}]})");
  const std::string command =
      "cost --sites start.geojson --bounds 0,0,5,1 --cell-size 1 --overwrite --distance d.npy";
  const auto costs = [&] {
    const Raster found = read("d.npy");
    return std::vector<float>(found.view<float>().data(), found.view<float>().data() + 5);
  };
  succeed(command + " --speed-of speeds.geojson:speed --initial-cost-field wait");
  EXPECT_EQ(costs(), (std::vector<float>{7, 9, 11, 13, 15}));
  const std::string fast = command + " --speed-of speeds.geojson:speed --speed-unit ";
  succeed(fast + "km/h");  // 7.2 s for a metre
  EXPECT_FLOAT_EQ(costs()[4], 28.8F);
  succeed(fast + "m/s --cost-unit min --max-distance 0.11");
  EXPECT_FLOAT_EQ(costs()[3], 0.1F);
  EXPECT_FALSE(std::isfinite(costs()[4]));
  expect_refused(
      fast + "knots",
      "--speed-unit knots: must be one of km/h, m/s, mph, kn (see thiessen cost --help)");
  expect_refused(command + " --cost-of speeds.geojson:speed --speed-unit km/h",
                 "--speed-unit requires --speed-of (see thiessen cost --help)");
  expect_refused(command + " --speed-of speeds.geojson:speed --cost-unit h",
                 "--cost-unit requires --speed-unit (see thiessen cost --help)");
  succeed(command + " --cost-of speeds.geojson:speed --barriers river.geojson");
  EXPECT_EQ(costs()[2], 1);
  EXPECT_FALSE(std::isfinite(costs()[4]));
  write("map.npy", raster_of<std::uint8_t>({1, 5}, {2, 2, 2, 2, 2}));
  succeed(command +
          " --stiffness map.npy --barriers river.geojson --paths-from start.geojson "
          "--paths p.csv");
  EXPECT_EQ(costs()[2], 1);
  EXPECT_EQ(rows("p.csv"), (std::vector<std::string>{"path,x,y", "1,0,0"}));
  expect_refused(command + " --cost-of speeds.geojson",
                 "--cost-of speeds.geojson: must be FILE:FIELD");
  expect_refused(command + " --cost-of roads.geojson:road",
                 "--cost-of roads.geojson: the field road holds text; must hold numbers");
  expect_refused(command + " --speed-of speeds.geojson:speed --initial-cost-field wat",
                 "--initial-cost-field wat: start.geojson has no such field");
}

/// Walls lie between cells: lines, and outlines of areas.
TEST_F(FeaturesTest, WallsFromLayers) {
  write_bytes("start.geojson", layer(R"({"type":"Point","coordinates":[0.5,0.5]})"));
  write_bytes("wall.geojson", layer(R"({"type":"LineString","coordinates":[[3,0],[3,1]]})"));
  write_bytes("room.geojson", layer(R"({"type":"Polygon","coordinates":[
      [[1.2,-1],[4,-1],[4,2],[1.2,2],[1.2,-1]]]})"));
  write_bytes("slanted.geojson", layer(R"({"type":"LineString","coordinates":[[-9,3.2],[9,-1]]})"));
  write_bytes("far.geojson", layer(R"({"type":"LineString","coordinates":[[0,0],[3e9,0]]})"));
  const auto costs = [&](const std::string& height, const std::string& walls) {
    succeed(
        "cost --map uniform --sites start.geojson --connectivity 8 --cell-size 1 --overwrite "
        "--distance d.npy --bounds 0,0,5," +
        height + walls);
    const Raster found = read("d.npy");
    const auto distance = found.view<float>();
    return std::vector<float>(distance.data(), distance.data() + found.extents().count());
  };
  constexpr float kNone = std::numeric_limits<float>::infinity();
  EXPECT_EQ(costs("1", " --walls wall.geojson"), (std::vector<float>{0, 1, 2, kNone, kNone}));
  EXPECT_EQ(costs("1", " --walls room.geojson"),
            (std::vector<float>{0, kNone, kNone, kNone, kNone}));
  const auto round = costs("2", " --walls wall.geojson");
  EXPECT_GT(round[8], 3) << "over the upper row";
  EXPECT_TRUE(std::isfinite(round[9]));
  const auto slanted = costs("3", " --walls slanted.geojson --walls wall.geojson");
  EXPECT_FALSE(std::isfinite(slanted[4]));
  EXPECT_TRUE(std::isfinite(slanted[10]));
  const std::string command =
      "cost --map uniform --sites start.geojson --bounds 0,0,5,1 --cell-size 1 --distance d.npy "
      "--overwrite --walls ";
  expect_refused(command + "start.geojson",
                 "--walls start.geojson: holds points; must hold lines or areas");
  expect_refused(command + "far.geojson",
                 "--walls far.geojson: a line leads more than 2^30 cells away from the grid");
}

/// A line, a point beside a line, and areas that meet them, two of which share a label.
class InitialCostTest : public FeaturesTest {
 protected:
  static std::string feature(int number, int region, const std::string& wait,
                             const std::string& geometry) {
    return R"({"type":"Feature","properties":{"number":)" + std::to_string(number) +
           R"(,"region":)" + std::to_string(region) + R"(,"wait":)" + wait +
           R"(,"name":"x"},"geometry":)" + geometry + "}";
  }

  void write_layer(const std::string& name, const std::string& first_wait) const {
    const std::vector<std::string> features = {
        feature(1, 4, first_wait, R"({"type":"LineString","coordinates":[[5,5],[70,40],[20,75]]})"),
        feature(2, 9, "0", R"({"type":"Polygon","coordinates":[[[30,2],[60,2],[60,45],[30,2]]]})"),
        feature(3, 4, "3", R"({"type":"Polygon","coordinates":[[[0,50],[40,50],[40,79],[0,50]]]})"),
        feature(4, 2, "2.25",
                R"({"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":)"
                R"([90.5,70.5]},{"type":"LineString","coordinates":[[99,1],[99,60]]}]})")};
    std::string text;
    for (const std::string& each : features) text += (text.empty() ? "" : ",") + each;
    write_bytes(name,
                R"({"type":"FeatureCollection","crs":)" + crs() + R"(,"features":[)" + text + "]}");
  }

  /// What the features start with, in the cells that they have.
  void write_oracle() const {
    const auto burn = [&](const std::string& field, const std::string& name) {
      succeed("voronoi --sites layer.geojson --label-field " + field + kGrid +
              " --max-distance 0 --labels " + name);
    };
    burn("number", "numbers.npy");
    burn("region", "sites.npy");
    const Raster numbers = read("numbers.npy");
    Raster costs(ElementType::f64, numbers.extents());
    constexpr std::array<double, 5> kWaits = {0, 1.5, 0, 3, 2.25};
    for (std::int64_t i = 0; i < numbers.extents().count(); ++i)
      costs.view<double>().data()[i] =
          kWaits[static_cast<std::size_t>(numbers.view<std::int32_t>().data()[i])];
    write("costs.npy", costs);
  }
};

TEST_F(InitialCostTest, OfLinesAndAreasIsThatOfARaster) {
  write_layer("layer.geojson", "1.5");
  write_oracle();
  Raster map(ElementType::f32, {80, 100});
  Context context;
  material_map(context, map.view(), Material::noise, 3);
  write("map.npy", map);
  const auto outputs = [](const std::string& run) {
    return " --labels " + run + "l.npy --distance " + run + "d.npy --site-index " + run +
           "i.npy --back-link " + run + "b.npy";
  };
  const std::string layer = "cost --cost map.npy --sites layer.geojson --label-field region" +
                            std::string(kGrid) + " --initial-cost-field wait";
  succeed("cost --cost map.npy --sites sites.npy --initial-cost costs.npy" + outputs("a_"));
  succeed(layer + outputs("b_"));
  for (const char* const name : {"l.npy", "d.npy", "i.npy", "b.npy"})
    EXPECT_EQ(read_bytes(std::string("a_") + name), read_bytes(std::string("b_") + name)) << name;
  const Raster distance = read("a_d.npy"), sites = read("sites.npy");
  EXPECT_EQ(distance.view<float>()(59, 55), 0) << "in the area of no cost";
  bool keeps = false;
  for (std::int64_t i = 0; i < distance.extents().count(); ++i)
    keeps = keeps ||
            (sites.view<std::int32_t>().data()[i] == 4 && distance.view<float>().data()[i] == 1.5F);
  EXPECT_TRUE(keeps) << "no cell keeps the cost of the line";
}

TEST_F(InitialCostTest, ThatIsNoneIsRefused) {
  const std::string command = "cost --map uniform --sites layer.geojson --distance d.npy" +
                              std::string(kGrid) + " --initial-cost-field ";
  write_layer("layer.geojson", "-3");
  expect_refused(command + "wait",
                 "--initial-cost-field wait: holds -3 for feature 0 of layer.geojson; must be "
                 "finite and >= 0");
  expect_refused(command + "weight",
                 "--initial-cost-field weight: layer.geojson has no such field");
  expect_refused(command + "name",
                 "--initial-cost-field name: holds no number for feature 0 of layer.geojson");
  write_layer("layer.geojson", "null");
  expect_refused(command + "wait",
                 "--initial-cost-field wait: holds no number for feature 0 of layer.geojson");
  write("sites.npy", raster_of<std::uint8_t>({1, 2}, {0, 1}));
  expect_refused("cost --map uniform --sites sites.npy --initial-cost-field wait --distance d.npy",
                 "--initial-cost-field wait: is for sites of a layer or table; --initial-cost "
                 "takes a raster");
  write_bytes("points.csv", "x,y,wait\n1,1,4\n2,2,-1\n");
  expect_refused(
      "cost --map uniform --size 9x9 --sites points.csv --initial-cost-field wait "
      "--distance d.npy",
      "--initial-cost-field wait: holds -1 for point 2 of points.csv; must be finite "
      "and >= 0");
}

/// A field of the table weights the points, also the field that labels them.
TEST_F(FeaturesTest, WeightsOfPoints) {
  write_bytes("trees.csv", "x,y,crown,label\n1,0,2,3\n7,0,1,5\n");
  const std::string trees = "voronoi --sites trees.csv --label-field label --size 9x1 ";
  succeed(trees +
          "--weight-field crown --weighting additive --labels l.npy --weighted-distance w.npy");
  const std::vector<std::int32_t> labels{3, 3, 3, 3, 3, 5, 5, 5, 5};
  const Raster found = read("l.npy");
  const auto* label = found.view<std::int32_t>().data();
  EXPECT_EQ(std::vector(label, label + 9), labels);
  EXPECT_EQ(read("w.npy").view<float>().data()[4], 1);
  const Outcome power = run(trees +
                            "--weight-field label --weighting power --polygons p.geojson "
                            "--edges e.geojson --json");
  ASSERT_EQ(power.exit_code, 0) << power.err;
  EXPECT_EQ(Json::parse(power.out).at("outlines"), "straight");
  EXPECT_DOUBLE_EQ(features("p.geojson")[0].at("properties").at("area").get<double>(), 13.0 / 3);
  const Json edge = features("e.geojson")[0].at("properties");
  EXPECT_DOUBLE_EQ(edge.at("least_distance").get<double>(), 17.0 / 6);  // to the first of both
  const auto refused = [&](const std::string& flags, const std::string& message) {
    expect_refused(trees + "--labels no.npy " + flags, message);
  };
  refused("--weighting power", "--weighting power: needs --weight-field, or --weights");
  refused("--weight-field crown",
          "--weighting none; must be power, additive or multiplicative where weights are given");
  refused("--weight-field height --weighting power",
          "--weight-field height: trees.csv has no such field");
  expect_refused(std::string("voronoi --sites shops.csv --label-field name --weight-field staff "
                             "--weighting power --labels no.npy") +
                     kGrid,
                 "--weight-field staff: holds no number for point 3 of shops.csv");
}

/// Azimuths are those of the world, also where the first row is in the south.
TEST_F(FeaturesTest, EllipsesOfPoints) {
  write_bytes("towns.csv", "x,y,long,short,turn\n2,2,2,1,90\n8,2,1,1,0\n");
  const std::string towns = "voronoi --sites towns.csv --size 11x5 ";
  succeed(towns + "--ellipse-fields long,short,turn --site-index i.npy --distance d.npy");
  const Raster found = read("i.npy");
  const auto* index = found.view<std::int64_t>().data();
  // (x − 2)/2 against 8 − x
  EXPECT_EQ(std::vector<std::int64_t>(index + 22, index + 33),
            (std::vector<std::int64_t>{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(read("d.npy").view<float>().data()[2 * 11 + 6], 2);
  const auto refused = [&](const std::string& fields, const std::string& message) {
    expect_refused(towns + "--labels no.npy --ellipse-fields " + fields,
                   "--ellipse-fields " + message);
  };
  for (const std::string fields : {"long,short", "long,,turn", "long,short,"})
    refused(fields, fields + ": must be MAJOR,MINOR,AZIMUTH, for a grid of two axes");
  expect_refused(towns + "--labels no.npy --ellipse-fields long,short,turn --points-in-cells",
                 "--ellipse-fields and --points-in-cells are given; the cells of points have no "
                 "ellipses");
  expect_refused(towns + "--labels no.npy --weight-field long --weighting power --points-in-cells",
                 "--weight-field and --points-in-cells are given; the cells of points have no "
                 "weights");
  refused("long,turn,short", "turn: holds 0 for point 2 of towns.csv; must be from 1e-9 to 1e9");
  refused("long,short,wide", "wide: towns.csv has no such field");
  expect_refused(
      std::string("voronoi --sites roads.geojson --ellipse-fields a,b,c --labels "
                  "no.npy") +
          kGrid,
      "--ellipse-fields a,b,c: is for sites that are points, and roads.geojson has none");
}

/// Cells that are sites have weights from a raster, those of lines and areas from a field.
TEST_F(FeaturesTest, WeightsOfCells) {
  Raster sites = Raster::of<std::uint8_t>({1, 9});
  std::fill_n(sites.view<std::uint8_t>().data(), 9, std::uint8_t{0});
  sites.view<std::uint8_t>().data()[0] = 3;
  sites.view<std::uint8_t>().data()[6] = 5;
  write("cells.npy", sites);
  Raster weights = Raster::of<float>({1, 9});
  for (int i = 0; i < 9; ++i) weights.view<float>().data()[i] = i < 5 ? 2 : 1;
  write("weights.npy", weights);
  const std::string cells = "voronoi --sites cells.npy --weights weights.npy ";
  succeed(cells + "--weighting multiplicative --labels l.npy");
  const Raster found = read("l.npy");
  const auto* label = found.view<std::uint8_t>().data();
  EXPECT_EQ(std::vector<int>(label, label + 9), (std::vector<int>{3, 3, 3, 3, 3, 5, 5, 5, 5}));
  succeed(std::string("voronoi --sites roads.geojson --weight-field lanes --weighting additive "
                      "--labels lanes.npy") +
          kGrid);
  expect_refused(cells + "--weighting power --slab-rows 1 --labels no.npy",
                 "--slab-rows 1: the run is not done in slabs: --weighting power is not; slabs of "
                 "cells have no weights");
  weights.view<float>().data()[6] = -1;
  write("weights.npy", weights);
  expect_refused(cells + "--weighting multiplicative --labels no.npy --overwrite",
                 "--weights weights.npy: cell [0, 6] holds -1; must be finite and > 0");
  expect_refused("voronoi --sites cells.npy --weight-field a --weighting power --labels no.npy",
                 "--weight-field a: is not for rasters, as in cells.npy");
}

/// Points get weights with which their cells hold equal sums of a raster.
TEST_F(FeaturesTest, CellsOfEqualSums) {
  write_bytes("stations.csv", "x,y\n5,5\n20,12\n33,4\n");
  Raster people = Raster::of<float>({20, 40});
  for (std::int64_t i = 0; i < 800; ++i)
    people.view<float>().data()[i] = 1 + static_cast<float>(i % 40) / 10;
  write("people.npy", people);
  const std::string stations = "voronoi --sites stations.csv --size 40x20 ";
  const Outcome outcome = run(stations + "--balance people.npy --labels l.npy --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  std::array<double, 3> sums{};
  const Raster labels = read("l.npy");
  for (std::int64_t i = 0; i < 800; ++i)
    sums[static_cast<std::size_t>(labels.view<std::int32_t>().data()[i] - 1)] +=
        people.view<float>().data()[i];
  const double mean = (sums[0] + sums[1] + sums[2]) / 3;
  for (const double sum : sums) EXPECT_NEAR(sum, mean, 0.01 * mean);
  EXPECT_LE(Json::parse(outcome.out).at("balance_miss").get<double>(), 0.01 * mean);
  expect_refused(
      std::string("voronoi --sites roads.geojson --balance people.npy --labels no.npy") + kGrid,
      "--balance people.npy: roads.geojson has lines or areas; must have points alone");
  expect_refused("voronoi --sites stations.csv --size 30x20 --balance people.npy --labels no.npy",
                 "--balance people.npy: has 40x20 cells, and stations.csv 30x20; must be the same");
}

TEST_F(FeaturesTest, NamesOfACsvNeedTheirFlag) {
  expect_refused(
      std::string("voronoi --sites shops.csv --label-field staff") + kGrid + " --labels l.npy",
      "shops.csv: line 4 has no label");
  succeed(std::string("voronoi --sites shops.csv --label-field name") + kGrid + " --labels l.tif");
  const std::string names = read_bytes("l.tif.aux.xml");
  EXPECT_NE(names.find("<F>2</F>\n        <F>Beta &quot;B&quot;</F>"), std::string::npos) << names;
  write_bytes("mixed.csv", "x,y,label\n1,1,5\n2,2,7a\n");
  expect_refused("voronoi --sites mixed.csv --size 5x5 --labels l.npy",
                 "mixed.csv: line 3 has the label '7a'; a label is a number");
  succeed("voronoi --sites mixed.csv --label-field label --size 5x5 --table t.csv");
  EXPECT_TRUE(rows("t.csv")[2].starts_with("1,2,7a,")) << rows("t.csv")[2];
}

TEST_F(FeaturesTest, BadInput) {
  const std::string shops = std::string("voronoi --sites shops.csv") + kGrid;
  expect_refused(shops + " --polygons p.csv",
                 "p.csv: has no suffix of a format for vector layers: .gpkg, .geojson, .json, "
                 ".fgb, .shp");
  expect_refused(shops + " --table t.tif",
                 "t.tif: has no suffix of a format for tables: .csv, .gpkg, .parquet");
  expect_refused(shops + " --polygons p.gpkg --edges p.gpkg",
                 "p.gpkg: is given for two outputs; each needs a file of its own");
  write("small.npy", raster_of<std::uint8_t>({1, 5}, {0, 1, 1, 1, 1}));
  expect_refused(shops + " --table t.csv --sum-of small.npy",
                 "--sum-of small.npy: has 5x1 cells, and shops.csv 100x80; must be the same");
  expect_refused(shops + " --mask small.npy --labels l.npy",
                 "--mask small.npy: has 5x1 cells, and shops.csv 100x80; must be the same");
  expect_refused(shops + " --mask roads.geojson --labels l.npy",
                 "--mask roads.geojson: must hold areas, and nothing else");
  expect_refused("voronoi --random 3 --size 5x5x5 --polygons p.gpkg",
                 "--random: vector outputs need a grid of 2 axes; this one has 3");
  write_bytes("p.gpkg", "kept");
  const Outcome outcome = run(shops + " --polygons p.gpkg");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_EQ(read_bytes("p.gpkg"), "kept");
  const std::vector<std::string> left = names();
  EXPECT_EQ(std::count_if(left.begin(), left.end(),
                          [](const std::string& name) { return name.starts_with("."); }),
            0);
}

}  // namespace
}  // namespace thiessen::cli
