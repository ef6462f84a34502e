// SPDX-License-Identifier: Apache-2.0
//
// NearestSiteSolver for longer: sequences of updates on larger maps, for a share of
// THIESSEN_TEST_SECONDS, and a million updates of one solver.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <random>

#include "support/solvers/solver_steps.hpp"

namespace thiessen {
namespace {

using testing::PointSteps;
using testing::RasterProblem;
using testing::RasterSteps;

constexpr testing::AxisRange kLarge{
    .shortest = 20, .longest_2d = 500, .longest_3d = 60, .longest_thin = 2000};
constexpr int kManySteps = 200;

/// On CUDA, S of 128 bits is refused.
bool may_be_refused(const std::string& device, const Error& error) {
  return device != "cpu" && error.code() == ErrorCode::unsupported &&
         std::string(error.what()).find("64 bits") != std::string::npos;
}

template <class Steps>
void run_long(std::uint64_t seed, RasterProblem problem, const std::string& device) {
  SCOPED_TRACE("THIESSEN_TEST_SEED=" + std::to_string(seed) + " on " + device + ": " +
               describe(problem));
  try {
    Steps steps(seed, std::move(problem), device);
    for (int i = 0; i < kManySteps && !::testing::Test::HasFailure(); ++i) steps.step();
  } catch (const Error& error) {
    EXPECT_TRUE(may_be_refused(device, error)) << error.what();
  }
}

/// The CPU, and CUDA where there is a device.
std::vector<std::string> devices_of_solvers() {
  std::vector<std::string> names{"cpu"};
  for (const DeviceInfo& each : devices())
    if (each.available && each.name == "cuda:0") names.push_back(each.name);
  return names;
}

TEST(LongSolver, EqualsFreshCalls) {
  const auto number = [](const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
  };
  const std::uint64_t first = number("THIESSEN_TEST_SEED", std::random_device()());
  std::cout << "seeds from " << first << " on\n";
  const std::vector<std::string> names = devices_of_solvers();
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(number("THIESSEN_TEST_SECONDS", 60));
  for (std::uint64_t seed = first; std::chrono::steady_clock::now() < end && !HasFailure();
       ++seed) {
    RasterProblem problem = testing::draw_raster_problem(seed, kLarge);
    for (const std::string& device : names) run_long<RasterSteps>(seed, problem, device);
    std::ptrdiff_t count = 0;
    for (auto& site : problem.sites)
      if (site != 0 && ++count > 2000) site = 0;
    for (const std::string& device : names) run_long<PointSteps>(seed, problem, device);
  }
}

/// Bytes of this process that are in memory.
std::int64_t resident_bytes() {
  std::ifstream numbers("/proc/self/statm");
  std::int64_t size = 0;
  std::int64_t resident = 0;
  numbers >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// Sites that come, go and move a million times leave no trace: neither in memory nor in the
/// answer.
TEST(LongSolver, DoesNotGrow) {
  constexpr std::int64_t kSide = 128;
  constexpr std::int64_t kPoints = 200;
  constexpr int kUpdates = 1'000'000;
  testing::Draw draw(3);
  Context context({.device = "cpu", .threads = 1});
  const Extents extents{kSide, kSide};
  std::vector<double> places(kPoints * 2);
  for (double& each : places) each = kSide * draw.real();
  std::vector<std::int32_t> labels(static_cast<std::size_t>(extents.count()));
  std::vector<std::int32_t> cells(labels.size());
  std::vector<std::int32_t> cell_labels(labels.size());
  const View<const double> coordinates(places.data(), {kPoints, 2});
  NearestSiteSolver points(context, {.coordinates = coordinates}, {.extents = extents}, {},
                           {.labels = View<std::int32_t>(labels.data(), extents)});
  NearestSiteSolver raster(context, View<const std::int32_t>(cells.data(), extents), {},
                           {.labels = View<std::int32_t>(cell_labels.data(), extents)});
  std::int64_t bytes = 0;
  for (int i = 0; i < kUpdates; ++i) {
    const std::vector<std::int64_t> site{draw.below(kPoints)};
    if (draw.once_in(4) && points.has_site(site[0])) {
      points.remove_sites(site);
    } else {
      double* const place = &places[static_cast<std::size_t>(site[0]) * 2];
      place[0] = kSide * draw.real();
      place[1] = kSide * draw.real();
      points.move_sites(site, View<const double>(place, {1, 2}));
    }
    const std::vector<std::int64_t> cell{draw.below(extents.count())};
    const auto value = static_cast<std::int32_t>(draw.below(3));
    raster.update_sites(cell, View<const std::int32_t>(&value, {1}));
    cells[static_cast<std::size_t>(cell[0])] = value;
    if (i % 3 == 0) points.solve();
    if (i % 5 == 0) raster.solve();
    if (i == kUpdates / 10) bytes = resident_bytes();
  }
  constexpr std::int64_t kNoise = 4 << 20;
  EXPECT_LT(resident_bytes(), bytes + kNoise);
  raster.solve();
  const NearestSite fresh = nearest_site(View<const std::int32_t>(cells.data(), extents));
  EXPECT_EQ(std::memcmp(cell_labels.data(), fresh.labels.view().bytes(), cells.size() * 4), 0);
}

}  // namespace
}  // namespace thiessen
