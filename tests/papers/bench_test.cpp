// SPDX-License-Identifier: Apache-2.0
//
// The measurements of the papers: the numbers that thiessen-bench reports are checked in other
// ways.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>
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

  Json tables_of(const std::string& arguments) const { return report_of(arguments).at("tables"); }

  void expect_trouble(const std::string& arguments, const std::string& word) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
    EXPECT_EQ(names(), std::vector<std::string>{}) << arguments;
  }
};

/// The site of every cell of 60 x 50 with 40 sites, as the cases of kSmall have it.
Array<std::int64_t> site_index(const std::string& method) {
  const Raster sites = random_sites({50, 60}, 40, 5);
  NearestSiteOptions options{.method = *find_method(method)};
  if (method != "exact") options.flooding.seed = 5;
  return nearest_site(sites.view(), options, {.site_index = true}).site_index;
}

const std::string kSmall =
    "jfa-star --case 60x50,40 --sizes 8,16 --sites 4,100 --rounds 1 --seed 5";

/// Height, width and sites of a row.
using Case = std::tuple<int, int, int>;
Case case_of(const Json& row) { return {row.at("height"), row.at("width"), row.at("sites")}; }

/// Rows of a table by their method.
std::map<std::string, Json> by_method(const Json& rows) {
  std::map<std::string, Json> found;
  for (const Json& row : rows) found[row.at("method")] = row;
  return found;
}

/// A column of the table of passes, of one method.
Json by_pass(const Json& tables, const std::string& method, const char* column) {
  Json values;
  for (const Json& row : tables.at("passes"))
    if (row.at("method") == method) values.push_back(row.at(column));
  return values;
}

/// The entropy as the documentation defines it, by -sum p log2(p).
double plain_entropy(const Array<std::int64_t>& cells) {
  const auto view = cells.view();
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
  const Json report = report_of("thrust --size 40x30 --size 7x5 --sites 10 --rounds 1");
  EXPECT_EQ(report.at("command"), "thrust");
  const Json& phases = report.at("tables").at("phases");
  ASSERT_EQ(phases.size(), 3U);
  const Json& tutorial = phases[2];
  EXPECT_EQ(tutorial.at("cycles"), tutorial.at("steps").size());
  EXPECT_NEAR(tutorial.at("mpixel_per_s").get<double>(), 49.2739, 1e-3);
  const Json& first = phases[0];
  EXPECT_EQ(first.at("height"), 30);
  EXPECT_EQ(first.at("width"), 40);
  EXPECT_EQ(first.at("sites"), 10);
  EXPECT_EQ(first.at("steps"), (Json{1, 20, 10, 5, 2, 1}));
  EXPECT_EQ(first.at("cycles"), 6);
  EXPECT_EQ(first.at("copy_to_device_ms"), 0.0);
  EXPECT_EQ(first.at("copy_to_host_ms"), 0.0);
  for (const char* const phase : {"initialise_ms", "flooding_ms", "states_ms", "pgm_ms"})
    EXPECT_GT(first.at(phase), 0.0) << phase;
  EXPECT_NEAR(first.at("mpixel_per_s").get<double>(),
              30 * 40 / first.at("flooding_ms").get<double>() / 1e3, 1e-6);
  EXPECT_EQ(phases[1].at("steps"), (Json{1, 3, 1}));
  // The raster of the last round, by the method itself.
  const Array<std::int64_t> literal =
      nearest_site(random_sites({30, 40}, 10, 1).view(),
                   {.method = Method::jfa_coeurjolly, .flooding = {.literal = true}},
                   {.site_index = true})
          .site_index;
  EXPECT_EQ(first.at("literal_empty"), std::count(literal.begin(), literal.end(), -1));
  EXPECT_GT(first.at("literal_empty"), 0);
  EXPECT_EQ(first.at("empty"), 0);
}

TEST_F(BenchTest, TablesArePrintedAsCsvAndTheCasesTold) {
  const Outcome outcome = run("thrust --size 40x30 --sites 1% --rounds 2");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "thrust: case 1 of 1, 40x30, 12 sites\n");
  const std::vector<std::string> lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 5U) << outcome.out;
  EXPECT_EQ(lines[0], "# phases");
  EXPECT_EQ(lines[1],
            "height,width,sites,device,cycles,steps,initialise_ms,copy_to_device_ms,flooding_ms,"
            "states_ms,copy_to_host_ms,pgm_ms,mpixel_per_s,empty,literal_empty");
  EXPECT_TRUE(lines[2].starts_with("30,40,12,")) << lines[2];
  EXPECT_NE(lines[2].find(",6,1 20 10 5 2 1,"), std::string::npos) << lines[2];
  EXPECT_EQ(run("thrust --size 1x1 --sites 1 --quiet").err, "");
}

TEST_F(BenchTest, ThrustPutsTheFiguresOfTheTutorialBesideOurs) {
  const Outcome outcome = run("thrust --quick");
  EXPECT_EQ(outcome.exit_code, 0);
  for (const char* const figure : {"1280,1280,1000,", "GTX 285,11,", ",4.42614,", ",3.03962,",
                                   ",33.2508,", ",10.3948,", ",217.517,", ",49.274"})
    EXPECT_NE(outcome.out.find(figure), std::string::npos) << figure << "\n" << outcome.out;
}

TEST_F(BenchTest, ThrustKeepsThePictureInTheFolder) {
  std::filesystem::create_directory(path("temporary"));
  const Settings settings{.environment = {{"TMPDIR", path("temporary")}}};
  const std::string line = "thrust --size 40x30 --sites 10 --rounds 2 -q --output made";
  const Outcome outcome = run(line, settings);
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_EQ(names(), (std::vector<std::string>{"made", "temporary"}));
  EXPECT_TRUE(std::filesystem::is_empty(path("temporary")));
  for (const char* const name : {"made/phases.csv", "made/report.json"})
    EXPECT_TRUE(std::filesystem::exists(path(name))) << name;
  NearestSiteOptions options{.method = Method::one_jfa};
  options.flooding.steps = {1, 20, 10, 5, 2, 1};
  const Raster sites = random_sites({30, 40}, 10, 2);
  Raster labels = Raster::of<std::int32_t>(sites.extents());
  Context context({.device = "cpu"});
  nearest_site(context, sites.view(), options, {.labels = labels.view()});
  const Raster picture = read("made/labels-40x30.pgm");
  ASSERT_EQ(picture.extents(), labels.extents());
  for (std::int64_t i = 0; i < picture.extents().count(); ++i)
    ASSERT_EQ(picture.view<std::uint8_t>().data()[i],
              71 * labels.view<std::int32_t>().data()[i] % 253);
  EXPECT_EQ(run(line).exit_code, 2);
  EXPECT_EQ(run(line + " --overwrite").exit_code, 0);
}

TEST_F(BenchTest, JfaStarCountsThePassesOfEveryMethod) {
  const Json tables = tables_of(kSmall);
  const auto methods = by_method(tables.at("methods"));
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
  EXPECT_EQ(methods.size(), steps.size() + 1);  // and the exact one
  for (const auto& [method, expected] : steps) {
    ASSERT_EQ(methods.count(method), 1U) << method;
    const Json& row = methods.at(method);
    EXPECT_EQ(row.at("height"), 50);
    EXPECT_EQ(row.at("width"), 60);
    EXPECT_EQ(by_pass(tables, method, "step"), Json(expected)) << method;
    EXPECT_EQ(row.at("passes"), expected.size() - 1) << method;
    EXPECT_EQ(row.at("steps"), Json(std::vector<int>(expected.begin() + 1, expected.end())));
    EXPECT_GT(row.at("ms"), 0.0) << method;
  }
}

TEST_F(BenchTest, JfaStarTellsTheErrorsThatCompareFinds) {
  const Json tables = tables_of(kSmall);
  const Array<std::int64_t> exact = site_index("exact");
  for (const auto& [method, row] : by_method(tables.at("methods"))) {
    if (method == "exact") continue;
    const Array<std::int64_t> found = site_index(method);
    const Comparison compared =
        compare({.site_index_a = exact.view(), .site_index_b = found.view()},
                {.metric = Metric::euclidean});
    EXPECT_EQ(row.at("differing"), compared.differing) << method;
    EXPECT_EQ(row.at("wrong"), compared.differing - compared.ties) << method;
    EXPECT_EQ(row.at("unreached"), compared.mismatched) << method;
    EXPECT_EQ(row.at("largest_error_cells"), compared.largest_excess) << method;
    for (const char* const column : {"differing", "wrong", "unreached", "largest_error_cells"})
      EXPECT_EQ(by_pass(tables, method, column).back(), row.at(column)) << method << " " << column;
  }
}

/// With so many sites on so few cells JFA+ is wrong in many.
TEST_F(BenchTest, JfaStarTellsErrorsThatAreNoTies) {
  const Json row =
      by_method(tables_of("jfa-star --case 90x90,900 --sizes 8 --sites 4 --quick").at("methods"))
          .at("jfa-plus");
  const Raster sites = random_sites({90, 90}, 900, 0);
  const auto solve = [&](Method by) {
    return nearest_site(sites.view(), {.method = by}, {.site_index = true}).site_index;
  };
  const Array<std::int64_t> exact = solve(Method::exact), found = solve(Method::jfa_plus);
  const Comparison compared = compare({.site_index_a = exact.view(), .site_index_b = found.view()},
                                      {.metric = Metric::euclidean});
  EXPECT_GT(compared.differing, compared.ties);
  EXPECT_EQ(row.at("differing"), compared.differing);
  EXPECT_EQ(row.at("wrong"), compared.differing - compared.ties);
  EXPECT_EQ(row.at("largest_error_cells"), compared.largest_excess);
}

TEST_F(BenchTest, EntropyIsThatOfWindows) {
  const Json tables = tables_of(kSmall);
  for (const auto& [method, row] : by_method(tables.at("methods"))) {
    EXPECT_NEAR(row.at("entropy").get<double>(), plain_entropy(site_index(method)), 1e-9) << method;
    if (method == "exact") continue;
    EXPECT_EQ(by_pass(tables, method, "entropy").back(), row.at("entropy")) << method;
  }
}

/// Noise has the greatest entropy and is put in order pass by pass. Without noise an image is first
/// empty, then full of scattered sites, then in order.
TEST_F(BenchTest, EntropyFallsFromNoiseAndRisesFromNothing) {
  const Json tables = tables_of("jfa-star --case 128x128,200 --sizes 8 --sites 4 --quick");
  const double exact = by_method(tables.at("methods")).at("exact").at("entropy");
  const std::vector<double> star = by_pass(tables, "jfa-star", "entropy");
  EXPECT_GT(star.front(), 3.0);
  for (std::size_t i = 1; i < star.size(); ++i) EXPECT_LE(star[i], star[i - 1]) << i;
  EXPECT_NEAR(star.back(), exact, 0.01);
  const std::vector<double> plain = by_pass(tables, "jfa", "entropy");
  EXPECT_LT(plain.front(), exact);
  EXPECT_LT(plain.front(), plain[1]);
  EXPECT_GT(*std::max_element(plain.begin(), plain.end()), 1.5);
  EXPECT_NEAR(plain.back(), exact, 0.01);
}

TEST_F(BenchTest, TheSweepLeavesOutWhatCannotBe) {
  const Json report = report_of(kSmall);
  std::set<Case> found;
  for (const Json& row : report.at("tables").at("sweep")) found.insert(case_of(row));
  EXPECT_EQ(found, (std::set<Case>{{8, 8, 4}, {16, 16, 4}, {16, 16, 100}}));
  const Json& skipped = report.at("tables").at("skipped");
  ASSERT_EQ(skipped.size(), 1U);
  EXPECT_EQ(skipped[0].at("height"), 8);
  EXPECT_EQ(skipped[0].at("sites"), 100);
  EXPECT_EQ(report.at("rounds"), 1);
}

TEST_F(BenchTest, TheTablesSayWhereJfaStarFallsShort) {
  const Json tables = tables_of("jfa-star --case 128x128,2000 --sizes 8 --sites 4 --quick");
  EXPECT_EQ(tables.at("slides")[0].at("claimed"), 4);
  EXPECT_EQ(by_method(tables.at("methods")).at("jfa-star").at("passes"), 6);
  const Json wrong = by_pass(tables, "jfa-star", "wrong_percent");
  EXPECT_GT(wrong[4], 1.0);
  EXPECT_LT(wrong[6], wrong[4]);
}

/// Cells that have another site than what spreads from the sites' own cells brings, in as many
/// rounds as there are cells.
int plain_disconnected(const Array<std::int64_t>& cells) {
  const auto site = cells.view();
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
  const auto methods = by_method(tables_of(kSmall).at("methods"));
  for (const char* const method : {"jfa-star-paper", "jfa-star", "exact"})
    EXPECT_EQ(methods.at(method).at("disconnected"), plain_disconnected(site_index(method)))
        << method;
  EXPECT_GT(methods.at("jfa-star-paper").at("disconnected"), 0);
}

/// 720 cells and 2000 sites have these steps in the slides.
TEST_F(BenchTest, JfaStarHasTheColumnsOfTheSlides) {
  const Json columns =
      tables_of("jfa-star --case 720x20,2000 --sizes 8 --sites 4 --quick").at("slides");
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

TEST_F(BenchTest, JfaStarLeavesTheRastersOfTheFigures) {
  const Json report = report_of(kSmall + " --output made");
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path("made")))
    files.insert(entry.path().filename());
  EXPECT_EQ(files, (std::set<std::string>{
                       "answers-circle.npy", "answers-grid.npy", "entropy-circle.npy",
                       "entropy-exact.npy", "entropy-grid.npy", "methods.csv", "passes.csv",
                       "report.json", "same-step-circle.npy", "same-step-exact.npy",
                       "same-step-grid.npy", "skipped.csv", "slides.csv", "sweep.csv"}));
  const Json kept = Json::parse(read_bytes("made/report.json"));
  EXPECT_EQ(kept, report);
  const Raster sites = random_sites({50, 60}, 40, 5);
  const auto expect_labels = [&](const std::string& name, const std::string& method) {
    const Raster labels = read("made/" + name);
    const Array<std::int64_t> index = site_index(method);
    ASSERT_EQ(labels.extents(), index.extents());
    for (std::int64_t i = 0; i < index.size(); ++i)
      ASSERT_EQ(labels.view<std::int32_t>().data()[i],
                sites.view<std::int32_t>().data()[index.data()[i]])
          << name << " " << i;
  };
  expect_labels("answers-circle.npy", "jfa-star-paper");
  expect_labels("answers-grid.npy", "jfa+1-paper");
  expect_labels("same-step-exact.npy", "exact");
  // In the exact answer there is an edge, and there are places without one.
  const Raster entropy = read("made/entropy-exact.npy");
  ASSERT_EQ(entropy.extents(), (Extents{50, 60}));
  const float* const bits = entropy.view<float>().data();
  EXPECT_EQ(*std::min_element(bits, bits + 50 * 60), 0.0F);
  EXPECT_GE(*std::max_element(bits, bits + 50 * 60), 0.9F);
  EXPECT_NEAR(std::accumulate(bits, bits + 50 * 60, 0.0) / (50 * 60),
              by_method(report.at("tables").at("methods")).at("exact").at("entropy").get<double>(),
              1e-5);
}

/// After four passes the noise has left no empty cell; the grid without noise still has many.
TEST_F(BenchTest, TheSameStepShowsCircleAgainstGrid) {
  EXPECT_EQ(run("jfa-star --case 200x200,30 --sizes 8 --sites 4 --quick -q --output f").exit_code,
            0);
  const auto empty = [&](const std::string& name) {
    const Raster labels = read("f/same-step-" + name + ".npy");
    const std::int32_t* const label = labels.view<std::int32_t>().data();
    return std::count(label, label + 200 * 200, 0);
  };
  EXPECT_EQ(empty("circle"), 0);
  EXPECT_GT(empty("grid"), 1000);
  EXPECT_EQ(empty("exact"), 0);
}

const std::string kRaster =
    "raster --size 40x30 --size 90x70 --sites 20 --sweep 1,7,300 --sweep-size 50x40 "
    "--rounds 1";

TEST_F(BenchTest, RasterRunsTheWaysOfThePaperOnEveryDevice) {
  const Json report = report_of(kRaster + " --threads 2");
  EXPECT_EQ(report.at("command"), "raster");
  EXPECT_EQ(report.at("metric"), "manhattan");
  const Json& tables = report.at("tables");
  EXPECT_EQ(tables.at("paper")[4].at("gpu_ms"), 219.0);
  std::map<Case, std::vector<std::string>> on_cpu;
  std::map<std::string, int> allotments;
  for (const char* const table : {"by_size", "by_sites"})
    for (const Json& way : tables.at(table)) {
      EXPECT_TRUE(way.at("agrees").get<bool>()) << way;
      EXPECT_GT(way.at("ms"), 0.0) << way;
      if (way.at("device") == "cpu")
        on_cpu[case_of(way)].push_back(way.at("method").get<std::string>() +
                                       way.at("threads").dump() +
                                       (way.contains("whole_raster") ? "w" : ""));
      if (way.contains("allotment")) ++allotments[way.at("allotment")];
    }
  EXPECT_EQ(allotments["cyclic"], allotments["contiguous"]);
  EXPECT_EQ(tables.value("allotments", Json::array()).size(), allotments["cyclic"]);
  for (const Case& each : {Case{30, 40, 20}, {70, 90, 20}, {40, 50, 1}, {40, 50, 7}, {40, 50, 300}})
    EXPECT_EQ(on_cpu[each],
              (std::vector<std::string>{"brute-force1", "chamfer1", "raster-gpu1", "raster-gpu2",
                                        "exact1", "exact2", "circle-growing1", "circle-growing1w",
                                        "dilation1", "dilation1w", "expansion1", "expansion1w"}));
  EXPECT_EQ(on_cpu.size(), 5U);
}

/// How many times as long each way takes on the last raster, and with the last number of sites.
TEST_F(BenchTest, RasterTellsHowTimesGrow) {
  const Json tables = tables_of(kRaster + " --device cpu --threads 1");
  for (const std::string by : {"size", "sites"}) {
    const Json& ways = tables.at("by_" + by);
    std::vector<double> factors;
    for (const Json& row : tables.at("growth"))
      if (row.at("by") == by) factors.push_back(row.at("factor"));
    const std::size_t count = factors.size();
    ASSERT_GT(count, 0U);
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_DOUBLE_EQ(factors[i], ways[ways.size() - count + i].at("ms").get<double>() /
                                       ways[i].at("ms").get<double>());
  }
}

/// Methods to the letter of the paper are measured on the rasters of the sweep.
TEST_F(BenchTest, RasterCountsTheErrorsOfTheLetter) {
  const Json errors =
      tables_of(
          "raster --size 9x9 --sites 1 --sweep 1,400 --sweep-size 120x90 --rounds 1 --device cpu")
          .at("errors");
  ASSERT_EQ(errors.size(), 5U);  // one site is nobody's error
  for (const Json& error : errors) {
    EXPECT_EQ(error.at("height"), 90);
    EXPECT_EQ(error.at("width"), 120);
    EXPECT_EQ(error.at("sites"), 400);
    EXPECT_EQ(error.at("labels_carried"), error.at("method") != "chamfer");
    EXPECT_GE(error.at("differing"), error.at("wrong"));
    EXPECT_GT(error.at("differing"), 0) << error;
    EXPECT_EQ(error.at("wrong") > 0, error.at("method") != "dilation") << error;
    EXPECT_EQ(error.at("largest_excess_cells") > 0, error.at("wrong") > 0) << error;
  }
}

/// The methods that look at the whole raster agree by the other metric, too; they are left out
/// where they take long.
TEST_F(BenchTest, RasterMethodsOnTheWholeRaster) {
  const Json tables = tables_of(
      "raster --metric chessboard --size 70x1 --sites 3 --sweep 1,9 --sweep-size 150x150 "
      "--rounds 1 --device cpu --threads 1");
  for (const char* const table : {"by_size", "by_sites"})
    for (const Json& way : tables.at(table)) {
      const bool long_one =
          way.at("sites") == 1 && way.at("method") == "expansion" && way.contains("whole_raster");
      EXPECT_EQ(way.contains("reason"), long_one) << way;
      if (!long_one) {
        EXPECT_TRUE(way.at("agrees").get<bool>()) << way;
      }
    }
}

TEST_F(BenchTest, RasterHasTheTableOfThePaper) {
  const Outcome outcome = run(kRaster + " --metric chessboard --device cpu --quiet");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  for (const char* const text :
       {"# by_size\n", "# by_sites\n", "# paper\n", "\n800,1000,100,126.4,67.9,109.1\n"})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << "\n" << outcome.out;
}

/// The test of plots.py draws tables that have the columns of these.
TEST_F(BenchTest, TheTablesHaveTheColumnsThatAreDrawn) {
  std::ifstream file(THIESSEN_SOURCES "/bench/papers/test_plots.py");
  const std::string test{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::vector<std::pair<std::string, std::vector<std::string>>> tables{
      {kSmall, {"passes", "sweep"}},
      {kRaster + " --device cpu", {"by_size", "by_sites", "paper"}},
      {"stiffness --quick --device cpu", {"times"}}};
  for (const auto& [line, names] : tables) {
    ASSERT_EQ(run(line + " --quiet --overwrite --output made").exit_code, 0) << line;
    for (const std::string& name : names)
      EXPECT_NE(test.find(lines_of(read_bytes("made/" + name + ".csv")).at(0)), std::string::npos)
          << name;
  }
}

TEST_F(BenchTest, FilesThatExistStay) {
  std::filesystem::create_directory(path("made"));
  write_bytes("made/passes.csv", "old");
  EXPECT_EQ(run(kSmall + " --output made").exit_code, 2);
  EXPECT_EQ(read_bytes("made/passes.csv"), "old");
  EXPECT_EQ(names(), std::vector<std::string>{"made"});
  EXPECT_EQ(run(kSmall + " --output made --overwrite").exit_code, 0);
  EXPECT_TRUE(read_bytes("made/passes.csv").starts_with("method,pass,step,entropy,"));
}

/// The figures are there before the sweep begins, and stay when a signal ends it.
TEST_F(BenchTest, ASignalEndsItAndLeavesTheFigures) {
  const auto has_figures = [this](pid_t) {
    return std::filesystem::exists(path("made/slides.csv"));
  };
  const Outcome outcome =
      run("jfa-star --case 60x50,40 --sizes 4096 --sites 65536 --output made",
          {.interruption = Interruption{.signal = SIGINT, .ready = has_figures}});
  EXPECT_EQ(outcome.exit_code, 130);
  EXPECT_NE(outcome.err.find("case 1 of 2, 60x50, 40 sites"), std::string::npos) << outcome.err;
  for (const char* const name : {"made/passes.csv", "made/answers-circle.npy"})
    EXPECT_TRUE(std::filesystem::exists(path(name))) << name;
  for (const char* const name : {"made/sweep.csv", "made/report.json"})
    EXPECT_FALSE(std::filesystem::exists(path(name))) << name;
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
  expect_trouble("thrust --device nonsense", "nonsense");
  expect_trouble("thrust --device cpu --device cpu", "--device");
  expect_trouble("thrust words", "words");
  expect_trouble("thrust --ronuds 3", "mean --rounds? (see thiessen-bench thrust --help)");
  expect_trouble("thurst", "no command 'thurst'; did you mean thrust?");
  expect_trouble("thrust --output /dev/null/made", "--output /dev/null/made");
  expect_trouble("jfa-star --case 10x10", "--case 10x10");
  expect_trouble("jfa-star --case 10x10,101", "101");
  expect_trouble("jfa-star --case 10,10", "--case");
  expect_trouble("jfa-star --sizes 0", "--sizes 0");
  expect_trouble("jfa-star --sizes 64,,128", "--sizes");
  expect_trouble("jfa-star --sizes 50000", "--sizes 50000");
  expect_trouble("jfa-star --sites 8,x", "--sites x");
  expect_trouble("jfa-star --rounds 1.5", "--rounds 1.5");
  expect_trouble("jfa-star --timing", "--timing");
  expect_trouble("raster --size 4", "--size 4");
  expect_trouble("raster --size 9x9", "--sites 100");
  expect_trouble("raster --sweep 0", "--sweep 0");
  expect_trouble("raster --sweep 1,9 --sweep-size 2x2", "--sweep 9");
  expect_trouble("raster --metric euclidean", "euclidean");
  expect_trouble("raster --device nonsense", "nonsense");
  expect_trouble("raster --threads 1025", "--threads 1025");
}

/// Rows of the table of times, by map and size.
std::vector<Json> cases_of(const Json& times) {
  std::vector<Json> cases;
  for (const Json& row : times) {
    const auto same = [&](const char* column) {
      return cases.back()[0].at(column) == row.at(column);
    };
    if (cases.empty() || !same("map") || !same("height") || !same("width")) cases.emplace_back();
    cases.back().push_back(row);
  }
  return cases;
}

TEST_F(BenchTest, StiffnessHasTheRowsOfTheTable) {
  const Json tables = tables_of("stiffness --rounds 1 --largest 256 --threads 2 --device cpu");
  const std::vector<Json> cases = cases_of(tables.at("times"));
  ASSERT_EQ(cases.size(), 12U);
  EXPECT_EQ(tables.at("carried").size(), 11U);  // of all but the maze
  for (const Json& rows : cases) {
    const bool is_of_paper = rows[0].at("height") < 256;
    EXPECT_EQ(rows.back().at("method") == "paper", is_of_paper);
    const Json& exact = rows[rows.size() - (is_of_paper ? 3 : 1)];
    EXPECT_EQ(exact.at("method"), "exact");
    EXPECT_EQ(exact.at("threads"), 2);
    EXPECT_GT(exact.at("mean_ms"), 0);
  }
  const Json& last = cases[7];
  ASSERT_EQ(last.size(), 5U);
  EXPECT_EQ(last[0].at("height"), 200);
  EXPECT_EQ(last[0].at("width"), 500);
  EXPECT_EQ(last[4].at("device"), "GTX 480");
  EXPECT_EQ(last[4].at("iterations"), 54);
  EXPECT_EQ(std::floor(last[4].at("active_cells").get<double>()), 1851);
  const Json& carried = tables.at("carried")[7];
  EXPECT_EQ(carried.at("width"), 500);
  EXPECT_GT(carried.at("differing"), 0);
  EXPECT_LT(carried.at("differing"), 1000);
  // What the paper has of the sequential method, and about as many rounds as its own.
  const Json& dijkstra = last[0];
  EXPECT_EQ(dijkstra.at("method"), "dijkstra");
  EXPECT_EQ(dijkstra.at("threads"), 1);
  EXPECT_EQ(dijkstra.at("iterations"), 100000);
  EXPECT_FALSE(dijkstra.contains("active_cells"));
  const Json& relaxation = last[1];
  EXPECT_EQ(relaxation.at("method"), "relaxation");
  EXPECT_GE(relaxation.at("iterations"), 32);
  EXPECT_LE(relaxation.at("iterations"), 64);
  // Every cell is active once or more, but few of them at a time.
  const double active = relaxation.at("active_cells");
  EXPECT_GE(active * relaxation.at("iterations").get<double>(), 100000);
  EXPECT_LT(active, 0.05 * 100000);
  EXPECT_DOUBLE_EQ(relaxation.at("active_percent").get<double>(), active / 1000);
}

TEST_F(BenchTest, StiffnessLeavesTheRastersOfTheFigure) {
  const Outcome outcome = run("stiffness --quick --device cpu --output made --quiet");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const Raster map = read("made/map.npy"), sites = read("made/sites.npy");
  const Raster cells = read("made/cells.npy");
  const Extents extents{200, 500};
  for (const Raster* const raster : {&map, &sites, &cells}) ASSERT_EQ(raster->extents(), extents);
  const float* const stiffness = map.view<float>().data();
  EXPECT_FLOAT_EQ(*std::min_element(stiffness, stiffness + extents.count()), 0.1F);
  EXPECT_FLOAT_EQ(*std::max_element(stiffness, stiffness + extents.count()), 1.0F);
  const std::int32_t* const site = sites.view<std::int32_t>().data();
  const std::int32_t* const cell = cells.view<std::int32_t>().data();
  EXPECT_EQ(extents.count() - std::count(site, site + extents.count(), 0), 200);
  for (std::int64_t i = 0; i < extents.count(); ++i) {
    if (site[i] != 0) {
      ASSERT_EQ(cell[i], site[i]) << i;
    }
  }
}

TEST_F(BenchTest, StiffnessLeavesOutWhatTheDeviceLacks) {
  const std::vector<DeviceInfo> all = devices();
  const auto device = std::find_if(all.begin(), all.end(), [](const DeviceInfo& each) {
    return each.available && each.name.starts_with("opencl");
  });
  if (device == all.end()) GTEST_SKIP() << "no device of OpenCL";
  const Json tables = tables_of("stiffness --quick --device " + device->name);
  const Json& left_out = tables.at("left_out");
  ASSERT_EQ(left_out.size(), 1U);
  EXPECT_EQ(left_out[0].at("method"), "exact");
  EXPECT_EQ(left_out[0].at("device"), device->name);
  for (const Json& rows : cases_of(tables.at("times"))) {
    ASSERT_EQ(rows.size(), 4U);
    EXPECT_EQ(rows[1].at("method"), "relaxation");
    EXPECT_EQ(rows[1].at("device"), device->name);
    EXPECT_GT(rows[1].at("mean_ms"), 0.0);
  }
}

/// Wrong flags of `stiffness` are refused by name.
TEST_F(BenchTest, StiffnessRefuses) {
  expect_trouble("stiffness --rounds 0", "--rounds 0");
  expect_trouble("stiffness --largest -1", "--largest");
  expect_trouble("stiffness --device nonsense", "nonsense");
  expect_trouble("stiffness --threads 1025", "--threads 1025");
}

}  // namespace
}  // namespace thiessen::cli
