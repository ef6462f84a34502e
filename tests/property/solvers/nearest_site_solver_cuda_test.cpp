// SPDX-License-Identifier: Apache-2.0
//
// The random updates of nearest_site_solver_test.cpp on the emulated device: with the limits of
// the kernels as they are, and with smaller ones, so that small rasters fill the lists of large
// ones; and a solver whose outputs stay on the device.
//
// THIESSEN_TEST_PROBLEMS=N draws N sequences of each kind instead of a few.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <vector>

#include "support/problems/tile_problems.hpp"
#include "support/small_cuda_limits.hpp"
#include "support/solvers/solver_steps.hpp"

namespace thiessen {
namespace {

using testing::PointSteps;
using testing::problem_count;
using testing::RasterProblem;
using testing::RasterSteps;

constexpr testing::AxisRange kRange{
    .shortest = 1, .longest_2d = 90, .longest_3d = 18, .longest_thin = 400};
constexpr int kSteps = 12;

/// S of 128 bits is refused.
bool is_refused(const Error& error) {
  return error.code() == ErrorCode::unsupported &&
         std::string(error.what()).find("64 bits") != std::string::npos;
}

/// Returns how many of the solves were repairs.
template <class Steps>
std::int64_t run(std::uint64_t seed, RasterProblem problem) {
  SCOPED_TRACE("seed " + std::to_string(seed) + ": " + describe(problem));
  testing::Draw draw(seed);
  const testing::SmallCudaLimits limits(draw);
  try {
    Steps steps(seed, std::move(problem), "cuda");
    for (int i = 0; i < kSteps && !::testing::Test::HasFailure(); ++i) {
      SCOPED_TRACE("step " + std::to_string(i));
      steps.step();
    }
    return steps.repairs();
  } catch (const Error& error) {
    EXPECT_TRUE(is_refused(error)) << error.what();
    return 0;
  }
}

TEST(CudaSolver, RastersEqualFreshCalls) {
  const std::uint64_t count = problem_count();
  std::int64_t repairs = 0;
  for (std::uint64_t seed = 0; seed < count && !HasFailure(); ++seed)
    repairs += run<RasterSteps>(seed, testing::draw_raster_problem(seed, kRange));
  EXPECT_GT(repairs, static_cast<std::int64_t>(count));
}

TEST(CudaSolver, PointsEqualFreshCalls) {
  const std::uint64_t count = problem_count();
  std::int64_t repairs = 0;
  for (std::uint64_t seed = 0; seed < count && !HasFailure(); ++seed) {
    RasterProblem problem = testing::draw_raster_problem(seed + 1000, kRange);
    std::ptrdiff_t sites = 0;
    for (auto& site : problem.sites)
      if (site != 0 && ++sites > 1000) site = 0;
    repairs += run<PointSteps>(seed, std::move(problem));
  }
  EXPECT_GT(repairs, static_cast<std::int64_t>(count));
}

/// Memory of the device.
template <class T>
class OnDevice {
 public:
  explicit OnDevice(const Extents& extents) : extents_(extents) {
    EXPECT_EQ(cudaMalloc(&bytes_, bytes()), cudaSuccess);
  }
  ~OnDevice() { cudaFree(bytes_); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

  View<T> view() const { return {static_cast<T*>(bytes_), extents_, MemorySpace::cuda}; }
  std::vector<T> host() const {
    std::vector<T> copy(static_cast<std::size_t>(extents_.count()));
    EXPECT_EQ(cudaMemcpy(copy.data(), bytes_, bytes(), cudaMemcpyDeviceToHost), cudaSuccess);
    return copy;
  }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(extents_.count()) * sizeof(T); }

  Extents extents_;
  void* bytes_ = nullptr;
};

/// Several solves are put on the stream before anybody waits.
TEST(CudaSolver, OutputsStayOnTheDevice) {
  const Extents extents{70, 150};
  constexpr std::int64_t kPoints = 60;
  testing::Draw draw(5);
  std::vector<double> places;
  for (std::int64_t i = 0; i < kPoints; ++i) {
    places.push_back(70 * draw.real());
    places.push_back(150 * draw.real());
  }
  const View<const double> points(places.data(), {kPoints, 2});
  Context context({.device = "cuda"});
  const OnDevice<std::int32_t> labels(extents);
  const OnDevice<float> distance(extents);
  NearestSiteSolver solver(context, {.coordinates = points}, {.extents = extents}, {},
                           {.labels = labels.view(), .distance = distance.view()});
  for (std::int64_t site = 0; site < 10; ++site) {
    double* const place = &places[static_cast<std::size_t>(2 * site)];
    place[0] = 70 * draw.real();
    solver.move_sites(std::vector<std::int64_t>{site}, View<const double>(place, {1, 2}));
    solver.enqueue();
  }
  EXPECT_GT(solver.changes().cells, 0);
  EXPECT_EQ(std::ssize(solver.changed_cells().cell), solver.changes().cells);
  const NearestSite fresh = voronoi({.coordinates = points}, {.extents = extents});
  const auto own = labels.host();
  const auto own_distance = distance.host();
  EXPECT_EQ(std::memcmp(own.data(), fresh.labels.view().bytes(), own.size() * 4), 0);
  EXPECT_EQ(std::memcmp(own_distance.data(), fresh.distance.view().bytes(), own.size() * 4), 0);
}

/// S of a point so far away has more than 64 bits; the solver goes on with the points that it has.
TEST(CudaSolver, PointsTooFarAwayAreRefused) {
  const Extents extents{8, 203};
  std::vector<double> places{3, 110, 2, 110};
  const Grid grid{.extents = extents, .spacing = {0.3, 10}};
  const NearestSiteOptions options{.distance_type = FloatType::f64};
  Context context({.device = "cuda"});
  const OnDevice<double> distance(extents);
  NearestSiteSolver solver(context, {.coordinates = View<const double>(places.data(), {2, 2})},
                           grid, options, {.distance = distance.view()});
  solver.solve();
  const double far[] = {-26.75, 638.125};
  const auto move = [&] {
    solver.move_sites(std::vector<std::int64_t>{0}, View<const double>(far, {1, 2}));
  };
  const auto add = [&] { solver.add_sites({.coordinates = View<const double>(far, {1, 2})}); };
  for (const std::function<void()>& update : {std::function<void()>(move), {add}}) {
    try {
      update();
      FAIL() << "nothing is refused";
    } catch (const Error& error) {
      EXPECT_TRUE(is_refused(error)) << error.what();
    }
  }
  places[0] = 4.5;
  solver.move_sites(std::vector<std::int64_t>{0}, View<const double>(places.data(), {1, 2}));
  solver.solve();
  const NearestSite fresh =
      voronoi({.coordinates = View<const double>(places.data(), {2, 2})}, grid, options);
  const auto own = distance.host();
  EXPECT_EQ(std::memcmp(own.data(), fresh.distance.view().bytes(), own.size() * 8), 0);
}

TEST(CudaSolver, CapturesAreRefused) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  {
    Context context({.device = "cuda", .stream = stream});
    const Extents extents{9, 9};
    const OnDevice<std::int32_t> labels(extents);
    const double places[] = {1, 1, 5, 5};
    NearestSiteSolver solver(context, {.coordinates = View<const double>(places, {2, 2})},
                             {.extents = extents}, {}, {.labels = labels.view()});
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    try {
      solver.enqueue();
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::unsupported);
    }
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(stream, &graph);
    if (graph != nullptr) cudaGraphDestroy(graph);
    EXPECT_EQ(solver.solve().cells, 0);
  }
  cudaStreamDestroy(stream);
}

}  // namespace
}  // namespace thiessen
