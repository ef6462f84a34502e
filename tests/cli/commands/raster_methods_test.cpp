// SPDX-License-Identifier: Apache-2.0
//
// The raster methods in `voronoi`: their flags, and sites of every shape.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "io/raster/raster_file.hpp"
#include "io/table/vector_file.hpp"

namespace thiessen::cli {
namespace {

const std::vector<std::string> kWays = {
    "brute-force --metric octagonal", "raster-gpu --metric manhattan",
    "raster-gpu --scan-sites 0",      "chamfer --metric manhattan",
    "chamfer --metric chessboard",    "circle-growing",
    "circle-growing --growth-step 3", "dilation --metric chessboard",
    "dilation --metric octagonal",    "expansion --metric octagonal",
};

/// The flags for another way with the same result as `way`.
std::string other_way(const std::string& way) {
  const std::string metric =
      way.find("--metric ") != std::string::npos ? way.substr(way.find("--metric ")) : "";
  if (metric == "--metric octagonal") return "--method raster-gpu " + metric;
  return "--method exact " + metric;
}

class RasterMethodsTest : public CommandTest {
 protected:
  void expect_same(const std::string& sites) const {
    for (const std::string& way : kWays) {
      SCOPED_TRACE(sites + " " + way);
      const std::string outputs = " --overwrite --labels l.npy --distance d.npy ";
      succeed("voronoi " + sites + outputs + "--method " + way);
      const Raster labels = read("l.npy"), distance = read("d.npy");
      succeed("voronoi " + sites + outputs + other_way(way));
      expect_equal(labels, read("l.npy"));
      expect_equal(distance, read("d.npy"));
    }
  }

  static void expect_equal(const Raster& a, const Raster& b) {
    ASSERT_EQ(a.size_bytes(), b.size_bytes());
    EXPECT_EQ(std::memcmp(a.bytes(), b.bytes(), a.size_bytes()), 0);
  }

  void expect_refused(const std::string& flags, const std::string& message) const {
    const Outcome outcome = run("voronoi --random 5 --size 9x9 --labels o.npy " + flags);
    EXPECT_EQ(outcome.exit_code, 2) << flags;
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_TRUE(names().empty()) << flags;
  }
};

/// All ways agree on random sites.
TEST_F(RasterMethodsTest, RandomSites) { expect_same("--random 30 --size 80x57 --seed 3"); }

/// A binary image with a point, lines and areas; components make each of them one site.
TEST_F(RasterMethodsTest, ComponentsOfABinaryImage) {
  Raster image = Raster::of<std::uint8_t>({40, 50});
  const auto cells = image.view<std::uint8_t>();
  cells(3, 4) = 255;
  for (std::int64_t i = 0; i < 15; ++i) cells(20 + i, 5 + i) = cells(8, 20 + i) = 255;
  for (std::int64_t y = 22; y < 30; ++y)
    for (std::int64_t x = 35; x < 44; ++x) cells(y, x) = 255;
  write("image.png", image);
  expect_same("--sites image.png --components 8");
  expect_same("--sites image.png");
}

TEST_F(RasterMethodsTest, LinesAndAreasOfALayer) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  write_bytes("layer.geojson", R"({"type":"FeatureCollection",
"crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32631"}},"features":[
{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[1,2],[30,25]]}},
{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":
[[[40,10],[55,12],[50,30],[40,10]]]}}]})");
  expect_same("--sites layer.geojson --bounds 0,0,60,40 --cell-size 1");
}

/// Two passes leave few cells with a site that is not the nearest, and the command says so.
TEST_F(RasterMethodsTest, TwoPassesOfOctagonalDistanceAreApproximate) {
  const std::string sites = "--random 200 --size 300x200 --seed 1 --metric octagonal ";
  succeed("voronoi " + sites + "--method chamfer --site-index passes.npy --distance d.npy");
  succeed("voronoi " + sites + "--method dilation --site-index nearest.npy");
  const Outcome found =
      run("compare --site-index nearest.npy passes.npy --metric octagonal --json");
  EXPECT_EQ(found.exit_code, 1) << found.err;
  const auto report = nlohmann::json::parse(found.out);
  const auto wrong = report.at("differing").get<int>() - report.at("ties").get<int>();
  EXPECT_GT(wrong, 0);
  EXPECT_LT(wrong, 300 * 200 / 20);
  const Outcome listed = run("devices");
  EXPECT_NE(listed.out.find("exact, approximate by octagonal distance"), std::string::npos);
}

/// Labels that nobody settles are those of other sites in some cells, of farther ones by expansion.
TEST_F(RasterMethodsTest, LabelsCarriedAlongAreNotSettled) {
  const std::string sites = "--random 900 --size 100x99 --seed 1 --overwrite --metric octagonal ";
  for (const std::string method : {"dilation", "expansion"}) {
    SCOPED_TRACE(method);
    succeed("voronoi " + sites + "--site-index settled.npy --method " + method);
    succeed("voronoi " + sites + "--labels-carried --site-index carried.npy --method " + method);
    const Outcome found =
        run("compare --site-index settled.npy carried.npy --metric octagonal --json");
    EXPECT_EQ(found.exit_code, 1) << found.err;
    const auto report = nlohmann::json::parse(found.out);
    EXPECT_GT(report.at("differing"), 0);
    EXPECT_EQ(report.at("largest_excess") > 0, method == "expansion");
  }
}

TEST_F(RasterMethodsTest, FlagsThatMakeNoSense) {
  expect_refused("--scan-sites 5", "--scan-sites 5: is for --method raster-gpu");
  expect_refused("--method raster-gpu --scan-sites x", "--scan-sites x");
  expect_refused("--method circle-growing --growth-step 0", "--growth-step 0");
  expect_refused("--method dilation --growth-step 2",
                 "--growth-step 2: is for --method circle-growing");
  expect_refused("--allotment cyclic", "--allotment cyclic: is for --method brute-force");
  expect_refused("--method brute-force --device cpu --allotment cyclic", "it has no allotment");
  expect_refused("--method brute-force --allotment blocks", "--allotment");
  expect_refused("--metric octagonal", "--method exact");
  expect_refused("--labels-carried", "--labels-carried: is for methods dilation and");
  expect_refused("--method chamfer", "euclidean distance is no sum of these");
  expect_refused("--method chamfer --metric octagonal --spacing 2,2",
                 "--metric octagonal and a spacing other than 1");
  expect_refused("--method chamfer --metric manhattan --periodic x", "periodic");
  expect_refused("--method brute-force --metric chamfer-3-4", "for method chamfer only");
  expect_refused("--method expansion --metric octagonal --spacing 2,2",
                 "--metric octagonal and a spacing other than 1");
  expect_refused("--method dilation --metric manhattan --spacing 2,1", "must be the same");
}

}  // namespace
}  // namespace thiessen::cli
