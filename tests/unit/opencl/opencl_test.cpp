// SPDX-License-Identifier: Apache-2.0
//
// What the conformance suite does not see of the OpenCL backend: rasters of several pieces, lists
// of sites of several launches, refusals, kernels that do not compile, missing memory.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "core/base/context_state.hpp"
#include "opencl/cost/relaxation.hpp"
#include "opencl/device/device.hpp"
#include "opencl/device/memory.hpp"
#include "opencl/device/programs.hpp"
#include "opencl/exact.hpp"
#include "opencl/flood/jump_flood.hpp"
#include "opencl/raster/brute_force.hpp"
#include "opencl/raster/expansion.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using opencl::Capabilities;
using opencl::Device;
using opencl::DeviceMemory;

/// The first device that can be used; null if there is none.
Device* first_device() {
  for (const auto& device : opencl::find_devices().devices)
    if (device->reason().empty()) return device.get();
  return nullptr;
}

/// The message of the Error that a call throws, which must have this code.
template <class Call>
std::string refusal(ErrorCode code, const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "none";
}

struct Result {
  explicit Result(const Extents& extents)
      : labels(Raster::of<std::int32_t>(extents)),
        site_index(Raster::of<std::int64_t>(extents)),
        distance(Raster::of<double>(extents)) {}

  NearestSiteOutputs views() {
    return {.labels = labels.view(),
            .site_index = site_index.view<std::int64_t>(),
            .distance = distance.view()};
  }

  Raster labels, site_index, distance;
};

bool same(const Raster& a, const Raster& b) {
  const auto bytes =
      static_cast<std::size_t>(a.view().extents().count()) * size_of(a.view().element_type());
  return std::memcmp(a.bytes(), b.bytes(), bytes) == 0;
}

Raster random_raster(const Extents& extents, std::int64_t sites) {
  Raster raster = Raster::of<std::int32_t>(extents);
  Context context;
  random_sites(context, raster.view(), sites, 3);
  return raster;
}

/// Expects that CPU and OpenCL give the same answers.
void expect_agreement(const Raster& sites, const NearestSiteOptions& of_cpu,
                      const NearestSiteOptions& of_opencl) {
  Result truth(sites.view().extents());
  Context cpu({.device = "cpu"});
  nearest_site(cpu, sites.view(), of_cpu, truth.views());
  Result result(sites.view().extents());
  Context context({.device = "opencl"});
  nearest_site(context, sites.view(), of_opencl, result.views());
  EXPECT_TRUE(same(result.labels, truth.labels));
  EXPECT_TRUE(same(result.site_index, truth.site_index));
  EXPECT_TRUE(same(result.distance, truth.distance));
}

/// Expects that brute force agrees with the exact method.
void expect_agreement(const Raster& sites, const NearestSiteOptions& given = {}) {
  NearestSiteOptions brute_force = given;
  brute_force.method = Method::brute_force;
  expect_agreement(sites, given, brute_force);
}

void expect_flooding_agreement(const Raster& sites, const NearestSiteOptions& options) {
  expect_agreement(sites, options, options);
}

class Opencl : public ::testing::Test {
 protected:
  void SetUp() override {
    if (first_device() == nullptr) GTEST_SKIP() << "no device of OpenCL";
  }
};

TEST_F(Opencl, RowsLongerThanAPiece) {
  expect_agreement(random_raster({1, (1 << 20) + 37}, 5));
  expect_agreement(random_raster({2, (1 << 20) + 1}, 2), {.periodic = {false, true}});
}

TEST_F(Opencl, RastersOfSeveralPieces) {
  expect_agreement(random_raster({1500, 1501}, 9));
  expect_agreement(random_raster({(1 << 17) + 3, 1}, 9));
  expect_agreement(random_raster({33, 250, 251}, 9));
  expect_agreement(random_raster({1500, 1501}, 9), {},
                   {.method = Method::brute_force, .raster = {.allotment = Allotment::contiguous}});
}

/// At first a launch takes 256 sites of a whole piece.
TEST_F(Opencl, SitesOfSeveralLaunches) {
  expect_agreement(random_raster({1023, 1025}, 1000));
  expect_agreement(random_raster({1023, 1025}, 600), {.spacing = {1, 100}});  // in 64 bits
}

/// Expects that raster-gpu, by expansion, agrees.
void expect_raster_agreement(const Raster& sites, NearestSiteOptions options) {
  NearestSiteOptions of_cpu = options;
  of_cpu.method = options.metric == Metric::octagonal ? Method::expansion : Method::exact;
  options.method = Method::raster_gpu;
  options.raster = {.scan_sites = 10};
  expect_agreement(sites, of_cpu, options);
}

TEST_F(Opencl, ExpansionOfSeveralPieces) {
  expect_raster_agreement(random_raster({1050, 1001}, 20000), {.metric = Metric::octagonal});
  expect_raster_agreement(random_raster({1, (1 << 20) + 37}, 90), {});
  expect_raster_agreement(random_raster({41, 160, 161}, 20000), {.metric = Metric::chessboard});
  expect_raster_agreement(random_raster({37, 1030}, 200), {.spacing = {1, 100}});  // in 64 bits
}

TEST_F(Opencl, RasterGpuChoosesByTheNumberOfSites) {
  const Raster sites = random_raster({97, 101}, 60);
  Context context({.device = "opencl"});
  Result result(sites.view().extents());
  NearestSiteOptions options{.method = Method::raster_gpu};
  for (const std::int64_t most : {0, 59, 60, 1000000}) {
    options.raster = {.scan_sites = most};
    nearest_site(context, sites.view(), options, result.views());
    EXPECT_EQ(context.phases().back().name, most < 60 ? "expansion" : "brute force") << most;
  }
}

/// Expects that both agree by their method exact, which on OpenCL is another one.
void expect_exact_agreement(const Raster& sites, const NearestSiteOptions& options = {}) {
  expect_agreement(sites, options, options);
}

TEST_F(Opencl, ExactOfSeveralPiecesAndLaunches) {
  expect_exact_agreement(random_raster({2300, 2101}, 900));
  expect_exact_agreement(random_raster({1, (1 << 22) + 37}, 90));
  expect_exact_agreement(random_raster({(1 << 17) + 3, 5}, 3));
  expect_exact_agreement(random_raster({71, 250, 251}, 40), {.metric = Metric::manhattan});
  expect_exact_agreement(random_raster({71, 250, 251}, 4000), {.spacing = {3, 1, 2}});
}

/// Launches of some columns of a row of lines, of a few rows of lines, and pieces of a row.
TEST_F(Opencl, ExactOfSmallLaunchesAndPieces) {
  for (const Extents& extents : {Extents{41, 1100}, Extents{300, 9}, Extents{7, 20, 30}})
    for (const std::int64_t cells : {1, 50, 400, 2000}) {
      const Raster sites = random_raster(extents, 30);
      Result truth(extents);
      Result result(extents);
      Context cpu({.device = "cpu"});
      Context context({.device = "opencl"});
      context.state().limits.first_launch_cells = cells;
      context.state().limits.cells_per_piece = cells;
      nearest_site(cpu, sites.view(), {}, truth.views());
      nearest_site(context, sites.view(), {}, result.views());
      EXPECT_TRUE(same(result.site_index, truth.site_index)) << extents[0] << ", " << cells;
      EXPECT_TRUE(same(result.distance, truth.distance)) << extents[0] << ", " << cells;
    }
}

TEST_F(Opencl, ExactIn64Bits) {
  expect_exact_agreement(random_raster({401, 203}, 60), {.spacing = {1000.03, 1}});
  expect_exact_agreement(random_raster({3, (1 << 16) + 5}, 4),
                         {.periodic = {true, true}});  // squares beyond 2^30
  expect_exact_agreement(random_raster({2, 3, (1 << 16) + 5}, 4),
                         {.metric = Metric::manhattan, .spacing = {1e9, 1, 1e-3}});
}

/// Sites in few rows or planes, on lattices of ties and everywhere, with and without images.
TEST_F(Opencl, ExactOfRegularRasters) {
  for (const Extents& extents : {Extents{61, 83}, Extents{64, 64}, Extents{1, 1}, Extents{3, 1},
                                 Extents{9, 14, 17}, Extents{16, 1, 8}, Extents{2, 33, 1}})
    for (const std::int64_t step : {1, 2, 7, 64, 1000000})
      for (const Metric metric : {Metric::euclidean, Metric::manhattan})
        for (const bool periodic : {false, true}) {
          Raster sites = Raster::of<std::int32_t>(extents);
          auto* const cells = reinterpret_cast<std::int32_t*>(sites.bytes());
          for (std::int64_t i = step / 3; i < extents.count(); i += step)
            cells[i] = static_cast<std::int32_t>(i + 1);
          NearestSiteOptions options{.metric = metric};
          options.periodic.assign(static_cast<std::size_t>(extents.rank()), periodic);
          SCOPED_TRACE(std::to_string(extents[0]) + " x " + std::to_string(extents[1]) + " step " +
                       std::to_string(step) + (periodic ? " periodic" : ""));
          expect_exact_agreement(sites, options);
        }
}

TEST_F(Opencl, ExactNamesItsPhasesAndKeepsItsMemory) {
  const Raster sites = random_raster({5, 60, 70}, 70);
  Result result({5, 60, 70});
  Context context({.device = "opencl"});
  nearest_site(context, sites.view(), {}, result.views());
  const std::size_t bytes = context.scratch_bytes();
  nearest_site(context, sites.view(), {}, result.views());
  EXPECT_EQ(context.scratch_bytes(), bytes);
  std::string names;
  for (const Phase& phase : context.phases()) names += std::string(phase.name) + "; ";
  EXPECT_EQ(names, "bits of the sites; copy to device; rows; columns; planes; copy to host; ");
  context.release_scratch();
  EXPECT_EQ(context.scratch_bytes(), 0u);
  nearest_site(context, sites.view(), {}, result.views());
}

TEST_F(Opencl, FloodingOfSeveralPieces) {
  const Raster flat = random_raster({1100, 1501}, 900);
  expect_flooding_agreement(flat, {.method = Method::jfa});
  expect_flooding_agreement(flat, {.method = Method::jfa_star, .flooding = {.seed = 4}});
  expect_flooding_agreement(flat, {.method = Method::jfa_plus, .spacing = {1, 100}});  // in 64 bits
  expect_flooding_agreement(
      flat, {.method = Method::jfa_one,
             .periodic = {true, true},
             .flooding = {.steps = {300, 1}, .pattern = Pattern::random_circle(9), .seed = 1}});
  expect_flooding_agreement(random_raster({33, 250, 251}, 300),
                            {.method = Method::jfa_noise, .periodic = {false, true, false}});
  expect_flooding_agreement(random_raster({1, (1 << 20) + 37}, 90), {.method = Method::one_jfa});
  expect_flooding_agreement(random_raster({(1 << 20) + 37, 1}, 90),
                            {.method = Method::jfa, .flooding = {.steps = {5000, 1}}});
}

/// The longest step is far longer than any of these axes, and not a multiple of them.
TEST_F(Opencl, FloodingByTheLongestSteps) {
  const std::vector<std::int64_t> steps{1 << 30, 7, (1 << 30) - 1, 2, 1};
  for (const Pattern pattern : {Pattern::square(), Pattern::circle(12), Pattern::random_circle(9)})
    for (const bool periodic : {false, true})
      for (const Extents& extents : {Extents{47, 61}, Extents{200, 3}, Extents{1, 1}})
        expect_flooding_agreement(random_raster(extents, 1),
                                  {.method = Method::jfa_plus,
                                   .periodic = {periodic, periodic},
                                   .flooding = {.steps = steps, .pattern = pattern, .seed = 11}});
}

/// Passes are observed one by one, also without any site.
TEST_F(Opencl, PassesOfFloodingAreThoseOfTheCpu) {
  const Extents extents{60, 83};
  for (const std::int64_t sites : {0, 40})
    for (const Method method : {Method::jfa, Method::jfa_plus, Method::jfa_star}) {
      const Raster cells = random_raster(extents, sites);
      const auto passes = [&](const char* device) {
        std::vector<std::vector<std::int64_t>> all;
        NearestSiteOptions options{.method = method};
        options.flooding.on_pass = [&](const FloodingPass& pass) {
          all.emplace_back(pass.site_index.data(), pass.site_index.data() + extents.count());
          all.back().push_back(pass.number);
          all.back().push_back(pass.count);
          all.back().push_back(pass.step);
        };
        Context context({.device = device});
        Result result(extents);
        nearest_site(context, cells.view(), options, result.views());
        return all;
      };
      EXPECT_EQ(passes("opencl"), passes("cpu")) << name_of(method) << " " << sites;
    }
}

TEST_F(Opencl, FloodingKeepsItsMemoryAndNamesItsPhases) {
  const Raster sites = random_raster({300, 300}, 70);
  Result result({300, 300});
  Context context({.device = "opencl"});
  const auto run = [&] {
    nearest_site(context, sites.view(), {.method = Method::jfa, .flooding = {.steps = {5, 1}}},
                 result.views());
  };
  run();
  const std::size_t bytes = context.scratch_bytes();
  EXPECT_GE(bytes, 2u * 4 * 300 * 300);
  run();
  EXPECT_EQ(context.scratch_bytes(), bytes);
  std::string names;
  for (const Phase& phase : context.phases())
    names += std::string(phase.name) + " " + phase.detail + "; ";
  EXPECT_EQ(names,
            "list of sites ; copy to device ; start ; pass step 5; pass step 1; copy to host ; ");
}

TEST_F(Opencl, FloodingIsCancelledBetweenPasses) {
  const Raster sites = random_raster({300, 300}, 70);
  Result result({300, 300});
  Context context({.device = "opencl"});
  std::int64_t seen = 0;
  NearestSiteOptions options{.method = Method::jfa};
  options.flooding.on_pass = [&](const FloodingPass& pass) {
    seen = pass.number;
    if (seen == 3) context.cancel();
  };
  const auto run = [&] { nearest_site(context, sites.view(), options, result.views()); };
  EXPECT_EQ(refusal(ErrorCode::cancelled, run), "cancelled");
  EXPECT_EQ(seen, 3);
  options.flooding.on_pass = {};
  run();
}

TEST_F(Opencl, CoordinatesBeyond32BitsOfPoints) {
  const std::vector<double> points{0.5, -2e9, 3.25, 2e9, 1e9 + 0.125, 7};
  const Grid grid{.extents = {30, 40}};
  const PointList list{View<const double>(points.data(), {3, 2})};
  Result truth(grid.extents);
  Result result(grid.extents);
  Context cpu({.device = "cpu"});
  Context context({.device = "opencl"});
  const NearestSiteOptions options{.metric = Metric::manhattan};
  NearestSiteOptions brute_force = options;
  brute_force.method = Method::brute_force;
  voronoi(cpu, list, grid, options, truth.views());
  voronoi(context, list, grid, brute_force, result.views());
  EXPECT_TRUE(same(result.site_index, truth.site_index));
  EXPECT_TRUE(same(result.distance, truth.distance));
}

/// Points between centres, outside of the grid, several in one cell.
TEST_F(Opencl, FloodingOfPoints) {
  std::vector<double> points;
  for (int i = 0; i < 300; ++i) points.push_back(-3 + (i * 97 % 1000) / 8.0);
  const PointList list{View<const double>(points.data(), {150, 2})};
  const Grid grid{.extents = {90, 101}};
  for (const Method method : {Method::jfa, Method::jfa_noise, Method::jfa_plus, Method::jfa_star})
    for (const bool periodic : {false, true})
      for (const std::vector<double>& spacing : {std::vector<double>{1, 1}, {1, 1000}}) {
        const NearestSiteOptions options{
            .method = method, .spacing = spacing, .periodic = {periodic, false}};
        Result truth(grid.extents);
        Result result(grid.extents);
        Context cpu({.device = "cpu"});
        Context context({.device = "opencl"});
        voronoi(cpu, list, grid, options, truth.views());
        voronoi(context, list, grid, options, result.views());
        EXPECT_TRUE(same(result.site_index, truth.site_index)) << name_of(method);
        EXPECT_TRUE(same(result.distance, truth.distance)) << name_of(method);
      }
}

TEST_F(Opencl, BatchesAreRastersOneByOne) {
  const Raster sites = random_raster({5, 40, 50}, 60);
  Result truth({5, 40, 50});
  Result result({5, 40, 50});
  Context cpu({.device = "cpu"});
  Context context({.device = "opencl"});
  nearest_site_batch(cpu, sites.view(), {}, truth.views());
  nearest_site_batch(context, sites.view(), {.method = Method::brute_force}, result.views());
  EXPECT_TRUE(same(result.labels, truth.labels));
  EXPECT_TRUE(same(result.site_index, truth.site_index));
  EXPECT_TRUE(same(result.distance, truth.distance));
}

TEST_F(Opencl, RepeatedCallsKeepTheirMemory) {
  const Raster sites = random_raster({300, 300}, 70);
  Result result({300, 300});
  Context context({.device = "opencl", .threads = 2});
  EXPECT_EQ(context.threads(), 2);
  EXPECT_EQ(context.device().substr(0, 7), "opencl:");
  const auto run = [&] {
    nearest_site(context, sites.view(), {.method = Method::brute_force}, result.views());
  };
  run();
  const std::size_t bytes = context.scratch_bytes();
  EXPECT_GE(bytes, 2u * 2 * 4 * 300 * 300);  // winners on the device and on the host
  run();
  EXPECT_EQ(context.scratch_bytes(), bytes);
  context.release_scratch();
  EXPECT_EQ(context.scratch_bytes(), 0u);
  run();
  context.synchronize();
}

TEST_F(Opencl, ProgressGrowsToOneAndACallIsCancelled) {
  const Raster sites = random_raster({1000, 1000}, 2000);
  Result result({1000, 1000});
  Context context({.device = "opencl"});
  std::vector<double> fractions;
  const auto run = [&] {
    fractions.clear();
    nearest_site(context, sites.view(), {.method = Method::brute_force}, result.views());
  };
  context.on_progress([&](double fraction) { fractions.push_back(fraction); });
  run();
  ASSERT_GE(fractions.size(), 3u);
  for (std::size_t i = 1; i < fractions.size(); ++i) EXPECT_GT(fractions[i], fractions[i - 1]);
  EXPECT_EQ(fractions.back(), 1);
  context.on_progress([&](double fraction) {
    fractions.push_back(fraction);
    context.cancel();
  });
  EXPECT_EQ(refusal(ErrorCode::cancelled, run), "cancelled");
  EXPECT_LT(fractions.back(), 0.5);
  context.on_progress({});
  run();
}

TEST_F(Opencl, ContextsWorkAtTheSameTime) {
  const Raster sites = random_raster({200, 210}, 40);
  std::atomic<int> right{0};
  Result truth({200, 210});
  Context cpu;
  nearest_site(cpu, sites.view(), {}, truth.views());
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      Context context({.device = "opencl"});
      Result result({200, 210});
      nearest_site(context, sites.view(), {.method = Method::brute_force}, result.views());
      if (same(result.distance, truth.distance)) ++right;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 3);
}

TEST_F(Opencl, WhatItCannotDoIsRefusedWithAReason) {
  const Raster sites = random_raster({20, 20}, 3);
  Result result({20, 20});
  Context context({.device = "opencl"});
  const std::string device(context.device());
  const auto message = [&](const NearestSiteOptions& options,
                           ErrorCode code = ErrorCode::unsupported) {
    return refusal(code, [&] { nearest_site(context, sites.view(), options, result.views()); });
  };
  EXPECT_EQ(message({.method = Method::brute_force, .distance_to = DistanceTo::boundary}),
            "method = brute-force on " + device +
                ": the distance to the boundary is measured by method exact only");
  EXPECT_EQ(message({.distance_to = DistanceTo::boundary}),
            "method = exact on " + device +
                ": it measures to sites only; device = cpu and cuda measure to the boundary");
  EXPECT_EQ(message({.spacing = {3.0000000000000004, 1e-17}}),
            "method = exact on " + device +
                ": distances of this spacing need 128 bits, which only the cpu and cuda backends "
                "have");
  EXPECT_EQ(message({.metric = Metric::chessboard}),
            "method = exact on " + device +
                ": it takes euclidean and manhattan only; method = raster-gpu takes chessboard");
  EXPECT_EQ(message({.method = Method::chamfer}, ErrorCode::invalid_argument),
            "method = chamfer; opencl has: exact, brute-force, raster-gpu, expansion, jfa, 1+jfa, "
            "jfa+1, jfa+2, jfa2, jfa-noise, jfa-plus, jfa-star, jfa-coeurjolly, jfa+1-paper, "
            "jfa+-paper, jfa-star-paper, jfa-star+1-paper");
  const std::vector<double> points{1, 2, 3, 4};
  EXPECT_EQ(refusal(ErrorCode::unsupported,
                    [&] {
                      voronoi(context, PointList{View<const double>(points.data(), {2, 2})},
                              Grid{.extents = {20, 20}}, NearestSiteOptions{}, result.views());
                    }),
            "method = exact on " + device +
                ": it takes rasters only; method = raster-gpu takes points, and so do device = cpu "
                "and cuda");
}

TEST_F(Opencl, DevicesStreamsAndMemoryThatItDoesNotHave) {
  const std::size_t count = opencl::find_devices().devices.size();
  const std::string range =
      "opencl:0" + (count > 1 ? " to opencl:" + std::to_string(count - 1) : std::string());
  for (const char* name : {"opencl:99", "opencl:", "opencl:0x", "opencl:-1", "opencl:0 "})
    EXPECT_EQ(refusal(ErrorCode::invalid_argument, [&] { Context context({.device = name}); }),
              "device = " + std::string(name) + "; the opencl backend has " + range);
  int anything = 0;
  EXPECT_EQ(refusal(ErrorCode::invalid_argument,
                    [&] { Context context({.device = "opencl", .stream = &anything}); }),
            "stream is given; the opencl backend has queues of its own only");
  Context context({.device = "opencl"});
  const View<const std::int32_t> sites(&anything, {1, 1}, MemorySpace::cuda);
  Result result({1, 1});
  EXPECT_EQ(refusal(ErrorCode::invalid_argument,
                    [&] { nearest_site(context, sites, {}, result.views()); }),
            "sites lies in memory of a CUDA device; device = " + std::string(context.device()) +
                " reaches memory of the host only");
}

TEST_F(Opencl, AKernelThatDoesNotCompileSaysWhy) {
  Device& device = *first_device();
  const std::string message = refusal(ErrorCode::device_failed, [&] {
    opencl::build_program(device.context(), device.handle(), "broken",
                          "#line 7 \"broken.cl\"\n__kernel void f(__global int* x) { *x = y; }",
                          opencl::to_options({{"SCALAR", "int"}}));
  });
  EXPECT_EQ(message.substr(0, message.find('\n')),
            "opencl: program broken (-cl-std=CL1.2 -D SCALAR=int) does not compile: "
            "clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11)");
  EXPECT_NE(message.find("broken.cl"), std::string::npos) << message;
  EXPECT_NE(message.find("'y'"), std::string::npos) << message;
  EXPECT_EQ(refusal(ErrorCode::device_failed, [&] { device.program("guess", ""); }),
            "opencl: no program guess");
}

TEST_F(Opencl, ProgramsAreBuiltOnce) {
  Device& device = *first_device();
  const std::string options = opencl::to_options({{"SCALAR", "int"},
                                                  {"GREATEST", "INT_MAX"},
                                                  {"WIDTH", "4"},
                                                  {"METRIC", "1"},
                                                  {"PERIODIC", "0"},
                                                  {"TILE", "64"}});
  EXPECT_FALSE(device.has_program("brute_force", options));
  const auto first = device.program("brute_force", options);
  EXPECT_TRUE(device.has_program("brute_force", options));
  EXPECT_EQ(device.program("brute_force", options)(), first());
}

TEST_F(Opencl, MemoryThatIsNotThereIsNamedInBytes) {
  Device& device = *first_device();
  DeviceMemory memory(device);
  DeviceMemory::Frame frame(memory);
  const std::size_t bytes = std::size_t{1} << 60;
  EXPECT_EQ(refusal(ErrorCode::out_of_memory, [&] { frame.allocate(bytes, "the sites"); }),
            "no memory on " + device.name() +
                " for the sites of 1152921504606846976 bytes: it gives out at most " +
                std::to_string(device.capabilities().largest_buffer) + " bytes at once");
  EXPECT_EQ(memory.bytes(), 0u);
  frame.allocate(1000, "the sites");
  EXPECT_EQ(memory.bytes(), 1000u);
}

/// A driver's threads do not exist in a forked process, which must not wait for them.
TEST_F(Opencl, AForkedProcessHasNoDevice) {
  const pid_t child = fork();
  if (child == 0) {
    bool said = false;
    for (const DeviceInfo& device : devices())
      said = said || (device.name == "opencl" && device.reason.find("forked") != std::string::npos);
    _exit(said ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(OpenclSupport, AsksForWhatAProblemNeeds) {
  const Capabilities all{.int64 = true, .local_memory = 1 << 15};
  Problem problem;
  problem.weights.greatest = (Int128{1} << 30) - 1;
  EXPECT_TRUE(opencl::supports_brute_force(all, problem));
  EXPECT_TRUE(opencl::supports_brute_force({.local_memory = 1 << 15}, problem));
  EXPECT_EQ(opencl::supports_brute_force({.int64 = true, .local_memory = 1024}, problem).reason,
            "work groups of the device share 1024 bytes; 6144 are needed");
  problem.weights.greatest = Int128{1} << 30;
  EXPECT_TRUE(opencl::supports_brute_force(all, problem));
  EXPECT_EQ(opencl::supports_brute_force({.local_memory = 1 << 15}, problem).reason,
            "distances of this raster need 64 bits, which the device does not have");
}

TEST(OpenclSupport, AsksForWhatExactNeeds) {
  const Capabilities narrow{};
  const Capabilities all{.int64 = true};
  Problem problem;
  problem.extent = {1, 1 << 16, (1 << 16) - 1};
  problem.weights.greatest = (Int128{1} << 30) - 1;
  EXPECT_TRUE(opencl::supports_exact(narrow, problem));
  problem.extent[2] = (1 << 16) + 1;
  EXPECT_TRUE(opencl::supports_exact(all, problem));
  EXPECT_EQ(opencl::supports_exact(narrow, problem).reason,
            "sites of this raster need 64 bits, which the device does not have");
  problem.extent = {1, 2, 3};
  problem.weights.greatest = Int128{1} << 30;
  EXPECT_EQ(opencl::supports_exact(narrow, problem).reason,
            "distances of this raster need 64 bits, which the device does not have");
  problem.extent = {1, (1 << 20) + 1, 3};
  EXPECT_EQ(
      opencl::supports_exact(all, problem).reason,
      "columns have at most 1048576 cells; device = cpu takes longer ones, and so does method "
      "= raster-gpu");
}

TEST(OpenclSupport, AsksForWhatExpansionNeeds) {
  Problem problem;
  problem.weights.greatest = Int128{1} << 30;
  EXPECT_TRUE(opencl::supports_expansion(Capabilities{.int64 = true}, problem));
  EXPECT_EQ(opencl::supports_expansion(Capabilities{}, problem).reason,
            "distances of this raster need 64 bits, which the device does not have");
  problem.weights.greatest = (Int128{1} << 30) - 1;
  EXPECT_TRUE(opencl::supports_expansion(Capabilities{}, problem));
  problem.metric = Metric::octagonal;  // whose sums are longer
  EXPECT_FALSE(opencl::supports_expansion(Capabilities{}, problem));
}

TEST(OpenclSupport, AsksForWhatFloodingNeeds) {
  const Capabilities all{.int64 = true};
  Problem problem;
  problem.extent = {1, 2, 3};
  problem.weights.greatest = Int128{1} << 40;
  EXPECT_TRUE(opencl::supports_jump_flood(all, problem));
  EXPECT_EQ(opencl::supports_jump_flood(Capabilities{}, problem).reason,
            "jump flooding needs 64-bit integers, which the device does not have");
  problem.extent[2] = std::int64_t{1} << 31;
  EXPECT_EQ(opencl::supports_jump_flood(all, problem).reason,
            "jump flooding takes at most 2147483647 cells an axis, not 2147483648");
}

TEST(OpenclSupport, AsksForWhatCostDistanceNeeds) {
  const Capabilities all{.int64 = true, .fp64 = true, .subnormal_fp32 = true, .atomics64 = true};
  CostProblem problem;
  problem.extent = {1, 2, 3};
  const auto reason = [&](Capabilities capabilities) {
    return opencl::supports_cost_relaxation(capabilities, problem).reason;
  };
  EXPECT_EQ(reason(all), "");
  const Capabilities floats{.int64 = true, .subnormal_fp32 = true};
  EXPECT_EQ(reason(floats),
            "cost distance on stiffness needs doubles, for correctly rounded quotients");
  problem.edge_weight = EdgeWeight::cost;
  EXPECT_EQ(reason(floats), "");
  EXPECT_EQ(reason({.int64 = true}), "cost distance in f32 needs subnormal floats");
  EXPECT_EQ(reason({}), "cost distance needs 64-bit integers");
  problem.wide = true;
  EXPECT_EQ(reason({.int64 = true, .fp64 = true, .subnormal_fp32 = true}),
            "cost distance in f64 needs doubles and atomic minima of 64 bits");
  problem.extent[2] = std::int64_t{1} << 32;
  EXPECT_EQ(reason(all), "cost distance on opencl takes fewer than 2^32 - 1 cells");
}

/// PoCL's processors have everything that is needed, so that the conformance suite leaves nothing
/// out.
TEST(OpenclSupport, ProcessorsDoAllOfCostDistance) {
  const Device* device = first_device();
  if (device == nullptr || !device->capabilities().host_memory) GTEST_SKIP() << "no processor";
  CostProblem problem;
  for (const bool wide : {false, true}) {
    problem.wide = wide;
    EXPECT_EQ(opencl::supports_cost_relaxation(device->capabilities(), problem).reason, "");
  }
}

TEST(OpenclLibrary, OneThatIsNotThereOrIsAnotherIsAReason) {
  EXPECT_EQ(opencl::load("libNoOpenCL.so.1").substr(0, 27), "no OpenCL: libNoOpenCL.so.1");
  EXPECT_EQ(opencl::load("libm.so.6"), "libm.so.6 has no clBuildProgram");
}

}  // namespace
}  // namespace thiessen
