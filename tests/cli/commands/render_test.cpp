// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "cli/command.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

using Names = std::vector<std::string>;

class RenderCommandTest : public CommandTest {
 protected:
  void SetUp() override {
    succeed(
        "voronoi --random 12 --size 31x23 --seed 6 --labels l.npy --distance d.npy --picture "
        "v.png");
    Raster sites = Raster::of<std::int32_t>({23, 31});
    Context context;
    random_sites(context, sites.view(), 12, 6);
    write("s.npy", sites);
    write("cube.npy", raster_of<std::uint8_t>({2, 1, 3}, {1, 1, 1, 1, 2, 3}));
    before_ = names();
  }

  void expect_complaint(const std::string& arguments, const std::string& word, int exit_code = 2) {
    const Outcome outcome = run("render " + arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << arguments;
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
    EXPECT_EQ(names(), before_) << arguments;
  }

  Extents size_of_picture(const std::string& arguments) {
    succeed("render --labels l.npy -o p.png --overwrite " + arguments);
    return read("p.png").extents();
  }

  Names before_;
};

TEST_F(RenderCommandTest, PaintsWhatVoronoiPaints) {
  succeed("render --labels l.npy --distance d.npy --sites s.npy --output p.png");
  EXPECT_EQ(read_bytes("p.png"), read_bytes("v.png"));
}

TEST_F(RenderCommandTest, SizeIsChosenInThreeWays) {
  EXPECT_EQ(size_of_picture(""), (Extents{23, 31}));
  EXPECT_EQ(size_of_picture("--size 50x40"), (Extents{40, 50}));
  EXPECT_EQ(size_of_picture("--size 62"), (Extents{46, 62}));
  EXPECT_EQ(size_of_picture("--scale 3"), (Extents{69, 93}));
  EXPECT_EQ(size_of_picture("--scale 0.001"), (Extents{1, 1}));
}

TEST_F(RenderCommandTest, EveryLookIsAnotherPicture) {
  std::vector<std::string> pictures;
  for (const std::string look :
       {"", "--mode distance", "--mode distance --ramp ember", "--mode distance --ramp ice",
        "--mode distance --ramp grey", "--mode distance --ramp viridis",
        "--mode distance --ramp magma", "--mode distance --ramp cividis",
        "--mode distance --ramp-scale sqrt", "--mode distance --ramp-scale log",
        "--mode distance --range 1,3", "--edges none", "--edges ff0000", "--contours auto",
        "--contours 1.5", "--marks none", "--shade 0"}) {
    succeed(
        "render --labels l.npy --distance d.npy --sites s.npy --size 120 --overwrite -o p.ppm " +
        look);
    for (const std::string& other : pictures) EXPECT_NE(read_bytes("p.ppm"), other) << look;
    pictures.push_back(read_bytes("p.ppm"));
  }
}

TEST_F(RenderCommandTest, SpecialLabelsAndBackground) {
  write("l3.npy", raster_of<std::int32_t>({1, 3}, {5, 6, 7}));
  succeed(
      "render --labels l3.npy -o p.png --edges none --nodata 6 --unreached 7 --background #112233");
  const Raster picture = read("p.png");
  EXPECT_EQ(picture.view<std::uint32_t>().data()[1], 0xa0a0a0U);
  EXPECT_EQ(picture.view<std::uint32_t>().data()[2], 0x112233U);
}

TEST_F(RenderCommandTest, PaintsDistancesAloneAndPlanes) {
  succeed("render --distance d.npy --contours auto -o p.png");
  succeed("render --labels cube.npy --plane 0 -o p0.png");
  succeed("render --labels cube.npy --plane 1 -o p1.png");
  EXPECT_NE(read_bytes("p0.png"), read_bytes("p1.png"));
}

TEST_F(RenderCommandTest, APictureMayBeAnArray) {
  succeed("render --labels l.npy -o p.npy");
  succeed("render --labels l.npy -o p.ppm");
  const std::string array = read_bytes("p.npy");
  EXPECT_NE(array.find("'shape': (23, 31, 3)"), std::string::npos);
  const std::string picture = read_bytes("p.ppm");
  constexpr std::size_t kBytes = std::size_t{23} * 31 * 3;
  EXPECT_EQ(array.substr(array.size() - kBytes), picture.substr(picture.size() - kBytes));
}

/// --json has extents, pixels and files; --timing has the time.
TEST_F(RenderCommandTest, Reports) {
  const Outcome outcome = run("render --labels l.npy -o p.png --size 62 --json --timing");
  ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
  const nlohmann::json report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report["extents"], (std::vector<int>{23, 31}));
  EXPECT_EQ(report["pixels"], (std::vector<int>{46, 62}));
  EXPECT_EQ(report["files"], (Names{"p.png"}));
  EXPECT_NE(outcome.err.find("compute"), std::string::npos);
}

/// Bad inputs and options are refused, and no file is left.
TEST_F(RenderCommandTest, Complains) {
  const std::string labels = "--labels l.npy -o p.png ";
  write("none.npy", Raster::of<std::uint8_t>({0, 4}));
  write("flat.npy", raster_of<float>({1, 3}, {1, 2, 3}));
  before_ = names();
  expect_complaint("-o p.png", "nothing to paint");
  expect_complaint("--labels l.npy", "--output");
  expect_complaint("--labels missing.npy -o p.png", "missing.npy");
  for (const std::string name : {"p.npz", "p.pgm", "p", "p.jpg"})
    expect_complaint("--labels l.npy -o " + name, name +
                                                      ": a coloured picture is written as .png, "
                                                      ".ppm, .tif, .tiff, or .npy");
  expect_complaint("--labels none.npy -o p.png", "no cells");
  expect_complaint("--labels cube.npy -o p.png", "--plane");
  expect_complaint("--labels cube.npy --plane 2 -o p.png", "--plane 2");
  expect_complaint(labels + "--plane 0", "--plane 0");
  expect_complaint(labels + "--distance s.npy", "i32");
  expect_complaint("--labels none.npy --distance d.npy -o p.png", "no cells");
  expect_complaint("--labels cube.npy --plane 0 --distance d.npy -o p.png", "no planes");
  expect_complaint(labels + "--distance flat.npy", "extents");
  expect_complaint(labels + "--contours auto", "distance is missing");
  expect_complaint(labels + "--mode distance", "distance is missing");
  expect_complaint(labels + "--mode bogus", "--mode");
  expect_complaint(labels + "--distance d.npy --contours 0", "--contours 0");
  expect_complaint(labels + "--distance d.npy --contours x", "--contours x");
  expect_complaint(labels + "--range 3,1", "--range 3,1");
  expect_complaint(labels + "--range 3", "--range 3");
  expect_complaint(labels + "--edges red", "--edges red");
  expect_complaint(labels + "--background 12345", "--background 12345");
  expect_complaint(labels + "--shade 2", "shade");
  expect_complaint(labels + "--nodata 1.5", "--nodata 1.5");
  expect_complaint(labels + "--size 0", "--size 0");
  expect_complaint(labels + "--size 2x2x2", "--size 2x2x2");
  expect_complaint(labels + "--size 9 --scale 2", "--scale");
  expect_complaint(labels + "--scale 1e9", "at most");
  expect_complaint("--labels l.npy -o v.png", "v.png", 1);
}

}  // namespace
}  // namespace thiessen::cli
