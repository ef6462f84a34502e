// SPDX-License-Identifier: Apache-2.0
//
// Runs the commands that a page of the documentation shows.
#include <gtest/gtest.h>
#include <stdio.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/command.hpp"
#include "io/raster/raster_file.hpp"

namespace thiessen::cli {
namespace {

namespace fs = std::filesystem;

/// The first block of shell commands of a page, or of a section of it.
std::string commands_of(const fs::path& page, const std::string& heading = "") {
  std::ifstream file(page);
  std::string commands;
  bool is_there = heading.empty();
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (inside && line == "```") break;
    if (inside) commands += line + "\n";
    is_there = is_there || line == heading;
    inside = inside || (is_there && line == "```sh");
  }
  return commands;
}

class DocumentsTest : public CommandTest {
 protected:
  /// Runs a bash script in our folder; returns what it prints on stdout.
  std::string run_script(const std::string& script) const {
    write_bytes("script.sh", "set -euo pipefail\n" + script);
    const std::string command = "cd '" + path("").string() + "' && PATH='" +
                                fs::path(THIESSEN_COMMAND).parent_path().string() +
                                ":'$PATH bash script.sh 2> errors.txt";
    FILE* const stream = ::popen(command.c_str(), "r");
    std::string text;
    for (int c = std::fgetc(stream); c != EOF; c = std::fgetc(stream)) text += static_cast<char>(c);
    EXPECT_EQ(::pclose(stream), 0) << script << "\n" << read_bytes("errors.txt");
    return text;
  }
};

/// The commands of the tutorial run, and make what it says.
TEST_F(DocumentsTest, FirstStepsOnTheCommandLine) {
  const std::string commands = commands_of(fs::path(THIESSEN_SOURCES) / "docs" / "first-steps.md");
  ASSERT_NE(commands, "");
  run_script(commands);
  EXPECT_TRUE(fs::exists(path("cells.png")));
  const nlohmann::json metres =
      nlohmann::json::parse(run_script("thiessen info --json metres.npy"));
  EXPECT_NEAR(metres["max"].get<double>(), 123.69, 0.01);
}

/// There and back takes the same time where it is level only.
TEST_F(DocumentsTest, Walks) {
  const std::string commands =
      commands_of(fs::path(THIESSEN_SOURCES) / "docs" / "cost-distance.md", "## Walks");
  ASSERT_NE(commands, "");
  run_script(commands);
  const auto compared = nlohmann::json::parse(
      run_script("thiessen compare hut.npy way-back.npy --json || [ $? = 1 ]"));
  EXPECT_GT(compared["differing"].get<int>(), 0);
  EXPECT_LT(compared["differing"].get<int>(), 60000 / 4);
  const auto seconds = nlohmann::json::parse(run_script("thiessen info --json seconds.npy"));
  EXPECT_GT(seconds["max"].get<double>(), 60 * 60 / 4) << "a quarter of an hour";
  EXPECT_TRUE(fs::exists(path("links.npy")));
}

/// The areas of the regions add up to that of the grid.
TEST_F(DocumentsTest, CostsOnTheEarth) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  const std::string commands =
      commands_of(fs::path(THIESSEN_SOURCES) / "docs" / "cost-distance.md", "## On the Earth");
  ASSERT_NE(commands, "");
  run_script(commands);
  const std::string sum = run_script(
      "awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == \"area\") area = i }\n"
      "NR > 1 { sum += $area } END { print sum / 1e6 }' towns.csv");
  EXPECT_NEAR(std::stod(sum), 104227, 1) << "km²";
}

TEST_F(DocumentsTest, TheAreaOfTheEarth) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  const std::string commands =
      commands_of(fs::path(THIESSEN_SOURCES) / "docs" / "earth.md", "## Areas");
  ASSERT_NE(commands, "");
  run_script(commands);
  EXPECT_TRUE(fs::exists(path("areas.csv")));
}

TEST_F(DocumentsTest, TheNearestCoastOfTheNorthSea) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  fs::create_directory_symlink(fs::path(THIESSEN_SOURCES) / "data", path("data"));
  const std::string commands = commands_of(fs::path(THIESSEN_SOURCES) / "docs" / "gis.md");
  ASSERT_NE(commands, "");
  run_script(commands);
  EXPECT_TRUE(fs::exists(path("north-sea.png")));

  if (std::system("command -v gdalinfo > /dev/null") != 0)
    GTEST_SKIP() << "there is no gdalinfo to read the results";
  const auto info = [&](const std::string& file) {
    return nlohmann::json::parse(run_script("gdalinfo -json " + file));
  };
  const nlohmann::json labels = info("nearest-country.tif");
  EXPECT_NE(labels["coordinateSystem"]["wkt"].get<std::string>().find("3035"), std::string::npos);
  EXPECT_EQ(labels["geoTransform"],
            (nlohmann::json{3300000.0, 1000.0, 0.0, 4600000.0, 0.0, -1000.0}));
  EXPECT_EQ(labels["size"], (nlohmann::json{1400, 1700}));
  EXPECT_EQ(labels["bands"][0]["noDataValue"], 0.0);
  EXPECT_EQ(labels["bands"][0]["metadata"][""]["STATISTICS_MINIMUM"], "1");
  EXPECT_EQ(labels["bands"][0]["metadata"][""]["STATISTICS_MAXIMUM"], "7");
  const nlohmann::json metres = info("metres.tif");
  EXPECT_EQ(metres["geoTransform"], labels["geoTransform"]);
  EXPECT_EQ(metres["bands"][0]["noDataValue"], "NaN");
  const std::string greatest = metres["bands"][0]["metadata"][""]["STATISTICS_MAXIMUM"];
  EXPECT_GT(std::stod(greatest), 370000);
  EXPECT_LE(std::stod(greatest), 370400);
}

/// The commands of the page on corridors run: no hut is left without a zone, and gaps get smaller.
TEST_F(DocumentsTest, CorridorsAndGaps) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  if (std::system("command -v gdal_translate > /dev/null") != 0)
    GTEST_SKIP() << "there are no tools of GDAL";
  const std::string commands = commands_of(fs::path(THIESSEN_SOURCES) / "docs" / "corridors.md");
  ASSERT_NE(commands, "");
  run_script(commands);
  EXPECT_EQ(lines_of(run_script("cat zones.csv")).size(), 1U + 4U);
  const auto gaps = [&](const std::string& file) {
    const auto info = nlohmann::json::parse(run_script("thiessen info --json " + file));
    return info["nodata_cells"].get<int>();
  };
  EXPECT_LT(gaps("filled.tif"), gaps("holes.tif"));
}

/// The commands run, and the table has the people of each shop.
TEST_F(DocumentsTest, ShopsOfATown) {
  if (!io::has_gdal() || !THIESSEN_HAS_CAIRO) GTEST_SKIP() << "a build without GDAL or Cairo";
  if (std::system("command -v gdal_create ogr2ogr > /dev/null") != 0)
    GTEST_SKIP() << "there are no tools of GDAL";
  const std::string commands =
      commands_of(fs::path(THIESSEN_SOURCES) / "docs" / "vector-outputs.md");
  ASSERT_NE(commands, "");
  const std::vector<std::string> lines = lines_of(run_script(commands));
  ASSERT_EQ(lines.size(), 5U + 6U);
  EXPECT_TRUE(fs::exists(path("shops.pdf")));
  EXPECT_TRUE(fs::exists(path("shops.html")));
  const std::string ways =
      run_script("ogrinfo -q -al -geom=NO ways.gpkg; ogrinfo -q -al rings.gpkg");
  EXPECT_NE(ways.find("name (String) = Harbour"), std::string::npos) << ways;
  EXPECT_NE(ways.find("home (String) = Hill"), std::string::npos) << ways;
  EXPECT_NE(ways.find("level (Real) = 1500"), std::string::npos) << ways;
  std::ifstream page(fs::path(THIESSEN_SOURCES) / "docs" / "vector-outputs.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  EXPECT_NE(text.find("\n" + lines[0].substr(0, lines[0].find('\r')) + "\n"), std::string::npos);
  EXPECT_TRUE(lines[1].starts_with("0,1,Harbour,")) << lines[1];
  const std::string areas = run_script(
      "ogrinfo -q -dialect sqlite -sql 'select st_area(geom) from town' town.gpkg\n"
      "ogrinfo -q -dialect sqlite -sql 'select sum(area), min(st_isvalid(geom)) from shops' "
      "shops.gpkg\n");
  EXPECT_NE(areas.find("st_area(geom) (Real) = 22765000"), std::string::npos) << areas;
  EXPECT_NE(areas.find("sum(area) (Real) = 22765000"), std::string::npos) << areas;
  EXPECT_NE(areas.find("(Integer) = 1"), std::string::npos) << areas;
}

/// The commands of the page on maps run.
TEST_F(DocumentsTest, MapsForAReport) {
  if (!io::has_gdal() || !THIESSEN_HAS_CAIRO) GTEST_SKIP() << "a build without GDAL or Cairo";
  fs::create_directory_symlink(fs::path(THIESSEN_SOURCES) / "data", path("data"));
  const std::string commands = commands_of(fs::path(THIESSEN_SOURCES) / "docs" / "maps.md");
  ASSERT_NE(commands, "");
  run_script(commands);
  for (const std::string name : {"map.pdf", "map.png", "map.svg", "map.svgz", "distance.png",
                                 "map.html", "overlay.png", "overlay.pgw"})
    EXPECT_TRUE(fs::exists(path(name))) << name;
}

}  // namespace
}  // namespace thiessen::cli
