// SPDX-License-Identifier: Apache-2.0
//
// Cost distance in slabs: the files are those of a run at once, byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "cli/equal_runs.hpp"
#include "io/raster/raster_file.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

using nlohmann::json;

class CostSlabsTest : public EqualRunsTest {
 protected:
  /// With cells of `hole` here and there.
  static Raster draw_map(const Extents& extents, Material material, float hole = -9999) {
    Raster map(ElementType::f32, extents);
    Context context;
    material_map(context, map.view(), material, 3);
    auto* const cells = map.view<float>().data();
    for (std::int64_t i = 0; i < extents.count(); i += 61) cells[i] = hole;
    return map;
  }

  static Raster draw_sites(const Extents& extents, std::int64_t count) {
    Raster numbers = Raster::of<std::int32_t>(extents);
    Context context;
    random_sites(context, numbers.view(), count, 5);
    Raster sites = Raster::of<std::int16_t>(extents);
    for (std::int64_t i = 0; i < extents.count(); ++i)
      sites.view<std::int16_t>().data()[i] =
          static_cast<std::int16_t>(numbers.view<std::int32_t>().data()[i]);
    return sites;
  }
};

constexpr char kOutputs[] =
    " --labels @l.npy --distance @d.npy --site-index @i.npy --back-link @b.npy";
const std::vector<std::string> kFiles = {"l.npy", "d.npy", "i.npy", "b.npy"};

TEST_F(CostSlabsTest, WriteTheFilesOfOneRun) {
  write("map.npy", draw_map({200, 130}, Material::noise));
  write("sites.npy", draw_sites({200, 130}, 30));
  const std::string every =
      std::string("cost --stiffness map.npy --map-nodata -9999 --sites sites.npy") + kOutputs;
  for (const char* rows : {"1", "7", "64", "199", "1000"}) expect_equal(every, kFiles, rows);
  expect_equal(every + " --connectivity 16 --output-nodata -5 --max-distance 30", kFiles, "23");
  expect_equal(every + " --connectivity 4 --distance-type f64 --tight-barriers --values 3,9",
               kFiles, "48");
  write("initial.npy", draw_map({200, 130}, Material::gradient, 0.25F));
  expect_equal(
      "cost --cost map.npy --map-nodata -9999 --sites sites.npy --initial-cost initial.npy "
      "--labels @l.npy --distance @d.npy",
      {"l.npy", "d.npy"}, "31");
}

TEST_F(CostSlabsTest, WriteMazesVolumesMasksAndPoints) {
  write("maze.npy", draw_map({150, 90}, Material::maze));
  write_bytes("points.csv", "3,2,7\n80,148,9\n-5,1,3\n");
  expect_equal(
      std::string("cost --stiffness maze.npy --map-nodata -9999 --sites points.csv") + kOutputs,
      kFiles, "11");
  write("volume.npy", draw_map({17, 20, 31}, Material::noise));
  Raster mask(ElementType::boolean, {17, 20, 31});
  for (std::size_t i = 0; i < mask.size_bytes(); ++i)
    mask.bytes()[i] = std::byte{i % 421 == 0 ? std::uint8_t{1} : std::uint8_t{0}};
  write("mask.npy", mask);
  expect_equal(
      std::string("cost --stiffness volume.npy --map-nodata -9999 --sites mask.npy") + kOutputs,
      kFiles, "5");
}

TEST_F(CostSlabsTest, CutResultsAtMasks) {
  write("map.npy", draw_map({90, 170}, Material::noise));
  write("sites.npy", draw_sites({90, 170}, 40));
  write_bytes("points.csv", "3,2,7\n80,88,9\n-5,1,3\n");
  Raster mask(ElementType::u8, {90, 170});
  for (std::size_t i = 0; i < mask.size_bytes(); ++i)
    mask.bytes()[i] = std::byte{i % 170 > 40 && i / 170 < 70 ? std::uint8_t{3} : std::uint8_t{0}};
  write("mask.npy", mask);
  const std::string every =
      std::string("cost --stiffness map.npy --map-nodata -9999 --mask mask.npy") + kOutputs;
  for (const char* clip : {"", " --clip-sites"})
    for (const char* sites : {" --sites sites.npy", " --sites points.csv"})
      expect_equal(every + clip + sites, kFiles, "7");
  // The map has no nodata value that could be a label, so that one is chosen.
  write("open.npy", draw_map({90, 170}, Material::noise, 0.5F));
  expect_equal("cost --stiffness open.npy --sites sites.npy --mask mask.npy --labels @l.npy",
               {"l.npy"}, "30");
}

TEST_F(CostSlabsTest, WriteAreasAndRandomSites) {
  write("map.npy", draw_map({90, 170}, Material::noise));
  write("areas.npy", draw_areas({90, 170}));
  const std::string every = std::string("cost --stiffness map.npy --map-nodata -9999") + kOutputs;
  expect_equal(every + " --sites areas.npy --nodata 9 --components 4", kFiles, "7");
  expect_equal(every + " --random 30 --seed 3", kFiles, "16");
  // The value of nodata cells of the map is the number of an area.
  write("numbers.npy", draw_map({90, 170}, Material::noise, 3));
  expect_equal(
      "cost --cost numbers.npy --map-nodata 3 --sites areas.npy --components 8 --labels "
      "@n.npy",
      {"n.npy"}, "16");
}

TEST_F(CostSlabsTest, WriteLayers) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  write_line("lines.geojson");
  succeed(
      "voronoi --sites lines.geojson --bounds 0,0,30,50 --cell-size 1 --distance map.tif "
      "--spacing 1,1");
  expect_equal(
      "cost --cost map.tif --map-nodata none --sites lines.geojson --spacing 1,1 --labels "
      "@l.tif --distance @d.tif",
      {"l.tif", "d.tif"}, "16");
  write_bytes(
      "areas.geojson",
      R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{"wait":9},)"
      R"("geometry":{"type":"Polygon","coordinates":[[[3,2],[19,44],[8,21],[3,2]]]}},)"
      R"({"type":"Feature","properties":{"wait":0.5},)"
      R"("geometry":{"type":"LineString","coordinates":[[2,30],[28,31]]}}]})");
  expect_equal(
      "cost --cost map.tif --map-nodata none --sites areas.geojson --spacing 1,1 "
      "--initial-cost-field wait --labels @w.tif --distance @v.tif",
      {"w.tif", "v.tif"}, "16");
}

TEST_F(CostSlabsTest, WriteGeoTiffs) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  write("map.tif", draw_map({500, 300}, Material::noise));
  write("sites.tif", draw_sites({500, 300}, 90));
  expect_equal(
      "cost --stiffness map.tif --map-nodata -9999 --sites sites.tif --labels @l.tif --distance "
      "@d.tif --site-index @i.tif --back-link @b.tif",
      {"l.tif", "d.tif", "i.tif", "b.tif"}, "77");
}

TEST_F(CostSlabsTest, SayHowTheyAreDone) {
  write("map.npy", draw_map({200, 130}, Material::noise));
  write("sites.npy", draw_sites({200, 130}, 30));
  const std::string command = "cost --stiffness map.npy --map-nodata -9999 --sites sites.npy ";
  const Outcome words = run(command + "--labels l.npy --dry-run --slab-rows 64");
  EXPECT_EQ(words.exit_code, 0) << words.err;
  EXPECT_NE(words.out.find("4 slabs of 64 rows"), std::string::npos) << words.out;
  EXPECT_EQ(names(), (std::vector<std::string>{"map.npy", "sites.npy"}));
  const Outcome told = run(command + "--back-link b.npy --slab-rows 50 --json -q");
  ASSERT_EQ(told.exit_code, 0) << told.err;
  const json report = json::parse(told.out);
  EXPECT_EQ(report["slabs"], 4);
  for (const char* stage : {"costs", "sites", "hops"}) EXPECT_GE(report["visits"][stage], 4);
}

TEST_F(CostSlabsTest, TakeInitialCostsOfPoints) {
  write("map.npy", draw_map({200, 130}, Material::noise));
  write_bytes("points.csv", "1,2\n100,150\n64,31\n500,500\n");
  Raster initial = draw_map({200, 130}, Material::uniform);
  initial.view<float>().data()[2 * 130 + 1] = 40;
  write("initial.npy", initial);
  expect_equal(
      "cost --stiffness map.npy --map-nodata -9999 --sites points.csv --initial-cost initial.npy "
      "--labels @l.npy --distance @d.npy",
      {"l.npy", "d.npy"}, "16");
}

TEST_F(CostSlabsTest, SayWhatIsWrong) {
  write("map.npy", draw_map({200, 130}, Material::noise));
  Raster bad = draw_map({200, 130}, Material::noise);
  bad.view<float>().data()[150 * 130 + 7] = -1;
  write("bad.npy", bad);
  write("sites.npy", draw_sites({200, 130}, 30));
  write("other.npy", draw_sites({20, 130}, 30));
  const std::vector<std::string> before = names();
  const auto expect = [&](const std::string& arguments, const std::string& text) {
    const Outcome outcome = run(arguments);
    EXPECT_NE(outcome.exit_code, 0) << arguments;
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find(text), std::string::npos) << arguments << ": " << outcome.err;
  };
  const std::string slabs =
      "cost --stiffness map.npy --map-nodata -9999 --sites sites.npy --slab-rows 9 ";
  expect(slabs + "--back-link l.png", "l.png is not written by rows");
  expect(slabs + "--labels l.npy --method dijkstra", "--method dijkstra is not");
  expect(slabs + "--picture p.png", "p.png needs all of the raster");
  expect(slabs + "--other-labels o.npy", "--other-labels is for all rows at once");
  expect(slabs + "--labels l.npy --values 30000 --strict", "no site");
  expect("cost --map noise --random 9 --size 30x30 --labels l.npy --slab-rows 9",
         "is for a map that is a raster file");
  expect(
      "cost --stiffness map.npy --map-nodata -9999 --sites other.npy --labels l.npy --slab-rows 9",
      "must be the same");
  expect(slabs + "--labels l.npy --initial-cost-field wait",
         "--initial-cost-field wait: is for sites of a layer or table");
  expect(
      "cost --stiffness bad.npy --map-nodata -9999 --sites sites.npy --labels l.npy --slab-rows 9",
      "--stiffness[150, 7] -1");
  expect("cost --stiffness map.npy --map-nodata -9999 --sites sites.npy --labels l.npy --memory 9K",
         "is too little: at once the run takes");
  EXPECT_EQ(names(), before);
}

TEST_F(CostSlabsTest, LeaveNothingBehindIfTheyAreStopped) {
  write("map.npy", draw_map({2000, 900}, Material::noise));
  write("sites.npy", draw_sites({2000, 900}, 60));
  Settings settings;
  settings.interruption = Interruption{
      .signal = SIGTERM, .ready = [&](pid_t process) { return !output_files(process).empty(); }};
  const Outcome outcome =
      run("cost --stiffness map.npy --map-nodata -9999 --sites sites.npy --labels l.npy --distance "
          "d.npy --slab-rows 4",
          settings);
  EXPECT_EQ(outcome.exit_code, 130) << outcome.err;
  EXPECT_EQ(names(), (std::vector<std::string>{"map.npy", "sites.npy"}));
}

TEST_F(CostSlabsTest, TellOfIgnoredSites) {
  write("map.npy", raster_of<float>({3, 2}, {1, 1, 0, 1, 1, 1}));
  write("sites.npy", raster_of<std::uint8_t>({3, 2}, {0, 0, 5, 0, 0, 6}));
  const std::string command = "cost --stiffness map.npy --sites sites.npy --overwrite --labels ";
  const Outcome once = run(command + "l.npy");
  const Outcome slabs = run(command + "l.npy --slab-rows 1");
  EXPECT_EQ(slabs.exit_code, 0);
  EXPECT_NE(slabs.err.find("ignored"), std::string::npos) << slabs.err;
  EXPECT_EQ(once.err, slabs.err);
}

}  // namespace
}  // namespace thiessen::cli
