// SPDX-License-Identifier: Apache-2.0
//
// Maps and pages of `thiessen render`.
#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "io/raster/raster_file.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

using Names = std::vector<std::string>;

constexpr std::int64_t kWidth = 60, kHeight = 40;

class LayersTest : public CommandTest {
 protected:
  void SetUp() override {
    succeed(
        "voronoi --random 12 --size 60x40 --seed 6 --max-distance 14 --labels l.npy --distance "
        "d.npy");
    Raster sites = Raster::of<std::int32_t>({kHeight, kWidth});
    Context context;
    random_sites(context, sites.view(), 12, 6);
    write("s.npy", sites);
    before_ = names();
  }

  void expect_complaint(const std::string& arguments, const std::string& word, int exit_code = 2) {
    const Outcome outcome = run("render --labels l.npy " + arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << arguments;
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
    EXPECT_EQ(names(), before_) << arguments;
  }

  /// Labels and distances with a place in the world: cells of 10, the corner at 1000, 5000.
  void make_georeferenced() {
    write_bytes("points.csv", "x,y,label\n1100,4900,1\n1400,4700,2\n");
    succeed(
        "voronoi --sites points.csv --bounds 1000,4600,1600,5000 --cell-size 10 --labels g.tif "
        "--distance gd.tif");
    before_ = names();
  }

  Names before_;
};

/// Points are marked in their cells, as a raster of them would be.
TEST_F(LayersTest, MarksPoints) {
  const Raster sites = read("s.npy");
  std::string points = "x,y\n-5,3\n";  // one lies outside
  for (std::int64_t y = 0; y < kHeight; ++y)
    for (std::int64_t x = 0; x < kWidth; ++x)
      if (sites.view<std::int32_t>()(y, x) != 0)
        points += std::to_string(x) + "," + std::to_string(y) + "\n";
  write_bytes("s.csv", points);
  const std::string render = "render --labels l.npy --distance d.npy --size 300 -o ";
  succeed(render + "a.png --sites s.npy");
  succeed(render + "b.png --sites s.csv");
  EXPECT_TRUE(read_bytes("a.png") == read_bytes("b.png"));
  write_bytes("far.csv", "x,y\n500,3\n");
  const Outcome outcome = run(render + "c.png --sites far.csv");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.err.find("--sites far.csv: marks no cell"), std::string::npos) << outcome.err;
}

/// Features of layers are chosen as for sites; points are marked as those of a table.
TEST_F(LayersTest, MarksLayers) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  const auto feature = [](const std::string& number, const std::string& geometry) {
    return R"({"type":"Feature","properties":{"number":)" + number + R"(},"geometry":)" + geometry +
           "}";
  };
  const auto write_layer = [&](const std::string& name, const std::string& features) {
    write_bytes(name, R"({"type":"FeatureCollection","crs":{"type":"name","properties":{"name":)"
                      R"("urn:ogc:def:crs:EPSG::32631"}},"features":[)" +
                          features + "]}");
  };
  const std::string points = feature("1", R"({"type":"Point","coordinates":[1100,4900]})") + "," +
                             feature("2", R"({"type":"Point","coordinates":[1400,4700]})");
  write_layer("two.geojson", points);
  write_layer("three.geojson",
              points + "," +
                  feature("3", R"({"type":"LineString","coordinates":[[1105,4605],[1105,4995]]})"));
  write_bytes("points.csv", "x,y\n1100,4900\n1400,4700\n");
  succeed("voronoi --sites two.geojson --bounds 1000,4600,1600,5000 --cell-size 10 --labels g.tif");
  const auto picture = [&](const std::string& sites) {
    succeed("render --labels g.tif --size 240 --overwrite -o o.png --sites " + sites);
    return read_bytes("o.png");
  };
  const std::string both = picture("points.csv");
  EXPECT_TRUE(picture("two.geojson") == both);
  EXPECT_TRUE(picture("three.geojson --where number<3") == both);
  const std::string one = picture("three.geojson --spat 1090,4690,1101,4901 --where number<3");
  EXPECT_FALSE(one == both);
  EXPECT_FALSE(picture("three.geojson --where number=3") == one);  // a line
  EXPECT_TRUE(picture("three.geojson --sites-layer three --where number=1 --transform") == one);
}

TEST_F(LayersTest, RefusesSitesThatCannotBeMarked) {
  write_bytes("s.csv", "x,y\n1,2\n");
  before_ = names();
  expect_complaint("--sites s.npy --where a>1 -o o.png",
                   "--where a>1: is not for rasters, as in s.npy");
  expect_complaint("--sites s.npy --sites-layer a -o o.png",
                   "--sites-layer a: is not for rasters, as in s.npy");
  expect_complaint("--sites s.csv --transform -o o.png",
                   "--transform: is not for points of a text file, as in s.csv");
  expect_complaint("--where a>1 -o o.png", "--where requires --sites");
  const Outcome outcome = run("render --sites s.csv -o o.png");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err,
            "thiessen: --sites s.csv: has no grid of its own; give --labels or --distance, too\n");
}

/// Standard output gets the bytes of a file.
TEST_F(LayersTest, WritesToStandardOutput) {
  const auto expect_same = [&](const std::string& flags, const std::string& name) {
    succeed(flags + " -o " + name);
    const Outcome outcome = run(flags + " -o - --output-format " + name.substr(2));
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(outcome.out == read_bytes(name)) << name;
  };
  expect_same("render --labels l.npy", "p.png");
  expect_same("render --labels l.npy", "p.npy");
  expect_same("render --labels l.npy --title T", "p.html");
  EXPECT_TRUE(run("render --labels l.npy -o -").out == read_bytes("p.png"));
  if (THIESSEN_HAS_CAIRO) {
    expect_same("render --labels l.npy --legend auto", "q.png");
    expect_same("render --labels l.npy --legend auto", "q.svg");
  }
  before_ = names();
  expect_complaint("-o - --output-format TIFF",
                   "--output-format TIFF: must be PNG, NPY, SVG, PDF or HTML");
  expect_complaint("-o o.png --output-format PNG",
                   "--output-format PNG: is for standard output (-); the suffix of o.png names its "
                   "format");
  expect_complaint("-o - --legend auto --output-format NPY",
                   "--legend: a map is written as .png, .svg or .pdf, and not as NPY");
  expect_complaint("-o - --world-file",
                   "--world-file: goes with .png, .ppm and .tif, and not with -");
  expect_complaint("-o - --json", "--json: its report goes to standard output");
}

/// Maps, in builds that have Cairo.
class MapTest : public LayersTest {
 protected:
  void SetUp() override {
    if (!THIESSEN_HAS_CAIRO) GTEST_SKIP() << "a build without Cairo";
    LayersTest::SetUp();
  }

  std::string map_of(const std::string& flags) {
    succeed(
        "render --labels l.npy --distance d.npy --sites s.npy --contours 5 --overwrite -o m.png " +
        flags);
    return read_bytes("m.png");
  }

  /// Columns and rows of a PNG.
  static std::array<std::uint32_t, 2> size_of_png(const std::string& bytes) {
    std::array<std::uint32_t, 2> size{};
    for (std::size_t i = 0; i < 8; ++i)
      size[i / 4] = size[i / 4] << 8 | static_cast<std::uint8_t>(bytes[16 + i]);
    return size;
  }
};

TEST_F(MapTest, IsAPngAnSvgOrAPdf) {
  const std::string flags = "render --labels l.npy --title Wells --legend auto -o ";
  for (const std::string name : {"m.png", "m.svg", "m.pdf"}) succeed(flags + name);
  EXPECT_TRUE(read_bytes("m.png").starts_with("\x89PNG"));
  EXPECT_NE(read_bytes("m.svg").find("<svg"), std::string::npos);
  EXPECT_TRUE(read_bytes("m.pdf").starts_with("%PDF"));
  succeed("render --labels l.npy -o plain.svg");  // the format makes a map of a picture
}

/// Each flag makes another map.
TEST_F(MapTest, EveryFlagIsAnotherMap) {
  write_bytes("names.csv", "label,name\n1,Ebro\n2,Duero\n3,Tajo\n");
  std::vector<std::string> maps;
  for (const std::string flags :
       {"--title Wells", "--title Rivers", "--legend auto", "--legend 3", "--legend 0",
        "--legend 12 --names names.csv", "--legend auto --mode distance",
        "--legend auto --mode distance --unit m", "--scale-bar", "--scale-bar --cell-size 25",
        "--scale-bar --cell-size 25 --unit km", "--site-names", "--site-names --names names.csv",
        "--contour-labels", "--title Wells --opacity 0.5"}) {
    maps.push_back(map_of("--size 300 " + flags));
    for (std::size_t i = 0; i + 1 < maps.size(); ++i)
      EXPECT_TRUE(maps.back() != maps[i]) << flags << " is as number " << i;
  }
}

TEST_F(MapTest, ThePictureHasItsSizeAndTheRestIsAround) {
  EXPECT_EQ(size_of_png(map_of("--site-names")), (std::array{900U, 600U}));
  EXPECT_EQ(size_of_png(map_of("--site-names --size 300")), (std::array{300U, 200U}));
  const auto [width, height] = size_of_png(map_of("--legend auto --scale-bar --size 300"));
  EXPECT_GT(width, 400U);
  EXPECT_GT(height, 250U);
}

/// Neither time nor chance is in it.
TEST_F(MapTest, AnSvgIsTheSameEachTime) {
  const std::string flags =
      "render --labels l.npy --distance d.npy --contours 5 --contour-labels --title Wells "
      "--overwrite -o m.svg";
  succeed(flags);
  const std::string first = read_bytes("m.svg");
  succeed(flags);
  EXPECT_EQ(read_bytes("m.svg"), first);
}

TEST_F(MapTest, ReportsNamesThatHaveNoRoom) {
  const Outcome outcome = run("render --labels l.npy --site-names --size 40 -o m.png --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json json = nlohmann::json::parse(outcome.out);
  EXPECT_GT(json["names_left_out"], 0);
  EXPECT_LT(json["names_left_out"], 12);
  EXPECT_EQ(json["pixels"], (std::vector<int>{27, 40}));
}

TEST_F(MapTest, AnUnderlayShowsThroughTheCells) {
  Raster dark = Raster::of<std::uint8_t>({kHeight, kWidth});
  std::fill_n(dark.view<std::uint8_t>().data(), kWidth * kHeight, std::uint8_t{0});
  Raster light = Raster::of<std::uint8_t>({kHeight, kWidth});
  for (std::int64_t i = 0; i < kWidth * kHeight; ++i)
    light.view<std::uint8_t>().data()[i] = static_cast<std::uint8_t>(i % 7 * 40);
  write("dark.png", dark);
  write("light.png", light);
  write("light.npy", light);
  write("tall.png", Raster::of<std::uint8_t>({60, 60}));
  before_ = names();
  const std::string over_dark = map_of("--underlay dark.png");
  const std::string over_light = map_of("--underlay light.png");
  EXPECT_NE(over_dark, over_light);
  EXPECT_NE(over_light, map_of("--underlay light.png --opacity 0.9"));
  EXPECT_NE(over_dark, map_of("--underlay light.npy"));
  before_ = names();
  expect_complaint("-o n.png --underlay tall.png", "proportions");
  expect_complaint("-o n.png --underlay missing.png", "missing.png");
  expect_complaint("-o n.png --underlay l.npz", "l.npz");
}

TEST_F(MapTest, WorldFilesTellWhereTheFirstPixelIs) {
  if (!io::has_gdal()) GTEST_SKIP() << "a build without GDAL";
  make_georeferenced();
  const auto numbers = [&](const std::string& name) {
    std::istringstream text(read_bytes(name));
    std::vector<double> lines;
    for (double line = 0; text >> line;) lines.push_back(line);
    return lines;
  };
  succeed("render --labels g.tif -o p.png --world-file");
  EXPECT_EQ(numbers("p.pgw"), (std::vector<double>{10, 0, 0, -10, 1005, 4995}));
  succeed("render --labels g.tif -o p.tif --scale 2 --world-file");
  EXPECT_EQ(numbers("p.tfw"), (std::vector<double>{5, 0, 0, -5, 1002.5, 4997.5}));
  succeed("render --labels g.tif -o m.png --size 60 --world-file --north-arrow --scale-bar");
  const std::vector<double> map = numbers("m.pgw");
  EXPECT_EQ(map[0], 10);
  EXPECT_EQ(map[4], 1005 - 18 * 10);  // the margin
  EXPECT_EQ(map[5], 4995 + 18 * 10);
  EXPECT_EQ(run("render --labels g.tif -o p.png --world-file").exit_code, 1);  // it exists
}

TEST_F(MapTest, Complains) {
  write_bytes("bad.csv", "label,name\nx,Ebro\n");
  write_bytes("none.csv", "river,city\na,b\n");
  write_bytes("latin.csv",
              "label,name\n1,\xe9"
              "bro\n");
  write_bytes("short.csv", "label,name\n1\n");
  before_ = names();
  const std::string map = "-o m.png --title Wells ";
  expect_complaint("-o m.tif --title Wells", "--title: a map is written as .png, .svg or .pdf");
  expect_complaint("-o m.ppm --legend auto", "--legend");
  expect_complaint("-o m.png --legend some", "--legend some");
  expect_complaint("-o m.png --north-arrow", "--north-arrow: no raster has a georeference");
  expect_complaint("-o m.png --contour-labels", "--contour-labels: needs --contours");
  expect_complaint("-o m.png --contours auto", "distance is missing");
  expect_complaint("-o m.png --distance d.npy --contours 0.001 --contour-labels", "1000 lines");
  expect_complaint(map + "--world-file", "--world-file: no raster has a georeference");
  expect_complaint("-o m.svg --world-file", "--world-file: goes with");
  expect_complaint(map + "--cell-size 0", "--cell-size 0");
  expect_complaint(map + "--opacity 2", "opacity");
  expect_complaint(map + "--size 30000", "at most 20000");
  expect_complaint("-o m.png --title ''", "--title");
  expect_complaint("-o m.png --title \xff", "UTF-8");
  expect_complaint("-o m.png --unit \xff --scale-bar", "UTF-8");
  const std::string names_of = "-o m.png --site-names --names ";
  expect_complaint(names_of + "missing.csv", "missing.csv");
  expect_complaint(names_of + "bad.csv", "bad.csv: line 2 has the label 'x'; a label is a number");
  expect_complaint(names_of + "none.csv", "none.csv: line 1 must name the columns");
  expect_complaint(names_of + "latin.csv", "latin.csv: line 2 has a name that is no text in UTF-8");
  expect_complaint(names_of + "short.csv", "line 2 has 1 columns; must have 2");
  expect_complaint(names_of + "l.npy", "is a raster");
  expect_complaint("-o m.png --name-field x", "--names");
  const Outcome alone = run("render --distance d.npy --site-names -o m.png");
  EXPECT_NE(alone.err.find("--site-names: needs --labels"), std::string::npos) << alone.err;
}

/// Pages, which need no library.
class PageTest : public LayersTest {
 protected:
  /// The page's data.
  nlohmann::json data_of(const std::string& name) const {
    const std::string page = read_bytes(name);
    const std::string before = "id=\"data\">";
    const std::size_t begin = page.find(before) + before.size();
    return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }

  static std::string from_base64(const std::string& text) {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
      if (c == '=') break;
      bits = bits << 6 | static_cast<std::uint32_t>(kDigits.find(c));
      count += 6;
      if (count < 8) continue;
      count -= 8;
      bytes += static_cast<char>(bits >> count & 0xff);
    }
    return bytes;
  }

  /// The numbers of cells, as the page's own program reads them.
  static std::vector<std::uint32_t> unpacked(const std::string& text, std::size_t width,
                                             std::size_t count) {
    const std::string packed = from_base64(text);
    std::vector<std::uint8_t> bytes(4 * count);
    uLongf size = static_cast<uLongf>(bytes.size());
    EXPECT_EQ(uncompress(bytes.data(), &size, reinterpret_cast<const Bytef*>(packed.data()),
                         static_cast<uLong>(packed.size())),
              Z_OK);
    EXPECT_EQ(size, bytes.size());
    std::vector<std::uint32_t> numbers(count);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t byte = 0; byte < 4; ++byte)
        numbers[i] |= static_cast<std::uint32_t>(bytes[byte * count + i]) << (8 * byte);
      const bool inside = i % width > 0;
      if (inside) numbers[i] += numbers[i - 1];
      if (i >= width) numbers[i] += numbers[i - width];
      if (inside && i >= width) numbers[i] -= numbers[i - width - 1];
    }
    return numbers;
  }

  static std::vector<std::string> layers_of(const nlohmann::json& data) {
    std::vector<std::string> names;
    for (const nlohmann::json& layer : data["layers"]) names.push_back(layer["name"]);
    return names;
  }
};

TEST_F(PageTest, HoldsWhatTheRastersDo) {
  succeed("render --labels l.npy --distance d.npy --sites s.npy --contours 5 -o p.html");
  const nlohmann::json data = data_of("p.html");
  EXPECT_EQ(layers_of(data), (Names{"cells", "distance", "contours", "edges", "sites"}));
  EXPECT_EQ(data["sites"].size(), 12U);
  constexpr auto kCells = static_cast<std::size_t>(kWidth * kHeight);
  const auto rows = unpacked(data["rows"], kWidth, kCells);
  const auto distances = unpacked(data["distances"], kWidth, kCells);
  const Raster labels = read("l.npy");
  const Raster distance = read("d.npy");
  std::vector<std::int64_t> cells(13);
  for (std::size_t i = 0; i < kCells; ++i) {
    const std::int32_t label = labels.view<std::int32_t>().data()[i];
    ++cells[static_cast<std::size_t>(label)];
    if (label == 0)
      EXPECT_EQ(rows[i], 0U);
    else
      EXPECT_EQ(data["sites"][rows[i] - 1]["label"], std::to_string(label));
    EXPECT_EQ(std::bit_cast<float>(distances[i]), distance.view<float>().data()[i]);
  }
  for (std::size_t label = 1; label <= 12; ++label)
    EXPECT_EQ(data["sites"][label - 1]["cells"], cells[label]);
}

/// Any text may be a name or a title, and stays one.
TEST_F(PageTest, TextsAreNoMarkup) {
  write_bytes("names.csv",
              "\xef\xbb\xbfName;id\n\"</script><b>\";2\r\n# a comment\n\"say \"\"hi\"\"\";1\n"
              "\xe6\x9d\xb1\xe4\xba\xac;3\n");
  succeed("render --labels l.npy --names names.csv --title <i>&\"' -o p.html");
  const std::string page = read_bytes("p.html");
  EXPECT_NE(page.find("<h1>&#60;i&#62;&#38;&#34;&#39;</h1>"), std::string::npos);
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  const nlohmann::json sites = data_of("p.html")["sites"];
  EXPECT_EQ(sites[0]["name"], "</script><b>");  // the order of the file
  EXPECT_EQ(sites[1]["name"], "say \"hi\"");
  EXPECT_EQ(sites[2]["name"], "\xe6\x9d\xb1\xe4\xba\xac");
  EXPECT_EQ(sites[3]["name"], "4");
}

/// As labels of points that are names.
TEST_F(PageTest, LabelsMayBeNames) {
  write_bytes("wells.csv", "x,y,river\n1,2,Tajo\n2,3,Ebro\n3,4,Tajo\n");
  succeed("render --labels l.npy -o p.html --names wells.csv --label-field river");
  const nlohmann::json sites = data_of("p.html")["sites"];
  EXPECT_EQ(sites[0]["name"], "Tajo");
  EXPECT_EQ(sites[0]["label"], "1");
  EXPECT_EQ(sites[1]["name"], "Ebro");
}

TEST_F(PageTest, NamesComeFromALayerToo) {
  if (!io::has_gdal()) GTEST_SKIP() << "a build without GDAL";
  write_bytes("wells.geojson", R"({"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"nr": 5, "who": "Ebro"},
     "geometry": {"type": "Point", "coordinates": [1, 2]}},
    {"type": "Feature", "properties": {"nr": 3, "who": "Tajo"},
     "geometry": {"type": "Point", "coordinates": [2, 3]}}]})");
  const std::string page = "render --labels l.npy -o p.html --overwrite --names wells.geojson ";
  succeed(page + "--label-field nr --name-field who");
  EXPECT_EQ(data_of("p.html")["sites"][0]["name"], "Ebro");
  EXPECT_EQ(data_of("p.html")["sites"][1]["label"], "3");
  succeed(page + "--name-field who");  // without a field they are numbered
  EXPECT_EQ(data_of("p.html")["sites"][0]["label"], "1");
  const Outcome outcome = run(page);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("has no field 'name'; there are: nr"), std::string::npos);
}

TEST_F(PageTest, LargeRastersGiveSomeOfTheirCells) {
  Raster labels = Raster::of<std::uint8_t>({2001, 2003});
  std::fill_n(labels.view<std::uint8_t>().data(), labels.size_bytes(), std::uint8_t{7});
  write("large.npy", labels);
  const Outcome outcome = run("render --labels large.npy --size 20 --edges none -o p.html --json");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(nlohmann::json::parse(outcome.out)["cells_apart"], 2);
  const nlohmann::json data = data_of("p.html");
  EXPECT_EQ(data["step"], 2);
  const auto rows = unpacked(data["rows"], 1002, std::size_t{1002} * 1001);
  EXPECT_EQ(rows.back(), 1U);
}

TEST_F(PageTest, TellsLengthsInUnitsOfTheGround) {
  if (!io::has_gdal()) GTEST_SKIP() << "a build without GDAL";
  make_georeferenced();
  succeed("render --labels g.tif --distance gd.tif --unit m -o p.html");
  const nlohmann::json data = data_of("p.html");
  EXPECT_EQ(data["cellWidth"], 10);
  EXPECT_EQ(data["cellArea"], 100);
  EXPECT_EQ(data["transform"], (std::vector<double>{1000, 10, 0, 5000, 0, -10}));
  EXPECT_EQ(data["unit"]["name"], "m");
}

TEST_F(PageTest, Complains) {
  expect_complaint("-o p.html --world-file", "--world-file: goes with");
  expect_complaint("-o p.html --plane 0", "--plane 0");
  expect_complaint("-o p.html --title \xff", "UTF-8");
  Raster many = Raster::of<std::int32_t>({1, 100'001});
  for (std::int32_t i = 0; i < 100'001; ++i) many.view<std::int32_t>().data()[i] = i + 1;
  write("many.npy", many);
  const Outcome outcome = run("render --labels many.npy -o p.html");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("has 100001 labels; a page lists at most 100000"), std::string::npos);
}

/// Pictures with opacity.
TEST_F(LayersTest, TransparentPicturesHaveFourChannels) {
  const auto channels = [&](const std::string& flags) {
    succeed("render --labels l.npy --overwrite -o p.npy " + flags);
    return read("p.npy").extents()[2];
  };
  EXPECT_EQ(channels(""), 3);
  EXPECT_EQ(channels("--transparent"), 4);
  EXPECT_EQ(channels("--opacity 0.5"), 4);
  succeed("render --labels l.npy --transparent --edges none --marks none -o p.npy --overwrite");
  const Raster picture = read("p.npy");
  const Raster labels = read("l.npy");
  for (std::int64_t i = 0; i < kWidth * kHeight; ++i)
    EXPECT_EQ(picture.view<std::uint8_t>().data()[4 * i + 3],
              labels.view<std::int32_t>().data()[i] == 0 ? 0 : 255);
  succeed("render --labels l.npy --transparent -o p.png");
  EXPECT_EQ(read_bytes("p.png")[25], 6);  // colours with opacity
  before_ = names();
  expect_complaint("--transparent -o p.ppm", "PPM");
}

}  // namespace
}  // namespace thiessen::cli
