// SPDX-License-Identifier: Apache-2.0
//
// The flags of `voronoi` for jump flooding.
#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/command.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen::cli {
namespace {

class FloodingTest : public CommandTest {
 protected:
  /// The flags have the same effect as the options, for 30 random sites.
  void expect_answer(const std::string& flags, const NearestSiteOptions& options,
                     std::uint64_t seed) const {
    SCOPED_TRACE(flags);
    const Extents extents{57, 80};
    Raster sites = Raster::of<std::int32_t>(extents);
    Raster labels = Raster::of<std::int32_t>(extents);
    Context context;
    random_sites(context, sites.view(), 30, seed);
    nearest_site(context, std::as_const(sites).view(), options, {.labels = labels.view()});
    succeed("voronoi --random 30 --size 80x57 --overwrite --labels l.npy " + flags);
    const Raster found = read("l.npy");
    ASSERT_EQ(found.size_bytes(), labels.size_bytes());
    EXPECT_EQ(std::memcmp(found.bytes(), labels.bytes(), labels.size_bytes()), 0);
  }

  void expect_refused(const std::string& flags, const std::string& message) const {
    const Outcome outcome = run("voronoi --labels o.npy " + flags);
    EXPECT_EQ(outcome.exit_code, 2) << flags;
    expect_one_line_of_complaint(outcome);
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_TRUE(names().empty()) << flags;
  }
};

TEST_F(FloodingTest, OptionsReachTheLibrary) {
  expect_answer("--method jfa", {.method = Method::jfa}, 0);
  expect_answer("--method jfa-star --seed 9", {.method = Method::jfa_star, .flooding = {.seed = 9}},
                9);
  expect_answer("--method jfa --steps 20,1",
                {.method = Method::jfa, .flooding = {.steps = {20, 1}}}, 0);
  expect_answer("--method jfa+1 --step-rule third",
                {.method = Method::jfa_one, .flooding = {.step_rule = StepRule::third}}, 0);
  expect_answer("--method jfa-coeurjolly --literal",
                {.method = Method::jfa_coeurjolly, .flooding = {.literal = true}}, 0);
  expect_answer(
      "--method jfa --pattern random-circle:9 --noise in-place --seed 2",
      {.method = Method::jfa,
       .flooding = {.pattern = Pattern::random_circle(9), .noise = Noise::in_place, .seed = 2}},
      2);
}

TEST_F(FloodingTest, BadFlagsAreRefused) {
  const std::string random = "--random 5 --size 9x9 ";
  const std::string jfa = random + "--method jfa ";
  expect_refused(jfa + "--steps 4,0", "--steps 4,0: must be from 1 to 2^30");
  expect_refused(jfa + "--steps 4,", "--steps 4,: '' must be");
  expect_refused(jfa + "--steps 2.5", "--steps 2.5: must be a whole number");
  expect_refused(jfa + "--step-rule thirds", "--step-rule thirds: must be one of pow2, half");
  expect_refused(jfa + "--step-rule half --steps 1",
                 "--step-rule is given; must not be with steps");
  expect_refused(jfa + "--literal", "--literal: is for jfa-coeurjolly");
  expect_refused(jfa + "--pattern circle:65", "--pattern circle:65: must be square");
  expect_refused(jfa + "--noise loud", "--noise loud: must be one of none, in-place, mask");
  expect_refused(random + "--steps 4", "--steps 4: is for methods of jump flooding");
  expect_refused(random + "--noise none", "--noise none: is for methods of jump flooding");
  expect_refused(random + "--frames f", "--frames is given");
  expect_refused(random + "--verify", "--verify: is for methods of jump flooding, not for exact");
  expect_refused("--random 5 --size 9x9x9 --method jfa --frames f",
                 "--frames f: pictures are made of 2-D rasters only");
  expect_refused("--random 5 --size 9x9x9 --method jfa-star", "circles are for 2-D rasters");
}

TEST_F(FloodingTest, ASeedMustBeOfUse) {
  write("s.npy", raster_of<std::uint8_t>({1, 2}, {0, 1}));
  const Outcome outcome = run("voronoi --sites s.npy --seed 3 --labels o.npy");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.err.find("--seed is given"), std::string::npos) << outcome.err;
  succeed("voronoi --sites s.npy --seed 3 --labels o.npy --method jfa-noise");
}

TEST_F(FloodingTest, FramesAreTheStartAndEveryPass) {
  succeed("voronoi --random 9 --size 31x20 --method jfa --labels l.npy --picture p.png --frames f");
  for (int pass = 0; pass <= 5; ++pass)
    EXPECT_TRUE(std::filesystem::exists(path("f/pass-0" + std::to_string(pass) + ".png"))) << pass;
  EXPECT_FALSE(std::filesystem::exists(path("f/pass-06.png")));
  EXPECT_EQ(read("f/pass-00.png").extents(), (Extents{20, 31}));
  const Outcome again =
      run("voronoi --random 9 --size 31x20 --method jfa --labels m.npy --frames f");
  EXPECT_EQ(again.exit_code, 1) << again.err;
  EXPECT_NE(again.err.find("pass-00.png"), std::string::npos) << again.err;
  succeed("voronoi --random 9 --size 31x20 --method jfa --labels m.npy --frames f --overwrite");
}

TEST_F(FloodingTest, FramesOfPointsAndMasks) {
  write_bytes("points.csv", "x,y,label\n3,4,7\n20,9,8\n");
  succeed("voronoi --sites points.csv --size 31x20 --method jfa --labels l.npy --frames f");
  write("mask.npy", raster_of<bool>({2, 3}, {true, false, false, false, false, true}));
  succeed("voronoi --sites mask.npy --method jfa --labels m.npy --frames g");
  EXPECT_TRUE(std::filesystem::exists(path("f/pass-05.png")));
  EXPECT_TRUE(std::filesystem::exists(path("g/pass-01.png")));
}

TEST_F(FloodingTest, VerifyTellsHowWrongTheAnswerIs) {
  const Outcome outcome =
      run("voronoi --random 300 --size 200x150 --method jfa --steps 8,1 --noise mask --labels "
          "l.npy --verify --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("verify: ")) << outcome.err;
  const nlohmann::json report = nlohmann::json::parse(outcome.out, nullptr, false)["verify"];
  EXPECT_EQ(report.value("cells", 0), 30'000);
  EXPECT_GT(report.value("wrong", 0), 0);
  EXPECT_GE(report.value("differing", 0), report.value("wrong", 0));
  EXPECT_EQ(report.value("unreached", -1), 0);
  EXPECT_GT(report.value("largest_error_cells", 0.0), 0);

  succeed("voronoi --random 300 --size 200x150 --labels e.npy");
  const nlohmann::json found =
      nlohmann::json::parse(run("compare e.npy l.npy --json").out, nullptr, false);
  EXPECT_EQ(report.value("differing", -1), found.value("differing", -2)) << found;
}

TEST_F(FloodingTest, VerifyOfAnExactAnswerFindsNothing) {
  const Outcome outcome =
      run("voronoi --random 3 --size 40x30 --method jfa2 --labels l.npy --verify --json");
  const nlohmann::json report = nlohmann::json::parse(outcome.out, nullptr, false)["verify"];
  EXPECT_EQ(report.value("differing", -1), 0);
  EXPECT_EQ(report.value("largest_error_cells", -1.0), 0);
  const Outcome quiet =
      run("voronoi --random 3 --size 40x30 --method jfa2 --labels m.npy --verify --quiet");
  EXPECT_EQ(quiet.err, "");
}

TEST_F(FloodingTest, EveryDeviceGivesTheSameAnswerAndVerifiesIt) {
  const std::string input = "voronoi --random 300 --size 200x150 --method jfa-star --seed 4 ";
  const Outcome cpu = run(input + "--labels cpu.npy --verify --device cpu");
  EXPECT_EQ(cpu.exit_code, 0) << cpu.err;
  for (const DeviceInfo& device : devices()) {
    if (!device.available) continue;
    const Outcome other =
        run(input + "--labels l.npy --overwrite --verify --device " + device.name);
    EXPECT_EQ(other.err, cpu.err) << device.name;
    EXPECT_EQ(read_bytes("l.npy"), read_bytes("cpu.npy")) << device.name;
  }
}

}  // namespace
}  // namespace thiessen::cli
