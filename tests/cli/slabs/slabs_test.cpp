// SPDX-License-Identifier: Apache-2.0
//
// Runs in slabs: the files are those of a run at once, byte for byte.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/equal_runs.hpp"
#include "io/raster/raster_file.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

using nlohmann::json;

class SlabsTest : public EqualRunsTest {};

TEST_F(SlabsTest, WriteTheFilesOfOneRun) {
  write("sites.npy", draw({300, 170}, 60));
  const std::string every =
      "voronoi --sites sites.npy --labels @l.npy --distance @d.npy --squared @s.npy --site-index "
      "@i.npy --offset @o.npy --direction @r.npy";
  const std::vector<std::string> files = {"l.npy", "d.npy", "s.npy", "i.npy", "o.npy", "r.npy"};
  for (const char* rows : {"1", "7", "64", "299", "1000"}) expect_equal(every, files, rows);
  expect_equal(every + " --nodata 9 --output-nodata 65535 --max-distance 20 --periodic x,y", files,
               "48");
  expect_equal(every + " --signed-distance --values 11,12", files, "31");
  expect_equal(every + " --nodata 0 --free-nodata --max-distance 9", files, "23");
  expect_equal(every + " --nodata 0 --free-nodata --signed-distance", files, "64");
  expect_equal(
      "voronoi --sites sites.npy --distance @d.npy --distance-to boundary --metric manhattan",
      {"d.npy"}, "33");
  expect_equal("proximity sites.npy @p.npy -maxdist 30 -nodata -1", {"p.npy"}, "40");
  expect_equal("proximity sites.npy @p.npy --ot Byte", {"p.npy"}, "17");
}

TEST_F(SlabsTest, WriteVolumesAndMasks) {
  write("volume.npy", draw({23, 40, 31}, 50));
  expect_equal("voronoi --sites volume.npy --labels @l.npy --distance @d.npy --offset @o.npy",
               {"l.npy", "d.npy", "o.npy"}, "5");
  Raster mask(ElementType::boolean, {120, 90});
  for (std::size_t i = 0; i < mask.size_bytes(); ++i)
    mask.bytes()[i] = std::byte{i % 421 == 0 ? std::uint8_t{1} : std::uint8_t{0}};
  write("mask.npy", mask);
  expect_equal("voronoi --sites mask.npy --labels @l.npy", {"l.npy"}, "32");
}

TEST_F(SlabsTest, WriteGeoTiffs) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  write("sites.tif", draw({600, 530}, 90));
  expect_equal(
      "voronoi --sites sites.tif --labels @l.tif --distance @d.tif --site-index @i.tif --offset "
      "@o.tif",
      {"l.tif", "d.tif", "i.tif", "o.tif"}, "77");
  expect_equal("proximity sites.tif @p.tif --ot UInt16 -nodata 65000", {"p.tif"}, "256");
  succeed("voronoi --sites sites.tif --nodata 0 --free-nodata --max-distance 0 --labels n.tif");
  expect_equal("proximity n.tif @p.tif --free-nodata", {"p.tif"}, "100");
  write("volume.tif", draw({9, 40, 31}, 30));
  expect_equal("voronoi --sites volume.tif --labels @l.tif --distance @d.tif", {"l.tif", "d.tif"},
               "2");
}

TEST_F(SlabsTest, WriteTheFilesOfPoints) {
  std::string points = "x,y,name\n";
  for (int i = 0; i < 300; ++i)
    points += std::to_string((i * 7919) % 1900 / 10.0 - 5) + "," +
              std::to_string((i * 104729) % 4100 / 10.0 - 50) + "," + std::to_string(i + 5) + "\n";
  write_bytes("points.csv", points);
  Raster like = draw({310, 170}, 60);
  write("like.npy", like);
  const std::string every =
      "voronoi --sites points.csv --labels @l.npy --distance @d.npy --site-index @i.npy "
      "--direction @r.npy";
  const std::vector<std::string> files = {"l.npy", "d.npy", "i.npy", "r.npy"};
  for (const char* rows : {"1", "16", "100", "1000"})
    expect_equal(every + " --size 170x310 --label-field name", files, rows);
  expect_equal(every + " --size 170x310 --periodic x,y --max-distance 9", files, "48");
  expect_equal(every + " --like like.npy --nodata 9 --metric chessboard", files, "33");
  expect_equal(every + " --like like.npy --nodata 8", files, "33");
}

TEST_F(SlabsTest, WriteTheFilesOfLayers) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  // Lines across slabs, areas, areas without a centre of a cell, and points.
  std::string features;
  const auto add = [&](const std::string& type, const std::string& coordinates) {
    features += (features.empty() ? "" : ",") +
                (R"({"type":"Feature","properties":{},"geometry":{"type":")" + type +
                 R"(","coordinates":)" + coordinates + "}}");
  };
  add("LineString", "[[3,2],[90.3,118.7],[20,60.1]]");
  add("Polygon", "[[[30,30],[70.5,33],[60,95.2],[30,30]]]");
  add("Polygon", "[[[10.1,80.1],[10.2,80.1],[10.2,80.2],[10.1,80.1]]]");
  add("MultiPolygon",
      "[[[[80.1,10.1],[80.2,10.1],[80.2,10.2],[80.1,10.1]]],[[[0,100],[9,100],[9,110],[0,100]]]]");
  add("Point", "[50.5,5.5]");
  write_bytes("layer.geojson",
              R"({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":)"
              R"("urn:ogc:def:crs:EPSG::32631"}},"features":[)" +
                  features + "]}");
  const std::string command =
      "voronoi --sites layer.geojson --bounds 0,0,100,120 --cell-size 1 --labels @l.tif "
      "--distance @d.npy --site-index @i.npy";
  for (const char* rows : {"1", "16", "50", "1000"})
    expect_equal(command, {"l.tif", "d.npy", "i.npy"}, rows);
  succeed("voronoi --sites layer.geojson --bounds 0,0,100,120 --cell-size 1 --labels like.tif");
  expect_equal("voronoi --sites layer.geojson --like like.tif --nodata 2 --labels @n.tif",
               {"n.tif"}, "16");
  expect_equal("voronoi --sites layer.geojson --like-grid like.tif --components 4 --labels @a.tif",
               {"a.tif"}, "16");
}

TEST_F(SlabsTest, WriteTheFilesOfAreas) {
  write("areas.npy", draw_areas({300, 170}));
  const std::string every =
      "voronoi --sites areas.npy --labels @l.npy --distance @d.npy --site-index @i.npy "
      "--components ";
  const std::vector<std::string> files = {"l.npy", "d.npy", "i.npy"};
  for (const char* rows : {"1", "7", "1000"}) expect_equal(every + "8", files, rows);
  expect_equal(every + "4 --nodata 9 --output-nodata -7", files, "33");
  expect_equal(every + "4 --nodata 9 --distance-to boundary", {"d.npy"}, "33");
  write("volume.npy", draw_areas({15, 20, 170}));
  expect_equal("voronoi --sites volume.npy --components 18 --labels @v.npy", {"v.npy"}, "4");
}

/// Points in cells are what a raster of their labels is; the first one of a cell has it.
TEST_F(SlabsTest, WriteTheFilesOfPointsInCells) {
  write_bytes("points.csv", "x,y,name\n3,4,50\n3.2,4.1,6\n90,111,7\n160.2,300.4,8\n-9,2,9\n");
  const std::string points =
      "voronoi --sites points.csv --size 170x310 --label-field name --points-in-cells";
  for (const char* rows : {"1", "33"})
    expect_equal(points + " --labels @l.npy --distance @d.npy", {"l.npy", "d.npy"}, rows);
  succeed(points + " --max-distance 0 --labels cells.npy -q");
  succeed("voronoi --sites cells.npy --labels again.npy --overwrite -q");
  EXPECT_EQ(read_bytes("again.npy"), read_bytes("oncel.npy"));
  succeed("voronoi --sites cells.npy --method jfa+2 --labels flooded.npy -q");
  succeed(points + " --method jfa+2 --labels too.npy -q");
  EXPECT_EQ(read_bytes("flooded.npy"), read_bytes("too.npy"));
  const auto expect = [&](const std::string& arguments, const std::string& words) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  };
  expect("voronoi --sites cells.npy --points-in-cells --labels x.npy",
         "--points-in-cells: is for sites that are points");
  write_bytes("zero.csv", "3,4,0\n5,6,1\n");
  expect("voronoi --sites zero.csv --size 9x9 --points-in-cells --labels x.npy",
         "--points-in-cells: zero.csv has a point with the label 0");
  const Outcome outside = run(points + " --labels x.npy --json");
  EXPECT_NE(outside.err.find("1 point lies outside of the grid"), std::string::npos) << outside.err;
}

TEST_F(SlabsTest, WriteTheFilesOfRandomSites) {
  const std::string every = "voronoi --size 170x310 --seed 4 --labels @l.npy --distance @d.npy ";
  const std::vector<std::string> files = {"l.npy", "d.npy"};
  for (const char* rows : {"1", "16", "1000"}) expect_equal(every + "--random 90", files, rows);
  expect_equal(every + "--random 20000", files, "31");
  expect_equal("voronoi --size 170x310 --random 0 --distance @d.npy", {"d.npy"}, "100");
  expect_equal("voronoi --random 30 --size 31x17x9 --labels @v.npy", {"v.npy"}, "2");
}

/// Inside is where the mask is neither 0 nor nodata; labels outside get one that no site has.
TEST_F(SlabsTest, WriteTheFilesOfAStudyArea) {
  Raster sites = draw({310, 170}, 90);
  write("sites.npy", sites);
  write("mask.npy", draw_areas({310, 170}));
  write("picture.png", draw_areas({310, 170}));
  write("like.npy", draw({310, 170}, 60));
  write_bytes("points.csv", "x,y,name\n3,4,5\n90,111,6\n160.2,300.4,7\n-9,20,8\n71,64,9\n");
  const std::string outputs = " --labels @l.npy --distance @d.npy --site-index @i.npy";
  const std::vector<std::string> files = {"l.npy", "d.npy", "i.npy"};
  const std::string of_cells = "voronoi --sites sites.npy --mask ";
  for (const char* rows : {"1", "33", "1000"})
    expect_equal(of_cells + "mask.npy" + outputs, files, rows);
  expect_equal(of_cells + "picture.png --clip-sites" + outputs, files, "33");
  expect_equal(of_cells + "mask.npy --nodata 9 --clip-sites" + outputs, files, "33");
  expect_equal(of_cells + "mask.npy --nodata 9 --zero-is-site --clip-sites" + outputs, files, "33");
  expect_equal("voronoi --random 90 --size 170x310 --mask mask.npy --clip-sites" + outputs, files,
               "16");
  const std::string of_points =
      "voronoi --sites points.csv --label-field name --like like.npy --nodata 9 --mask mask.npy";
  expect_equal(of_points + outputs, files, "16");
  expect_equal(of_points + " --clip-sites" + outputs, files, "16");
  expect_equal("proximity sites.npy @p.npy --mask mask.npy", {"p.npy"}, "50");
  expect_equal("proximity sites.npy @p.npy --mask mask.npy --clip-sites", {"p.npy"}, "50");
  // A site of each value of u8 leaves no label for cells outside.
  Raster full = Raster::of<std::uint8_t>({310, 170});
  for (std::int64_t i = 0; i < full.extents().count(); ++i)
    full.view<std::uint8_t>().data()[i] = static_cast<std::uint8_t>(i % 251 == 0 ? i / 251 : 0);
  write("full.npy", full);
  expect_equal("voronoi --sites full.npy --mask mask.npy --labels @f.npy", {"f.npy"}, "33");
  if (!io::has_gdal()) return;
  write_bytes("area.geojson",
              R"({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":)"
              R"("urn:ogc:def:crs:EPSG::32631"}},"features":[{"type":"Feature","properties":{},)"
              R"("geometry":{"type":"Polygon","coordinates":)"
              R"([[[3,2],[160.5,40],[90,300.7],[3,2]]]}}]})");
  expect_equal(
      "voronoi --sites points.csv --bounds 0,0,170,310 --cell-size 1 --mask area.geojson "
      "--clip-sites" +
          outputs,
      files, "16");
}

TEST_F(SlabsTest, WriteCloudOptimisedGeoTiffs) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  write("sites.tif", draw({1300, 1100}, 90));
  const std::string command = "voronoi --sites sites.tif --of COG --labels @l.tif --offset @o.tif";
  expect_equal(command, {"l.tif", "o.tif"}, "256");
  EXPECT_NE(read_bytes("oncel.tif").find("LAYOUT=IFDS_BEFORE_DATA"), std::string::npos);
  succeed("voronoi --sites sites.tif --labels plain.tif -q");
  EXPECT_EQ(run("compare oncel.tif plain.tif").exit_code, 0);
  expect_equal("proximity sites.tif @p.tif -of COG --co COMPRESS=LZW --co BLOCKSIZE=256", {"p.tif"},
               "100");
  const auto expect = [&](const std::string& arguments, const std::string& words) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  };
  expect("voronoi --sites sites.tif --of COG --labels a.npy", "fits the suffix of no output");
  expect("voronoi --sites sites.tif --of COG --labels a.tif --co COMPRESS=JPEG",
         "a.tif: cannot be ");
  write("volume.npy", draw({5, 20, 20}, 4));
  expect("voronoi --sites volume.npy --of COG --labels a.tif", "cannot hold planes as COG");
}

TEST_F(SlabsTest, SayHowTheyWouldBeDone) {
  write("sites.npy", draw({300, 170}, 60));
  const Outcome words = run("voronoi --sites sites.npy --labels l.npy --dry-run --slab-rows 64");
  EXPECT_EQ(words.exit_code, 0) << words.err;
  EXPECT_NE(words.out.find("5 slabs of 64 rows"), std::string::npos) << words.out;
  write_bytes("points.csv", "1,2\n");
  const Outcome points =
      run("voronoi --sites points.csv --size 9x100 --labels l.npy --dry-run --slab-rows 50");
  EXPECT_NE(points.out.find("2 slabs of 50 rows"), std::string::npos) << points.out;
  std::filesystem::remove(path("points.csv"));
  const Outcome told = run("proximity sites.npy p.npy --dry-run --memory 1G --json");
  const json plan = json::parse(told.out);
  EXPECT_EQ(plan["slabs"], 1);
  EXPECT_EQ(plan["memory"], 1 << 30);
  EXPECT_EQ(names(), (std::vector<std::string>{"sites.npy"}));
  EXPECT_EQ(plan["fits"], true);
}

/// A run that no memory holds is not done "all at once": the report and the exit code say so.
TEST_F(SlabsTest, SayWhatNoMemoryHolds) {
  const std::string command = "voronoi --random 9 --size 1000000x1000000 --dry-run ";
  for (const std::string labels : {"--labels l.npy", "--labels l.png"}) {
    const Outcome words = run(command + labels);
    EXPECT_EQ(words.exit_code, 1) << words.err;
    EXPECT_EQ(words.out.find("all at once"), std::string::npos) << words.out;
    EXPECT_NE(words.out.find(labels == "--labels l.npy" ? "in slabs it takes"
                                                        : "it is not done in slabs: l.png"),
              std::string::npos)
        << words.out;
    EXPECT_NE(words.err.find("needs more memory than"), std::string::npos) << words.err;
  }
  const Outcome told = run(command + "--labels l.npy --json");
  EXPECT_EQ(told.exit_code, 1);
  EXPECT_EQ(json::parse(told.out)["fits"], false);
}

TEST_F(SlabsTest, SayWhatIsWrong) {
  write("sites.npy", draw({300, 170}, 60));
  write_bytes("points.csv", "1,2\n");
  const auto complaint = [&](const std::string& arguments) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    expect_one_line_of_complaint(outcome);
    return outcome.err;
  };
  const auto expect = [&](const std::string& arguments, const std::string& words) {
    const std::string told = complaint(arguments);
    EXPECT_NE(told.find(words), std::string::npos) << arguments << ": " << told;
  };
  const std::string slabs = "voronoi --sites sites.npy --slab-rows 9 ";
  expect("voronoi --sites sites.npy --labels l.npy --memory 2X", "--memory 2X: must be a number");
  expect("voronoi --sites sites.npy --labels l.npy --memory ''", "--memory");
  expect("voronoi --sites sites.npy --labels l.npy --memory 10K",
         "--memory 10K: is too little: at once the run takes 0.4 MiB, and in slabs");
  expect("voronoi --random 9 --size 9000x9000 --labels l.npy --memory 100M",
         "at once the run takes 927.0 MiB, and in slabs it takes 225.5 MiB at least, with 48 rows");
  expect("voronoi --random 9 --size 9000x9000 --labels l.npy --memory 100M",
         "(192.0 MiB of it whatever the raster)");
  expect("voronoi --sites sites.npy --labels l.npy --slab-rows 0", "--slab-rows 0");
  expect(slabs + "--labels l.png", "l.png is not written by rows");
  expect(slabs + "--labels l.npy --method jfa", "--method jfa is not");
  expect(slabs + "--labels l.npy --metric chessboard", "--metric chessboard is not");
  expect(slabs + "--picture p.png", "--picture is not");
  expect("voronoi --random 30 --size 5x5 --labels l.npy --slab-rows 9", "--random 30");
  expect(slabs + "--size 5x5 --labels l.npy", "--size: is for sites without a grid");
  expect(slabs + "--components 5 --labels l.npy", "--components 5");
  expect("voronoi --sites sites.npy --values 3 --labels l.npy --slab-rows 9 --strict", "no site");
  EXPECT_EQ(names(), (std::vector<std::string>{"points.csv", "sites.npy"}));
}

TEST_F(SlabsTest, LeaveNothingBehindIfTheyAreStopped) {
  write("sites.npy", draw({3000, 1700}, 60));
  Settings settings;
  settings.interruption = Interruption{
      .signal = SIGTERM, .ready = [&](pid_t process) { return !output_files(process).empty(); }};
  const Outcome outcome =
      run("voronoi --sites sites.npy --labels l.npy --distance d.npy --slab-rows 16", settings);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(names(), (std::vector<std::string>{"sites.npy"}));
}

TEST_F(SlabsTest, TellOfNoSite) {
  write("sites.npy", raster_of<std::uint8_t>({2, 3}, {0, 0, 0, 0, 0, 0}));
  const Outcome outcome = run("voronoi --sites sites.npy --labels l.npy --slab-rows 16");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.err.find("no site"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace thiessen::cli
