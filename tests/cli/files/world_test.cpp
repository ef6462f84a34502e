// SPDX-License-Identifier: Apache-2.0
//
// Sites and grids with world coordinates: points, layers, georeferenced rasters, and their errors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "cli/command.hpp"
#include "cli/coordinate_systems.hpp"
#include "io/raster/raster_file.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

std::string geojson(const std::string& features, const std::string& epsg = "32631") {
  return R"({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::)" +
         epsg + R"("}},"features":[)" + features + "]}";
}

std::string feature(const std::string& type, const std::string& coordinates, int label) {
  return R"({"type":"Feature","properties":{"code":)" + std::to_string(label) +
         R"(,"name":"n"},"geometry":{"type":")" + type + R"(","coordinates":)" + coordinates + "}}";
}

class WorldTest : public CommandTest {
 protected:
  void SetUp() override {
    if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
    write_tif("utm.tif", kUtm, {500000, 10, 0, 80, 0, -20}, std::nullopt);
    write_tif("degrees.tif", kDegrees, {3, 0.1, 0, 51, 0, -0.1}, std::nullopt);
    write_tif("unknown.tif", "", {0, 10, 0, 80, 0, -20}, std::nullopt);
    write_tif("nodata.tif", kUtm, {500000, 10, 0, 80, 0, -20}, std::int64_t{9});
    // The centres of the cells [1, 2] and [3, 0].
    write_bytes("points.csv", "x,y,label\n500025,50,7\n500005,10,5\n");
    write_bytes("points.geojson", geojson(feature("Point", "[500025,50]", 7) + "," +
                                          feature("Point", "[500005,10]", 5)));
    write_bytes(
        "area.geojson",
        geojson(feature("Polygon",
                        "[[[500020,40],[500030,40],[500030,60],[500020,60],[500020,40]]]", 7)));
    write_bytes("degrees.geojson", geojson(feature("Point", "[3.1,50.9]", 7), "4326"));
  }

  /// 4 x 5 cells of u8: 7 at [1, 2], 9 at [0, 4], 5 at [3, 0].
  void write_tif(const std::string& name, const std::string& crs,
                 const std::array<double, 6>& transform,
                 const std::optional<LabelValue>& nodata) const {
    const Raster raster = raster_of<std::uint8_t>(
        {4, 5}, {0, 0, 0, 0, 9, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0});
    io::OutputFile file(path(name), false);
    const Georeference georeference{.transform = transform, .crs = crs};
    io::write_raster(file, raster.view(), {.georeference = georeference, .nodata = nodata});
    file.commit();
  }

  io::RasterFile read_file(const std::string& name) const { return io::read_raster(path(name)); }

  void expect_complaint(const std::string& arguments, const std::vector<std::string>& words,
                        int exit_code = kBadUsage) const {
    SCOPED_TRACE(arguments);
    const std::vector<std::string> before = names();
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code);
    expect_one_line_of_complaint(outcome);
    for (const std::string& word : words)
      EXPECT_NE(outcome.err.find(word), std::string::npos)
          << "no " << word << " in " << outcome.err;
    EXPECT_EQ(names(), before);
  }
};

TEST_F(WorldTest, ResultsKeepTheGeoreferenceAndMeasureInItsUnit) {
  succeed("voronoi --sites utm.tif --values 7 --labels l.tif --distance d.tif");
  const io::RasterFile labels = read_file("l.tif");
  ASSERT_TRUE(labels.raster.grid().georeference);
  EXPECT_EQ(labels.raster.grid().georeference->transform,
            (std::array<double, 6>{500000, 10, 0, 80, 0, -20}));
  EXPECT_NE(labels.raster.grid().georeference->crs.find("UTM zone 31N"), std::string::npos);
  EXPECT_FALSE(labels.nodata);
  const io::RasterFile distance = read_file("d.tif");
  EXPECT_EQ(distance.raster.view<float>()(3, 0), std::hypot(20.0F, 40.0F));
  ASSERT_TRUE(distance.nodata);
  EXPECT_TRUE(std::isnan(std::get<double>(*distance.nodata)));
  succeed("voronoi --sites utm.tif --values 7 --spacing 1,1 --distance cells.tif");
  EXPECT_EQ(read("cells.tif").view<float>()(3, 0), std::hypot(2.0F, 2.0F));
}

TEST_F(WorldTest, DegreesAreMeasuredOnTheEarth) {
  succeed(
      "voronoi --sites degrees.tif --values 7 --metric ellipsoidal --labels l.tif --distance d.npy "
      "--direction to.npy");
  Earth earth;
  for (int y = 0; y < 4; ++y) earth.latitude.push_back(51 + (y + 0.5) * -0.1);
  for (int x = 0; x < 5; ++x) earth.longitude.push_back(3 + (x + 0.5) * 0.1);
  const Raster sites = read("degrees.tif");
  const NearestSite found = nearest_site(
      sites.view(), {.metric = Metric::ellipsoidal, .earth = earth, .values = {std::int64_t{7}}},
      {.direction = true});
  const Raster distance = read("d.npy");
  const Raster direction = read("to.npy");
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x) {
      EXPECT_EQ(distance.view<float>()(y, x), found.distance.view<float>()(y, x));
      EXPECT_EQ(direction.view<float>()(y, x), found.direction.view()(y, x));
    }
  EXPECT_NEAR(distance.view<float>()(1, 3), 7042, 1);  // 0.1 degrees of longitude at 50.85
  succeed("voronoi --sites degrees.tif --values 7 --metric great-circle --distance sphere.npy");
  EXPECT_NEAR(read("sphere.npy").view<float>()(1, 3), 7021, 1);
  write_bytes("lonlat.csv", "lon,lat\n3.25,50.85\n");
  succeed(
      "voronoi --sites lonlat.csv --like-grid degrees.tif --metric ellipsoidal --distance p.npy");
  EXPECT_NEAR(read("p.npy").view<float>()(1, 3), 7042, 1);
}

/// A map of ones costs the metres of the way.
TEST_F(WorldTest, CostsInDegreesAreMeasuredOnTheEarth) {
  write_bytes("lonlat.csv", "lon,lat\n3.25,50.85\n");
  const std::string cost = "cost --map uniform --sites lonlat.csv --like-grid degrees.tif ";
  succeed(cost + "--metric ellipsoidal --distance cost.npy");
  EXPECT_NEAR(read("cost.npy").view<float>()(1, 3), 7042, 1);
  EXPECT_NEAR(read("cost.npy").view<float>()(0, 2), 11125, 1);
  succeed(cost + "--metric great-circle --distance sphere.npy");
  EXPECT_NEAR(read("sphere.npy").view<float>()(1, 3), 7021, 1);
  succeed(
      "cost --elevation degrees.tif --sites lonlat.csv --metric ellipsoidal --walk langmuir "
      "--distance s.npy");
  write_bytes("from.csv", "lon,lat\n3.45,50.85\n");
  succeed(cost + "--metric ellipsoidal --paths-from from.csv --paths paths.geojson");
  EXPECT_NE(read_bytes("paths.geojson").find("\"cost\""), std::string::npos);
  EXPECT_EQ(read_bytes("paths.geojson").find("\"length\""), std::string::npos) << "in which unit?";
  expect_complaint(cost + "--distance x.npy", {"degrees", "--metric ellipsoidal"});
  expect_complaint(cost + "--metric ellipsoidal --spacing 1,1 --distance x.npy",
                   {"--spacing and --metric ellipsoidal"});
  expect_complaint("cost --map uniform --random 2 --size 5x5 --metric ellipsoidal --distance x.npy",
                   {"no georeference"});
  expect_complaint(cost + "--metric chessboard --distance x.npy", {"--metric"});
  expect_complaint(
      "cost --cost degrees.tif --sites lonlat.csv --metric ellipsoidal --slab-rows 2 "
      "--distance x.tif",
      {"--metric ellipsoidal is not"});
}

TEST_F(WorldTest, WalksAreInMetres) {
  write_tif("feet.tif", kFeet, {500000, 10, 0, 80, 0, -20}, std::nullopt);
  const std::string walk = "cost --walk langmuir --sites points.csv --distance d.tif --elevation ";
  expect_complaint(walk + "feet.tif", {"feet.tif: its coordinates are in US survey foot",
                                       "walks are in metres", "--spacing"});
  expect_complaint(walk + "degrees.tif", {"degrees.tif", "--spacing"});
  succeed(walk + "feet.tif --spacing 10,20");
  succeed(walk + "utm.tif --overwrite");
  EXPECT_FLOAT_EQ(read("d.tif").view<float>()(1, 3), 7.2f + 7 * 1.9998f) << "7 m down on 10 m";
}

TEST_F(WorldTest, OtherGridsAreNotMeasuredOnTheEarth) {
  expect_complaint("voronoi --sites utm.tif --metric ellipsoidal --labels x.tif",
                   {"utm.tif: its coordinates are lengths", "--metric ellipsoidal", "gdalwarp"});
  expect_complaint("voronoi --random 3 --size 5x5 --metric great-circle --labels x.npy",
                   {"no georeference", "--metric great-circle"});
  expect_complaint("voronoi --sites degrees.tif --metric ellipsoidal --spacing 1,1 --labels x.tif",
                   {"--spacing and --metric ellipsoidal"});
  expect_complaint("voronoi --sites degrees.tif --metric ellipsoidal --periodic x --labels x.tif",
                   {"--periodic"});
  expect_complaint("voronoi --sites degrees.tif --metric ellipsoidal --squared x.npy", {"squared"});
  expect_complaint("voronoi --sites degrees.tif --metric ellipsoidal --slab-rows 2 --labels x.tif",
                   {"--metric ellipsoidal is not"});
}

TEST_F(WorldTest, NodataIsWhatTheFileOrTheFlagsSay) {
  succeed("voronoi --sites nodata.tif --labels own.tif --distance d.tif");
  const io::RasterFile own = read_file("own.tif");
  EXPECT_EQ(own.nodata, LabelValue(std::int64_t{9}));
  EXPECT_EQ(own.raster.view<std::uint8_t>()(0, 4), 9);
  EXPECT_EQ(own.raster.view<std::uint8_t>()(0, 3), 7);
  EXPECT_TRUE(std::isnan(read("d.tif").view<float>()(0, 4)));

  succeed("voronoi --sites nodata.tif --output-nodata 255 --labels new.tif");
  const io::RasterFile renewed = read_file("new.tif");
  EXPECT_EQ(renewed.nodata, LabelValue(std::int64_t{255}));
  EXPECT_EQ(renewed.raster.view<std::uint8_t>()(0, 4), 255);

  succeed("voronoi --sites nodata.tif --nodata none --labels none.tif");
  EXPECT_FALSE(read_file("none.tif").nodata);
  EXPECT_EQ(read("none.tif").view<std::uint8_t>()(0, 3), 9);

  succeed("voronoi --sites nodata.tif --nodata 5 --labels other.tif");
  EXPECT_EQ(read_file("other.tif").nodata, LabelValue(std::int64_t{5}));

  succeed("voronoi --sites nodata.tif --components 4 --output-nodata -9 --labels components.tif");
  EXPECT_EQ(read("components.tif").view<std::int32_t>()(0, 4), -9);
}

TEST_F(WorldTest, UnreachedDistancesAreNodataInGeotiff) {
  const std::string near = "voronoi --sites utm.tif --values 7 --max-distance 10 --distance ";
  succeed(near + "d.tif");
  EXPECT_TRUE(std::isnan(read("d.tif").view<float>()(3, 0)));
  succeed(near + "d.npy");
  EXPECT_TRUE(std::isinf(read("d.npy").view<float>()(3, 0)));
  succeed(near + "kept.tif --keep-infinite");
  EXPECT_TRUE(std::isinf(read("kept.tif").view<float>()(3, 0)));
  const std::string cheap =
      "cost --map uniform --sites utm.tif --values 7 --max-distance 1 --distance ";
  succeed(cheap + "c.tif");
  EXPECT_TRUE(std::isnan(read("c.tif").view<float>()(3, 0)));
  succeed(cheap + "c.npy");
  EXPECT_TRUE(std::isinf(read("c.npy").view<float>()(3, 0)));
  succeed(cheap + "ckept.tif --keep-infinite");
  EXPECT_TRUE(std::isinf(read("ckept.tif").view<float>()(3, 0)));
  succeed("proximity utm.tif p.tif -q -values 7 -maxdist 1");
  EXPECT_EQ(read("p.tif").view<float>()(3, 0), 65535);
}

TEST_F(WorldTest, PointsOfATableAndOfALayerAreTheSame) {
  const std::string grids[] = {"--like utm.tif", "--bounds 500000,0,500050,80 --cell-size 10,20"};
  int number = 0;
  for (const std::string& grid : grids)
    for (const std::string sites : {"points.csv", "points.geojson --label-field code"}) {
      const std::string labels = "l" + std::to_string(number++) + ".npy";
      succeed("voronoi --sites " + sites + " " + grid + " --labels " + labels +
              " --distance d.npy --squared s.npy --spacing 1,1 --overwrite");
      EXPECT_EQ(read("s.npy").view<std::int64_t>()(1, 2), 0) << sites << grid;
      EXPECT_EQ(read("s.npy").view<std::int64_t>()(3, 0), 0) << sites << grid;
      EXPECT_EQ(read("d.npy").view<float>()(0, 4), std::sqrt(5.0F)) << sites << grid;
      const Raster cells = read(labels);
      EXPECT_EQ(cells.element_type(), ElementType::i32);
      EXPECT_EQ(cells.view<std::int32_t>()(0, 0), 7) << sites << grid;
      EXPECT_EQ(cells.view<std::int32_t>()(3, 1), 5) << sites << grid;
    }
}

TEST_F(WorldTest, WorldCoordinatesFollowATurnedGeoreference) {
  write_tif("turned.tif", kUtm, {100, 0, 10, 200, 20, 0}, std::nullopt);
  write_bytes("turned.csv", "115,250\n");  // the cell [1, 2]
  succeed("voronoi --sites turned.csv --like turned.tif --distance d.npy");
  EXPECT_EQ(read("d.npy").view<float>()(1, 2), 0);
  EXPECT_EQ(read("d.npy").view<float>()(1, 3), 20);
  EXPECT_EQ(read("d.npy").view<float>()(2, 2), 10);
}

TEST_F(WorldTest, BoundsAreCoveredAndKept) {
  succeed(
      "voronoi --sites points.geojson --bounds 500000,0,500041,61 --cell-size 10 --labels l.tif");
  const Grid grid = read_file("l.tif").raster.grid();
  EXPECT_EQ(grid.extents, (Extents{7, 5}));
  ASSERT_TRUE(grid.georeference);
  EXPECT_EQ(grid.georeference->transform, (std::array<double, 6>{500000, 10, 0, 61, 0, -10}));
  EXPECT_NE(grid.georeference->crs.find("UTM zone 31N"), std::string::npos);
  succeed("voronoi --random 3 --bounds 0,0,0.3,0.6 --cell-size 0.1 --labels r.tif");
  EXPECT_EQ(read("r.tif").extents(), (Extents{6, 3}));
}

TEST_F(WorldTest, AreasAreBurnt) {
  succeed(
      "voronoi --sites area.geojson --label-field code --like utm.tif --labels l.npy --distance "
      "d.npy");
  EXPECT_EQ(read("l.npy").view<std::int32_t>()(3, 0), 7);
  EXPECT_EQ(read("d.npy").view<float>()(1, 2), 0);
  EXPECT_EQ(read("d.npy").view<float>()(1, 4), 20);
}

TEST_F(WorldTest, PointsInCells) {
  write_bytes("cells.csv", "0,0\n2.5,1\n");
  succeed("voronoi --sites cells.csv --size 4x2 --labels l.npy --distance d.npy --picture p.png");
  EXPECT_EQ(read("d.npy").view<float>()(1, 3), 0.5F);
  EXPECT_EQ(read("l.npy").view<std::int32_t>()(1, 3), 2);
  write_bytes("cube.csv", "1,0,2,40\n");
  succeed("voronoi --sites cube.csv --size 3x1x4 --labels l3.npy --distance d3.npy");
  EXPECT_EQ(read("d3.npy").extents(), (Extents{4, 1, 3}));
  EXPECT_EQ(read("d3.npy").view<float>()(2, 0, 1), 0);
  EXPECT_EQ(read("l3.npy").view<std::int32_t>()(0, 0, 0), 40);
}

TEST_F(WorldTest, PeriodicAxesGoByTheirLetters) {
  write("row.npy", raster_of<std::uint8_t>({2, 6}, {3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  succeed("voronoi --sites row.npy --periodic x --distance x.npy");
  EXPECT_EQ(read("x.npy").view<float>()(0, 5), 1);
  succeed("voronoi --sites row.npy --periodic y,x --distance yx.npy");
  EXPECT_EQ(read("yx.npy").view<float>()(0, 5), 1);
  succeed("voronoi --sites row.npy --periodic y --distance y.npy");
  EXPECT_EQ(read("y.npy").view<float>()(0, 5), 5);
}

TEST_F(WorldTest, ProximityMeasuresInCellsOrInUnits) {
  succeed("proximity utm.tif cells.tif -q -values 7");
  EXPECT_EQ(read("cells.tif").view<float>()(3, 2), 2);
  succeed("proximity utm.tif geo.tif -q -values 7 -distunits GEO -maxdist 40 -co COMPRESS=LZW");
  const io::RasterFile geo = read_file("geo.tif");
  EXPECT_EQ(geo.raster.view<float>()(3, 2), 40);
  EXPECT_EQ(geo.raster.view<float>()(3, 0), 65535);
  EXPECT_EQ(geo.nodata, LabelValue(65535.0));
  ASSERT_TRUE(geo.raster.grid().georeference);
  succeed("proximity nodata.tif yes.tif -q -use_input_nodata YES -nodata -1");
  EXPECT_EQ(read("yes.tif").view<float>()(0, 4), -1);
  EXPECT_EQ(read("yes.tif").view<float>()(0, 3), std::sqrt(2.0F));
  succeed("proximity nodata.tif no.tif -q");
  EXPECT_EQ(read("no.tif").view<float>()(0, 4), 0);
}

TEST_F(WorldTest, LimitsReachTheCellsThatDecimalsName) {
  write_tif("fine.tif", kUtm, {500000, 0.35, 0, 80, 0, -0.1}, std::nullopt);
  succeed("proximity fine.tif geo.tif -q -values 7 -distunits GEO -maxdist 0.35 -nodata -1");
  EXPECT_EQ(read("geo.tif").view<float>()(1, 3), 0.35F);
  EXPECT_EQ(read("geo.tif").view<float>()(1, 4), -1);
  succeed("voronoi --sites fine.tif --values 5 --max-distance 0.3 --labels l.tif");
  EXPECT_EQ(read("l.tif").view<std::uint8_t>()(0, 0), 5);  // three rows of 0.1
  const double along = 0.3 / std::sqrt(2.0);
  write_tif("turned.tif", kUtm, {500000, along, along, 80, along, -along}, std::nullopt);
  succeed("voronoi --sites turned.tif --values 5 --max-distance 0.9 --labels t.tif");
  EXPECT_EQ(read("t.tif").view<std::uint8_t>()(0, 0), 5);
}

TEST_F(WorldTest, CostTakesMapAndSitesOfOnePlace) {
  write_tif("shifted.tif", kUtm, {500010, 10, 0, 80, 0, -20}, std::nullopt);
  expect_complaint("cost --cost shifted.tif --sites utm.tif --labels labels.npy",
                   {"shifted.tif", "do not lie where the cells of utm.tif do"});
  expect_complaint("cost --cost utm.tif --sites points.csv --like shifted.tif --labels labels.npy",
                   {"utm.tif", "do not lie where"});
  Raster ones = Raster::of<float>({4, 5});
  std::fill_n(ones.view<float>().data(), 20, 1.0f);
  write("initial.npy", ones);
  write("map.npy", ones);
  succeed("cost --cost map.npy --sites utm.tif --initial-cost initial.npy --distance distance.tif");
  const io::RasterFile distance = read_file("distance.tif");
  ASSERT_TRUE(distance.raster.grid().georeference);
  EXPECT_EQ(distance.raster.grid().georeference->transform[0], 500000);
  EXPECT_EQ(distance.raster.view<float>()(1, 1), 11);  // 10 metres from a site that starts with 1
}

TEST_F(WorldTest, RefusesWhatHasNoLengthsOrAnotherWorld) {
  expect_complaint("voronoi --sites degrees.tif --labels o.tif", {"degrees.tif", "--spacing"});
  expect_complaint("proximity degrees.tif o.tif -distunits GEO", {"degrees.tif", "PIXEL"});
  succeed("proximity degrees.tif pixel.tif -q");
  succeed("voronoi --sites degrees.tif --spacing 1,1 --labels spaced.tif");
  expect_complaint("voronoi --sites degrees.geojson --like utm.tif --labels o.tif",
                   {"degrees.geojson", "--transform"});
  expect_complaint("voronoi --sites points.geojson --like unknown.tif --labels o.tif",
                   {"points.geojson", "-a_srs"});
  expect_complaint(
      "voronoi --sites degrees.geojson --bounds 3,50,4,51 --cell-size 0.1 --labels o.tif",
      {"degrees.geojson", "--spacing"});
  expect_complaint("voronoi --sites points.geojson --size 5x5 --labels o.tif", {"--like"});
}

TEST_F(WorldTest, RefusesNodataThatNoCellCanHold) {
  expect_complaint("voronoi --sites utm.tif --nodata 300 --labels o.tif", {"--nodata 300", "u8"});
  expect_complaint("voronoi --sites utm.tif --nodata -1 --components 4 --labels o.tif",
                   {"--nodata -1", "u8"});
}

TEST_F(WorldTest, RefusesASmallFileOfMoreCellsThanMemory) {
  write_bytes("huge.vrt", R"(<VRTDataset rasterXSize="1000000" rasterYSize="1000000">)"
                          R"(<VRTRasterBand dataType="Byte" band="1"/></VRTDataset>)");
  expect_complaint("voronoi --sites huge.vrt --labels o.npy",
                   {"huge.vrt: 1000000000000 cells of 1 byte", "memory"}, 1);
}

TEST_F(WorldTest, RefusesSitesWithoutAGridAndGridsWithoutNeed) {
  expect_complaint("voronoi --sites points.geojson --labels o.npy", {"--bounds", "--like"});
  expect_complaint("voronoi --sites points.csv --labels o.npy", {"--bounds", "--like"});
  expect_complaint("voronoi --sites utm.tif --like utm.tif --labels o.npy", {"--like", "utm.tif"});
  expect_complaint("voronoi --sites points.csv --like missing.tif --labels o.npy", {"missing.tif"});
  expect_complaint("voronoi --sites points.csv --like utm.tif --size 4x4 --labels o.npy",
                   {"--size", "--like"});
}

TEST_F(WorldTest, RefusesBoundsThatAreNone) {
  const auto bounds = [&](const std::string& list, const std::string& size,
                          const std::vector<std::string>& words) {
    expect_complaint("voronoi --random 1 --labels o.npy --bounds " + list + " --cell-size " + size,
                     words);
  };
  bounds("9,0,0,9", "1", {"--bounds", "x0 < x1"});
  bounds("0,9,9,0", "1", {"--bounds", "y0 < y1"});
  bounds("0,0,0,9", "1", {"--bounds"});
  bounds("0,0,nan,9", "1", {"--bounds", "'nan'"});
  bounds("0,0,inf,9", "1", {"--bounds", "'inf'"});
  bounds("0,0,9", "1", {"--bounds", "x0,y0,x1,y1"});
  bounds("-1e308,0,1e308,9", "1", {"--bounds", "2^30"});
  bounds("0,0,9,9", "1e-9", {"--cell-size", "2^30"});
  bounds("0,0,9,9", "0", {"--cell-size", "> 0"});
  bounds("0,0,9,9", "-1", {"--cell-size", "> 0"});
  bounds("0,0,9,9", "1,2,3", {"--cell-size"});
  bounds("0,0,9,9", "wide", {"--cell-size", "'wide'"});
  expect_complaint("voronoi --random 1 --labels o.npy --bounds 0,0,1,1", {"--cell-size"});
  expect_complaint("voronoi --random 1 --labels o.npy --cell-size 1", {"--bounds"});
}

TEST_F(WorldTest, RefusesFlagsOfOtherKindsOfSites) {
  expect_complaint("voronoi --sites utm.tif --layer a --labels o.npy", {"--layer", "utm.tif"});
  expect_complaint("voronoi --sites utm.tif --label-field a --labels o.npy", {"--label-field"});
  for (const std::string flag :
       {"--band 1", "--values 3", "--components 4", "--nodata 3", "--zero-is-site", "--free-nodata",
        "--layer a", "--signed-distance"})
    expect_complaint("voronoi --sites points.csv --like-grid utm.tif --labels o.npy " + flag,
                     {flag.substr(0, flag.find(' '))});
  expect_complaint("voronoi --sites points.geojson --like utm.tif --labels o.npy --band 1",
                   {"--band"});
}

TEST_F(WorldTest, RefusesBandsLayersAndFieldsThatAreNotThere) {
  expect_complaint("voronoi --sites utm.tif --band 0 --labels o.npy", {"--band 0"});
  expect_complaint("voronoi --sites utm.tif --band abc --labels o.npy", {"--band abc"});
  expect_complaint("voronoi --sites utm.tif --band 9 --labels o.npy", {"utm.tif", "9"});
  expect_complaint("proximity utm.tif o.npy -srcband 9", {"utm.tif", "9"});
  const std::string points = "voronoi --sites points.geojson --like utm.tif --labels o.npy ";
  expect_complaint(points + "--layer roads", {"points.geojson", "roads"});
  expect_complaint(points + "--label-field height", {"points.geojson", "height"});
}

TEST_F(WorldTest, RefusesFilesThatAreWrong) {
  write_bytes("seven.csv", "1,2\n1,2\n1,2\n1,2\n1,2\n1,2\n1,2,3\n");
  expect_complaint("voronoi --sites seven.csv --size 4x4 --labels o.npy", {"seven.csv", "7"});
  write_bytes("nan.csv", "1,2\nnan,2\n");
  expect_complaint("voronoi --sites nan.csv --size 4x4 --labels o.npy", {"nan.csv", "2"});
  write_bytes("far.csv", "1,2\n1e300,2\n");
  expect_complaint("voronoi --sites far.csv --size 4x4 --labels o.npy", {"far.csv", "point 2"});
  write_bytes("flat.csv", "1,2\n");
  expect_complaint("voronoi --sites flat.csv --size 4x4x4 --labels o.npy", {"flat.csv"});
  write_bytes("broken.geojson", R"({"type":"FeatureCollection","features":[{"type")");
  expect_complaint("voronoi --sites broken.geojson --like utm.tif --labels o.npy",
                   {"broken.geojson"});
  write_bytes("text.tif", "this is no picture");
  expect_complaint("voronoi --sites text.tif --labels o.npy", {"text.tif"});
  succeed("voronoi --sites utm.tif --labels there.tif");
  expect_complaint("voronoi --sites utm.tif --labels there.tif", {"there.tif", "exists"}, 1);
}

/// A VRT takes its cells from a file that --overwrite would destroy.
TEST_F(WorldTest, RefusesAnOutputThatAnInputIsReadFrom) {
  const auto vrt = [](const std::string& source) {
    return R"(<VRTDataset rasterXSize="5" rasterYSize="4"><VRTRasterBand dataType="Byte" band="1">)"
           R"(<SimpleSource><SourceFilename relativeToVRT="1">)" +
           source +
           "</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand></"
           "VRTDataset>";
  };
  write_bytes("view.vrt", vrt("utm.tif"));
  write_bytes("deep.vrt", vrt("view.vrt"));
  std::filesystem::create_symlink("utm.tif", path("symbolic.tif"));
  std::filesystem::create_hard_link(path("utm.tif"), path("hard.tif"));
  write("map.npy", raster_of<float>({1, 2}, {1, 2}));
  write_bytes("starts.csv", "0,0\n");
  const std::string before = read_bytes("utm.tif");
  for (const std::string input : {"utm.tif", "symbolic.tif", "hard.tif", "view.vrt", "deep.vrt"})
    for (const std::string output : {"utm.tif", "symbolic.tif", "hard.tif"}) {
      const std::string files = " --labels " + output + " --overwrite";
      expect_complaint("voronoi --sites " + input + files, {output + ": is", "input " + input});
      expect_complaint("voronoi --sites points.csv --distance d.npy --like " + input + files,
                       {output + ": is", "input " + input});
      expect_complaint("proximity " + input + " " + output + " --overwrite",
                       {output + ": is", "input " + input});
    }
  expect_complaint("cost --cost map.npy --random 1 --distance map.npy --overwrite",
                   {"map.npy: is the input map.npy"});
  expect_complaint(
      "cost --cost map.npy --random 1 --paths-from starts.csv --paths starts.csv --overwrite",
      {"starts.csv: is the input starts.csv"});
  expect_complaint("render --labels utm.tif -o utm.tif --overwrite", {"utm.tif: is the input"});
  EXPECT_EQ(read_bytes("utm.tif"), before);
  EXPECT_EQ(read_bytes("starts.csv"), "0,0\n");
  succeed("voronoi --sites view.vrt --labels other.tif");
  succeed("voronoi --sites view.vrt --labels other.tif --overwrite");
}

TEST_F(WorldTest, NamesBothReferenceSystemsThatDiffer) {
  expect_complaint("voronoi --sites degrees.geojson --like utm.tif --labels o.tif",
                   {"EPSG:4326 (WGS 84)", "EPSG:32631 (WGS 84 / UTM zone 31N)"});
  write_tif("map.tif", kDegrees, {500000, 10, 0, 80, 0, -20}, std::nullopt);
  expect_complaint("cost --cost map.tif --sites utm.tif --spacing 1,1 --labels o.tif",
                   {"map.tif: is in EPSG:4326", "EPSG:32631"});
}

/// A degree from west to east at 50.8° N is 70.50 km, one from south to north 111.25 km.
TEST_F(WorldTest, DegreesGetASpacingForTheirLatitude) {
  const Outcome outcome = run("voronoi --sites degrees.tif --labels o.tif");
  EXPECT_EQ(outcome.err.find("1,1"), std::string::npos) << outcome.err;
  const std::size_t at = outcome.err.find("--spacing ");
  ASSERT_NE(at, std::string::npos) << outcome.err;
  const std::string ready = outcome.err.substr(at, outcome.err.find(' ', at + 10) - at);
  double east = 0, north = 0;
  ASSERT_EQ(std::sscanf(ready.c_str(), "--spacing %lf,%lf", &east, &north), 2) << ready;
  EXPECT_NEAR(east, 7050, 1);
  EXPECT_NEAR(north, 11125, 2);
  EXPECT_NE(outcome.err.find("latitude 50.8, an approximation"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("0.43 %"), std::string::npos) << outcome.err;
  succeed("voronoi --sites degrees.tif --labels o.tif " + ready);
  write_tif("world.tif", kDegrees, {-180, 72, 0, 90, 0, -45}, std::nullopt);
  expect_complaint("voronoi --sites world.tif --labels o2.tif",
                   {"degrees, which are no lengths; --metric ellipsoidal measures in metres on the "
                    "Earth, while no --spacing fits latitudes from -90 to 90, or project it",
                    "gdalwarp"});
  succeed("voronoi --sites world.tif --metric ellipsoidal --labels earth.tif");
  // Paths end at the sides of a map, though these meet.
  const Outcome sides =
      run("cost --cost world.tif --sites world.tif --metric ellipsoidal "
          "--labels cost.tif --json");
  EXPECT_EQ(sides.exit_code, 0) << sides.err;
  EXPECT_NE(sides.err.find("world.tif: goes around the Earth, but paths end at its sides"),
            std::string::npos)
      << sides.err;
  EXPECT_NE(sides.out.find("\"open_sides\""), std::string::npos) << sides.out;
  EXPECT_NE(run("cost --cost world.tif --sites world.tif --spacing 1,1 --distance c.tif")
                .err.find("goes around"),
            std::string::npos);
  EXPECT_EQ(
      run("cost --cost degrees.tif --sites degrees.tif --metric ellipsoidal --distance e.tif").err,
      "");
}

/// Advice names what works in the command at hand.
TEST_F(WorldTest, AdviceAgainstDegreesBeginsWithTheEarth) {
  const std::string earth =
      "; --metric ellipsoidal measures in metres on the Earth; or give "
      "--spacing ";
  for (const std::string command :
       {"voronoi --sites degrees.tif --distance d.tif",
        "cost --cost degrees.tif --sites degrees.tif --distance d.tif"}) {
    expect_complaint(command,
                     {"degrees.tif: its coordinates are degrees, which are no lengths" + earth});
    succeed(command + " --metric ellipsoidal --overwrite");
  }
  expect_complaint("proximity degrees.tif o.tif -distunits GEO",
                   {"no lengths; thiessen voronoi --sites degrees.tif --metric ellipsoidal "
                    "--distance DST measures in metres",
                    "--distunits PIXEL"});
  write_bytes("lonlat.csv", "lon,lat\n3.25,50.85\n");
  const Outcome bounds =
      run("voronoi --sites lonlat.csv --bounds 3,50,4,51 --cell-size 0.5 "
          "--distance o.npy");
  EXPECT_NE(bounds.err.find("--metric ellipsoidal"), std::string::npos) << bounds.err;
  succeed(
      "voronoi --sites lonlat.csv --bounds 3,50,4,51 --cell-size 0.5 --metric ellipsoidal "
      "--distance e.npy");
}

TEST_F(WorldTest, InfoTellsReferenceSystemsByTheirNames) {
  const Outcome brief = run("info utm.tif");
  EXPECT_NE(brief.out.find("crs          EPSG:32631 (WGS 84 / UTM zone 31N)\n"), std::string::npos)
      << brief.out;
  EXPECT_NE(brief.out.find("bounds       500000.0, 0.0, 500050.0, 80.0\n"), std::string::npos)
      << brief.out;
  EXPECT_EQ(brief.out.find("PROJCRS"), std::string::npos) << brief.out;
  const Outcome all = run("info --wkt utm.tif");
  EXPECT_NE(all.out.find("wkt          PROJCRS["), std::string::npos) << all.out;
  const Outcome layer = run("info points.geojson");
  EXPECT_NE(layer.out.find("layer        points: Point, 2 features, bounds 500005.0, 10.0, "
                           "500025.0, 50.0, crs EPSG:32631 (WGS 84 / UTM zone 31N), fields: code "
                           "Integer, name String\n"),
            std::string::npos)
      << layer.out;
  EXPECT_EQ(lines_of(layer.out).size(), 3U) << "file, format and a line a layer\n" << layer.out;
}

TEST_F(WorldTest, AreasThatCrossThemselvesAreBurntByTheirRings) {
  write_bytes("bow.geojson",
              geojson(feature("Polygon",
                              "[[[500000,0],[500050,80],[500050,0],[500000,80],[500000,0]]]", 4)));
  succeed("voronoi --sites bow.geojson --like utm.tif --distance d.npy");
  EXPECT_EQ(read("d.npy").view<float>()(1, 0), 0);
  EXPECT_GT(read("d.npy").view<float>()(0, 2), 0);
}

TEST_F(WorldTest, RefusesOutputsThatCannotBe) {
  expect_complaint("voronoi --sites utm.tif --labels o.npy --co COMPRESS=LZW",
                   {"--creation-option COMPRESS=LZW"});
  expect_complaint("voronoi --sites utm.tif --labels o.tif --co COMPRESS", {"COMPRESS"});
  expect_complaint("voronoi --sites utm.tif --labels o.tif --co BOGUS=1", {"BOGUS"});
  expect_complaint("voronoi --sites utm.tif --labels o.tif --output-nodata 256",
                   {"--output-nodata 256", "u8"});
  expect_complaint("voronoi --sites utm.tif --labels o.tif --output-nodata x", {"--output-nodata"});
  expect_complaint("voronoi --sites utm.tif --labels o.tif --nodata ''", {"--nodata", "empty"});
  succeed("voronoi --sites utm.tif --labels l.tif --picture p.png --co COMPRESS=LZW");
  write_bytes("between.csv", "0.5,0\n");
  expect_complaint("voronoi --sites between.csv --size 4x4 --offset o.npy",
                   {"--offset", "centres"});
}

TEST_F(WorldTest, RefusesAxesThatAreNone) {
  for (const std::string axes : {"w", "z", "x,x", "xy", ",", "x,", "X"})
    expect_complaint("voronoi --random 3 --size 8x6 --labels o.npy --periodic " + axes,
                     {"--periodic " + axes});
}

}  // namespace
}  // namespace thiessen::cli
