// SPDX-License-Identifier: Apache-2.0
//
// Random problems of 40 to 3000 cells a side, over all options, on all devices and instruction
// sets, for THIESSEN_TEST_SECONDS (default 60). Problems have the numbers (seeds) from
// THIESSEN_TEST_SEED on, or from a random one on; a failure names the seed that shows it again.
//
// The expected results come from brute-force if that takes at most seconds, else from the linear
// methods (instruction set "none").
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/context_state.hpp"
#include "cpu/simd/instruction_sets.hpp"
#include "support/problems/answer.hpp"
#include "support/problems/points_of.hpp"
#include "support/problems/raster_problem.hpp"
#include "support/problems/seeds.hpp"
#include "support/small_limits.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Answer;
using testing::Draw;
using testing::PointsOf;
using testing::RasterProblem;
using testing::Seeds;
using testing::Wanted;

/// A way of computing that must give the same bits.
struct Way {
  std::string name;
  ContextOptions context;
  bool has_small_limits = false;
};

std::vector<Way> all_ways() {
  std::vector<Way> ways;
  for (const std::string_view name : cpu::instruction_set_names()) {
    const std::string set(name);
    ways.push_back(
        {"cpu, " + set, {.device = "cpu", .threads = 2, .instructions = find_instructions(set)}});
    ways.push_back({"cpu, " + set + ", small limits",
                    {.device = "cpu", .threads = 1, .instructions = find_instructions(set)},
                    true});
  }
  for (const DeviceInfo& device : devices())
    if (device.available && device.name != "cpu" &&
        std::ranges::any_of(device.methods,
                            [](const auto& each) { return each.method == Method::exact; }))
      for (const bool is_small : {false, true})
        if (!is_small || device.name.starts_with("opencl"))  // CUDA has limits of its own
          ways.push_back({device.name, {.device = device.name}, is_small});
  return ways;
}

/// Solves a problem every way that takes it: solve(context, outputs, method).
template <class Solve>
void compare_ways(const std::vector<Way>& ways, const RasterProblem& problem, const Wanted& wanted,
                  std::int64_t sites, const Solve& solve, std::uint64_t seed) {
  Draw draw(seed);
  const testing::Placement placement{draw.below(20), draw.once_in(3) ? draw.below(20) : 0};
  const EngineLimits small = testing::draw_small_limits(draw);
  constexpr std::int64_t kMostSteps = std::int64_t{1} << 33;
  const bool by_force = problem.options.distance_to == DistanceTo::sites &&
                        problem.extents().count() * sites < kMostSteps;
  Answer expected(problem, wanted);
  Context reference({.device = "cpu",
                     .threads = 2,
                     .instructions = by_force ? Instructions::best : Instructions::none});
  solve(reference, expected.views(), by_force ? Method::brute_force : Method::exact);
  for (const Way& way : ways) {
    Context context(way.context);
    if (way.has_small_limits) context.state().limits = small;
    Answer answer(problem, wanted, placement);
    try {
      solve(context, answer.views(), Method::exact);
    } catch (const Error& error) {
      ASSERT_EQ(error.code(), ErrorCode::unsupported) << error.what();
      ASSERT_TRUE(way.name.starts_with("opencl")) << error.what();  // the others take all
      continue;
    }
    ASSERT_TRUE(answer == expected && answer.is_within_cells())
        << "THIESSEN_TEST_SEED=" << seed << ", " << way.name << ": " << describe(problem);
  }
}

constexpr testing::AxisRange kRange{
    .shortest = 40, .longest_2d = 2200, .longest_3d = 200, .longest_thin = 3000};

TEST(Long, RastersEqualOnAllDevices) {
  const std::vector<Way> ways = all_ways();
  for (Seeds seeds; seeds.goes_on() && !HasFatalFailure();) {
    const std::uint64_t seed = seeds.next();
    const RasterProblem problem = testing::draw_raster_problem(seed, kRange);
    Draw draw(~seed);
    const auto solve = [&](Context& context, const NearestSiteOutputs& out, Method method) {
      NearestSiteOptions options = problem.options;
      options.method = method;
      nearest_site(context, problem.view(), options, out);
    };
    const bool all_sites = problem.options.zero_is_site || problem.options.free_nodata ||
                           problem.options.signed_distance;
    const std::int64_t sites =
        all_sites ? problem.extents().count() : std::ranges::count(problem.sites, 1);
    compare_ways(ways, problem, Wanted::draw(draw, problem), sites, solve, seed);
  }
}

TEST(Long, PointsEqualOnAllDevices) {
  const std::vector<Way> ways = all_ways();
  for (Seeds seeds; seeds.goes_on() && !HasFatalFailure();) {
    const std::uint64_t seed = seeds.next();
    const RasterProblem problem = testing::draw_raster_problem(seed, kRange);
    constexpr std::ptrdiff_t kMost = 30'000;  // the tree takes its time
    if (std::ranges::count(problem.sites, 1) > kMost) continue;
    Draw draw(seed);
    const PointsOf points(problem, draw);
    const Grid grid{.extents = problem.extents(), .spacing = problem.options.spacing};
    const auto solve = [&](Context& context, const NearestSiteOutputs& out, Method method) {
      NearestSiteOptions options = testing::options_of_points(problem);
      options.method = method;
      voronoi(context, points.list, grid, options, out);
    };
    const Wanted wanted{.labels = !draw.once_in(3), .site_index = true, .distance = true};
    compare_ways(ways, problem, wanted, points.list.coordinates.extent(0), solve, seed);
  }
}

}  // namespace
}  // namespace thiessen
