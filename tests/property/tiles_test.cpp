// SPDX-License-Identifier: Apache-2.0
//
// Compares the tile engine with the linear-time methods (instruction set "none"), for every
// instruction set of this machine: rasters of many leaves, of all densities and layouts, so that
// every search does some. Each problem runs with the usual capacities and with smaller ones: only
// these let small rasters fill the lists that large ones fill.
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of a few.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/base/context_state.hpp"
#include "cpu/simd/instruction_sets.hpp"
#include "support/problems/answer.hpp"
#include "support/problems/raster_problem.hpp"
#include "support/problems/tile_problems.hpp"
#include "support/small_limits.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Answer;
using testing::AxisRange;
using testing::Draw;
using testing::problem_count;
using testing::RasterProblem;
using testing::Wanted;

/// Solves a problem by every instruction set, and without any: solve(context, outputs).
template <class Solve>
void compare_instruction_sets(const RasterProblem& problem, const Wanted& wanted,
                              const Solve& solve, std::uint64_t seed) {
  Draw draw(seed);
  const testing::Placement placement{draw.below(4) * draw.below(6),
                                     draw.once_in(3) ? draw.below(20) : 0};
  const EngineLimits small = testing::draw_small_limits(draw);
  Answer expected(problem, wanted);
  Context linear({.threads = 2, .instructions = Instructions::none});
  solve(linear, expected.views());
  for (const std::string_view name : cpu::instruction_set_names())
    for (const bool is_small : {false, true}) {
      Context context({.threads = is_small ? 3 : 1, .instructions = find_instructions(name)});
      if (is_small) context.state().limits = small;
      Answer answer(problem, wanted, placement);
      solve(context, answer.views());
      ASSERT_TRUE(answer == expected && answer.is_within_cells())
          << "problem " << seed << (is_small ? " with small limits" : "") << ", instructions "
          << name << ": " << describe(problem);
    }
}

/// What tests/support/problems/tile_problems.hpp calls for each problem.
constexpr auto kCompare = [](const auto&... arguments) { compare_instruction_sets(arguments...); };

TEST(Tiles, EqualTheLinearMethods) {
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_rasters(seed, {}, kCompare);
}

/// Hundreds of small problems, in the time of a large one.
TEST(Tiles, EqualTheLinearMethodsOnSmallRasters) {
  const AxisRange range{.longest_2d = 90, .longest_3d = 24, .longest_thin = 300};
  for (std::uint64_t seed = 0; seed < 10 * problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_rasters(seed, range, kCompare);
}

TEST(Tiles, LabelsAloneEqualTheLinearMethods) {
  const AxisRange range{.longest_2d = 600, .longest_3d = 70};
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_labels(seed, range, kCompare);
}

TEST(Tiles, DistancesAloneEqualTheLinearMethods) {
  const AxisRange small{.longest_2d = 200, .longest_3d = 40, .longest_thin = 300};
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_distances(seed, {}, kCompare);
  for (std::uint64_t seed = 0; seed < 4 * problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_distances(~seed, small, kCompare);
}

TEST(Tiles, BoundariesEqualTheLinearMethods) {
  const AxisRange small{.longest_2d = 200, .longest_3d = 40, .longest_thin = 300};
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_boundaries(seed, {}, kCompare);
  for (std::uint64_t seed = 0; seed < 4 * problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_boundaries(~seed, small, kCompare);
}

/// A raster of i32 whose site cells is_site(z, y, x) tells.
template <class IsSite>
RasterProblem with_sites(const testing::Sizes& size, const IsSite& is_site) {
  RasterProblem problem;
  problem.size = size;
  std::uint32_t label = 0;
  for (std::int64_t z = 0; z < size[0]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[2]; ++x) {
        const bool own = is_site(z, y, x);
        problem.sites.push_back(own ? 1 : 0);
        ++label;
        for (int byte = 0; byte < 4; ++byte)
          problem.cells.push_back(static_cast<std::byte>(own ? label >> 8 * byte : 0));
      }
  return problem;
}

void compare_instruction_sets(const RasterProblem& problem, const Wanted& wanted) {
  const auto solve = [&](Context& context, const NearestSiteOutputs& out) {
    nearest_site(context, problem.view(), problem.options, out);
  };
  for (std::uint64_t seed = 0; seed < 3; ++seed)
    compare_instruction_sets(problem, wanted, solve, seed);
}

/// Sites around a middle to which all of them are about as near, by long integer spacings: keys
/// have no room for the ranks of so many sites, so S itself is compared.
TEST(Tiles, RingsOfLongCellsEqualTheLinearMethods) {
  struct Ring {
    testing::Sizes size;
    std::vector<double> spacing;
    double radius;  ///< in cells of the longest side
  };
  for (const Ring& ring :
       {Ring{{1, 480, 450}, {14, 15}, 200}, Ring{{68, 68, 68}, {51, 50, 52}, 31}}) {
    const double longest = ring.spacing.back();
    const auto part = [&](std::size_t axis, std::int64_t at) {
      if (ring.size[axis] == 1) return 0.0;
      const double side = ring.spacing[axis + ring.spacing.size() - 3];
      const double delta = static_cast<double>(2 * at - ring.size[axis]) / 2 * side;
      return delta * delta;
    };
    RasterProblem problem =
        with_sites(ring.size, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
          const double from = std::sqrt(part(0, z) + part(1, y) + part(2, x));
          return std::abs(from / longest - ring.radius) < 0.5;
        });
    problem.options.spacing = ring.spacing;
    compare_instruction_sets(problem, {.labels = true});
    compare_instruction_sets(problem, {.site_index = true, .distance = true});
  }
}

/// The share of leaves that the line search did in the last call, as its phase tells it.
std::string share_of_lines(const Context& context) {
  for (const Phase& phase : context.phases())
    if (phase.name == "line search") return phase.detail;
  return {};
}

/// A few balls of sites, by spacings that the far search does not take, and by the metric that it
/// does not know: the line search does what the windows leave.
TEST(Tiles, LinesEqualTheLinearMethods) {
  struct Balls {
    testing::Sizes size;
    std::vector<double> spacing;
    Metric metric = Metric::euclidean;
  };
  for (const Balls& balls : {
           Balls{{1, 420, 330}, {0.29, 0.104}},               // lanes of 32 bits
           Balls{{1, 420, 330}, {30.2213, 28.123}},           // of 64
           Balls{{1, 330, 421}, {302.213, 2.5}},              // a long axis
           Balls{{50, 90, 130}, {0.29, 0.104, 0.104}},        // 3-D, of 32 bits
           Balls{{40, 70, 130}, {30.2213, 28.123, 29.4001}},  // of 64
           Balls{{1, 420, 330}, {3.1, 2.017}, Metric::manhattan},
           Balls{{1, 420, 330}, {1, 1}, Metric::chessboard},
       }) {
    RasterProblem problem =
        with_sites(balls.size, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
          const auto in_ball = [&](double share, double radius) {
            const auto apart = [&](std::size_t axis, std::int64_t at) {
              return static_cast<double>(at) - share * static_cast<double>(balls.size[axis]);
            };
            const double dz = apart(0, z);
            const double dy = apart(1, y);
            const double dx = apart(2, x);
            return dz * dz + dy * dy + dx * dx < radius * radius;
          };
          return in_ball(0.1, 6) || in_ball(0.8, 9) || (in_ball(0.45, 5) && x % 3 != 0);
        });
    problem.options.spacing = balls.spacing;
    problem.options.metric = balls.metric;
    std::vector<float> distance(problem.sites.size());
    Context context({.threads = 1});
    nearest_site(context, problem.view(), problem.options,
                 {.distance = View<float>(distance.data(), problem.extents())});
    EXPECT_NE(share_of_lines(context), "") << describe(problem);
    EXPECT_NE(share_of_lines(context), "lines 0.0 %") << describe(problem);
    compare_instruction_sets(problem, {.distance = true});
    compare_instruction_sets(problem, {.labels = true});
    compare_instruction_sets(
        problem, {.site_index = true, .distance = true, .distance_type = ElementType::f64});
    problem.options.signed_distance = true;
    compare_instruction_sets(problem, {.distance = true});
    problem.options.signed_distance = false;
    problem.options.distance_to = DistanceTo::boundary;
    compare_instruction_sets(problem, {.distance = true});
  }
}

/// Whole leaves of sites in the far search, which copies their labels.
TEST(Tiles, AreasOnPeriodicAxesEqualTheLinearMethods) {
  const auto lies_in = [](std::int64_t at, std::int64_t begin, std::int64_t end) {
    return at >= begin && at < end;
  };
  for (const std::int64_t depth : {1, 48}) {
    const std::int64_t side = depth == 1 ? 256 : 64;
    RasterProblem problem =
        with_sites({depth, side, side}, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
          return (depth == 1 || lies_in(z, 6, 30)) && lies_in(y, 10, side / 2) &&
                 lies_in(x, 15, side * 3 / 4);
        });
    problem.options.periodic.assign(static_cast<std::size_t>(problem.rank()), true);
    compare_instruction_sets(problem, {.labels = true});
  }
}

/// The far search gives up at every stage of its lists of nodes.
TEST(Tiles, FullListsOfNodesEqualTheLinearMethods) {
  const AxisRange range{.longest_2d = 600, .longest_3d = 70};
  for (std::uint64_t seed = 0; seed < problem_count() / 2 && !HasFatalFailure(); ++seed) {
    RasterProblem problem = testing::draw_raster_problem(seed, range);
    problem.options.periodic.assign(static_cast<std::size_t>(problem.rank()), true);
    for (const std::int64_t nodes : {1, 8, 20, 40}) {
      const Wanted wanted{.labels = true, .site_index = true};
      const auto solve = [&](Context& context, Answer& answer) {
        nearest_site(context, problem.view(), problem.options, answer.views());
      };
      Answer expected(problem, wanted);
      Answer answer(problem, wanted);
      Context linear({.threads = 1, .instructions = Instructions::none});
      solve(linear, expected);
      Context context({.threads = 1});
      context.state().limits.far_nodes_per_tile = {nodes, nodes};
      solve(context, answer);
      ASSERT_TRUE(answer == expected && answer.is_within_cells())
          << "problem " << seed << ", " << nodes << " nodes: " << describe(problem);
    }
  }
}

TEST(Tiles, PointsEqualTheTree) {
  for (std::uint64_t seed = 0; seed < problem_count() && !HasFatalFailure(); ++seed)
    testing::compare_points(seed, kCompare);
}

/// The shares of dots that once failed: the lists of leaves in the dense part fill up, and their
/// sites were taken from their own place, not from that of their image.
TEST(Tiles, ImagesOfLeavesThatAreNotListed) {
  RasterProblem problem;
  problem.size = {1, 64, 64};
  problem.type = ElementType::u8;
  problem.options.periodic = {true, false};
  Draw draw(1);
  for (std::int64_t i = 0; i < 64 * 64; ++i) {
    problem.sites.push_back(draw.once_in(4) ? 1 : 0);
    problem.cells.push_back(static_cast<std::byte>(problem.sites.back()));
  }
  const auto solve = [&](Context& context, const NearestSiteOutputs& out) {
    nearest_site(context, problem.view(), problem.options, out);
  };
  compare_instruction_sets(problem, {.site_index = true, .distance = true}, solve, 0);
}

/// A leaf of one column, in a unit with many sites: its own sites are farther than the rows that
/// are marked when it is searched. These rows still hold data of the call before.
TEST(Tiles, SearchesSeeNoRowsThatAreNotMarked) {
  RasterProblem problem;
  problem.size = {1, 278, 241};
  problem.sites.assign(278 * 241, 1);
  problem.cells.assign(problem.sites.size() * 4, std::byte{1});
  std::vector<std::int64_t> site_index(problem.sites.size());
  std::vector<std::int64_t> expected(problem.sites.size());
  const auto run = [&](Context& context, std::vector<std::int64_t>& to) {
    nearest_site(context, problem.view(), {},
                 {.site_index = View<std::int64_t>(to.data(), problem.extents())});
  };
  Context context({.threads = 1});
  run(context, site_index);
  problem.cells.assign(problem.cells.size(), std::byte{0});
  for (std::size_t y = 0; y < 278; ++y)
    for (const std::size_t x : {203U, 204U}) problem.cells[4 * (y * 241 + x)] = std::byte{1};
  run(context, site_index);
  Context linear({.threads = 1, .instructions = Instructions::none});
  run(linear, expected);
  EXPECT_EQ(site_index, expected);
}

}  // namespace
}  // namespace thiessen
