// SPDX-License-Identifier: Apache-2.0
//
// Eikonal cost distance on random maps against the oracle, bit for bit: on every device and
// instruction set, on threads, in 2-D and 3-D.
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of a few.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "core/order/compass.hpp"
#include "core/problem/problem.hpp"
#include "cpu/simd/instruction_sets.hpp"
#include "oracle/eikonal_oracle.hpp"
#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "support/problems/tile_problems.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/devices.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::message_of;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Scene {
  Extents extents;
  oracle::EikonalProblem problem;
  std::vector<double> map, points, initial;
  CostDistanceOptions options;
};

/// Level, smooth, random or very uneven ground.
double draw_cost(Draw& draw, std::int64_t kind, double x, double y) {
  if (kind == 0) return 1;
  if (kind == 1) return 1 + 0.5 * std::sin(x / 9) * std::cos(y / 7);
  if (kind == 2) return 0.1 + 0.9 * draw.real();
  return std::pow(10.0, static_cast<double>(draw.below(9)) - 4);
}

void draw_ground(Draw& draw, Scene& scene) {
  oracle::EikonalProblem& problem = scene.problem;
  const std::int64_t kind = draw.below(4), walls = draw.below(3);
  const bool has_free_cells = draw.once_in(4);
  for (std::int64_t cell = 0; cell < scene.extents.count(); ++cell) {
    const Axes at = to_cell(problem.extent, cell);
    double value =
        draw_cost(draw, kind, static_cast<double>(at[2]), static_cast<double>(at[0] + at[1]));
    if (has_free_cells && !problem.is_stiffness && draw.once_in(9)) value = 0;
    const bool is_wall = walls == 1 ? draw.once_in(5) : walls == 2 && at[2] % 7 == 3 && at[1] != 2;
    problem.map.push_back(is_wall ? std::numeric_limits<double>::quiet_NaN() : value);
    scene.map.push_back(is_wall ? (problem.is_stiffness ? 0 : kInfinity) : value);
  }
}

void draw_sites(Draw& draw, Scene& scene) {
  oracle::EikonalProblem& problem = scene.problem;
  const std::int64_t count = 1 + draw.below(draw.once_in(2) ? 3 : 25);
  const bool has_fractions = draw.once_in(3), has_initial = draw.once_in(3);
  for (std::int64_t i = 0; i < count; ++i) {
    Axes at{};
    oracle::EikonalSite site;
    for (auto axis = static_cast<std::size_t>(kAxes - problem.rank); axis < kAxes; ++axis) {
      at[axis] = draw.below(problem.extent[axis]);
      if (has_fractions) site.offset[axis] = static_cast<double>(draw.below(16)) / 16 - 0.5;
      scene.points.push_back(static_cast<double>(at[axis]) + site.offset[axis]);
    }
    site.cell = to_index(problem.extent, at);
    site.initial = has_initial ? static_cast<double>(draw.below(50)) / 10 : 0;
    scene.initial.push_back(site.initial);
    problem.sites.push_back(site);
  }
}

Scene draw_scene(Draw& draw) {
  Scene scene;
  oracle::EikonalProblem& problem = scene.problem;
  problem.rank = draw.once_in(3) ? 3 : 2;
  const std::int64_t most = problem.rank == 2 ? 80 : 20;
  const auto length = [&] { return 1 + draw.below(draw.once_in(3) ? 5 : most); };
  scene.extents =
      problem.rank == 2 ? Extents{length(), length()} : Extents{length(), length(), 2 * length()};
  problem.extent = to_axes(scene.extents);
  if (draw.once_in(2))
    for (auto axis = static_cast<std::size_t>(kAxes - problem.rank); axis < kAxes; ++axis)
      problem.spacing[axis] = draw.once_in(2) ? 2.5 : 0.5 + draw.real();
  problem.radius = draw.once_in(3) ? 0 : static_cast<double>(draw.below(12)) / 2;
  problem.is_stiffness = draw.once_in(2);
  draw_ground(draw, scene);
  draw_sites(draw, scene);
  scene.options.method = CostMethod::eikonal;
  scene.options.exact_radius = problem.radius;
  scene.options.distance_type = FloatType::f64;
  scene.options.spacing.assign(problem.spacing.end() - problem.rank, problem.spacing.end());
  return scene;
}

struct Answer {
  std::vector<double> cost;
  std::vector<std::int64_t> site;
  std::vector<std::uint8_t> link;
  std::vector<float> direction;  ///< of a plane
};

Answer solve(Context& context, const Scene& scene) {
  const auto count = static_cast<std::size_t>(scene.extents.count());
  const bool has_directions = scene.problem.rank == 2 && context.device() == "cpu";
  Answer answer{std::vector<double>(count), std::vector<std::int64_t>(count),
                std::vector<std::uint8_t>(count), std::vector<float>(has_directions ? count : 0)};
  const View<const double> map(scene.map.data(), scene.extents);
  const auto sites = static_cast<std::int64_t>(scene.problem.sites.size());
  const PointList points{
      .coordinates = View<const double>(scene.points.data(), {sites, scene.extents.rank()})};
  cost_distance(
      context, scene.problem.is_stiffness ? CostMap::stiffness(map) : CostMap::cost(map), points,
      scene.options,
      {.site_index = View<std::int64_t>(answer.site.data(), scene.extents),
       .distance = View<double>(answer.cost.data(), scene.extents),
       .back_link = View<std::uint8_t>(answer.link.data(), scene.extents),
       .direction = answer.direction.empty() ? View<float>()
                                             : View<float>(answer.direction.data(), scene.extents)},
      View<const double>(scene.initial.data(), {sites}));
  return answer;
}

void expect_answer(const oracle::EikonalResult& expected, const Answer& answer) {
  for (std::size_t cell = 0; cell < answer.cost.size(); ++cell) {
    ASSERT_EQ(answer.cost[cell], expected.cost[cell]) << "cell " << cell;
    ASSERT_EQ(answer.site[cell], expected.site[cell]) << "cell " << cell;
  }
  for (std::size_t cell = 0; cell < answer.direction.size(); ++cell) {
    const float direction = answer.direction[cell];
    if (expected.site[cell] < 0) {
      ASSERT_TRUE(std::isnan(direction)) << "cell " << cell;
      continue;
    }
    const auto& [z, y, x] = expected.way[cell];
    ASSERT_EQ(direction, static_cast<float>(compass_degrees(-x, y))) << "cell " << cell;
  }
}

/// Lines along directions end at the site.
void expect_lines(const Scene& scene, const Answer& answer) {
  if (answer.direction.empty()) return;
  const auto sites = static_cast<std::int64_t>(scene.problem.sites.size());
  const LeastCostLineInputs inputs{
      .direction = View<const float>(answer.direction.data(), scene.extents),
      .back_link = View<const std::uint8_t>(answer.link.data(), scene.extents),
      .site_index = View<const std::int64_t>(answer.site.data(), scene.extents),
      .points = View<const double>(scene.points.data(), {sites, 2})};
  for (std::size_t cell = 0; cell < answer.cost.size(); cell += 17) {
    const Axes at = to_cell(scene.problem.extent, static_cast<std::int64_t>(cell));
    const auto line = least_cost_line(inputs, Connectivity::corners, scene.options.spacing,
                                      {static_cast<double>(at[1]), static_cast<double>(at[2])});
    if (answer.site[cell] < 0) {
      ASSERT_TRUE(line.empty());
      continue;
    }
    // Fractions of points are multiples of 1 / 16, which are kept.
    const std::vector<double>& points = scene.points;
    const auto is_last = [&](std::size_t site) {
      return line[line.size() - 2] == points[2 * site] && line.back() == points[2 * site + 1];
    };
    bool ends_at_site = false;
    for (std::size_t site = 0; 2 * site < points.size(); ++site)
      ends_at_site = ends_at_site || is_last(site);
    ASSERT_TRUE(ends_at_site) << "cell " << cell;
  }
}

/// Ways by back links lead to earlier cells, and end where a straight line to a site begins.
void expect_links(const Scene& scene, const oracle::EikonalResult& expected, const Answer& answer) {
  const View<const std::uint8_t> links(answer.link.data(), scene.extents);
  for (std::size_t cell = 0; cell < answer.cost.size(); ++cell) {
    if (expected.site[cell] < 0) {
      ASSERT_EQ(answer.link[cell], kBackLinkUnreached);
      continue;
    }
    const Axes at = to_cell(scene.problem.extent, static_cast<std::int64_t>(cell));
    const std::vector<std::int64_t> from(at.end() - scene.problem.rank, at.end());
    const auto path = least_cost_path(links, Connectivity::corners, from);
    ASSERT_FALSE(path.empty());
    ASSERT_LT(expected.link[static_cast<std::size_t>(path.back())], 0) << "cell " << cell;
    if (expected.link[cell] < 0 || path.size() < 2) continue;
    const auto axis = static_cast<std::size_t>(expected.link[cell] / 2);
    Axes next = at;
    next[axis] += expected.link[cell] % 2 == 1 ? 1 : -1;
    ASSERT_EQ(path[1], to_index(scene.problem.extent, next)) << "cell " << cell;
  }
}

TEST(Eikonal, IsThatOfTheOracle) {
  std::deque<Context> contexts;
  for (const DeviceInfo& device : devices())
    if (device.available &&
        std::ranges::find(device.cost_methods, CostMethod::eikonal) != device.cost_methods.end())
      contexts.emplace_back(ContextOptions{.device = device.name});
  for (const std::string_view name : cpu::instruction_set_names())
    contexts.emplace_back(ContextOptions{.threads = 1, .instructions = find_instructions(name)});
  contexts.emplace_back(ContextOptions{.threads = 3});
  for (std::uint64_t seed = 0; seed < 2 * testing::problem_count(); ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const Scene scene = draw_scene(draw);
    const oracle::EikonalResult expected = oracle::solve_eikonal(scene.problem);
    for (Context& context : contexts) {
      const Answer answer = solve(context, scene);
      expect_answer(expected, answer);
      expect_links(scene, expected, answer);
      expect_lines(scene, answer);
      if (HasFailure()) return;
    }
  }
}

TEST(Eikonal, HasLabelsOfARasterAndALimit) {
  Context context;
  const Extents extents{9, 40};
  std::vector<std::int16_t> sites(360), labels(360);
  std::vector<float> map(360, 2), cost(360);
  sites[4 * 40 + 3] = 7;
  sites[4 * 40 + 33] = 5;
  map[0] = -1;
  CostDistanceOptions options{.method = CostMethod::eikonal};
  options.max_distance = 20;
  options.map_nodata = std::int64_t{-1};
  options.unreached = std::int64_t{-3};
  const CostMap ground = CostMap::cost(View<const float>(map.data(), extents));
  const View<const std::int16_t> raster(sites.data(), extents);
  cost_distance(context, ground, raster, options,
                {.labels = View<std::int16_t>(labels.data(), extents),
                 .distance = View<float>(cost.data(), extents)});
  EXPECT_EQ(labels[0], -1);
  EXPECT_TRUE(std::isnan(cost[0]));
  EXPECT_EQ(cost[4 * 40 + 8], 10);  // five cells of a straight line
  EXPECT_EQ(labels[4 * 40 + 12], 7);
  EXPECT_EQ(labels[4 * 40 + 18], -3);
  EXPECT_EQ(cost[4 * 40 + 18], static_cast<float>(kInfinity));
  EXPECT_EQ(labels[4 * 40 + 26], 5);
}

TEST(Eikonal, RefusesWhatHasNoFronts) {
  Context context;
  const std::vector<float> map(12, 1);
  std::vector<float> cost(12);
  const std::vector<std::int32_t> sites(12, 1);
  std::vector<std::int32_t> labels(12);
  const Extents extents{3, 4};
  const auto message = [&](const CostDistanceOptions& options, const CostDistanceOutputs& out) {
    return message_of([&] {
      cost_distance(context, CostMap::cost(View<const float>(map.data(), extents)),
                    View<const std::int32_t>(sites.data(), extents), options, out);
    });
  };
  const CostDistanceOutputs costs{.distance = View<float>(cost.data(), extents)};
  CostDistanceOptions options{.method = CostMethod::eikonal};
  options.elevation = View<const float>(map.data(), extents);
  EXPECT_EQ(message(options, costs),
            "method = eikonal on cpu: an elevation is given; walks cost more in one direction than "
            "another");
  options.elevation = {};
  EXPECT_EQ(message(options, {.other_labels = View<std::int32_t>(labels.data(), extents)}),
            "method = eikonal on cpu: outputs of another label are wanted, which the other methods "
            "have");
  options.exact_radius = 33;
  EXPECT_EQ(message(options, costs), "exact_radius = 33; must be from 0 to 32");
  options.method = CostMethod::exact;
  options.exact_radius = 3;
  EXPECT_NE(message(options, costs).find("exact_radius"), std::string::npos);
}

}  // namespace
}  // namespace thiessen
