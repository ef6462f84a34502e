// SPDX-License-Identifier: Apache-2.0
//
// What the command does if all goes well, and if it is told to stop. The library computes, so
// results are compared with the library's answer to the same question.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "cli/command.hpp"
#include "io/raster/raster_file.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// About a second, and what a sanitizer on a busy machine adds.
constexpr std::chrono::duration<double> kSoon{4.0};

Raster random_raster(const Extents& extents, std::int64_t count, std::uint64_t seed) {
  Raster sites = Raster::of<std::int32_t>(extents);
  Context drawing;
  random_sites(drawing, sites.view(), count, seed);
  return sites;
}

/// Sites of another type at the places of random ones, with these values in turn.
template <class T>
Raster sites_of(const Extents& extents, std::int64_t count, const std::vector<T>& values) {
  const Raster random = random_raster(extents, count, 7);
  Raster sites = Raster::of<T>(extents);
  for (std::int64_t i = 0; i < extents.count(); ++i) {
    const auto number = static_cast<std::size_t>(random.view<std::int32_t>().data()[i]);
    sites.view<T>().data()[i] = number == 0 ? T{} : values[number % values.size()];
  }
  return sites;
}

Extents with_components(const Extents& extents) {
  if (extents.rank() == 2) return {2, extents[0], extents[1]};
  return {3, extents[0], extents[1], extents[2]};
}

/// The library's answer: every possible output for these options.
struct Answer {
  Answer(const Raster& sites, const NearestSiteOptions& options, ElementType distance_type)
      : labels(
            sites.element_type() == ElementType::boolean ? ElementType::i32 : sites.element_type(),
            sites.extents()),
        distance(distance_type, sites.extents()),
        site_index(Raster::of<std::int64_t>(sites.extents())),
        offset(Raster::of<std::int32_t>(with_components(sites.extents()))) {
    NearestSiteOutputs out;
    out.labels = labels.view();
    out.distance = distance.view();
    out.site_index = site_index.view<std::int64_t>();
    out.offset = offset.view<std::int32_t>();
    if (options.metric == Metric::euclidean && options.spacing.empty()) {
      squared = Raster::of<std::int64_t>(sites.extents());
      out.squared = squared->view<std::int64_t>();
    }
    if (sites.extents().rank() == 2) {
      direction = Raster::of<float>(sites.extents());
      out.direction = direction->view<float>();
    }
    Context context;
    nearest_site(context, sites.view(), options, out);
  }

  Raster labels, distance, site_index, offset;
  std::optional<Raster> squared, direction;
};

void expect_same(const Raster& actual, const Raster& expected, const std::string& what) {
  EXPECT_EQ(actual.element_type(), expected.element_type()) << what;
  ASSERT_EQ(actual.extents(), expected.extents()) << what;
  ASSERT_EQ(actual.size_bytes(), expected.size_bytes()) << what;
  EXPECT_EQ(std::memcmp(actual.bytes(), expected.bytes(), actual.size_bytes()), 0) << what;
}

class VoronoiTest : public CommandTest {
 protected:
  /// `arguments` and a file for every output of the answer; all must be equal to it.
  void expect_answer(const std::string& arguments, const Answer& answer) const {
    std::string line = "voronoi " + arguments +
                       " --overwrite --labels l.npy --distance d.npy --site-index i.npy "
                       "--offset o.npy";
    if (answer.squared) line += " --squared s.npy";
    if (answer.direction) line += " --direction c.npy";
    SCOPED_TRACE(line);
    succeed(line);
    expect_same(read("l.npy"), answer.labels, "labels");
    expect_same(read("d.npy"), answer.distance, "distance");
    expect_same(read("i.npy"), answer.site_index, "site index");
    expect_cells_at_end("o.npy", answer.offset);
    if (answer.squared) expect_same(read("s.npy"), *answer.squared, "squared");
    if (answer.direction) expect_same(read("c.npy"), *answer.direction, "direction");
  }

  void expect_answer(const std::string& flags, const Raster& sites,
                     const NearestSiteOptions& options,
                     ElementType distance = ElementType::f32) const {
    write("sites.npy", sites);
    expect_answer("--sites sites.npy " + flags, Answer(sites, options, distance));
  }

  /// For a file with four axes, which is not a raster that we read.
  void expect_cells_at_end(const std::string& file, const Raster& expected) const {
    const std::string_view cells(reinterpret_cast<const char*>(expected.bytes()),
                                 expected.size_bytes());
    EXPECT_TRUE(read_bytes(file).ends_with(cells)) << file;
  }
};

const Extents kFlat{23, 31};
const Extents kDeep{5, 7, 9};

TEST_F(VoronoiTest, HasOutputsOfAnotherLabel) {
  write("sites.npy", raster_of<std::uint8_t>({1, 5}, {3, 0, 9, 0, 7}));
  succeed(
      "voronoi --sites sites.npy --nodata 9 --output-nodata 8 --other-labels l.npy "
      "--other-distance d.npy --other-site-index i.npy");
  expect_cells<std::uint8_t>("l.npy", {7, 7, 8, 3, 3});
  expect_cells<float>("d.npy", {4, 3, kNaN, 3, 4});
  expect_cells<std::int64_t>("i.npy", {4, 4, -2, 0, 0});
}

TEST_F(VoronoiTest, HasTheKNearestAndTies) {
  write("sites.npy", raster_of<std::uint8_t>({1, 8}, {5, 0, 0, 6, 9, 5, 0, 5}));
  succeed("voronoi --sites sites.npy --nodata 9 --output-nodata 8 --k 2 --labels l.npy");
  expect_cells<std::uint8_t>("l.npy", {5, 5, 6, 6, 8, 5, 5, 5, 6, 6, 5, 5, 8, 6, 5, 5});
  succeed(
      "voronoi --sites sites.npy --nodata 9 --k 2 --distinct-labels --site-index i.npy "
      "--overwrite");
  expect_cells<std::int64_t>("i.npy", {0, 0, 3, 3, -2, 5, 5, 7, 3, 3, 0, 5, -2, 3, 3, 3});
  write("pair.npy", raster_of<std::uint8_t>({1, 3}, {5, 0, 6}));
  succeed("voronoi --sites pair.npy --ties t.npy --labels p.npy --ties-unreached");
  expect_cells<std::uint8_t>("t.npy", {1, 2, 1});
  expect_cells<std::uint8_t>("p.npy", {5, 0, 6});
  const auto refused = [&](const std::string& arguments, const std::string& message) {
    const Outcome outcome = run("voronoi --sites pair.npy --overwrite " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
  };
  refused("--k 1025 --labels x.npy", "--k 1025");
  refused("--k 2 --picture x.png",
          "--k 2 and --picture are given; the k nearest are written as rasters of numbers alone");
  refused("--k 2 --ties x.npy",
          "--k 2 and ties are given; the k nearest have labels, site_index, distance, "
          "weighted_distance and squared");
  refused("--k 2 --labels x.npy --slab-rows 1", "--k 2 is not; slabs have the nearest alone");
}

TEST_F(VoronoiTest, RandomSitesAreThoseOfTheLibrary) {
  expect_answer("--random 40 --size 31x23 --seed 5",
                Answer(random_raster(kFlat, 40, 5), {}, ElementType::f32));
  expect_answer("--random 12 --size 9x7x5",
                Answer(random_raster(kDeep, 12, 0), {}, ElementType::f32));
  expect_answer("--random 0 --size 31x23 -q",
                Answer(random_raster(kFlat, 0, 0), {}, ElementType::f32));
  expect_answer("--random 713 --size 31x23",
                Answer(random_raster(kFlat, 713, 0), {}, ElementType::f32));
  expect_answer("--random 4 --size 31x23 --seed 18446744073709551615",
                Answer(random_raster(kFlat, 4, ~std::uint64_t{0}), {}, ElementType::f32));
}

TEST_F(VoronoiTest, MakesTheSameFilesTwice) {
  const std::string arguments = "voronoi --random 200 --size 160x120 --seed ";
  const auto outputs = [](const std::string& n) {
    return " --labels l" + n + ".npy --distance d" + n + ".npy --picture p" + n +
           ".png --offset o" + n + ".npy";
  };
  succeed(arguments + "1" + outputs("1") + " --threads 1");
  succeed(arguments + "1" + outputs("2") + " --threads 2");
  succeed(arguments + "2" + outputs("3"));
  for (const std::string name : {"l", "d", "o", "p"}) {
    const std::string suffix = name == "p" ? ".png" : ".npy";
    EXPECT_EQ(read_bytes(name + "1" + suffix), read_bytes(name + "2" + suffix)) << name;
    EXPECT_NE(read_bytes(name + "1" + suffix), read_bytes(name + "3" + suffix)) << name;
  }
}

TEST_F(VoronoiTest, EveryElementTypeKeepsItsLabels) {
  expect_answer("", sites_of<std::uint8_t>(kFlat, 20, {3, 255}), {});
  expect_answer("", sites_of<std::int8_t>(kFlat, 20, {-128, 5}), {});
  expect_answer("", sites_of<std::uint16_t>(kFlat, 20, {65'535, 1}), {});
  expect_answer("", sites_of<std::int64_t>(kFlat, 20, {std::int64_t{-1} << 62}), {});
  expect_answer("", sites_of<std::uint64_t>(kFlat, 20, {~std::uint64_t{0}, 2}), {});
  expect_answer("", sites_of<float>(kFlat, 20, {1.5F, -2.5F}), {});
  expect_answer("", sites_of<double>(kDeep, 20, {0.1, kInfinity}), {});
}

TEST_F(VoronoiTest, BooleanSitesAreNumbered) {
  write("mask.npy", raster_of<bool>({2, 4}, {false, true, false, true, true, false, false, false}));
  EXPECT_NE(read_bytes("mask.npy").find("'|b1'"), std::string::npos);
  succeed("voronoi --sites mask.npy --labels l.npy");
  expect_cells<std::int32_t>("l.npy", {1, 1, 1, 2, 3, 1, 1, 2});
  expect_answer("", sites_of<bool>(kDeep, 20, {true}), {});
}

TEST_F(VoronoiTest, OptionsReachTheLibrary) {
  const Raster sites = random_raster(kFlat, 30, 3);
  expect_answer("--method brute-force", sites, {.method = Method::brute_force});
  expect_answer("--metric euclidean --device auto --distance-to sites", sites, {});
  expect_answer("--metric manhattan --device cpu", sites, {.metric = Metric::manhattan});
  expect_answer("--metric chessboard", sites, {.metric = Metric::chessboard});
  expect_answer("--spacing 2,0.5", sites, {.spacing = {0.5, 2}});
  expect_answer("--max-distance 2.5 --unreached -7", sites,
                {.max_distance = 2.5, .unreached = std::int64_t{-7}});
  expect_answer("--nodata 3", sites, {.nodata = std::int64_t{3}});
  expect_answer("--nodata 0 -q", sites, {.nodata = std::int64_t{0}});
  expect_answer("--nodata 0 --free-nodata", sites,
                {.free_nodata = true, .nodata = std::int64_t{0}});
  expect_answer("--signed-distance", sites, {.signed_distance = true});
  expect_answer("--distance-to boundary", sites, {.distance_to = DistanceTo::boundary});
  expect_answer("--distance-type f64", sites, {}, ElementType::f64);
  expect_answer("--spacing 3,2,0.5 --metric chessboard --distance-type f64",
                random_raster(kDeep, 9, 1), {.metric = Metric::chessboard, .spacing = {0.5, 2, 3}},
                ElementType::f64);
  const Raster reals = sites_of<float>(kFlat, 30, {1.5F, -2.5F});
  expect_answer("--nodata 1.5 --max-distance 3 --unreached nan", reals,
                {.max_distance = 3, .nodata = 1.5, .unreached = kNaN});
}

TEST_F(VoronoiTest, AnotherDeviceGivesTheSameFiles) {
  for (const DeviceInfo& device : devices()) {
    if (!device.available) continue;
    succeed(
        "voronoi --random 9 --size 31x23 --method brute-force --overwrite --labels l.npy "
        "--distance d.npy --device " +
        device.name);
    succeed("voronoi --random 9 --size 31x23 --overwrite --labels cpu-l.npy --distance cpu-d.npy");
    EXPECT_EQ(read_bytes("l.npy"), read_bytes("cpu-l.npy")) << device.name;
    EXPECT_EQ(read_bytes("d.npy"), read_bytes("cpu-d.npy")) << device.name;
  }
}

TEST_F(VoronoiTest, SpacingIsGivenAsXYZ) {
  write("flat.npy", raster_of<std::uint8_t>({2, 2}, {1, 0, 0, 0}));
  succeed("voronoi --sites flat.npy --spacing 3,4 --distance d.npy");
  expect_cells<float>("d.npy", {0, 3, 4, 5});
  write("deep.npy", raster_of<std::uint8_t>({2, 2, 2}, {1, 0, 0, 0, 0, 0, 0, 0}));
  succeed("voronoi --sites deep.npy --spacing 3,4,12 --distance d.npy --overwrite");
  expect_cells<float>("d.npy", {0, 3, 4, 5, 12, std::sqrt(153.0F), std::sqrt(160.0F), 13});
}

TEST_F(VoronoiTest, MaxDistanceIsInclusive) {
  write("sites.npy", raster_of<std::uint8_t>({1, 5}, {1, 0, 0, 0, 0}));
  succeed(
      "voronoi --sites sites.npy --spacing 0.1,1 --max-distance 0.3 --unreached 9 --labels l.npy "
      "--distance d.npy --distance-type f64 --site-index i.npy --offset o.npy --direction c.npy");
  expect_cells<std::uint8_t>("l.npy", {1, 1, 1, 1, 9});
  expect_cells<double>("d.npy", {0, 0.1, 0.2, 0.3, kInfinity});
  expect_cells<std::int64_t>("i.npy", {0, 0, 0, 0, -1});
  constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();
  expect_cells<std::int32_t>("o.npy", {0, 0, 0, 0, kNone, 0, -1, -2, -3, kNone});
  constexpr float kNoDirection = std::numeric_limits<float>::quiet_NaN();
  expect_cells<float>("c.npy", {0, 270, 270, 270, kNoDirection});
}

TEST_F(VoronoiTest, NodataCellsStayNodata) {
  write("sites.npy", raster_of<std::int16_t>({1, 5}, {0, -9, 4, 0, -9}));
  succeed(
      "voronoi --sites sites.npy --nodata -9 --labels l.npy --distance d.npy --squared s.npy "
      "--site-index i.npy");
  expect_cells<std::int16_t>("l.npy", {4, -9, 4, 4, -9});
  expect_cells<float>("d.npy", {2, static_cast<float>(kNaN), 0, 1, static_cast<float>(kNaN)});
  expect_cells<std::int64_t>("s.npy", {4, -2, 0, 1, -2});
  expect_cells<std::int64_t>("i.npy", {2, -2, 2, 2, -2});
}

TEST_F(VoronoiTest, DistanceMayBeSignedOrToTheBoundary) {
  write("sites.npy", raster_of<std::uint8_t>({1, 7}, {0, 0, 1, 1, 1, 2, 0}));
  succeed("voronoi --sites sites.npy --signed-distance --distance d.npy");
  expect_cells<float>("d.npy", {2, 1, -1, -2, -2, -1, 1});
  succeed("voronoi --sites sites.npy --distance-to boundary --distance b.npy");
  expect_cells<float>("b.npy", {2, 1, 1, 2, 1, 1, 1});
}

TEST_F(VoronoiTest, SignedDistanceMayBeFromCoverage) {
  write("bytes.npy", raster_of<std::uint8_t>({1, 5}, {0, 0, 51, 255, 255}));
  succeed(
      "voronoi --sites bytes.npy --signed-distance --coverage --distance d.npy --distance-type "
      "f64");
  expect_cells<double>("d.npy", {2 - 0.2 + 0.5, 1.3, 0.3, -0.7, -1.7});
  write("floats.npy", raster_of<float>({2, 3}, {0, 0.5F, 1, 0, 0.5F, 1}));
  succeed(
      "voronoi --sites floats.npy --signed-distance --coverage --spacing 2,1 --distance d.npy "
      "--max-distance 1 --overwrite");
  constexpr auto kFar = static_cast<float>(kInfinity);
  expect_cells<float>("d.npy", {kFar, 0, -kFar, kFar, 0, -kFar});

  Raster disc = Raster::of<std::uint16_t>({30, 40});
  for (std::int64_t y = 0; y < 30; ++y)
    for (std::int64_t x = 0; x < 40; ++x) {
      const double out = std::hypot(static_cast<double>(y) - 14.3, static_cast<double>(x) - 20.1);
      disc.view<std::uint16_t>()(y, x) =
          static_cast<std::uint16_t>(65535 * std::clamp(10.5 - out, 0.0, 1.0));
    }
  write("disc.png", disc);
  succeed(
      "voronoi --sites disc.png --signed-distance --coverage --distance d.npy --overwrite "
      "--threads 2");
  const Raster found = read("d.npy");
  const Raster truth = coverage_distance(std::as_const(disc).view());
  EXPECT_EQ(std::memcmp(found.bytes(), truth.bytes(), truth.size_bytes()), 0);
  succeed(
      "voronoi --sites disc.png --signed-distance --coverage --contours-to lines.geojson "
      "--contour-levels 0");
  EXPECT_NE(read_bytes("lines.geojson").find("LineString"), std::string::npos);

  write_bytes("points.csv", "1,1\n");
  const Outcome refused =
      run("voronoi --sites points.csv --size 4x4 --signed-distance --coverage --distance none.npy");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("--coverage: points.csv must be a raster"), std::string::npos)
      << refused.err;
}

TEST_F(VoronoiTest, NoSiteAndNoCellAreFine) {
  write("none.npy", raster_of<std::uint8_t>({1, 3}, {0, 0, 0}));
  succeed("voronoi --sites none.npy --labels l.npy --distance d.npy --picture p.png -q");
  expect_cells<std::uint8_t>("l.npy", {0, 0, 0});
  expect_cells<float>("d.npy", {INFINITY, INFINITY, INFINITY});
  write("empty.npy", Raster::of<std::uint8_t>({0, 4}));
  succeed("voronoi --sites empty.npy --labels e.npy --distance f.npy");
  EXPECT_EQ(read("e.npy").extents(), (Extents{0, 4}));
  EXPECT_EQ(read("f.npy").extents(), (Extents{0, 4}));
}

TEST_F(VoronoiTest, ComponentsBecomeSites) {
  Raster image = raster_of<std::uint8_t>({3, 5}, {9, 0, 0, 0, 4,  //
                                                  0, 9, 0, 0, 4,  //
                                                  0, 0, 0, 0, 9});
  write("image.npy", image);
  const auto check = [&](const std::string& file, const std::string& number,
                         Connectivity connectivity) {
    const Raster areas = read(file);
    Raster labels = Raster::of<std::int32_t>(areas.extents());
    Context numbering;
    connected_components(numbering, std::as_const(areas).view(), {.connectivity = connectivity},
                         labels.view());
    expect_answer("--sites " + file + " --components " + number,
                  Answer(labels, {}, ElementType::f32));
  };
  check("image.npy", "4", Connectivity::faces);
  check("image.npy", "8", Connectivity::corners);
  succeed("voronoi --sites image.npy --components 4 --max-distance 0 --labels four.npy");
  expect_cells<std::int32_t>("four.npy", {1, 0, 0, 0, 2, 0, 3, 0, 0, 2, 0, 0, 0, 0, 4});
  succeed("voronoi --sites image.npy --components 8 --max-distance 0 --labels eight.npy");
  expect_cells<std::int32_t>("eight.npy", {1, 0, 0, 0, 2, 0, 1, 0, 0, 2, 0, 0, 0, 0, 3});
  write("deep.npy", sites_of<std::uint8_t>(kDeep, 150, {1, 2}));
  check("deep.npy", "6", Connectivity::faces);
  check("deep.npy", "26", Connectivity::corners);
}

TEST_F(VoronoiTest, SitesAreChosenByValue) {
  write("classes.npy", raster_of<std::uint8_t>({1, 6}, {3, 0, 5, 0, 0, 7}));
  succeed("voronoi --sites classes.npy --values 3,7 --site-index i.npy");
  expect_cells<std::int64_t>("i.npy", {0, 0, 0, 5, 5, 5});
  succeed("voronoi --sites classes.npy --values 0 --site-index zero.npy --labels l.npy");
  expect_cells<std::int64_t>("zero.npy", {1, 1, 1, 3, 4, 4});
  expect_cells<std::uint8_t>("l.npy", {0, 0, 0, 0, 0, 0});
  succeed("voronoi --sites classes.npy --zero-is-site --nodata 0 --site-index all.npy -q");
  expect_cells<std::int64_t>("all.npy", {0, -2, 2, -2, -2, 5});
}

/// The nodata cells are the free ones, all others are sites, zero too; cells out of range are
/// nodata again.
TEST_F(VoronoiTest, NodataCellsMayBeTheFreeOnes) {
  write("burned.npy", raster_of<std::int16_t>({1, 6}, {-9, 0, -9, -9, -9, 7}));
  const std::string free = "voronoi --sites burned.npy --nodata -9 --free-nodata --overwrite ";
  succeed(free + "--labels l.npy --distance d.npy --site-index i.npy");
  expect_cells<std::int16_t>("l.npy", {0, 0, 0, 0, 7, 7});
  expect_cells<float>("d.npy", {1, 0, 1, 2, 1, 0});
  expect_cells<std::int64_t>("i.npy", {1, 1, 1, 1, 5, 5});
  succeed(free + "--zero-is-site --labels l.npy");
  expect_cells<std::int16_t>("l.npy", {0, 0, 0, 0, 7, 7});
  succeed(free + "--max-distance 1 --labels l.npy");
  expect_cells<std::int16_t>("l.npy", {0, 0, 0, -9, 7, 7});
  succeed(free + "--max-distance 1 --unreached 5 --labels l.npy");
  expect_cells<std::int16_t>("l.npy", {0, 0, 0, 5, 7, 7});
  succeed(free + "--signed-distance --distance d.npy");
  expect_cells<float>("d.npy", {1, -1, 1, 2, 1, -1});
  write("nan.npy", raster_of<float>({1, 4}, {NAN, NAN, 0, 3}));
  succeed("voronoi --sites nan.npy --nodata nan --free-nodata --labels n.npy");
  expect_cells<float>("n.npy", {0, 0, 0, 3});
  write("map.npy", raster_of<float>({1, 6}, {1, 1, 1, 1, 1, 1}));
  succeed("cost --cost map.npy --sites burned.npy --nodata -9 --free-nodata --labels c.npy");
  expect_cells<std::int16_t>("c.npy", {0, 0, 0, 0, 7, 7});
}

/// Nodata is a value of the file's cells, not of the numbers that its areas get later.
TEST_F(VoronoiTest, ComponentsLeaveNodataCellsOut) {
  write("image.npy", raster_of<std::uint8_t>({1, 6}, {2, 0, 5, 0, 2, 2}));
  succeed(
      "voronoi --sites image.npy --components 4 --nodata 5 --site-index i.npy --distance d.npy");
  expect_cells<std::int64_t>("i.npy", {0, 0, -2, 4, 4, 5});
  expect_cells<float>("d.npy", {0, 1, static_cast<float>(kNaN), 1, 0, 0});
}

TEST_F(VoronoiTest, SitesMayComeFromPictures) {
  const Raster sites = sites_of<std::uint8_t>(kFlat, 25, {1, 2, 200});
  for (const std::string file : {"sites.png", "sites.pgm"}) {
    write(file, sites);
    expect_answer("--sites " + file, Answer(sites, {}, ElementType::f32));
  }
  Raster colours = Raster::of<std::uint8_t>({2, 3, 3});
  std::memset(colours.bytes(), 0, colours.size_bytes());
  colours.view<std::uint8_t>()(0, 1, 0) = 1;
  colours.view<std::uint8_t>()(0, 1, 2) = 3;
  const Raster expected = raster_of<std::uint32_t>({2, 3}, {0, 0x010003, 0, 0, 0, 0});
  for (const std::string file : {"sites.ppm", "colours.png"}) {
    write(file, colours);
    expect_answer("--sites " + file + " --band rgb", Answer(expected, {}, ElementType::f32));
  }
  write_bytes("bits.pbm", "P1\n3 1\n1 0 1\n");
  succeed("voronoi --sites bits.pbm --labels l.npy --overwrite");
  expect_cells<std::int32_t>("l.npy", {1, 1, 2});
}

TEST_F(VoronoiTest, TheContentOfAFileSaysItsFormat) {
  const Raster sites = random_raster(kFlat, 10, 2);
  write("sites.npy", sites);
  fs::rename(path("sites.npy"), path("sites.of-mine"));
  expect_answer("--sites sites.of-mine", Answer(sites, {}, ElementType::f32));
}

TEST_F(VoronoiTest, LabelsMayGoIntoPictures) {
  const Answer answer(random_raster(kFlat, 300, 4), {}, ElementType::f32);
  for (const std::string file : {"l.png", "l.pgm", "L.PNG"}) {
    succeed("voronoi --random 300 --size 31x23 --seed 4 --labels " + file);
    const Raster labels = read(file);
    ASSERT_EQ(labels.element_type(), ElementType::u16) << file;
    ASSERT_EQ(labels.extents(), kFlat) << file;
    for (std::int64_t i = 0; i < kFlat.count(); ++i)
      ASSERT_EQ(labels.view<std::uint16_t>().data()[i],
                answer.labels.view<std::int32_t>().data()[i])
          << file << ", cell " << i;
  }
}

/// Other values and nodata cells are not sites, and unreached cells may have any label.
TEST_F(VoronoiTest, PicturesMarkTheSitesAlone) {
  Raster sites = Raster::of<std::uint8_t>({24, 24});
  Raster chosen = Raster::of<std::uint8_t>({24, 24});
  for (std::int64_t i = 0; i < 24 * 24; ++i) {
    const auto value = static_cast<std::uint8_t>(i % 95 == 7 ? 3 : i % 60 == 1 ? 9 : i % 77 == 5);
    sites.view<std::uint8_t>().data()[i] = value;
    chosen.view<std::uint8_t>().data()[i] = value == 3 ? 3 : 0;
  }
  write("sites.npy", sites);
  write("chosen.npy", chosen);
  succeed(
      "voronoi --sites sites.npy --values 3 --nodata 9 --max-distance 4 --unreached 200 "
      "--labels l.npy --distance d.npy --picture p.ppm");
  succeed(
      "render --labels l.npy --distance d.npy --sites chosen.npy --nodata 9 --unreached 200 "
      "--output q.ppm --quiet");
  EXPECT_EQ(read_bytes("p.ppm"), read_bytes("q.ppm"));
}

TEST_F(VoronoiTest, PicturesArePaintedByTheLibrary) {
  const Raster sites = random_raster(kFlat, 12, 6);
  const Answer answer(sites, {}, ElementType::f32);
  Raster pixels = Raster::of<std::uint8_t>({kFlat[0], kFlat[1], 3});
  Context context;
  render(
      context,
      {.labels = answer.labels.view(), .distance = answer.distance.view(), .sites = sites.view()},
      pixels.view<std::uint8_t>());
  for (const std::string file : {"p.png", "p.ppm"}) {
    succeed("voronoi --random 12 --size 31x23 --seed 6 --picture " + file);
    const Raster picture = read(file);
    ASSERT_EQ(picture.element_type(), ElementType::u32) << file;
    ASSERT_EQ(picture.extents(), kFlat) << file;
    const auto* bytes = pixels.view<std::uint8_t>().data();
    for (std::int64_t i = 0; i < kFlat.count(); ++i, bytes += 3) {
      const std::uint32_t colour = static_cast<std::uint32_t>(bytes[0]) << 16 |
                                   static_cast<std::uint32_t>(bytes[1]) << 8 | bytes[2];
      ASSERT_EQ(picture.view<std::uint32_t>().data()[i], colour) << file << ", cell " << i;
    }
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"p.png", "p.ppm"}));
}

TEST_F(VoronoiTest, ExistingFilesAreKeptUnlessTold) {
  write_bytes("l.npy", "precious");
  const Outcome refused =
      run("voronoi --random 5 --size 8x6 --distance d.npy --labels l.npy --site-index i.npy");
  EXPECT_EQ(refused.exit_code, 1);
  expect_one_line_of_complaint(refused);
  EXPECT_EQ(read_bytes("l.npy"), "precious");
  EXPECT_EQ(names(), std::vector<std::string>{"l.npy"});
  succeed("voronoi --random 5 --size 8x6 --labels l.npy --overwrite");
  expect_same(read("l.npy"), Answer(random_raster({6, 8}, 5, 0), {}, ElementType::f32).labels,
              "labels");
  EXPECT_EQ(names(), std::vector<std::string>{"l.npy"});
}

/// A process that writes bytes into a pipe while another reads it.
class PipeWriter {
 public:
  PipeWriter(const fs::path& pipe, const std::string& bytes) : process_(::fork()) {
    if (process_ != 0) return;
    const int descriptor = ::open(pipe.c_str(), O_WRONLY);
    const bool written =
        ::write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    ::_exit(written ? 0 : 1);
  }
  PipeWriter(const PipeWriter&) = delete;
  PipeWriter& operator=(const PipeWriter&) = delete;
  ~PipeWriter() {
    ::kill(process_, SIGKILL);  // if nobody has opened the other end
    ::waitpid(process_, nullptr, 0);
  }

 private:
  pid_t process_;
};

TEST_F(VoronoiTest, SitesMayComeThroughAPipe) {
  write("sites.npy", random_raster(kFlat, 20, 9));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const PipeWriter writer(path("pipe"), read_bytes("sites.npy"));
  succeed("voronoi --sites pipe --labels l.npy");
  succeed("voronoi --sites sites.npy --labels m.npy");
  EXPECT_EQ(read_bytes("l.npy"), read_bytes("m.npy"));
}

TEST_F(VoronoiTest, WhatGdalReadsDoesNotComeThroughAPipe) {
  if (!io::has_gdal()) GTEST_SKIP() << "this build has no GDAL";
  write("sites.tif", random_raster(kFlat, 20, 9));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const PipeWriter writer(path("pipe"), read_bytes("sites.tif"));
  const Outcome outcome = run("voronoi --sites pipe --labels l.npy");
  EXPECT_EQ(outcome.exit_code, 2);
  expect_one_line_of_complaint(outcome);
  EXPECT_NE(outcome.err.find("from a pipe or device"), std::string::npos) << outcome.err;
}

TEST_F(VoronoiTest, JsonIsAllThereIsOnStdout) {
  const Outcome outcome =
      run("voronoi --random 5 --size 8x6 --labels l.npy --distance d.npy --metric manhattan "
          "--threads 1 --json");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  const json report = json::parse(outcome.out, nullptr, false);
  ASSERT_TRUE(report.is_object()) << outcome.out;
  EXPECT_EQ(report.value("command", ""), "voronoi");
  EXPECT_TRUE(std::regex_match(report.value("version", ""), std::regex(R"(\d+\.\d+\.\d+)")));
  EXPECT_EQ(report.value("extents", json()), (json{6, 8}));
  EXPECT_EQ(report.value("method", ""), "exact");
  EXPECT_EQ(report.value("metric", ""), "manhattan");
  EXPECT_EQ(report.value("device", ""), "cpu");
  EXPECT_EQ(report.value("threads", 0), 1);
  EXPECT_EQ(report.value("files", json()), (json{"l.npy", "d.npy"}));
  EXPECT_GE(report.value("scratch_bytes", -1), 0);
  EXPECT_GT(report.value("total_ms", 0.0), 0);
  bool computed = false;
  for (const json& step : report.value("steps", json::array())) {
    EXPECT_GE(step.value("ms", -1.0), 0) << step;
    EXPECT_NE(step.value("name", ""), "") << step;
    if (step.value("name", "") != "compute") continue;
    computed = true;
    EXPECT_GT(step.value("mpixel_per_s", 0.0), 0);
    EXPECT_FALSE(step.value("phases", json::array()).empty());
  }
  EXPECT_TRUE(computed);
}

TEST_F(VoronoiTest, JsonCopesWithAnyFileName) {
  for (const std::string name : {"quote\".npy", "line\nfeed.npy", "b\xc3\xa4.npy", "\xff.npy"}) {
    const Outcome outcome = run("voronoi --random 5 --size 8x6 --json --labels " + name);
    EXPECT_EQ(outcome.exit_code, 0) << name << outcome.err;
    EXPECT_TRUE(json::accept(outcome.out)) << name << outcome.out;
    EXPECT_TRUE(fs::exists(path(name))) << name;
  }
}

TEST_F(VoronoiTest, AReportThatCannotBeWrittenIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  for (const std::string line : {"voronoi --random 5 --size 8x6 --labels l.npy --overwrite --json",
                                 "devices --json", "devices", "info l.npy"}) {
    const Outcome outcome = run(line, {.output = "/dev/full"});
    EXPECT_EQ(outcome.exit_code, 1) << line;
    expect_one_line_of_complaint(outcome);
  }
}

TEST_F(VoronoiTest, TimingGoesToStderr) {
  const std::string line = "voronoi --random 50 --size 80x60 --overwrite --labels l.npy --timing";
  const Outcome outcome = run(line);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "");
  std::set<std::string> names;
  for (const std::string& text : lines_of(outcome.err)) {
    static const std::regex kLine(R"( *(\S.*\S) +\d+\.\d+ ms( +\d+\.\d+ Mpixel/s)?(  .*%)?)");
    std::smatch parts;
    ASSERT_TRUE(std::regex_match(text, parts, kLine)) << text;
    names.insert(parts[1]);
    EXPECT_EQ(parts[2].matched, parts[1] == "compute") << text;
  }
  EXPECT_TRUE(names.contains("compute") && names.contains("total") && names.size() > 4)
      << outcome.err;
  const Outcome both = run(line + " --json");
  EXPECT_TRUE(json::accept(both.out));
  EXPECT_NE(both.err.find("Mpixel/s"), std::string::npos);
}

TEST_F(VoronoiTest, QuietSaysNothingButWhatIsAskedFor) {
  for (const std::string flag : {"-q", "--quiet"}) {
    const std::string line = "voronoi --random 5 --size 8x6 --overwrite --labels l.npy " + flag;
    succeed(line);
    succeed(line + " --timing");
    const Outcome outcome = run(line + " --json");
    EXPECT_TRUE(json::accept(outcome.out));
    EXPECT_EQ(outcome.err, "");
  }
}

/// What a library writes to descriptor 2 must not end up in the first file that got that number.
TEST_F(VoronoiTest, AClosedStderrIsNoDataFile) {
  succeed("voronoi --random 5 --size 8x6 --labels expected.npy --threads 1");
  for (const std::string flags : {"--threads 1000", "--timing"}) {
    const Outcome outcome = run("voronoi --random 5 --size 8x6 --overwrite --labels l.npy " + flags,
                                {.close_stderr = true});
    EXPECT_EQ(outcome.signal, 0) << flags;
    if (outcome.exit_code == 0) {
      EXPECT_EQ(read_bytes("l.npy"), read_bytes("expected.npy")) << flags;
    }
  }
}

/// "--flag" at the beginning of a line of help.
std::set<std::string> flags_of(const std::string& help) {
  std::set<std::string> flags;
  static const std::regex kFlag(R"(^ +(?:-\w,)?(--[a-z-]+))");
  for (const std::string& line : lines_of(help)) {
    std::smatch parts;
    if (std::regex_search(line, parts, kFlag)) flags.insert(parts[1]);
  }
  return flags;
}

TEST_F(VoronoiTest, HelpAndVersion) {
  for (const std::string line :
       {"--help", "-h", "voronoi --help", "devices --help", "proximity --help", "--version"}) {
    const Outcome outcome = run(line);
    EXPECT_EQ(outcome.exit_code, 0) << line;
    EXPECT_EQ(outcome.err, "") << line;
    EXPECT_NE(outcome.out, "") << line;
  }
  const std::string help = run("--help").out;
  for (const std::string word : {"voronoi", "devices", "--version", "130"})
    EXPECT_NE(help.find(word), std::string::npos) << word;
  EXPECT_TRUE(std::regex_match(run("--version").out,
                               std::regex(R"((thiessen )?\d+\.\d+\.\d+( \(with .+\))?\n)")));
}

TEST_F(VoronoiTest, HelpNamesEveryFlag) {
  const std::set<std::string> flags{"--help",
                                    "--help-all",
                                    "--sites",
                                    "--random",
                                    "--size",
                                    "--seed",
                                    "--components",
                                    "--nodata",
                                    "--method",
                                    "--metric",
                                    "--device",
                                    "--threads",
                                    "--values",
                                    "--zero-is-site",
                                    "--free-nodata",
                                    "--spacing",
                                    "--max-distance",
                                    "--unreached",
                                    "--distance-to",
                                    "--signed-distance",
                                    "--coverage",
                                    "--k",
                                    "--distinct-labels",
                                    "--ties-unreached",
                                    "--ties",
                                    "--contours",
                                    "--contour-levels",
                                    "--contours-to",
                                    "--labels",
                                    "--distance",
                                    "--squared",
                                    "--site-index",
                                    "--offset",
                                    "--direction",
                                    "--picture",
                                    "--points-in-cells",
                                    "--distance-type",
                                    "--overwrite",
                                    "--timing",
                                    "--json",
                                    "--quiet",
                                    "--band",
                                    "--layer",
                                    "--label-field",
                                    "--where",
                                    "--sql",
                                    "--spat",
                                    "--transform",
                                    "--mask",
                                    "--mask-layer",
                                    "--clip-sites",
                                    "--polygons",
                                    "--edges",
                                    "--table",
                                    "--sum-of",
                                    "--adjacency",
                                    "--like",
                                    "--bounds",
                                    "--cell-size",
                                    "--periodic",
                                    "--output-nodata",
                                    "--creation-option",
                                    "--progress",
                                    "--no-progress",
                                    "--instructions",
                                    "--steps",
                                    "--pattern",
                                    "--noise",
                                    "--frames",
                                    "--verify",
                                    "--scan-sites",
                                    "--growth-step",
                                    "--keep-infinite",
                                    "--format",
                                    "--driver",
                                    "--allow-remote",
                                    "--like-grid",
                                    "--strict",
                                    "--step-rule",
                                    "--literal",
                                    "--allotment",
                                    "--labels-carried",
                                    "--other-labels",
                                    "--other-distance",
                                    "--other-site-index",
                                    "--balance",
                                    "--ellipse-fields",
                                    "--weight-field",
                                    "--weighting",
                                    "--weights",
                                    "--weighted-distance",
                                    "--memory",
                                    "--slab-rows",
                                    "--output-format",
                                    "--dry-run"};
  EXPECT_EQ(flags_of(run("voronoi --help-all").out), flags);
  EXPECT_EQ(flags_of(run("devices --help").out),
            (std::set<std::string>{"--help", "--help-all", "--json"}));
}

TEST_F(VoronoiTest, InstructionsChangeNothing) {
  const std::string line = "voronoi --random 3000 --size 300x200 --seed 3 --overwrite";
  succeed(line + " --labels plain.npy --instructions none");
  succeed(line + " --labels best.npy --instructions auto");
  EXPECT_EQ(read_bytes("plain.npy"), read_bytes("best.npy"));
  const Outcome outcome = run(line + " --labels l.npy --instructions abacus");
  EXPECT_EQ(outcome.exit_code, 2);
  expect_one_line_of_complaint(outcome);
  EXPECT_NE(outcome.err.find("abacus"), std::string::npos) << outcome.err;
}

TEST_F(VoronoiTest, DevicesAreThoseOfTheLibrary) {
  const Outcome text = run("devices");
  EXPECT_EQ(text.exit_code, 0);
  EXPECT_EQ(text.err, "");
  const Outcome outcome = run("devices --json");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  const json list = json::parse(outcome.out, nullptr, false);
  ASSERT_TRUE(list.is_array()) << outcome.out;
  const std::vector<DeviceInfo> expected = devices();
  ASSERT_EQ(list.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(list[i].value("name", ""), expected[i].name);
    EXPECT_EQ(list[i].value("description", ""), expected[i].description);
    EXPECT_EQ(list[i].value("available", !expected[i].available), expected[i].available);
    ASSERT_EQ(list[i].value("methods", json()).size(), expected[i].methods.size());
    for (std::size_t j = 0; j < expected[i].methods.size(); ++j) {
      const MethodInfo& method = expected[i].methods[j];
      json metrics = json::array();
      for (const Metric metric : method.approximate_metrics) metrics.push_back(name_of(metric));
      json item = list[i]["methods"][j];
      if (expected[i].available) {
        EXPECT_FALSE(item.at("support").empty());
      }
      item.erase("support");
      EXPECT_EQ(item, (json{{"name", name_of(method.method)},
                            {"exact", method.exact},
                            {"approximate_metrics", metrics}}));
      EXPECT_NE(text.out.find(name_of(method.method)), std::string::npos);
    }
    EXPECT_NE(text.out.find(expected[i].name), std::string::npos);
  }
}

class InterruptTest : public CommandTest, public ::testing::WithParamInterface<int> {
 protected:
  /// Interrupts as soon as `ready`; the command must end soon, properly, and leave nothing.
  void expect_clean_end(const std::string& arguments, std::function<bool(pid_t)> ready) const {
    const Outcome outcome =
        run(arguments, {.interruption = Interruption{GetParam(), std::move(ready)}});
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.exit_code, 130);
    EXPECT_LT(outcome.reaction, kSoon);
    expect_one_line_of_complaint(outcome);
    EXPECT_EQ(names(), std::vector<std::string>{});
  }
};

TEST_P(InterruptTest, EndsAComputation) {
  expect_clean_end(
      "voronoi --random 200000 --size 1500x1500 --method brute-force --labels l.npy "
      "--distance d.npy --picture p.png --json",
      [this](pid_t process) { return output_files(process).size() == 3; });
}

/// A large picture takes seconds to compress.
TEST_P(InterruptTest, EndsTheWritingOfFiles) {
  expect_clean_end("voronoi --random 100000 --size 3000x3000 --labels l.npy --picture p.png",
                   [this](pid_t process) {
                     const std::vector<std::uintmax_t> sizes = output_files(process);
                     return sizes.size() == 2 && std::min(sizes[0], sizes[1]) > 0;
                   });
}

/// Text takes long to read, and longer under a sanitizer.
TEST_P(InterruptTest, EndsTheReadingOfAFile) {
  constexpr int kExtent = THIESSEN_SANITIZED ? 4000 : 8000;
  std::string row;
  for (int i = 0; i < kExtent; ++i) row += "7 ";
  const std::string extent = std::to_string(kExtent);
  std::string text = "P2 " + extent + " " + extent + " 9\n";
  for (int i = 0; i < kExtent; ++i) text += row;
  write_bytes("sites.pgm", text);
  const Outcome outcome =
      run("voronoi --sites sites.pgm --labels l.npy",
          {.interruption = Interruption{GetParam(), {}, std::chrono::milliseconds(200)}});
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_LT(outcome.reaction, kSoon);
  expect_one_line_of_complaint(outcome);
  EXPECT_EQ(names(), std::vector<std::string>{"sites.pgm"});
}

/// Nobody writes into the pipe: reading waits for ever, as it does at a terminal.
TEST_P(InterruptTest, EndsTheWaitForInput) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const Outcome outcome =
      run("voronoi --sites pipe --labels l.npy",
          {.interruption = Interruption{GetParam(), {}, std::chrono::milliseconds(500)},
           .limit = std::chrono::seconds(8)});
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_LT(outcome.reaction, kSoon);
  EXPECT_EQ(names(), std::vector<std::string>{"pipe"});
}

std::string signal_name(const ::testing::TestParamInfo<int>& test) {
  return test.param == SIGINT ? "SIGINT" : "SIGTERM";
}

INSTANTIATE_TEST_SUITE_P(Signals, InterruptTest, ::testing::Values(SIGINT, SIGTERM), signal_name);

}  // namespace
}  // namespace thiessen::cli
