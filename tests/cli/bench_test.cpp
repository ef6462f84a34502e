// SPDX-License-Identifier: Apache-2.0
//
// The measurements of the documents: the numbers that they report are checked in other ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

using Json = nlohmann::json;

class BenchTest : public CommandTest {
 protected:
  /// The report of a command that prints nothing else.
  Json report_of(const std::string& arguments) const {
    const Outcome outcome = run(arguments + " --json --quiet");
    EXPECT_EQ(outcome.exit_code, 0) << arguments << "\n" << outcome.err;
    EXPECT_EQ(outcome.err, "") << arguments;
    return Json::parse(outcome.out, nullptr, false);
  }

  /// The site of every cell, by `voronoi` with the same sites.
  Raster site_index(const std::string& algorithm) const {
    succeed("voronoi --random 40 --size 60x50 --seed 5 --overwrite --site-index s.npy --method " +
            algorithm);
    return read("s.npy");
  }

  void expect_trouble(const std::string& arguments, const std::string& word) const {
    const Outcome outcome = run("bench " + arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
    EXPECT_EQ(names(), std::vector<std::string>{}) << arguments;
  }
};

const std::string kSmall =
    "bench jfa-star --case 60x50,40 --sizes 8,16 --sites 4,100 --rounds 1 --seed 5";

std::map<std::string, Json> by_method(const Json& methods) {
  std::map<std::string, Json> found;
  for (const Json& method : methods) found[method.at("method")] = method;
  return found;
}

std::vector<double> entropies(const Json& method) {
  std::vector<double> values;
  for (const Json& pass : method.at("by_pass")) values.push_back(pass.at("entropy"));
  return values;
}

/// The entropy as the documentation defines it, by -sum p log2(p).
double plain_entropy(const Raster& cells) {
  const auto view = cells.view<std::int64_t>();
  const std::int64_t height = view.extent(0), width = view.extent(1);
  double sum = 0;
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x) {
      std::map<std::int64_t, double> counts;
      double all = 0;
      for (std::int64_t v = y - 1; v <= y + 1; ++v)
        for (std::int64_t u = x - 1; u <= x + 1; ++u) {
          if (v < 0 || u < 0 || v >= height || u >= width) continue;
          ++counts[view(v, u)];
          ++all;
        }
      for (const auto& [label, count] : counts) sum -= count / all * std::log2(count / all);
    }
  return sum / static_cast<double>(height * width);
}

TEST_F(BenchTest, ThrustTellsThePhasesOfTheTutorial) {
  const Json report = report_of("bench thrust --size 40x30 --size 7x5 --sites 10 --rounds 1");
  EXPECT_EQ(report.at("command"), "bench thrust");
  EXPECT_EQ(report.at("tutorial").at("cycles"), report.at("tutorial").at("steps").size());
  EXPECT_NEAR(report.at("tutorial").at("mpixel_per_s").get<double>(), 49.2739, 1e-3);
  ASSERT_EQ(report.at("results").size(), 2U);
  const Json& first = report.at("results")[0];
  EXPECT_EQ(first.at("extents"), (Json{30, 40}));
  EXPECT_EQ(first.at("sites"), 10);
  EXPECT_EQ(first.at("steps"), (Json{1, 20, 10, 5, 2, 1}));
  EXPECT_EQ(first.at("cycles"), 6);
  EXPECT_EQ(first.at("copy_to_device_ms"), 0.0);
  EXPECT_EQ(first.at("copy_to_host_ms"), 0.0);
  for (const char* const phase : {"initialise_ms", "flooding_ms", "states_ms", "pgm_ms"})
    EXPECT_GT(first.at(phase), 0.0) << phase;
  EXPECT_NEAR(first.at("mpixel_per_s").get<double>(),
              30 * 40 / first.at("flooding_ms").get<double>() / 1e3, 1e-6);
  EXPECT_EQ(report.at("results")[1].at("steps"), (Json{1, 3, 1}));
  // The raster of the last round, by the method itself.
  succeed(
      "voronoi --random 10 --size 40x30 --seed 1 --method jfa-coeurjolly --literal "
      "--site-index literal.npy");
  const Raster literal = read("literal.npy");
  const std::int64_t* const site = literal.view<std::int64_t>().data();
  EXPECT_EQ(first.at("literal_empty"), std::count(site, site + literal.extents().count(), -1));
  EXPECT_GT(first.at("literal_empty"), 0);
  EXPECT_EQ(first.at("empty"), 0);
}

TEST_F(BenchTest, ThrustPrintsTheFormOfTheTutorial) {
  const Outcome outcome = run("bench thrust --size 40x30 --sites 1% --rounds 2");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.out, "");
  for (const char* const line :
       {", 12 sites", "[Initialize 40x30 Image]", "[Copy to Device]", "[JFA stepping]",
        "(number of cycles = 6)", "MPixel/s )", "[Device to Host Copy]", "[PGM Export]"})
    EXPECT_NE(outcome.err.find(line), std::string::npos) << line << "\n" << outcome.err;
  EXPECT_EQ(outcome.err.find("GTX"), std::string::npos);  // which had another size
  EXPECT_EQ(run("bench thrust --size 1x1 --sites 1 --quiet").err, "");
}

TEST_F(BenchTest, ThrustPutsTheFiguresOfTheTutorialBesideOurs) {
  const Outcome outcome = run("bench thrust --rounds 1");
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* const figure : {"GTX 285", "4.42614ms", "3.03962ms", "33.2508ms",
                                   "49.274 MPixel", "10.3948ms", "217.517ms"})
    EXPECT_NE(outcome.err.find(figure), std::string::npos) << figure << "\n" << outcome.err;
  const std::string cycles = "(number of cycles = 11)";
  EXPECT_NE(outcome.err.find(cycles), outcome.err.rfind(cycles)) << outcome.err;
}

TEST_F(BenchTest, ThrustKeepsThePictureIfAskedTo) {
  std::filesystem::create_directory(path("temporary"));
  const Settings settings{.environment = {{"TMPDIR", path("temporary")}}};
  EXPECT_EQ(run("bench thrust --size 40x30 --sites 10 --rounds 2 -q --pgm p.pgm", settings).err,
            "");
  EXPECT_EQ(names(), (std::vector<std::string>{"p.pgm", "temporary"}));
  EXPECT_TRUE(std::filesystem::is_empty(path("temporary")));
  succeed(
      "voronoi --random 10 --size 40x30 --seed 2 --method 1+jfa --steps 1,20,10,5,2,1 "
      "--labels l.npy");
  const Raster picture = read("p.pgm"), labels = read("l.npy");
  ASSERT_EQ(picture.extents(), labels.extents());
  for (std::int64_t i = 0; i < picture.extents().count(); ++i)
    ASSERT_EQ(picture.view<std::uint8_t>().data()[i],
              71 * labels.view<std::int32_t>().data()[i] % 253);
  const std::string again = "bench thrust --size 40x30 --sites 1 --rounds 1 --pgm p.pgm";
  EXPECT_EQ(run(again).exit_code, 1);
  EXPECT_EQ(run(again + " --overwrite").exit_code, 0);
  EXPECT_EQ(run("bench thrust --size 4x4 --sites 1 --pgm none/p.pgm").exit_code, 1);
}

TEST_F(BenchTest, JfaStarCountsThePassesOfEveryMethod) {
  const Json report = report_of(kSmall);
  EXPECT_EQ(report.at("case").at("extents"), (Json{50, 60}));
  const auto methods = by_method(report.at("case").at("methods"));
  const std::map<std::string, std::vector<int>> steps{
      {"jfa", {0, 32, 16, 8, 4, 2, 1}},
      {"1+jfa", {0, 1, 32, 16, 8, 4, 2, 1}},
      {"jfa+1", {0, 32, 16, 8, 4, 2, 1, 1}},
      {"jfa+2", {0, 32, 16, 8, 4, 2, 1, 2, 1}},
      {"jfa2", {0, 32, 16, 8, 4, 2, 1, 32, 16, 8, 4, 2, 1}},
      {"jfa-noise", {0, 32, 16, 8, 4, 2, 1}},
      {"jfa-plus", {0, 30, 8, 2, 1}},
      {"jfa-star", {0, 20, 7, 3, 1}},
      {"jfa-coeurjolly", {0, 1, 30, 15, 7, 3, 1}},
      {"jfa+1-paper", {0, 30, 15, 7, 3, 1, 1}},
      {"jfa+-paper", {0, 30, 15, 7}},
      {"jfa-star-paper", {0, 20, 7, 3, 1}},
      {"jfa-star+1-paper", {0, 20, 7, 3, 1, 1}}};
  EXPECT_EQ(methods.size(), steps.size());
  for (const auto& [algorithm, expected] : steps) {
    ASSERT_EQ(methods.count(algorithm), 1U) << algorithm;
    const Json& method = methods.at(algorithm);
    std::vector<int> found;
    for (const Json& pass : method.at("by_pass")) found.push_back(pass.at("step"));
    EXPECT_EQ(found, expected) << algorithm;
    EXPECT_EQ(method.at("passes"), expected.size() - 1) << algorithm;
    EXPECT_GT(method.at("ms"), 0.0) << algorithm;
  }
}

TEST_F(BenchTest, JfaStarTellsTheErrorsThatVerifyTells) {
  const Json report = report_of(kSmall);
  for (const auto& [algorithm, method] : by_method(report.at("case").at("methods"))) {
    const Json verify = report_of(
                            "voronoi --random 40 --size 60x50 --seed 5 --overwrite --labels "
                            "l.npy --verify --method " +
                            algorithm)
                            .at("verify");
    for (const char* const key : {"differing", "wrong", "unreached"}) {
      EXPECT_EQ(method.at(key), verify.at(key)) << algorithm << " " << key;
      EXPECT_EQ(method.at("by_pass").back().at(key), verify.at(key)) << algorithm << " " << key;
    }
    EXPECT_NEAR(method.at("largest_error_cells").get<double>(),
                verify.at("largest_error_cells").get<double>(), 1e-9)
        << algorithm;
  }
}

/// With so many sites on so few cells JFA+ is wrong in many.
TEST_F(BenchTest, JfaStarTellsTheErrorsThatCompareFinds) {
  const Json report = report_of("bench jfa-star --case 90x90,900 --sizes 8 --sites 4 --quick");
  const Json method = by_method(report.at("case").at("methods")).at("jfa-plus");
  const Raster sites = random_sites({90, 90}, 900, 0);
  const auto solve = [&](Method by) {
    return nearest_site(sites.view(), {.method = by}, {.site_index = true}).site_index;
  };
  const Array<std::int64_t> exact = solve(Method::exact), found = solve(Method::jfa_plus);
  const Comparison compared = compare({.site_index_a = exact.view(), .site_index_b = found.view()},
                                      {.metric = Metric::euclidean});
  EXPECT_GT(compared.differing, compared.ties);
  EXPECT_EQ(method.at("differing"), compared.differing);
  EXPECT_EQ(method.at("wrong"), compared.differing - compared.ties);
  EXPECT_EQ(method.at("largest_error_cells"), compared.largest_excess);
}

TEST_F(BenchTest, EntropyIsThatOfWindows) {
  const Json found = report_of(kSmall).at("case");
  EXPECT_NEAR(found.at("exact").at("entropy").get<double>(), plain_entropy(site_index("exact")),
              1e-9);
  for (const auto& [algorithm, method] : by_method(found.at("methods")))
    EXPECT_NEAR(entropies(method).back(), plain_entropy(site_index(algorithm)), 1e-9) << algorithm;
}

/// Noise has the greatest entropy and is put in order pass by pass. Without noise an image is first
/// empty, then full of scattered sites, then in order.
TEST_F(BenchTest, EntropyFallsFromNoiseAndRisesFromNothing) {
  const Json found =
      report_of("bench jfa-star --case 128x128,200 --sizes 8 --sites 4 --quick").at("case");
  const double exact = found.at("exact").at("entropy");
  const auto methods = by_method(found.at("methods"));
  const std::vector<double> star = entropies(methods.at("jfa-star"));
  EXPECT_GT(star.front(), 3.0);
  for (std::size_t i = 1; i < star.size(); ++i) EXPECT_LE(star[i], star[i - 1]) << i;
  EXPECT_NEAR(star.back(), exact, 0.01);
  const std::vector<double> plain = entropies(methods.at("jfa"));
  EXPECT_LT(plain.front(), exact);
  EXPECT_LT(plain.front(), plain[1]);
  EXPECT_GT(*std::max_element(plain.begin(), plain.end()), 1.5);
  EXPECT_NEAR(plain.back(), exact, 0.01);
}

TEST_F(BenchTest, TheSweepLeavesOutWhatCannotBe) {
  const Json report = report_of(kSmall);
  std::vector<Json> found;
  for (const Json& each : report.at("sweep"))
    found.push_back({each.at("extents")[0], each.at("extents")[1], each.at("sites")});
  EXPECT_EQ(found, (std::vector<Json>{{8, 8, 4}, {16, 16, 4}, {16, 16, 100}}));
  ASSERT_EQ(report.at("skipped").size(), 1U);
  EXPECT_EQ(report.at("skipped")[0].at("extents"), (Json{8, 8}));
  EXPECT_EQ(report.at("skipped")[0].at("sites"), 100);
  EXPECT_EQ(report.at("rounds"), 1);
  EXPECT_EQ(report.at("files"), Json::array());
}

TEST_F(BenchTest, TheTableSaysWhereJfaStarFallsShort) {
  const Outcome outcome = run("bench jfa-star --case 128x128,2000 --sizes 8 --sites 4 --quick");
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("jfa-star: the document claims 4 steps; it does 6 passes."),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(run(kSmall + " --quiet").err, "");
}

/// Cells that have another site than what spreads from the sites' own cells brings, in as many
/// rounds as there are cells.
int plain_disconnected(const Raster& cells) {
  const auto site = cells.view<std::int64_t>();
  const std::int64_t height = site.extent(0), width = site.extent(1);
  std::set<std::int64_t> reached;
  for (std::int64_t i = 0; i < height * width; ++i)
    if (site.data()[i] == i) reached.insert(i);
  const auto is_beside_reached = [&](std::int64_t y, std::int64_t x) {
    for (std::int64_t v = std::max<std::int64_t>(y - 1, 0); v < std::min(y + 2, height); ++v)
      for (std::int64_t u = std::max<std::int64_t>(x - 1, 0); u < std::min(x + 2, width); ++u)
        if (site(v, u) == site(y, x) && reached.count(v * width + u) > 0) return true;
    return false;
  };
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (std::int64_t y = 0; y < height; ++y)
      for (std::int64_t x = 0; x < width; ++x)
        if (is_beside_reached(y, x)) reached.insert(y * width + x);
  }
  return static_cast<int>(height * width) - static_cast<int>(reached.size());
}

TEST_F(BenchTest, JfaStarCountsDisconnectedCells) {
  const Json report =
      report_of("bench jfa-star --case 60x50,40 --sizes 8 --sites 4 --quick --seed 5");
  const auto methods = by_method(report.at("case").at("methods"));
  for (const char* const method : {"jfa-star-paper", "jfa-star"})
    EXPECT_EQ(methods.at(method).at("disconnected"), plain_disconnected(site_index(method)))
        << method;
  EXPECT_GT(methods.at("jfa-star-paper").at("disconnected"), 0);
  EXPECT_EQ(report.at("case").at("exact").at("disconnected"),
            plain_disconnected(site_index("exact")));
}

/// 720 cells and 2000 sites have these steps in the document.
TEST_F(BenchTest, JfaStarHasTheColumnsOfTheDocument) {
  const Json columns =
      report_of("bench jfa-star --case 720x20,2000 --sizes 8 --sites 4 --quick").at("document");
  ASSERT_EQ(columns.size(), 3U);
  EXPECT_EQ(columns[0].at("name"), "JFA*");
  EXPECT_EQ(columns[0].at("claimed"), 4);
  EXPECT_EQ(columns[0].at("steps"), (Json{240, 80, 27, 1}));
  EXPECT_EQ(columns[1].at("improvement"), "noise");
  EXPECT_EQ(columns[1].at("claimed"), 5);
  EXPECT_EQ(columns[2].at("step_size"), "p/2^i");
  EXPECT_EQ(columns[2].at("claimed"), 10);
  EXPECT_EQ(columns[2].at("steps").size(), 10U);
}

TEST_F(BenchTest, JfaStarDrawsAllFiguresOfTheSlides) {
  const Json report = report_of(kSmall + " --figures figures");
  EXPECT_EQ(report.at("files"),
            (Json{"figures/answers.png", "figures/same-step.png", "figures/entropy.png"}));
  EXPECT_EQ(read("figures/answers.png").extents(), (Extents{50, 2 * 60 + 1}));
  EXPECT_EQ(read("figures/same-step.png").extents(), (Extents{50, 3 * 60 + 2}));
  const Raster entropy = read("figures/entropy.png");
  ASSERT_EQ(entropy.extents(), (Extents{100, 3 * 120 + 2 * 3}));
  // In the middle of the exact answer there is an edge, and there are places without one.
  std::set<std::uint32_t> greys;
  for (std::int64_t x = 246; x < 366; ++x) greys.insert(entropy.view<std::uint32_t>()(50, x));
  EXPECT_GT(greys.size(), 1U);
  EXPECT_EQ(*greys.begin(), 0U);
}

TEST_F(BenchTest, PlotsAndFigureAreDrawn) {
  const Json report = report_of(kSmall + " --plots made/plots --figure figure.png");
  const std::vector<std::string> plots{"entropy-by-pass.svg",  "wrong-by-pass.svg",
                                       "time-by-size-4.svg",   "wrong-by-size-4.svg",
                                       "time-by-size-100.svg", "wrong-by-size-100.svg"};
  Json files;
  for (const std::string& plot : plots) files.push_back("made/plots/" + plot);
  files.push_back("figure.png");
  EXPECT_EQ(report.at("files"), files);
  for (const std::string& plot : plots) {
    const std::string text = read_bytes("made/plots/" + plot);
    EXPECT_TRUE(text.starts_with("<svg xmlns=")) << plot;
    EXPECT_TRUE(text.ends_with("</svg>\n")) << plot;
    EXPECT_EQ(text.find("nan"), std::string::npos) << plot;
    EXPECT_EQ(text.find("inf"), std::string::npos) << plot;
    for (const char* const name : {">jfa<", ">jfa-star<", ">jfa2<"})
      EXPECT_NE(text.find(name), std::string::npos) << plot << " " << name;
  }
  const Raster figure = read("figure.png");
  ASSERT_EQ(figure.extents(), (Extents{50, 3 * 60 + 2}));
}

/// After four passes the noise has left no empty cell; the grid without noise still has many.
TEST_F(BenchTest, TheFigureShowsCircleAgainstGrid) {
  EXPECT_EQ(run("bench jfa-star --case 200x200,30 --sizes 8 --sites 4 --quick -q --figure f.png")
                .exit_code,
            0);
  const Raster figure = read("f.png");
  const auto pixels = figure.view<std::uint32_t>();
  std::array<int, 3> white{};
  for (std::int64_t y = 0; y < 200; ++y)
    for (std::int64_t x = 0; x < 200; ++x)
      for (std::int64_t panel = 0; panel < 3; ++panel)
        white[static_cast<std::size_t>(panel)] += pixels(y, x + panel * 205) == 0xFFFFFF ? 1 : 0;
  EXPECT_EQ(white[0], 0);
  EXPECT_GT(white[1], 1000);
  EXPECT_EQ(white[2], 0);
}

const std::string kRaster =
    "bench raster --size 40x30 --size 90x70 --sites 20 --sweep 1,7,300 --sweep-size 50x40 "
    "--rounds 1";

TEST_F(BenchTest, RasterRunsTheWaysOfTheDocumentOnEveryDevice) {
  const Json report = report_of(kRaster + " --threads 2");
  EXPECT_EQ(report.at("command"), "bench raster");
  EXPECT_EQ(report.at("metric"), "manhattan");
  ASSERT_EQ(report.at("by_size").size(), 2U);
  ASSERT_EQ(report.at("by_sites").size(), 3U);
  EXPECT_EQ(report.at("by_size")[1].at("extents"), (Json{70, 90}));
  EXPECT_EQ(report.at("by_sites")[2].at("sites"), 300);
  EXPECT_EQ(report.at("document").at("table")[4].at("gpu_ms"), 219.0);
  for (const char* const table : {"by_size", "by_sites"})
    for (const Json& result : report.at(table)) {
      std::vector<std::string> on_cpu;
      std::map<std::string, int> allotments;
      for (const Json& way : result.at("ways")) {
        EXPECT_TRUE(way.at("agrees").get<bool>()) << way;
        EXPECT_GT(way.at("ms"), 0.0) << way;
        if (way.at("device") == "cpu")
          on_cpu.push_back(way.at("method").get<std::string>() + way.at("threads").dump() +
                           (way.contains("whole_raster") ? "w" : ""));
        if (way.contains("allotment")) ++allotments[way.at("allotment")];
      }
      EXPECT_EQ(on_cpu,
                (std::vector<std::string>{"brute-force1", "chamfer1", "raster-gpu1", "raster-gpu2",
                                          "exact1", "exact2", "circle-growing1", "circle-growing1w",
                                          "dilation1", "dilation1w", "expansion1", "expansion1w"}));
      EXPECT_EQ(allotments["cyclic"], allotments["contiguous"]);
    }
}

/// Methods to the letter of the document are measured on the rasters of the sweep, and told.
TEST_F(BenchTest, RasterCountsTheErrorsOfTheLetter) {
  const std::string command =
      "bench raster --size 9x9 --sites 1 --sweep 1,400 --sweep-size 120x90 --rounds 1 --device cpu";
  const Json errors = report_of(command).at("errors");
  ASSERT_EQ(errors.size(), 5U);  // one site is nobody's error
  for (const Json& error : errors) {
    EXPECT_EQ(error.at("extents"), (Json{90, 120}));
    EXPECT_EQ(error.at("sites"), 400);
    EXPECT_EQ(error.at("labels_carried"), error.at("method") != "chamfer");
    EXPECT_GE(error.at("differing"), error.at("wrong"));
    EXPECT_GT(error.at("differing"), 0) << error;
    EXPECT_EQ(error.at("wrong") > 0, error.at("method") != "dilation") << error;
    EXPECT_EQ(error.at("largest_excess_cells") > 0, error.at("wrong") > 0) << error;
  }
  const Outcome told = run(command);
  for (const char* const text : {"to the letter", "expansion, manhattan, labels carried"})
    EXPECT_NE(told.err.find(text), std::string::npos) << told.err;
}

/// The methods that look at the whole raster agree by the other metric, too; they are left out
/// where they take long.
TEST_F(BenchTest, RasterMethodsOnTheWholeRaster) {
  const Json report = report_of(
      "bench raster --metric chessboard --size 70x1 --sites 3 --sweep 1,9 --sweep-size 150x150 "
      "--rounds 1 --device cpu --threads 1");
  for (const char* const table : {"by_size", "by_sites"})
    for (const Json& result : report.at(table))
      for (const Json& way : result.at("ways")) {
        const bool long_one = result.at("sites") == 1 && way.at("method") == "expansion" &&
                              way.contains("whole_raster");
        EXPECT_EQ(way.contains("reason"), long_one) << way;
        if (!long_one) {
          EXPECT_TRUE(way.at("agrees").get<bool>()) << way;
        }
      }
}

TEST_F(BenchTest, RasterPutsTheFiguresOfTheDocumentBesideOurs) {
  const Outcome outcome =
      run("bench raster --size 1000x800 --sweep 1 --sweep-size 9x9 --rounds 1 --device cpu");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  for (const char* const text : {"ms, 100 sites", "1000x800", "126.4", "67.9", "109.1"})
    EXPECT_NE(outcome.err.find(text), std::string::npos) << text << "\n" << outcome.err;
  EXPECT_EQ(run(kRaster + " --metric chessboard --device cpu --quiet").err, "");
}

TEST_F(BenchTest, RasterDrawsItsPlots) {
  const Json report = report_of(
      "bench raster --size 40x30 --size 90x70 --sweep 1,20 --sweep-size 50x40 --rounds 1 "
      "--device cpu --threads 1 --plots plots");
  EXPECT_EQ(report.at("files"), (Json{"plots/time-by-size.svg", "plots/time-by-sites.svg"}));
  const std::string by_size = read_bytes("plots/time-by-size.svg");
  for (const char* const name : {">document: GPU<", ">chamfer, cpu, 1 thread<"})
    EXPECT_NE(by_size.find(name), std::string::npos) << name;
  EXPECT_EQ(read_bytes("plots/time-by-sites.svg").find("document"), std::string::npos);
}

TEST_F(BenchTest, FilesThatExistStay) {
  write_bytes("figure.png", "old");
  EXPECT_NE(run(kSmall + " --figure figure.png").exit_code, 0);
  EXPECT_EQ(read_bytes("figure.png"), "old");
  std::filesystem::create_directory(path("plots"));
  write_bytes("plots/wrong-by-pass.svg", "old");
  EXPECT_NE(run(kSmall + " --plots plots --figure new.png").exit_code, 0);
  EXPECT_EQ(read_bytes("plots/wrong-by-pass.svg"), "old");
  EXPECT_EQ(names(), (std::vector<std::string>{"figure.png", "plots"}));
  EXPECT_EQ(run(kSmall + " --plots plots --figure figure.png --overwrite").exit_code, 0);
}

TEST_F(BenchTest, ASignalEndsIt) {
  const auto has_begun = [this](pid_t) { return !names().empty(); };
  const Outcome outcome = run("bench jfa-star --sizes 2048 --sites 8 --plots plots --figure f.png",
                              {.interruption = Interruption{.signal = SIGINT, .ready = has_begun}});
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_EQ(names(), std::vector<std::string>{"plots"});
}

TEST_F(BenchTest, BadWordsAreTold) {
  expect_trouble("", "A subcommand is required");
  expect_trouble("thrust --size 10", "--size 10");
  expect_trouble("thrust --size 4x4x4", "--size 4x4x4");
  expect_trouble("thrust --size 50000x50000", "2^31");
  expect_trouble("thrust --size 4x4 --sites 17", "--sites 17");
  expect_trouble("thrust --size 4x4 --sites 101%", "--sites 101%");
  expect_trouble("thrust --size 4x4 --sites %", "--sites");
  expect_trouble("thrust --size 4x4 --rounds 0", "--rounds 0");
  expect_trouble("thrust --size 4x4 --sites 1 --seed -1", "--seed -1");
  expect_trouble("thrust --size 4x4 --sites 1 --pgm p.png", "--pgm p.png");
  expect_trouble("thrust --size 4x4 --size 5x5 --sites 1 --pgm p.pgm", "--pgm p.pgm");
  expect_trouble("thrust --device nonsense", "nonsense");
  expect_trouble("thrust words", "words");
  expect_trouble("jfa-star --case 10x10", "--case 10x10");
  expect_trouble("jfa-star --case 10x10,101", "101");
  expect_trouble("jfa-star --case 10,10", "--case");
  expect_trouble("jfa-star --sizes 0", "--sizes 0");
  expect_trouble("jfa-star --sizes 64,,128", "--sizes");
  expect_trouble("jfa-star --sizes 50000", "--sizes 50000");
  expect_trouble("jfa-star --sites 8,x", "--sites x");
  expect_trouble("jfa-star --rounds 1.5", "--rounds 1.5");
  expect_trouble("jfa-star --figure f.svg", "f.svg");
  expect_trouble("jfa-star --figures /dev/null/figures", "--figures /dev/null/figures");
  expect_trouble("jfa-star --timing", "--timing");
  expect_trouble("raster --size 4", "--size 4");
  expect_trouble("raster --size 9x9", "--sites 100");
  expect_trouble("raster --sweep 0", "--sweep 0");
  expect_trouble("raster --sweep 1,9 --sweep-size 2x2", "--sweep 9");
  expect_trouble("raster --metric euclidean", "euclidean");
  expect_trouble("raster --device nonsense", "nonsense");
  expect_trouble("raster --threads 1025", "--threads 1025");
}

TEST_F(BenchTest, StiffnessHasTheRowsOfTheTable) {
  const Json report = report_of(
      "bench stiffness --rounds 1 --largest 256 --plot speed.svg --threads 2 --device cpu");
  const Json& results = report.at("results");
  ASSERT_EQ(results.size(), 12u);
  for (const Json& result : results) {
    EXPECT_EQ(result.contains("document"), result.at("extents").at(0) < 256);
    EXPECT_TRUE(result.contains("carried_differing") || result.at("map") == "maze");
    const Json& exact = result.at("ways").back();
    EXPECT_EQ(exact.at("method"), "exact");
    EXPECT_EQ(exact.at("threads"), 2);
    EXPECT_GT(exact.at("mean_ms"), 0);
  }
  const Json& last = results[7];
  EXPECT_EQ(last.at("extents"), (std::vector<int>{200, 500}));
  EXPECT_EQ(last.at("document").at("gpu").at("iterations"), 54);
  EXPECT_EQ(std::floor(last.at("document").at("gpu").at("active_cells").get<double>()), 1851);
  EXPECT_GT(last.at("carried_differing"), 0);
  EXPECT_LT(last.at("carried_differing"), 1000);
  // What the document has of the sequential method, and about as many rounds as its own.
  const Json& dijkstra = last.at("ways").at(0);
  EXPECT_EQ(dijkstra.at("method"), "dijkstra");
  EXPECT_EQ(dijkstra.at("threads"), 1);
  EXPECT_EQ(dijkstra.at("iterations"), 100000);
  EXPECT_FALSE(dijkstra.contains("active_cells"));
  const Json& relaxation = last.at("ways").at(1);
  EXPECT_EQ(relaxation.at("method"), "relaxation");
  EXPECT_GE(relaxation.at("iterations"), 32);
  EXPECT_LE(relaxation.at("iterations"), 64);
  // Every cell is active once or more, but few of them at a time.
  const double active = relaxation.at("active_cells");
  EXPECT_GE(active * relaxation.at("iterations").get<double>(), 100000);
  EXPECT_LT(active, 0.05 * 100000);
  EXPECT_EQ(read_bytes("speed.svg").substr(0, 4), "<svg");
}

/// Wrong flags of `bench stiffness` are refused by name.
TEST_F(BenchTest, StiffnessRefuses) {
  expect_trouble("stiffness --rounds 0", "--rounds 0");
  expect_trouble("stiffness --largest -1", "--largest");
  expect_trouble("stiffness --plot a.png", "must end in .svg");
  expect_trouble("stiffness --device nonsense", "nonsense");
  expect_trouble("stiffness --threads 1025", "--threads 1025");
  expect_trouble("stiffness --figures /dev/null/figures", "--figures /dev/null/figures");
}

}  // namespace
}  // namespace thiessen::cli
