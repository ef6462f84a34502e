// SPDX-License-Identifier: Apache-2.0
//
// Bands with scale, offset and unit: quantities get them, labels never do.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/coordinate_systems.hpp"
#include "cli/equal_runs.hpp"
#include "io/raster/raster_file.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

constexpr std::int16_t kStoredNodata = -9;

class QuantityTest : public EqualRunsTest {
 protected:
  void SetUp() override {
    if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
    write_bytes("s.csv", "x,y\n500015,85\n500305,15\n");
  }

  /// 9 x 40 cells of 10 m on a map.
  void write_tif(const std::string& name, const Raster& raster,
                 const std::optional<LabelValue>& nodata = std::nullopt) const {
    io::OutputFile file(path(name), true);
    const Georeference georeference{.transform = {500000, 10, 0, 90, 0, -10}, .crs = kUtm};
    io::write_raster(file, raster.view(), {.georeference = georeference, .nodata = nodata});
    file.commit();
  }

  /// What stands beside a file: scale, offset and unit of its band.
  void write_notes(const std::string& name, double scale, double offset,
                   const std::string& unit = "") const {
    write_bytes(name + ".aux.xml", "<PAMDataset><PAMRasterBand band=\"1\"><UnitType>" + unit +
                                       "</UnitType><Offset>" + std::to_string(offset) +
                                       "</Offset><Scale>" + std::to_string(scale) +
                                       "</Scale></PAMRasterBand></PAMDataset>");
  }

  static std::int16_t stored(std::int64_t i) {
    return i % 53 == 7 ? kStoredNodata : static_cast<std::int16_t>(20 + i * 37 % 61);
  }

  /// `NAME-stored.tif` holds i16 with scale and offset, `NAME-plain.tif` the same as f64.
  void write_pair(const std::string& name, double scale, double offset) const {
    Raster raw = Raster::of<std::int16_t>({9, 40});
    Raster plain = Raster::of<double>({9, 40});
    for (std::int64_t i = 0; i < raw.extents().count(); ++i) {
      const std::int16_t value = stored(i);
      raw.view<std::int16_t>().data()[i] = value;
      plain.view<double>().data()[i] = value == kStoredNodata
                                           ? std::numeric_limits<double>::quiet_NaN()
                                           : value * scale + offset;
    }
    write_tif(name + "-stored.tif", raw, std::int64_t{kStoredNodata});
    write_notes(name + "-stored.tif", scale, offset);
    write_tif(name + "-plain.tif", plain, std::numeric_limits<double>::quiet_NaN());
  }

  /// Runs a command on both files of a pair, for which @ stands, and compares the result, #.
  void expect_one_result(const std::string& command, const std::string& result) const {
    SCOPED_TRACE(command);
    for (const char* which : {"stored", "plain"}) {
      std::string own = named(command, which);
      own.replace(own.find('#'), 1, which + result);
      succeed(own + " -q");
    }
    EXPECT_TRUE(read_bytes("stored" + result) == read_bytes("plain" + result));
  }
};

TEST_F(QuantityTest, ScaleAndOffsetApplyToElevationsCostsAndStiffness) {
  write_pair("z", 0.25, 3);
  expect_one_result("cost --elevation z-@.tif --sites s.csv --distance #", "d.tif");
  expect_one_result("cost --cost z-@.tif --sites s.csv --distance #", "c.tif");
  expect_one_result("cost --stiffness z-@.tif --sites s.csv --distance #", "w.tif");
  expect_one_result("cost --cost z-@.tif --elevation z-@.tif --sites s.csv --distance #", "b.tif");
  expect_one_result("cost --cost z-@.tif --sites s.csv --write-map #", "m.tif");
  expect_one_result("cost --cost z-@.tif --slab-rows 2 --sites s.csv --distance #", "s.tif");
  EXPECT_TRUE(read_bytes("storeds.tif") == read_bytes("storedc.tif"));
  write_bytes("wall.geojson", R"({"type":"FeatureCollection","crs":{"type":"name","properties":)"
                              R"({"name":"urn:ogc:def:crs:EPSG::32631"}},"features":[{"type":)"
                              R"("Feature","properties":{},"geometry":{"type":"LineString",)"
                              R"("coordinates":[[500105,30],[500105,90]]}}]})");
  expect_one_result("cost --cost z-@.tif --barriers wall.geojson --sites s.csv --distance #",
                    "l.tif");
}

TEST_F(QuantityTest, ScaleAndOffsetApplyToInitialCosts) {
  write_pair("z", 0.25, 3);
  Raster sites = Raster::of<std::uint8_t>({9, 40});
  for (std::int64_t i = 0; i < 360; ++i)
    sites.view<std::uint8_t>().data()[i] = i % 71 == 0 ? std::uint8_t{5} : std::uint8_t{0};
  write_tif("sites.tif", sites);
  const std::string cost = "cost --cost z-plain.tif --initial-cost z-@.tif --distance # ";
  expect_one_result(cost + "--sites s.csv", "p.tif");
  expect_one_result(cost + "--sites sites.tif", "c.tif");
  expect_one_result(cost + "--sites sites.tif --slab-rows 3", "s.tif");
}

TEST_F(QuantityTest, ScaleAndOffsetApplyToSumsCoverageAndDistances) {
  write_pair("z", 0.25, 3);
  write_tif("grid.tif", Raster::of<std::uint8_t>({9, 40}));
  for (const char* which : {"stored", "plain"}) {
    std::filesystem::create_directory(path(which));
    for (const char* suffix : {"", ".aux.xml"})
      if (exists(std::string("z-") + which + ".tif" + suffix))
        std::filesystem::copy(path(std::string("z-") + which + ".tif" + suffix),
                              path(which) / ("z.tif" + std::string(suffix)));
  }
  expect_one_result("voronoi --sites s.csv --like-grid grid.tif --sum-of @/z.tif --table #",
                    "t.csv");
  EXPECT_EQ(run("compare --distance z-stored.tif z-plain.tif").exit_code, 0);
  expect_one_result("render --distance z-@.tif -o #", "r.png");
  Raster percent = Raster::of<std::uint8_t>({9, 40});
  Raster part = Raster::of<double>({9, 40});
  for (std::int64_t i = 0; i < 360; ++i) {
    percent.view<std::uint8_t>().data()[i] = static_cast<std::uint8_t>(i % 65);
    part.view<double>().data()[i] = static_cast<double>(i % 65) / 64;
  }
  write_tif("c-stored.tif", percent);
  write_notes("c-stored.tif", 1.0 / 64, 0);
  write_tif("c-plain.tif", part);
  expect_one_result("voronoi --sites c-@.tif --signed-distance --coverage --distance #", "e.tif");
}

TEST_F(QuantityTest, NodataIsComparedAsItIsStored) {
  write_pair("z", 0.25, 3);
  // 20 · 0.25 + 3 = 8, but it is 20 that the file has.
  succeed("cost --cost z-stored.tif --map-nodata 20 --sites s.csv --distance d.tif");
  const Raster distance = read("d.tif");
  for (std::int64_t i = 0; i < 360; ++i)
    EXPECT_EQ(std::isnan(distance.view<float>().data()[i]), stored(i) == 20) << i;
  succeed("cost --cost z-stored.tif --sites s.csv --labels l.tif");
  EXPECT_EQ(io::read_raster(path("l.tif")).nodata, LabelValue(std::int64_t{kStoredNodata}));
}

TEST_F(QuantityTest, LabelsStayAsTheyAreStored) {
  write_pair("z", 0.25, 3);
  succeed("voronoi --quiet --sites z-stored.tif --labels l.tif");
  const Raster labels = read("l.tif");
  ASSERT_EQ(labels.element_type(), ElementType::i16);
  for (std::int64_t i = 0; i < 360; ++i)
    EXPECT_EQ(labels.view<std::int16_t>().data()[i], stored(i)) << i;
  expect_equal("voronoi --sites z-stored.tif --values 20,21 --labels @l.tif", {"l.tif"}, "4");
}

TEST_F(QuantityTest, InfoTellsOfScaleAndOffset) {
  write_pair("z", 0.25, 3);
  const Outcome stored = run("info --json z-stored.tif");
  const auto json = nlohmann::json::parse(stored.out);
  EXPECT_EQ(json["scale"], 0.25);
  EXPECT_EQ(json["offset"], 3);
  EXPECT_EQ(json["min"], 20);
  EXPECT_FALSE(nlohmann::json::parse(run("info --json z-plain.tif").out).contains("scale"));
}

TEST_F(QuantityTest, RefusesAScaleThatMakesNoNumbers) {
  write_pair("z", 0.25, 3);
  write_notes("z-stored.tif", 0, 3);
  for (const char* command :
       {"cost --cost z-stored.tif --sites s.csv --distance d.tif",
        "cost --cost z-stored.tif --sites s.csv --distance d.tif --slab-rows 2",
        "cost --cost z-plain.tif --elevation z-stored.tif --sites s.csv --distance d.tif",
        "cost --cost z-plain.tif --initial-cost z-stored.tif --sites s.csv --distance d.tif"}) {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.exit_code, 2) << command;
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find("z-stored.tif: has the scale 0"), std::string::npos) << outcome.err;
  }
}

class UnitTest : public QuantityTest {
 protected:
  /// What a page says of the unit of distances.
  nlohmann::json unit_of(const std::string& arguments) const {
    succeed("render --overwrite -o p.html " + arguments);
    const std::string page = read_bytes("p.html");
    const std::string begin = "<script type=\"application/json\" id=\"data\">";
    const std::size_t first = page.find(begin);
    if (first == std::string::npos) return {};
    const std::size_t end = page.find("</script>", first);
    const auto data =
        nlohmann::json::parse(page.substr(first + begin.size(), end - first - begin.size()));
    return {data["rampTitle"], data["unit"]["name"], data["unit"]["factor"]};
  }

  void expect_complaint(const std::string& arguments, const std::string& words) const {
    const Outcome outcome = run("render -o m.svg " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  }
};

using nlohmann::json;

TEST_F(UnitTest, MapsTellTheUnitOfTheBand) {
  write_pair("z", 0.25, 3);
  succeed("cost --elevation z-plain.tif --sites s.csv --distance seconds.tif");
  EXPECT_EQ(unit_of("--distance seconds.tif"), json({"Cost (s)", "s", 1}));
  EXPECT_EQ(unit_of("--distance seconds.tif --unit min"), json({"Cost (min)", "min", 1.0 / 60}));
  EXPECT_EQ(unit_of("--distance seconds.tif --unit h"), json({"Cost (h)", "h", 1.0 / 3600}));
  expect_complaint("--distance seconds.tif --unit km",
                   "--unit km: the values of the raster are in s");
  succeed("cost --cost z-plain.tif --sites s.csv --distance cost.tif");
  EXPECT_EQ(unit_of("--distance cost.tif"), json({"Cost or distance", "", 1}));
  EXPECT_EQ(unit_of("--distance cost.tif --unit CHF"), json({"Cost (CHF)", "CHF", 1}));
}

TEST_F(UnitTest, DistancesHaveAUnitThatConverts) {
  write_tif("grid.tif", Raster::of<std::uint8_t>({9, 40}));
  succeed("voronoi --sites s.csv --like-grid grid.tif --distance d.tif");
  EXPECT_EQ(io::read_raster(path("d.tif")).unit, "m");
  EXPECT_EQ(unit_of("--distance d.tif"), json({"Distance (m)", "m", 1}));
  EXPECT_EQ(unit_of("--distance d.tif --unit km"), json({"Distance (km)", "km", 0.001}));
  EXPECT_EQ(unit_of("--distance d.tif --unit kilometres"),
            json({"Distance (kilometres)", "kilometres", 0.001}));
  expect_complaint("--distance d.tif --unit s", "--unit s: the values of the raster are in m");
  expect_complaint("--distance d.tif --unit miglia", "--unit miglia");
  succeed("voronoi --sites s.csv --like-grid grid.tif --spacing 1,1 --distance own.tif");
  EXPECT_EQ(io::read_raster(path("own.tif")).unit, "");
  // Another program's distances have no unit: a length is one of the coordinates.
  EXPECT_EQ(unit_of("--distance own.tif --unit km"), json({"Distance (km)", "km", 0.001}));
  write("d.npy", read("d.tif"));
  EXPECT_EQ(unit_of("--distance d.npy"), json({"Cost or distance", "", 1}));
  EXPECT_EQ(unit_of("--distance d.npy --unit km"), json({"Distance (km)", "km", 1}));
  Raster sites = Raster::of<std::uint8_t>({9, 40});
  std::fill_n(sites.bytes(), sites.size_bytes(), std::byte{0});
  sites.bytes()[7] = std::byte{1};
  write_tif("sites.tif", sites);
  succeed("proximity sites.tif geo.tif -distunits GEO");
  EXPECT_EQ(io::read_raster(path("geo.tif")).unit, "m");
  succeed("proximity sites.tif cells.tif");
  EXPECT_EQ(io::read_raster(path("cells.tif")).unit, "");
}

/// Directions, contours and pictures of rasters whose rows do not run to the south, or not along
/// the coordinates.
class OrientationTest : public EqualRunsTest {
 protected:
  static constexpr std::int64_t kHeight = 6, kWidth = 8;

  void SetUp() override {
    if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  }

  /// Two sites; `transform` gives the place.
  void write_sites(const std::string& name, const std::array<double, 6>& transform,
                   bool upside_down) const {
    Raster raster = Raster::of<std::uint8_t>({kHeight, kWidth});
    std::fill_n(raster.bytes(), raster.size_bytes(), std::byte{0});
    const auto put = [&](std::int64_t y, std::int64_t x, std::uint8_t label) {
      raster.view<std::uint8_t>()(upside_down ? kHeight - 1 - y : y, x) = label;
    };
    put(0, 3, 1);
    put(5, 7, 2);
    io::OutputFile file(path(name), false);
    io::write_raster(file, raster.view(),
                     {.georeference = Georeference{.transform = transform, .crs = kUtm}});
    file.commit();
  }

  /// Compares with azimuths between places in the world.
  void expect_azimuths(const std::string& sites) const {
    SCOPED_TRACE(sites);
    succeed("voronoi --overwrite --sites " + sites + " --direction d.tif --site-index i.npy");
    const io::RasterFile file = io::read_raster(path("d.tif"));
    const std::array<double, 6> t = file.raster.grid().georeference->transform;
    const Raster index = read("i.npy");
    for (std::int64_t y = 0; y < kHeight; ++y)
      for (std::int64_t x = 0; x < kWidth; ++x) {
        const std::int64_t site = index.view<std::int64_t>()(y, x);
        const auto down = static_cast<double>(site / kWidth - y);
        const auto right = static_cast<double>(site % kWidth - x);
        const float direction = file.raster.view<float>()(y, x);
        if (down == 0 && right == 0) {
          EXPECT_EQ(direction, 0);
          continue;
        }
        const double azimuth = std::atan2(right * t[1] + down * t[2], right * t[4] + down * t[5]) *
                               180 / 3.14159265358979323846;
        EXPECT_NEAR(std::remainder(direction - azimuth, 360), 0, 5e-5) << y << ' ' << x;
        EXPECT_GT(direction, 0);
        EXPECT_LE(direction, 360);
      }
  }
};

TEST_F(OrientationTest, DirectionsAreAzimuthsOnTheMap) {
  write_sites("up.tif", {100, 10, 0, 260, 0, -10}, false);
  write_sites("wide.tif", {100, 30, 0, 260, 0, -10}, false);
  write_sites("south.tif", {100, 10, 0, 200, 0, 10}, true);
  write_sites("west.tif", {100, -10, 0, 200, 0, -10}, true);
  write_sites("half.tif", {100, -10, 0, 200, 0, 20}, true);
  write_sites("quarter.tif", {100, 0, 10, 260, 20, 0}, false);
  write_sites("mirrored.tif", {100, 0, 10, 260, -20, 0}, false);
  write_sites("turned.tif", {100, 8, 6, 260, 6, -8}, false);
  write_sites("both.tif", {100, 8, -12, 260, 6, 16}, false);
  for (const char* name : {"up.tif", "wide.tif", "south.tif", "west.tif", "half.tif", "quarter.tif",
                           "mirrored.tif", "turned.tif", "both.tif"})
    expect_azimuths(name);
  expect_equal("voronoi --sites south.tif --direction @d.tif", {"d.tif"}, "2");
  write_bytes("p.csv", "x,y\n135,255\n175,205\n");
  expect_equal("voronoi --sites p.csv --like-grid south.tif --direction @d.tif", {"d.tif"}, "2");
  expect_equal("voronoi --random 3 --like-grid south.tif --direction @d.tif", {"d.tif"}, "2");
}

TEST_F(OrientationTest, DirectionsOnTheEarthAreLeftAlone) {
  Raster raster = Raster::of<std::uint8_t>({4, 5});
  std::fill_n(raster.bytes(), raster.size_bytes(), std::byte{0});
  raster.bytes()[2] = std::byte{7};
  for (const auto& [name, transform] :
       {std::pair{"up.tif", std::array{3.0, 0.1, 0.0, 51.0, 0.0, -0.1}},
        std::pair{"south.tif", std::array{3.0, 0.1, 0.0, 50.6, 0.0, 0.1}}}) {
    io::OutputFile file(path(name), false);
    io::write_raster(file, raster.view(),
                     {.georeference = Georeference{.transform = transform, .crs = kDegrees}});
    file.commit();
  }
  const std::string earth = " --metric ellipsoidal --direction d.npy --overwrite";
  succeed("voronoi --sites up.tif" + earth);
  EXPECT_EQ(read("d.npy").view<float>()(3, 2), 360);  // row 0 lies in the north
  succeed("voronoi --sites south.tif" + earth);
  EXPECT_EQ(read("d.npy").view<float>()(3, 2), 180);
}

/// Pictures of rasters that are the same on the map are the same, but for files of cells.
TEST_F(OrientationTest, PicturesHaveTheNorthOnTop) {
  write_sites("up.tif", {100, 10, 0, 260, 0, -10}, false);
  write_sites("south.tif", {100, 10, 0, 200, 0, 10}, true);
  write_sites("west.tif", {180, -10, 0, 260, 0, -10}, false);
  write_bytes("p.csv", "x,y\n135,255\n175,205\n");
  for (const std::string name : {"up", "south"}) {
    succeed("voronoi --sites " + name + ".tif --labels l-" + name + ".tif --distance d-" + name +
            ".tif --contours-to c-" + name + ".geojson --contours 10");
    const std::string layers = "render --labels l-" + name + ".tif --distance d-" + name + ".tif ";
    succeed(layers + "--sites p.csv -o " + name + ".png --world-file");
    succeed(layers + "--sites " + name + ".tif --contours 10 --underlay l-" + name +
            ".tif --scale-bar --north-arrow -o " + name + ".svg");
    succeed(layers + "-o " + name + ".html");
    succeed(layers + "-o picture-" + name + ".tif");
  }
  for (const char* suffix : {".png", ".pgw", ".svg", ".html"})
    EXPECT_TRUE(read_bytes(std::string("up") + suffix) == read_bytes(std::string("south") + suffix))
        << suffix;
  EXPECT_EQ(
      io::read_raster(path("picture-south.tif"), {.band = 1}).raster.grid().georeference->transform,
      (std::array<double, 6>{100, 10, 0, 260, 0, -10}));
  succeed("render --labels up.tif --edges none -o a.png");
  succeed("render --labels west.tif --edges none -o b.png");
  const Raster a = io::read_raster(path("a.png")).raster, b = io::read_raster(path("b.png")).raster;
  for (std::int64_t y = 0; y < kHeight; ++y)
    for (std::int64_t x = 0; x < kWidth; ++x)
      EXPECT_EQ(a.view<std::uint32_t>()(y, x), b.view<std::uint32_t>()(y, kWidth - 1 - x));
}

/// Twice the area to the left of the closed lines of a GeoJSON.
double area_of_lines(const std::string& geojson) {
  double area = 0;
  const json file = json::parse(geojson);
  for (const json& feature : file["features"]) {
    const json& points = feature["geometry"]["coordinates"];
    if (points.front() != points.back()) continue;
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
      area += points[i][0].get<double>() * points[i + 1][1].get<double>() -
              points[i + 1][0].get<double>() * points[i][1].get<double>();
  }
  return area;
}

TEST_F(OrientationTest, ContoursHaveLesserDistancesOnTheLeft) {
  for (const bool south : {false, true}) {
    Raster raster = Raster::of<std::uint8_t>({9, 9});
    std::fill_n(raster.bytes(), raster.size_bytes(), std::byte{0});
    raster.view<std::uint8_t>()(4, 4) = 1;
    const std::string name = south ? "south" : "up";
    io::OutputFile file(path(name + ".tif"), false);
    const Georeference place{.transform = {0, 1, 0, south ? 50.0 : 59.0, 0, south ? 1.0 : -1.0},
                             .crs = kUtm};
    io::write_raster(file, raster.view(), {.georeference = place});
    file.commit();
    succeed("voronoi --sites " + name + ".tif --contours 2 --contours-to " + name + ".geojson");
    EXPECT_GT(area_of_lines(read_bytes(name + ".geojson")), 0) << name;
  }
}

}  // namespace
}  // namespace thiessen::cli
