// SPDX-License-Identifier: Apache-2.0
//
// CostDistanceOptions::snap_distance: the same as sites that somebody moved before the call.
//
// THIESSEN_TEST_PROBLEMS=N draws N problems instead of a few.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/problem/problem.hpp"
#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "support/problems/tile_problems.hpp"
#include "thiessen/cost_distance.hpp"
#include "thiessen/solvers/cost_solver.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::message_of;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Scene {
  Extents extents;
  std::vector<double> map;
  CostDistanceOptions options;
  std::vector<double> points, moved;  ///< before and after
  std::int64_t moves = 0, ignored = 0;
};

/// The centre of the nearest open cell within the limit: looks at all cells.
std::optional<std::int64_t> nearest_open(const Scene& scene, std::int64_t from) {
  const Axes extent = to_axes(scene.extents), cell = to_cell(extent, from);
  std::optional<std::int64_t> best;
  double least = scene.options.snap_distance * scene.options.snap_distance;
  for (std::int64_t other = 0; other < scene.extents.count(); ++other) {
    if (!std::isfinite(scene.map[static_cast<std::size_t>(other)])) continue;
    const Axes at = to_cell(extent, other);
    double square = 0;
    for (int axis = 0; axis < scene.extents.rank(); ++axis) {
      const auto place = static_cast<std::size_t>(3 - scene.extents.rank() + axis);
      std::int64_t cells = std::abs(at[place] - cell[place]);
      if (!scene.options.periodic.empty() && scene.options.periodic[static_cast<std::size_t>(axis)])
        cells = std::min(cells, extent[place] - cells);
      const double along =
          static_cast<double>(cells) * scene.options.spacing[static_cast<std::size_t>(axis)];
      square += along * along;
    }
    if (square < least || (square == least && !best)) {
      least = square;
      best = other;
    }
  }
  return best;
}

Scene draw_scene(Draw& draw) {
  Scene scene;
  const auto length = [&] { return 1 + draw.below(20); };
  scene.extents =
      draw.once_in(3) ? Extents{length(), length(), length()} : Extents{length(), length()};
  const int rank = scene.extents.rank();
  const std::int64_t walls = 1 + draw.below(4);
  for (std::int64_t cell = 0; cell < scene.extents.count(); ++cell)
    scene.map.push_back(draw.below(5) < walls ? kInfinity : 0.5 + draw.real());
  for (int axis = 0; axis < rank; ++axis)
    scene.options.spacing.push_back(draw.once_in(2) ? 1 : 0.5 + draw.real());
  if (draw.once_in(3))
    for (int axis = 0; axis < rank; ++axis)
      scene.options.periodic.push_back(scene.extents[axis] >= 3 && draw.once_in(2));
  scene.options.distance_type = FloatType::f64;
  scene.options.snap_distance = draw.once_in(4) ? kInfinity : 0.5 + 4 * draw.real();
  const Axes extent = to_axes(scene.extents);
  for (std::int64_t count = 1 + draw.below(8); count > 0; --count) {
    const std::int64_t cell = draw.below(scene.extents.count());
    const bool is_open = std::isfinite(scene.map[static_cast<std::size_t>(cell)]);
    const std::optional<std::int64_t> to = is_open ? cell : nearest_open(scene, cell);
    scene.moves += !is_open && to ? 1 : 0;
    scene.ignored += to ? 0 : 1;
    const Axes before = to_cell(extent, cell), after = to_cell(extent, to.value_or(cell));
    for (int axis = 0; axis < rank; ++axis) {
      const auto place = static_cast<std::size_t>(3 - rank + axis);
      scene.points.push_back(static_cast<double>(before[place]));
      scene.moved.push_back(static_cast<double>(after[place]));
    }
  }
  return scene;
}

TEST(SnappedSites, AreThoseOfMovedPoints) {
  Context context;
  for (std::uint64_t seed = 0; seed < 10 * testing::problem_count(); ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    Scene scene = draw_scene(draw);
    const auto solve = [&](const std::vector<double>& points) {
      const auto count = static_cast<std::int64_t>(points.size()) / scene.extents.rank();
      const View<const double> places(points.data(), {count, scene.extents.rank()});
      return cost_distance(CostMap::cost(View<const double>(scene.map.data(), scene.extents)),
                           PointList{.coordinates = places}, scene.options, {.site_index = true});
    };
    for (const CostMethod method : {CostMethod::exact, CostMethod::eikonal}) {
      if (method == CostMethod::eikonal && !scene.options.periodic.empty()) continue;
      scene.options.method = method;
      const CostDistance found = solve(scene.points), expected = solve(scene.moved);
      ASSERT_EQ(found.report.moved_sites, scene.moves);
      ASSERT_EQ(found.report.ignored_sites, scene.ignored);
      for (std::int64_t cell = 0; cell < scene.extents.count(); ++cell) {
        ASSERT_EQ(found.site_index.data()[cell], expected.site_index.data()[cell]) << cell;
        const auto cost = [&](const CostDistance& of) {
          return reinterpret_cast<const double*>(of.distance.bytes())[cell];
        };
        ASSERT_EQ(cost(found), cost(expected)) << cell;
      }
    }
  }
}

TEST(SnappedSites, KeepTheirLabels) {
  const Extents extents{1, 6};
  const std::vector<float> map{1, -1, 1, 1, -1, 1};
  const std::vector<std::int32_t> sites{0, 7, 0, 0, 8, 0};
  CostDistanceOptions options{.map_nodata = std::int64_t{-1}};
  options.snap_distance = 1;
  const CostDistance found =
      cost_distance(CostMap::cost(View<const float>(map.data(), extents)),
                    View<const std::int32_t>(sites.data(), extents), options, {.site_index = true});
  const std::int64_t* const index = found.site_index.data();
  EXPECT_EQ(std::vector<std::int64_t>(index, index + 6),
            (std::vector<std::int64_t>{0, -2, 3, 3, -2, -1}));
  const auto* const labels = reinterpret_cast<const std::int32_t*>(found.labels.bytes());
  EXPECT_EQ(std::vector<std::int32_t>(labels, labels + 6),
            (std::vector<std::int32_t>{7, -1, 8, 8, -1, 0}));
  EXPECT_EQ(found.report.moved_sites, 2);
  EXPECT_EQ(found.report.ignored_sites, 0);
}

/// A point on the edge between a barrier and the cell to which it moves.
TEST(SnappedSites, LieAtTheCentreOfTheirNewCell) {
  const std::vector<float> map{1, -1};
  const std::vector<double> points{0, 0.5};
  CostDistanceOptions options{.method = CostMethod::eikonal, .map_nodata = std::int64_t{-1}};
  options.snap_distance = 1;
  const CostDistance found =
      cost_distance(CostMap::cost(View<const float>(map.data(), {1, 2})),
                    PointList{.coordinates = View<const double>(points.data(), {1, 2})}, options);
  EXPECT_EQ(found.report.moved_sites, 1);
  EXPECT_EQ(reinterpret_cast<const float*>(found.distance.bytes())[0], 0);
}

TEST(SnappedSites, AreRefusedElsewhere) {
  const std::vector<float> map(4, 1);
  const std::vector<std::int32_t> sites(4, 1);
  const CostMap ground = CostMap::cost(View<const float>(map.data(), {2, 2}));
  std::vector<float> distance(4);
  Context context;
  CostDistanceOptions options;
  options.snap_distance = 1;
  EXPECT_EQ(message_of([&] {
              CostSolver(context, ground, View<const std::int32_t>(sites.data(), {2, 2}), options,
                         {.distance = View<float>(distance.data(), {2, 2})});
            }),
            "snap_distance is given; it is for cost_distance(), not for a CostSolver");
  options.snap_distance = -1;
  EXPECT_EQ(message_of([&] {
              cost_distance(ground, View<const std::int32_t>(sites.data(), {2, 2}), options);
            }),
            "snap_distance = -1; must be >= 0");
}

}  // namespace
}  // namespace thiessen
