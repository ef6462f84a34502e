// SPDX-License-Identifier: Apache-2.0
//
// Slabs on CUDA devices against one call on the CPU, bit for bit: one slab after the other on one
// device, by the three functions, and a slab on each of several devices, by one call. There are
// four emulated devices; where there is one GPU it is there twice.
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of a few.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cases/cases.hpp"
#include "support/message_of.hpp"
#include "support/problems/answer.hpp"
#include "support/problems/points_of.hpp"
#include "support/problems/raster_problem.hpp"
#include "support/problems/tile_problems.hpp"
#include "support/results.hpp"
#include "support/slabs/slabs.hpp"
#include "thiessen/slabs/slabs.hpp"

#ifdef THIESSEN_CUDA_IS_EMULATED
#include "support/small_cuda_limits.hpp"
#endif

namespace thiessen {
namespace {

using testing::Answer;
using testing::Draw;
using testing::draw_cuts;
using testing::message_of;
using testing::RasterProblem;
using testing::rows_of;
using testing::solve_by_slabs;
using testing::Wanted;

#ifdef THIESSEN_CUDA_IS_EMULATED
using SmallLimits = testing::SmallCudaLimits;
#else
/// Limits of kernels cannot be changed.
struct SmallLimits {
  explicit SmallLimits(Draw&) {}
};
#endif

const int kDevicesAreSet = setenv("EMULATOR_DEVICES", "4", 0);

int device_count() {
  int count = 0;
  const bool found = kDevicesAreSet == 0 && cudaGetDeviceCount(&count) == cudaSuccess;
  cudaGetLastError();
  return found ? count : 0;
}

#define SKIP_WITHOUT_DEVICE() \
  if (device_count() == 0) GTEST_SKIP() << "no CUDA device"

/// Lists of devices of this machine.
std::vector<std::string> device_lists() {
  std::vector<std::string> lists{"cuda:0,cuda:0", "cuda:0,cuda:0,cuda:0"};
  if (device_count() > 1) lists.insert(lists.end(), {"cuda:all", "cuda:1,cuda:0"});
  return lists;
}

/// A few problems: each one is solved many times.
std::uint64_t problem_count() { return (testing::problem_count() + 3) / 4; }

std::string choose_devices(Draw& draw) {
  const std::vector<std::string> lists = device_lists();
  return lists[static_cast<std::size_t>(draw.below(std::ssize(lists)))];
}

/// What tests/support/problems/tile_problems.hpp calls for each problem.
constexpr auto kCompare = [](const RasterProblem& problem, const Wanted& wanted, const auto& solve,
                             std::uint64_t seed) {
  if (problem.options.metric == Metric::chessboard) return;
  Draw draw(seed + 177);
  Answer expected(problem, wanted);
  Context cpu({.device = "cpu", .threads = 2});
  solve(cpu, expected.views());
  for (const bool is_small : {false, true}) {
    std::optional<SmallLimits> limits;
    if (is_small) limits.emplace(draw);
    const auto compare = [&](const std::string& devices, const auto& run) {
      Context context({.device = devices, .threads = 2});
      Answer answer(problem, wanted, {draw.below(4), draw.once_in(3) ? draw.below(20) : 0});
      run(context, answer.views());
      ASSERT_TRUE(answer == expected && answer.is_within_cells())
          << "problem " << seed << (is_small ? " with small limits" : "") << " on " << devices
          << ": " << describe(problem);
    };
    const auto cuts = draw_cuts(draw, problem.extents()[0]);
    compare("cuda:0", [&](Context& context, const NearestSiteOutputs& out) {
      solve_by_slabs(context, problem.view(), problem.options, cuts, out);
    });
    compare(choose_devices(draw), solve);
  }
};

TEST(SlabsCuda, EqualOneCall) {
  SKIP_WITHOUT_DEVICE();
  for (std::uint64_t seed = 0; seed < 2 * problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_rasters(seed, {.longest_2d = 150, .longest_3d = 40, .longest_thin = 600},
                             kCompare);
}

TEST(SlabsCuda, EqualOneCallOfLabels) {
  SKIP_WITHOUT_DEVICE();
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_labels(
        seed, {.longest_2d = 192, .longest_3d = 32, .longest_thin = 512, .multiple = 1}, kCompare);
}

TEST(SlabsCuda, EqualOneCallOfDistances) {
  SKIP_WITHOUT_DEVICE();
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_distances(seed, {.longest_2d = 150, .longest_3d = 40, .longest_thin = 600},
                               kCompare);
}

TEST(SlabsCuda, EqualOneCallToBoundaries) {
  SKIP_WITHOUT_DEVICE();
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_boundaries(seed, {.longest_2d = 150, .longest_3d = 40, .longest_thin = 600},
                                kCompare);
}

TEST(SlabsCuda, EqualOneCallOfPoints) {
  SKIP_WITHOUT_DEVICE();
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed) {
    const RasterProblem problem = testing::draw_raster_problem(
        seed, {.longest_2d = 100, .longest_3d = 30, .longest_thin = 400});
    if (problem.options.metric == Metric::chessboard || std::ranges::count(problem.sites, 1) > 1000)
      continue;
    Draw draw(seed);
    const testing::PointsOf points(problem, draw);
    NearestSiteOptions options = options_of_points(problem);
    if (!options.periodic.empty()) options.periodic[0] = false;
    const Grid grid{.extents = problem.extents(), .spacing = problem.options.spacing};
    const Wanted wanted{.labels = true, .site_index = true, .distance = true};
    Answer expected(problem, wanted);
    Context cpu({.device = "cpu", .threads = 2});
    voronoi(cpu, points.list, grid, options, expected.views());
    Answer slabs(problem, wanted);
    Context one({.device = "cuda"});
    for (const auto& cut : draw_cuts(draw, grid.extents[0]))
      voronoi_slab(one, points.list, grid, cut.first, cut.count, options,
                   rows_of(slabs.views(), cut));
    ASSERT_TRUE(slabs == expected) << "problem " << seed << ": " << describe(problem);
    const std::string devices = choose_devices(draw);
    Answer several(problem, wanted);
    Context context({.device = devices});
    voronoi(context, points.list, grid, options, several.views());
    ASSERT_TRUE(several == expected)
        << "problem " << seed << " on " << devices << ": " << describe(problem);
  }
}

/// Boolean sites are numbered through all slabs, and a domain is marked in each.
TEST(SlabsCuda, NumberSitesAndMarkDomains) {
  SKIP_WITHOUT_DEVICE();
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed) {
    Draw draw(seed);
    const testing::NumberedMask problem(draw);
    const auto solve = [&](const std::string& device, const std::vector<testing::Rows>& cuts) {
      Context context({.device = device, .threads = 2});
      return problem.solve(context, cuts);
    };
    const auto expected = solve("cpu", {});
    const std::string name = "problem " + std::to_string(seed);
    testing::expect_equal(solve("cuda", draw_cuts(draw, problem.extents[0])), expected,
                          name + " by slabs");
    const std::string devices = choose_devices(draw);
    testing::expect_equal(solve(devices, {}), expected, name + " on " + devices);
  }
}

/// Summaries do not depend on the device.
TEST(SlabsCuda, SummariesEqualTheCpu) {
  SKIP_WITHOUT_DEVICE();
  for (std::uint64_t seed = 0; seed < 2 * problem_count() && !HasFatalFailure(); ++seed) {
    RasterProblem problem =
        testing::draw_raster_problem(seed, {.longest_2d = 90, .longest_3d = 20});
    Draw draw(seed);
    problem.options.metric = Metric::euclidean;
    problem.options.signed_distance = false;
    problem.options.distance_to = draw.once_in(2) ? DistanceTo::boundary : DistanceTo::sites;
    if (problem.options.distance_to == DistanceTo::sites)
      problem.options.signed_distance = draw.once_in(2);
    Context cpu({.device = "cpu", .threads = 2});
    Context cuda({.device = "cuda"});
    for (const auto& cut : draw_cuts(draw, problem.extents()[0])) {
      const auto rows = rows_of(problem.view(), cut);
      const SlabPlace place{problem.extents(), cut.first};
      ASSERT_EQ(summarise_slab(cuda, rows, place, problem.options),
                summarise_slab(cpu, rows, place, problem.options))
          << "problem " << seed << ", rows from " << cut.first << ": " << describe(problem);
    }
  }
}

/// Device memory that holds the cells of a host array.
class DeviceCells {
 public:
  DeviceCells(const void* host, std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes)) {
    EXPECT_EQ(cudaMalloc(&memory_, bytes_), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(memory_, host, bytes_, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  ~DeviceCells() { cudaFree(memory_); }
  DeviceCells(const DeviceCells&) = delete;
  DeviceCells& operator=(const DeviceCells&) = delete;

  void* get() const { return memory_; }
  void take(void* host) const {
    EXPECT_EQ(cudaMemcpy(host, memory_, bytes_, cudaMemcpyDeviceToHost), cudaSuccess);
  }

 private:
  std::size_t bytes_;
  void* memory_ = nullptr;
};

/// Cells in device memory stay there. Nothing is read behind their end, where there is nothing.
TEST(SlabsCuda, TakeArraysOfTheDevice) {
  SKIP_WITHOUT_DEVICE();
  for (std::uint64_t seed = 0; seed < 2 * problem_count() && !HasFatalFailure(); ++seed) {
    Draw draw(seed);
    const Extents extents =
        draw.once_in(2) ? Extents{1 + draw.below(90), 1 + draw.below(120)}
                        : Extents{1 + draw.below(30), 1 + draw.below(30), 2 + 2 * draw.below(30)};
    const auto count = static_cast<std::size_t>(extents.count());
    std::vector<std::int32_t> sites(count);
    const std::int64_t sparsity = 1 + draw.below(300);
    for (std::size_t i = 0; i < count; ++i)
      sites[i] = draw.once_in(sparsity) ? static_cast<std::int32_t>(i + 1) : 0;
    std::vector<std::int32_t> expected(count);
    std::vector<std::int32_t> labels(count);
    std::vector<float> expected_distance(count);
    std::vector<float> distance(count);
    Context cpu({.device = "cpu"});
    nearest_site(cpu, View<const std::int32_t>(sites.data(), extents), {},
                 {.labels = View<std::int32_t>(expected.data(), extents),
                  .distance = View<float>(expected_distance.data(), extents)});
    const DeviceCells cells(sites.data(), std::ssize(sites) * 4);
    const DeviceCells device_labels(labels.data(), std::ssize(labels) * 4);
    const DeviceCells device_distance(distance.data(), std::ssize(distance) * 4);
    Context context({.device = "cuda"});
    const View<const void> view(cells.get(), ElementType::i32, extents, MemorySpace::cuda);
    const NearestSiteOutputs out{
        .labels = View<void>(device_labels.get(), ElementType::i32, extents, MemorySpace::cuda),
        .distance =
            View<void>(device_distance.get(), ElementType::f32, extents, MemorySpace::cuda)};
    if (seed % 4 == 3)
      nearest_site(context, view, {}, out);
    else
      solve_by_slabs(context, view, {}, draw_cuts(draw, extents[0]), out);
    context.synchronize();
    device_labels.take(labels.data());
    device_distance.take(distance.data());
    EXPECT_EQ(labels, expected) << seed;
    EXPECT_EQ(distance, expected_distance) << seed;
  }
}

/// Cases of the table, where slabs have their metric: all with THIESSEN_TEST_PROBLEMS=1000.
TEST(SlabsCuda, EqualTheOracle) {
  SKIP_WITHOUT_DEVICE();
  constexpr std::int64_t kMostCells = 6'000;  // the emulated device takes its time
  const std::vector<cases::Case> all = cases::small_cases();
  const std::size_t step = std::max<std::size_t>(all.size() / problem_count() / 2, 1);
  for (std::size_t i = 0; i < all.size(); i += step) {
    const cases::Case& item = all[i];
    Draw draw(i);
    const bool has_slabs =
        item.options.metric == Metric::euclidean || item.options.metric == Metric::manhattan;
    if (!has_slabs || item.extents.count() > kMostCells) continue;
    SCOPED_TRACE(item.name);
    const Raster sites = cases::make_sites(item);
    testing::Outputs outputs(item, testing::Layout::contiguous);
    const NearestSiteOutputs out = testing::views(item, outputs, true);
    const Problem problem = make_problem(sites.view(), item.options, out);
    const testing::Expected expected =
        testing::expect(item, problem, sites, oracle::nearest_site(problem, sites.view()));
    const auto compare = [&] {
      testing::compare("distance", outputs.distance64, expected.distance64);
      testing::compare("labels", outputs.labels, expected.labels);
      testing::compare("site_index", outputs.site_index, expected.site_index);
      testing::compare("offset", outputs.offset, expected.offset);
      if (item.extents.rank() == 2)
        testing::compare("direction", outputs.direction, expected.direction);
    };
    Context one({.device = "cuda"});
    solve_by_slabs(one, sites.view(), item.options, draw_cuts(draw, item.extents[0]), out);
    compare();
    Context several({.device = choose_devices(draw)});
    nearest_site(several, sites.view(), item.options, out);
    compare();
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(SeveralDevices, SayWhatTheyRefuse) {
  SKIP_WITHOUT_DEVICE();
  Context context({.device = "cuda:0,cuda:0"});
  EXPECT_EQ(context.device(), "cuda:0,cuda:0");
  const std::vector<std::int32_t> sites(20, 1);
  std::vector<float> distance(20);
  const View<const std::int32_t> raster(sites.data(), {4, 5});
  const NearestSiteOutputs out{.distance = View<float>(distance.data(), {4, 5})};
  const auto message = [&](const NearestSiteOptions& options) {
    return message_of([&] { nearest_site(context, raster, options, out); });
  };
  EXPECT_EQ(message({}), "");
  EXPECT_NE(message({.metric = Metric::chessboard}).find("euclidean and manhattan"),
            std::string::npos);
  EXPECT_NE(message({.method = Method::jfa}).find("a list of cuda devices has: exact"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              summarise_slab(context, raster, {{4, 5}, 0}, {});
            }).find("a slab is done on one device"),
            std::string::npos);
  const std::vector<double> costs(20, 1);
  EXPECT_NE(message_of([&] {
              cost_distance(context, CostMap::stiffness(View<const double>(costs.data(), {4, 5})),
                            raster, {}, {.distance = View<float>(distance.data(), {4, 5})});
            }).find("a list of cuda devices has for cost distance: none"),
            std::string::npos);
  const auto device_message = [](const std::string& device) {
    return message_of([&] { const Context wrong({.device = device}); });
  };
  EXPECT_NE(device_message("cuda:0,cpu").find("cuda:0,cuda:1, or cuda:all"), std::string::npos);
  EXPECT_NE(device_message("cuda:0,").find("cuda:0,cuda:1, or cuda:all"), std::string::npos);
  EXPECT_NE(device_message("cuda:0,cuda:99").find("device = cuda:99"), std::string::npos);
  EXPECT_NE(device_message("cpu:0,cpu:0").find("several at once only of cuda"), std::string::npos);
  int not_null = 0;
  EXPECT_NE(message_of([&] {
              const Context wrong({.device = "cuda:0,cuda:0", .stream = &not_null});
            }).find("stream is given"),
            std::string::npos);
}

TEST(SeveralDevices, KeepScratchReportProgressAndCancel) {
  SKIP_WITHOUT_DEVICE();
  Context context({.device = "cuda:0,cuda:0"});
  const Extents extents{97, 60};
  std::vector<std::uint8_t> sites(static_cast<std::size_t>(extents.count()));
  sites[70] = sites[4000] = 1;
  std::vector<float> distance(sites.size());
  const auto call = [&] {
    nearest_site(context, View<const std::uint8_t>(sites.data(), extents), {},
                 {.distance = View<float>(distance.data(), extents)});
  };
  double reported = 0;
  context.on_progress([&](double fraction) {
    EXPECT_GE(fraction, reported);
    reported = fraction;
  });
  call();
  EXPECT_EQ(reported, 1);
  const std::size_t bytes = context.scratch_bytes();
  EXPECT_GT(bytes, 0U);
  reported = 0;
  call();
  EXPECT_EQ(context.scratch_bytes(), bytes);
  context.on_progress({});
  context.cancel();
  EXPECT_NE(message_of(call).find("cancelled"), std::string::npos);
  call();
  context.release_scratch();
  EXPECT_EQ(context.scratch_bytes(), 0U);
}

/// One device is itself, whatever the list is called.
TEST(SeveralDevices, AllOfOneIsThatOne) {
  SKIP_WITHOUT_DEVICE();
  const Context all({.device = "cuda:all"});
  if (device_count() == 1)
    EXPECT_EQ(all.device(), "cuda:0");
  else
    EXPECT_TRUE(all.device().starts_with("cuda:0,cuda:1"));
}

}  // namespace
}  // namespace thiessen
