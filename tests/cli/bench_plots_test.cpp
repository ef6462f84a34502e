// SPDX-License-Identifier: Apache-2.0
//
// The plots of the measurements as readers see them: nothing is cut off, and lines go from left to
// right.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

/// All matches of a pattern, each with its groups.
std::vector<std::smatch> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  return {std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()};
}

/// Where texts end, at 0.6 times the font size a character.
double right_end(const std::string& svg) {
  double right = 0;
  const std::string text =
      R"re(<text x="([\d.]+)" y="[\d.]+" text-anchor="(\w+)"(?: font-size="(\d+)")?>([^<]*)<)re";
  for (const std::smatch& found : matches(svg, text)) {
    const double size = found[3].matched ? std::stod(found[3]) : 12;
    const double share = found[2] == "start" ? 1 : found[2] == "middle" ? 0.5 : 0;
    const double width = 0.6 * size * static_cast<double>(found[4].length());
    right = std::max(right, std::stod(found[1]) + share * width);
  }
  return right;
}

/// Whether the points of a line come from left to right.
bool is_sorted(const std::string& points) {
  std::istringstream words(points);
  std::vector<double> places;
  for (std::string word; words >> word;) places.push_back(std::stod(word));
  return std::is_sorted(places.begin(), places.end());
}

void expect_all_is_seen(const std::string& svg) {
  const auto view = matches(svg, R"re(viewBox="0 0 ([\d.]+) ([\d.]+)")re");
  ASSERT_EQ(view.size(), 1U);
  EXPECT_GT(right_end(svg), 600);
  EXPECT_LE(right_end(svg), std::stod(view[0][1]));
  const auto lines = matches(svg, R"re(<polyline [^>]*points="([^"]*)")re");
  EXPECT_FALSE(lines.empty());
  for (const std::smatch& line : lines) EXPECT_TRUE(is_sorted(line[1])) << line[1];
}

class BenchPlotsTest : public CommandTest {
 protected:
  void expect_readable(const std::string& file) const {
    SCOPED_TRACE(file);
    expect_all_is_seen(read_bytes(file));
  }
};

/// The plots of the pages.
TEST(PlotsOfThePagesTest, ShowAllOfTheirLegends) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator(THIESSEN_SOURCES "/docs/images")) {
    if (entry.path().extension() != ".svg") continue;
    SCOPED_TRACE(entry.path());
    std::ifstream file(entry.path());
    expect_all_is_seen({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
    ++seen;
  }
  EXPECT_GE(seen, 2);
}

TEST_F(BenchPlotsTest, RasterShowsAllOfItsLegends) {
  const Outcome outcome =
      run("bench raster --size 90x70 --size 40x30 --sites 100 --sweep 20,1 --sweep-size 50x40 "
          "--rounds 1 --device cpu --threads 2 --plots plots --quiet");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_readable("plots/time-by-size.svg");
  expect_readable("plots/time-by-sites.svg");
}

TEST_F(BenchPlotsTest, JfaStarShowsAllOfItsLegends) {
  const Outcome outcome =
      run("bench jfa-star --case 60x50,40 --sizes 16,8 --sites 4 --rounds 1 --plots plots --quiet");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  for (const char* const name :
       {"entropy-by-pass.svg", "wrong-by-pass.svg", "time-by-size-4.svg", "wrong-by-size-4.svg"})
    expect_readable(std::string("plots/") + name);
}

TEST_F(BenchPlotsTest, StiffnessHasTheTwoPanelsOfTheFigure) {
  const Outcome outcome =
      run("bench stiffness --rounds 1 --largest 0 --device cpu --plot speed.svg --quiet");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_readable("speed.svg");
  const std::string svg = read_bytes("speed.svg");
  EXPECT_EQ(matches(svg, ">\\(a\\) Uniform stiffness|>\\(b\\) Gradient stiffness").size(), 2U);
  EXPECT_EQ(matches(svg, "<polyline").size(), 6U);
}

TEST_F(BenchPlotsTest, StiffnessDrawsAllFiguresOfThePaper) {
  const std::string command =
      "bench stiffness --rounds 1 --largest 0 --device cpu --figures figures --quiet";
  const Outcome outcome = run(command);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  expect_readable("figures/figure-2.svg");
  const Extents pixels{600, 1500};
  EXPECT_EQ(read("figures/figure-1a.png").extents(), pixels);
  const Raster cells = read("figures/figure-1b.png");
  ASSERT_EQ(cells.extents(), pixels);
  const std::uint32_t* const pixel = cells.view<std::uint32_t>().data();
  EXPECT_EQ(std::count(pixel, pixel + pixels.count(), 0xFF0000U), 200 * 9);
  const Outcome again = run(command);
  EXPECT_NE(again.exit_code, 0);
  EXPECT_NE(again.err.find("figure-1a.png"), std::string::npos) << again.err;
}

TEST_F(BenchPlotsTest, StiffnessLeavesOutWhatTheDeviceLacks) {
  const std::vector<DeviceInfo> all = devices();
  const auto device = std::find_if(all.begin(), all.end(), [](const DeviceInfo& each) {
    return each.available && each.name.starts_with("opencl");
  });
  if (device == all.end()) GTEST_SKIP() << "no device of OpenCL";
  const Outcome outcome = run(
      "bench stiffness --rounds 1 --largest 0 --plot speed.svg --json --device " + device->name);
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(matches(outcome.err, "\nexact is left out on opencl").size(), 1U) << outcome.err;
  const nlohmann::json report = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(report.at("left_out").size(), 1U);
  EXPECT_EQ(report.at("left_out")[0].at("method"), "exact");
  EXPECT_EQ(report.at("left_out")[0].at("device"), device->name);
  for (const nlohmann::json& result : report.at("results")) {
    ASSERT_EQ(result.at("ways").size(), 2U);
    EXPECT_EQ(result.at("ways")[1].at("method"), "relaxation");
    EXPECT_EQ(result.at("ways")[1].at("device"), device->name);
    EXPECT_GT(result.at("ways")[1].at("mean_ms"), 0.0);
  }
  EXPECT_EQ(matches(read_bytes("speed.svg"), "<polyline").size(), 4U);
}

}  // namespace
}  // namespace thiessen::cli
