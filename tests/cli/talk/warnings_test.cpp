// SPDX-License-Identifier: Apache-2.0
//
// The warnings of the command for input that is allowed, but hardly meant; the domain of --like.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/coordinate_systems.hpp"
#include "io/raster/raster_file.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

class WarningsTest : public CommandTest {
 protected:
  static constexpr int kRefused = 2;

  /// Expects that a command goes on with one warning, with these `words`; that the report has it;
  /// that --quiet keeps it off stderr; and that --strict makes it an error that leaves nothing
  /// behind.
  void expect_warning(const std::string& command, const std::string& kind, std::int64_t count,
                      const std::vector<std::string>& words) {
    SCOPED_TRACE(command);
    const Outcome outcome = run(command + " --json --overwrite");
    ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    const auto warnings = nlohmann::json::parse(outcome.out).at("warnings");
    ASSERT_EQ(warnings.size(), 1U) << warnings;
    EXPECT_EQ(warnings[0].at("kind"), kind);
    EXPECT_EQ(warnings[0].at("count"), count);
    const std::string message = warnings[0].at("message");
    EXPECT_EQ(outcome.err, "thiessen: warning: " + message + "\n");
    for (const std::string& word : words)
      EXPECT_NE(message.find(word), std::string::npos) << "no " << word << " in " << message;
    const Outcome quiet = run(command + " --overwrite -q");
    EXPECT_EQ(quiet.exit_code, 0);
    EXPECT_EQ(quiet.err, "");
    std::filesystem::remove(path("o.npy"));
    std::filesystem::remove(path("p.csv"));
    std::filesystem::remove(path("o.tif"));
    const std::vector<std::string> before = names();
    const Outcome strict = run(command + " --strict -q");
    EXPECT_EQ(strict.exit_code, kRefused);
    expect_one_line_of_complaint(strict);
    EXPECT_NE(strict.err.find(message), std::string::npos) << strict.err;
    EXPECT_EQ(names(), before);
  }

  void write_tif(const std::string& name, const std::string& crs,
                 const std::array<double, 6>& transform,
                 const std::optional<LabelValue>& nodata) const {
    const Raster raster = raster_of<std::uint8_t>({2, 3}, {1, 2, 9, 3, 4, 5});
    io::OutputFile file(path(name), false);
    const Georeference georeference{.transform = transform, .crs = crs};
    io::write_raster(file, raster.view(), {.georeference = georeference, .nodata = nodata});
    file.commit();
  }
};

TEST_F(WarningsTest, ListsWithoutPoints) {
  write_bytes("empty.csv", "x,y\n");
  expect_warning("voronoi --sites empty.csv --size 4x3 --labels o.npy", "no_site", 1,
                 {"empty.csv: no site: the list of points is empty"});
}

TEST_F(WarningsTest, PointsOutsideOfTheGrid) {
  write_bytes("far.csv", "10,20\n11,22\n");
  expect_warning("voronoi --sites far.csv --size 4x3 --distance o.npy", "outside_of_grid", 2,
                 {"far.csv: all 2 points lie outside of the grid", "x 10 to 11, y 20 to 22",
                  "x -0.5 to 3.5, y -0.5 to 2.5"});
}

TEST_F(WarningsTest, BoundsInAnotherOrder) {
  write_bytes("far.csv", "1010,520\n1020,530\n");
  expect_warning("voronoi --sites far.csv --bounds 500,1000,600,1100 --cell-size 10 --labels o.npy",
                 "outside_of_grid", 2, {"x and y of --bounds seem to be exchanged"});
  write_bytes("low.csv", "550,520\n560,530\n");
  expect_warning("voronoi --sites low.csv --bounds 0,600,500,900 --cell-size 10 --labels o.npy",
                 "outside_of_grid", 2, {"--bounds seems to be x0,x1,y0,y1"});
}

TEST_F(WarningsTest, DegreesTakenForLengths) {
  write_bytes("towns.csv", "lat,lon\n1,2\n2,1\n");
  expect_warning("voronoi --sites towns.csv --size 4x3 --labels o.npy", "degrees_as_lengths", 2,
                 {"towns.csv", "2 points are longitude and latitude", "the grid counts cells"});
}

TEST_F(WarningsTest, PointsThatWinNoCell) {
  write_bytes("twice.csv", "x,y,label\n1,1,5\n2,2,6\n1,1,7\n");
  expect_warning("voronoi --sites twice.csv --size 4x3 --labels o.npy", "same_place", 1,
                 {"twice.csv: 1 point lies", "the first is point 3"});
  expect_warning("cost --map uniform --sites twice.csv --size 4x3 --labels o.npy", "same_place", 1,
                 {"point 3"});
}

TEST_F(WarningsTest, LabelsOfUnreachedCells) {
  write_bytes("zero.csv", "x,y,label\n1,1,5\n2,2,0\n");
  expect_warning("voronoi --sites zero.csv --size 4x3 --labels o.npy", "unreached_label", 1,
                 {"1 point has the label", "point 2", "--unreached"});
  succeed("voronoi --sites zero.csv --size 4x3 --labels o.npy --unreached -1");
}

TEST_F(WarningsTest, ValuesThatNoCellHolds) {
  write("sites.npy", raster_of<std::uint8_t>({1, 3}, {0, 3, 0}));
  expect_warning("voronoi --sites sites.npy --values 3,99 --labels o.npy", "values", 1,
                 {"sites.npy: no cell holds 99"});
  expect_warning("proximity sites.npy o.npy -values 99,98", "no_site", 1,
                 {"no cell holds one of the values", "--values is 99, 98"});
  write("none.npy", raster_of<std::uint8_t>({1, 3}, {0, 0, 0}));
  expect_warning("proximity none.npy o.npy", "no_site", 1, {"none.npy: no site: all cells are 0"});
  expect_warning("cost --map uniform --sites none.npy --labels o.npy", "no_site", 1, {"none.npy"});
}

/// Sites among nodata, as gdal_rasterize and others write them, leave no cell to measure from.
TEST_F(WarningsTest, SitesAmongNodata) {
  write("burned.npy", raster_of<std::int16_t>({2, 3}, {-9, 0, -9, -9, -9, 7}));
  const std::vector<std::string> told = {
      "burned.npy: no free cell: all are sites or nodata, so that distances reach no other cell; "
      "with --free-nodata the nodata cells are the free ones"};
  for (const std::string slabs : {"", " --slab-rows 1"})
    expect_warning("voronoi --sites burned.npy --nodata -9 --zero-is-site --distance o.npy" + slabs,
                   "no_free_cell", 1, told);
  if (!io::has_gdal()) return;
  write_tif("burned.tif", kUtm, {0, 1, 0, 0, 0, -1}, std::int64_t{9});  // without a 0
  for (const std::string slabs : {"", " --slab-rows 1"}) {
    expect_warning("voronoi --sites burned.tif --distance o.npy" + slabs, "no_free_cell", 1,
                   {"burned.tif: no free cell: all are sites or nodata"});
    expect_warning("voronoi --sites burned.tif --nodata none --distance o.npy" + slabs,
                   "no_free_cell", 1, {"cells of the file's nodata value too"});
    expect_warning("proximity burned.tif o.npy -use_input_nodata YES" + slabs, "no_free_cell", 1,
                   {"all are sites or nodata"});
    expect_warning("proximity burned.tif o.npy" + slabs, "no_free_cell", 1,
                   {"cells of the file's nodata value too, so that no distance is above 0; with "
                    "--free-nodata"});
    succeed("proximity burned.tif o.npy --free-nodata --overwrite" + slabs);
    EXPECT_EQ(read("o.npy").view<float>()(0, 2), 1);
    succeed("voronoi --sites burned.tif --signed-distance --distance s.npy --overwrite" + slabs);
    succeed("voronoi --sites burned.tif --free-nodata --distance o.npy --overwrite" + slabs);
    EXPECT_EQ(read("o.npy").view<float>()(0, 2), 1);
  }
  succeed("voronoi --sites burned.tif --other-distance t.npy");
}

TEST_F(WarningsTest, PathsFromCellsThatHaveNone) {
  write("map.npy", raster_of<float>({1, 4}, {1, 1, 0, 1}));
  write_bytes("sites.csv", "0,0\n");
  write_bytes("from.csv", "1,0\n3,0\n");
  expect_warning(
      "cost --stiffness map.npy --sites sites.csv --distance o.npy --paths-from from.csv --paths "
      "p.csv",
      "no_path", 1, {"from.csv: 1 of 2 points", "the first is point 2"});
}

TEST_F(WarningsTest, SitesOfTheWorld) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  write_tif("utm.tif", kUtm, {500000, 10, 0, 5000000, 0, -10}, std::nullopt);
  write_tif("degrees.tif", kDegrees, {3, 0.1, 0, 51, 0, -0.1}, std::nullopt);
  write_bytes("towns.csv", "x,y\n3.1,50.9\n");
  expect_warning("voronoi --sites towns.csv --like utm.tif --labels o.tif", "outside_of_grid", 1,
                 {"they look like degrees of longitude and latitude"});
  expect_warning("voronoi --sites towns.csv --like degrees.tif --spacing 1,1 --labels o.tif",
                 "taken_for_degrees", 1, {"its 1 point ", "lon,lat"});
  write_bytes("named.csv", "lon,lat\n3.1,50.9\n");
  succeed("voronoi --sites named.csv --like degrees.tif --spacing 1,1 --labels n.tif");
  write_bytes("swapped.csv", "x,y\n4999995,500005\n");
  expect_warning("voronoi --sites swapped.csv --like utm.tif --labels o.tif", "outside_of_grid", 1,
                 {"x and y seem to be exchanged"});
  const std::string crs =
      R"("crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32631"}})";
  const std::string line =
      R"({"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[0,0],[5,5]]}})";
  write_bytes("line.geojson",
              R"({"type":"FeatureCollection",)" + crs + R"(,"features":[)" + line + "]}");
  expect_warning("voronoi --sites line.geojson --like utm.tif --labels o.tif", "no_site", 1,
                 {"line.geojson: no site", "x 0 to 5, y 0 to 5"});
  write_bytes("empty.geojson", R"({"type":"FeatureCollection",)" + crs + R"(,"features":[]})");
  expect_warning("voronoi --sites empty.geojson --like-grid utm.tif --labels o.tif", "no_site", 1,
                 {"the layer has no feature"});
}

class DomainTest : public WarningsTest {
 protected:
  void SetUp() override {
    if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
    write_tif("like.tif", kUtm, {500000, 10, 0, 20, 0, -10}, std::int64_t{9});
    // The centre of the cell [0, 0].
    write_bytes("numbered.csv", "500005,15\n");
    write_bytes("labelled.csv", "x,y,label\n500005,15,4\n");
  }
};

TEST_F(DomainTest, IsThatOfLike) {
  succeed(
      "voronoi --sites numbered.csv --like like.tif --labels l.tif --distance d.tif "
      "--site-index s.tif --direction a.tif --offset o.npy --squared q.npy --spacing 1,1");
  const io::RasterFile labels = io::read_raster(path("l.tif"));
  EXPECT_EQ(labels.nodata, LabelValue(std::int64_t{-1}));
  EXPECT_EQ(labels.raster.view<std::int32_t>()(0, 2), -1);
  EXPECT_EQ(labels.raster.view<std::int32_t>()(1, 2), 1);
  EXPECT_TRUE(std::isnan(read("d.tif").view<float>()(0, 2)));
  EXPECT_EQ(read("d.tif").view<float>()(0, 1), 1);
  EXPECT_EQ(read("s.tif").view<std::int64_t>()(0, 2), -2);
  EXPECT_TRUE(std::isnan(read("a.tif").view<float>()(0, 2)));
  EXPECT_EQ(read("o.npy").view<std::int32_t>()(1, 0, 2), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(read("q.npy").view<std::int64_t>()(0, 2), -2);
}

TEST_F(DomainTest, LabelsOfOnesOwnGetAValue) {
  const std::string command = "voronoi --sites labelled.csv --like like.tif --overwrite ";
  for (const std::string slabs : {"", " --slab-rows 1"}) {
    const Outcome chosen = run(command + "--labels l.tif" + slabs);
    EXPECT_EQ(chosen.exit_code, 0);
    EXPECT_EQ(chosen.err,
              "thiessen: cells outside of the domain have the label -1; --output-nodata chooses "
              "another\n");
    EXPECT_EQ(io::read_raster(path("l.tif")).nodata, LabelValue(std::int64_t{-1}));
  }
  succeed(command + "--labels l.tif --output-nodata 77");
  const io::RasterFile labels = io::read_raster(path("l.tif"));
  EXPECT_EQ(labels.nodata, LabelValue(std::int64_t{77}));
  EXPECT_EQ(labels.raster.view<std::int32_t>()(0, 2), 77);
  EXPECT_EQ(labels.raster.view<std::int32_t>()(0, 1), 4);
  succeed("voronoi --sites labelled.csv --like like.tif --distance d.tif");
}

TEST_F(DomainTest, IsWhatNodataSaysOrNothing) {
  succeed("voronoi --sites labelled.csv --like-grid like.tif --labels grid.tif");
  succeed("voronoi --sites labelled.csv --like like.tif --nodata none --labels none.tif");
  for (const std::string name : {"grid.tif", "none.tif"}) {
    EXPECT_FALSE(io::read_raster(path(name)).nodata);
    EXPECT_EQ(read(name).view<std::int32_t>()(0, 2), 4);
  }
  succeed("voronoi --sites numbered.csv --like like.tif --nodata 5 --labels five.tif");
  EXPECT_EQ(read("five.tif").view<std::int32_t>()(0, 2), 1);
  EXPECT_EQ(read("five.tif").view<std::int32_t>()(1, 2), -1);
}

TEST_F(DomainTest, IsThatOfLinesAndRandomSitesToo) {
  // Through all cells of the first row; the site in the nodata cell counts.
  write_bytes(
      "line.geojson",
      R"({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::32631"}},"features":[{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[500022,15],[500028,15]]}}]})");
  succeed(
      "voronoi --sites line.geojson --like like.tif --labels l.tif --distance d.tif "
      "--picture p.png");
  EXPECT_EQ(read("l.tif").view<std::int32_t>()(0, 2), -1);
  EXPECT_EQ(read("l.tif").view<std::int32_t>()(1, 2), 1);
  EXPECT_EQ(read("d.tif").view<float>()(1, 2), 10);
  succeed("voronoi --random 2 --like like.tif --labels r.tif");
  EXPECT_EQ(read("r.tif").view<std::int32_t>()(0, 2), -1);
}

TEST_F(DomainTest, OfCostIsThatOfTheMap) {
  expect_warning("cost --cost like.tif --sites numbered.csv --like like.tif --distance o.tif",
                 "domain", 1, {"like.tif: its nodata cells are ignored"});
  succeed("cost --cost like.tif --sites numbered.csv --distance o.tif");
}

}  // namespace
}  // namespace thiessen::cli
