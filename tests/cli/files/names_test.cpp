// SPDX-License-Identifier: Apache-2.0
//
// Names of sites: the text they are read from, sites without one, and where results keep them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "io/raster/raster_file.hpp"

namespace thiessen::cli {
namespace {

constexpr int kNameRefused = 2;
constexpr const char* kNameGrid = " --bounds 0,0,100,80 --cell-size 1 --overwrite ";

class NamesTest : public CommandTest {
 protected:
  void SetUp() override {
    if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  }

  static std::string point(const std::string& properties, const std::string& coordinates) {
    return R"({"type":"Feature","properties":)" + properties +
           R"(,"geometry":{"type":"Point","coordinates":)" + coordinates + "}}";
  }
  static std::string layer(const std::string& features) {
    return R"({"type":"FeatureCollection","crs":{"type":"name","properties":)"
           R"({"name":"urn:ogc:def:crs:EPSG::32631"}},"features":[)" +
           features + "]}";
  }

  std::vector<std::string> rows(const std::string& name) const {
    std::vector<std::string> lines = lines_of(read_bytes(name));
    for (std::string& line : lines) std::erase(line, '\r');
    return lines;
  }

  /// The first columns of the rows of a table.
  std::vector<std::string> keys(const std::string& name, int columns) const {
    std::vector<std::string> keys;
    for (std::string& row : rows(name)) {
      std::size_t end = 0;
      for (int i = 0; i < columns; ++i) end = row.find(',', end) + 1;
      keys.push_back(row.substr(0, end - 1));
    }
    return keys;
  }

  void expect_refused(const std::string& arguments, const std::string& words) const {
    const Outcome outcome = run(arguments);
    expect_one_line_of_complaint(outcome);
    EXPECT_EQ(outcome.exit_code, kNameRefused) << arguments;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  }

  void expect_warning(const std::string& arguments, const std::string& words) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("warning: " + words), std::string::npos) << outcome.err;
    expect_refused(arguments + " --strict", words);
  }
};

/// Text in another encoding would make invalid GeoJSON, XML and GeoPackage.
TEST_F(NamesTest, TextIsUtf8) {
  const std::string sites = "voronoi --label-field name --labels l.tif --polygons p.geojson";
  write_bytes("latin.csv",
              "x,y,name\n10,10,B\xe4"
              "ckerei\n50,40,\xd6tz\n");
  expect_refused(
      sites + " --sites latin.csv" + kNameGrid,
      "latin.csv: line 2 has text that is not UTF-8: 'B?ckerei'; save the file as UTF-8");
  write_bytes("other.csv",
              "x,y,owner\n10,10,B\xe4"
              "cker\n");
  expect_refused(std::string("voronoi --sites other.csv --table t.csv") + kNameGrid,
                 "other.csv: line 2 has text that is not UTF-8");
  succeed(std::string("voronoi --sites other.csv --labels l.npy") + kNameGrid);  // does not read it
  write_bytes("header.csv",
              "x,y,stra\xdf"
              "e\n10,10,5\n");
  expect_refused(std::string("voronoi --sites header.csv --table t.csv") + kNameGrid,
                 "header.csv: line 1 has text that is not UTF-8");
  write_bytes("latin.geojson", layer(point("{\"name\":\"B\xe4"
                                           "ckerei\"}",
                                           "[10,10]")));
  const Outcome refused = run(sites + " --sites latin.geojson" + kNameGrid);
  EXPECT_EQ(refused.exit_code, kNameRefused);
  write_bytes("surrogate.csv", "x,y,name\n10,10,\xed\xa0\x80\n");
  expect_refused(sites + " --sites surrogate.csv" + kNameGrid, "is not UTF-8");
  write_bytes("fine.csv", "x,y,name\n10,10,B\u00e4ckerei\n50,40,\u65e5\u672c\U0001F3ED\n");
  succeed(sites + " --sites fine.csv" + kNameGrid);
}

/// A shapefile that does not say what its text is has the bytes of any code page.
TEST_F(NamesTest, TextOfShapefilesAndRasters) {
  write_bytes("ok.geojson", layer(point(R"({"name":"Backerei"})", "[10,10]")));
  succeed(std::string("voronoi --sites ok.geojson --polygons p.shp --label-field name") +
          kNameGrid);
  std::string table = read_bytes("p.dbf");
  table.replace(table.find("Backerei"), 8,
                "B\xe4"
                "ckerei");
  table[29] = 0;
  write_bytes("p.dbf", table);
  std::filesystem::remove(path("p.cpg"));
  expect_refused(std::string("voronoi --sites p.shp --table t.csv") + kNameGrid,
                 "has text that is not UTF-8 in the field 'name'");
  succeed(std::string("voronoi --sites ok.geojson --labels l.tif --label-field name") + kNameGrid);
  std::string names = read_bytes("l.tif.aux.xml");
  names.replace(names.find("Backerei"), 8,
                "B\xe4"
                "ckerei");
  write_bytes("l.tif.aux.xml", names);
  expect_refused("voronoi --sites l.tif --table t.csv --overwrite", "l.tif: ");
}

/// Sites without a name have their number for it, and are told.
TEST_F(NamesTest, SitesWithoutAName) {
  write_bytes("s.csv", "x,y,name\n10,10,Mill\n50,40,\n60,60,\"\"\n90,70,Mill\n");
  const std::string command = std::string(" --label-field name --table t.csv") + kNameGrid;
  expect_warning("voronoi --sites s.csv" + command, "s.csv: 2 of its points have no name");
  EXPECT_EQ(keys("t.csv", 3), (std::vector<std::string>{"site_index,label,name", "0,1,Mill",
                                                        "1,2,2", "2,3,3", "3,1,Mill"}));
  write_bytes("s.geojson", layer(point(R"({"name":null})", "[10,10]") + "," +
                                 point(R"({"name":"Mill"})", "[50,40]") + "," +
                                 point(R"({"name":""})", "[60,60]")));
  expect_warning("voronoi --sites s.geojson" + command, "s.geojson: 2 of its features have no");
  EXPECT_EQ(keys("t.csv", 3),
            (std::vector<std::string>{"site_index,label,name", "0,1,1", "1,2,Mill", "2,3,3"}));
  // Names of a map are those of the sites.
  write_bytes("n.csv", "name\nMill\n\nHarbour\n");
  succeed("voronoi --sites s.csv --label-field name --labels l.tif --quiet" +
          std::string(kNameGrid));
  succeed("render --labels l.tif --names s.csv --label-field name --legend auto --output p.html");
  write_bytes("numbers.csv", "x,y,id\n10,10,4\n50,40,\n");
  expect_refused(
      "voronoi --sites numbers.csv --label-field id --labels l.npy" + std::string(kNameGrid),
      "numbers.csv: line 3 has no label");
}

/// Features without a geometry are left out, and told, whatever the layer is for.
TEST_F(NamesTest, FeaturesWithoutAGeometry) {
  const std::string empty = R"({"type":"Feature","properties":{"v":1},"geometry":null})";
  write_bytes("s.geojson", layer(empty + "," + point(R"({"v":1})", "[10,10]")));
  write_bytes("river.geojson",
              layer(empty + R"(,{"type":"Feature","properties":{"v":1},"geometry":)"
                            R"({"type":"LineString","coordinates":[[5,5],[5,9]]}})"));
  write_bytes("area.geojson",
              layer(empty + R"(,{"type":"Feature","properties":{},"geometry":{"type":"Polygon",)"
                            R"("coordinates":[[[0,0],[90,0],[90,70],[0,0]]]}})"));
  const std::string s = "s.geojson: 1 of its features have no geometry, or an empty one";
  expect_warning(std::string("voronoi --sites s.geojson --labels l.npy") + kNameGrid, s);
  expect_warning(std::string("proximity s.geojson p.tif") + kNameGrid, s);
  write_bytes("one.geojson", layer(point("{}", "[10,10]")));
  const std::string cost =
      std::string("cost --map uniform --sites one.geojson --distance d.npy") + kNameGrid;
  expect_warning(cost + "--paths-from s.geojson --paths p.csv", s);
  expect_warning(cost + "--barriers river.geojson", "river.geojson: 1 of its features");
  expect_warning(cost + "--walls river.geojson", "river.geojson: 1 of its features");
  expect_warning(std::string("cost --cost-of river.geojson:v --sites one.geojson --distance "
                             "d.npy") +
                     kNameGrid,
                 "river.geojson: 1 of its features");
  expect_warning(
      std::string("voronoi --sites one.geojson --labels l.npy --mask area.geojson") + kNameGrid,
      "area.geojson: 1 of its features");
  succeed(std::string("voronoi --sites one.geojson --labels l.tif") + kNameGrid);
  expect_warning("render --labels l.tif --sites s.geojson --output p.png --overwrite", s);
}

/// The field of the names is not there twice.
TEST_F(NamesTest, TablesHaveNamesOnce) {
  write_bytes("s.geojson", layer(point(R"({"Name":"Mill","pop":3})", "[10,10]")));
  const std::string command = std::string("voronoi --sites s.geojson --table t.csv") + kNameGrid;
  succeed(command + "--label-field Name");
  EXPECT_EQ(rows("t.csv")[0],
            "site_index,label,name,cells,area,x,y,greatest_distance,mean_distance,source_fid,pop");
  succeed(command + "--label-field name");  // as OGR finds it
  EXPECT_EQ(rows("t.csv")[0].find("name_2"), std::string::npos);
  EXPECT_EQ(rows("t.csv")[0].find("Name"), std::string::npos);
  succeed(command + "--label-field pop");
  EXPECT_NE(rows("t.csv")[0].find(",Name"), std::string::npos);
}

/// A second run knows the names of the first one.
TEST_F(NamesTest, RastersKeepNames) {
  write_bytes("s.csv", "x,y,name\n10,10,Mill\n50,40,Harbour\n");
  succeed(std::string("voronoi --sites s.csv --label-field name --labels l.tif") + kNameGrid);
  succeed("voronoi --sites l.tif --labels again.tif --table t.csv --polygons p.geojson");
  EXPECT_EQ(keys("t.csv", 2), (std::vector<std::string>{"label,name", "1,Mill", "2,Harbour"}));
  EXPECT_EQ(read_bytes("l.tif.aux.xml"), read_bytes("again.tif.aux.xml"));
  succeed("cost --map uniform --sites l.tif --table t.csv --labels c.tif --overwrite");
  EXPECT_EQ(keys("t.csv", 2), (std::vector<std::string>{"label,name", "1,Mill", "2,Harbour"}));
  EXPECT_EQ(read_bytes("l.tif.aux.xml"), read_bytes("c.tif.aux.xml"));
  succeed("voronoi --sites l.tif --labels slabs.tif --slab-rows 16");
  EXPECT_EQ(read_bytes("l.tif.aux.xml"), read_bytes("slabs.tif.aux.xml"));
  succeed("render --labels l.tif --legend auto --output p.html");
  EXPECT_NE(read_bytes("p.html").find("Harbour"), std::string::npos);
  succeed("render --labels again.tif --names l.tif --output q.html");
  EXPECT_NE(read_bytes("q.html").find("Harbour"), std::string::npos);
  succeed("voronoi --sites l.tif --components 4 --table t.csv --overwrite");
  EXPECT_TRUE(rows("t.csv")[0].starts_with("label,cells,")) << rows("t.csv")[0];
}

/// What tells about a file does not outlive it.
TEST_F(NamesTest, ReplacedFilesLoseTheirCompanions) {
  write_bytes("s.csv", "x,y,name\n10,10,Mill\n50,40,Harbour\n");
  const std::string command = std::string("voronoi --sites s.csv --labels l.tif") + kNameGrid;
  succeed(command + "--label-field name");
  write_bytes("l.tif.ovr", "stale");
  EXPECT_TRUE(std::filesystem::exists(path("l.tif.aux.xml")));
  succeed(command);
  EXPECT_FALSE(std::filesystem::exists(path("l.tif.aux.xml")));
  EXPECT_FALSE(std::filesystem::exists(path("l.tif.ovr")));
  succeed(command + "--label-field name");
  EXPECT_TRUE(std::filesystem::exists(path("l.tif.aux.xml")));
  const std::string shapes = std::string("voronoi --sites s.csv --polygons p.shp") + kNameGrid;
  succeed(shapes);
  write_bytes("p.qix", "stale");
  write_bytes("p.prj", "stale");
  succeed(shapes);
  EXPECT_FALSE(std::filesystem::exists(path("p.qix")));
  EXPECT_FALSE(std::filesystem::exists(path("p.prj")));
}

/// More names than readers of the raster want to load stay in the tables.
TEST_F(NamesTest, TooManyNamesForARaster) {
  std::string text = "x,y,name\n";
  for (int i = 0; i < 100'001; ++i)
    text +=
        std::to_string(i % 400) + "," + std::to_string(i / 400) + ",n" + std::to_string(i) + "\n";
  write_bytes("s.csv", text);
  expect_warning(
      "voronoi --sites s.csv --label-field name --size 400x251 --labels l.tif "
      "--overwrite",
      "l.tif: its labels have 100001 names, more than the 100000");
  EXPECT_FALSE(std::filesystem::exists(path("l.tif.aux.xml")));
}

}  // namespace
}  // namespace thiessen::cli
