// SPDX-License-Identifier: Apache-2.0
//
// Weights that give each point its load: what voronoi() with them holds, and refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "support/draw.hpp"
#include "support/message_of.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;
using testing::message_of;
using Vector = std::vector<double>;

struct Scene {
  Extents extents;
  Vector points;
  Vector targets = {};
  std::vector<float> density = {};
  std::vector<std::uint8_t> domain = {};
  std::vector<double> spacing = {};
  FitOptions options = {};

  std::int64_t count() const { return static_cast<std::int64_t>(points.size()) / extents.rank(); }
  View<const double> coordinates() const {
    return {points.data(), Extents{count(), extents.rank()}};
  }
  Grid grid() const { return {.extents = extents, .spacing = spacing}; }
  View<const void> mass() const {
    return density.empty() ? View<const void>{} : View<const float>(density.data(), extents);
  }
  View<const void> inside() const {
    return domain.empty() ? View<const void>{} : View<const std::uint8_t>(domain.data(), extents);
  }
  FittedWeights fit(int threads = 1) const {
    Context context({.device = "cpu", .threads = threads});
    return fit_weights(context, coordinates(), grid(), targets, options, mass(), inside());
  }

  /// The masses of the cells that voronoi() gives the points.
  Vector loads_of(const Vector& weights) const {
    const NearestSite found = voronoi(
        {.coordinates = coordinates(), .weights = View<const double>(weights.data(), {count()})},
        grid(), {.weighting = Weighting::power, .spacing = spacing, .periodic = options.periodic},
        {.labels = false, .site_index = true, .distance = false}, inside());
    Vector loads(static_cast<std::size_t>(count()), 0.0);
    for (std::int64_t i = 0; i < extents.count(); ++i) {
      const std::int64_t site = found.site_index.data()[i];
      if (site >= 0)
        loads[static_cast<std::size_t>(site)] +=
            density.empty() ? 1 : density[static_cast<std::size_t>(i)];
    }
    return loads;
  }
};

Vector draw_points(std::uint64_t seed, std::int64_t count, const Extents& extents) {
  Draw draw(seed);
  Vector points;
  for (std::int64_t i = 0; i < count; ++i)
    for (int axis = 0; axis < extents.rank(); ++axis)
      points.push_back(draw.real() * static_cast<double>(extents[axis] - 1));
  return points;
}

/// Loads are those of voronoi(), and within the share of the mean target that is allowed.
void expect_fit(const Scene& scene) {
  const FittedWeights fitted = scene.fit();
  EXPECT_EQ(fitted.end, FitEnd::fitted);
  const Vector loads = scene.loads_of(fitted.weights);
  ASSERT_EQ(loads.size(), fitted.loads.size());
  const double all = std::accumulate(loads.begin(), loads.end(), 0.0);
  const Vector ones(loads.size(), 1.0);
  const Vector& targets = scene.targets.empty() ? ones : scene.targets;
  const double unit = all / std::accumulate(targets.begin(), targets.end(), 0.0);
  double miss = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) {
    EXPECT_NEAR(fitted.loads[i], loads[i], 1e-6 * all);
    miss = std::max(miss, std::fabs(loads[i] - targets[i] * unit));
  }
  EXPECT_NEAR(fitted.greatest_miss, miss, 1e-6 * all);
  EXPECT_LE(miss, scene.options.allowed_miss * all / static_cast<double>(loads.size()));
  for (const int threads : {2, 3}) EXPECT_EQ(scene.fit(threads).weights, fitted.weights);
}

TEST(FitWeights, GivesEqualLoads) {
  const Extents extents{120, 150};
  expect_fit({.extents = extents, .points = draw_points(1, 30, extents)});
}

TEST(FitWeights, GivesLoadsOfTargets) {
  const Extents extents{120, 150};
  Scene scene{.extents = extents, .points = draw_points(2, 12, extents)};
  for (int i = 0; i < 12; ++i) scene.targets.push_back(1 + i % 4);
  scene.spacing = {2, 0.5};
  expect_fit(scene);
}

TEST(FitWeights, HeedsDensityAndDomain) {
  const Extents extents{100, 100};
  Scene scene{.extents = extents, .points = draw_points(3, 15, extents)};
  scene.options.allowed_miss = 0.03;
  for (int i = 0; i < 10000; ++i) {
    scene.density.push_back(static_cast<float>(1 + i % 100) / 10);
    scene.domain.push_back(i / 100 < 80 ? 1 : 0);
  }
  expect_fit(scene);
}

TEST(FitWeights, GivesVolumesToPeriodicGrains) {
  const Extents extents{32, 32, 32};
  Scene scene{.extents = extents, .points = draw_points(4, 20, extents)};
  scene.options = {.allowed_miss = 0.02, .periodic = {true, true, true}};
  expect_fit(scene);
}

TEST(FitWeights, RaisesPointsWithoutACell) {
  expect_fit({.extents = {60, 60},
              .points = {10, 10, 50, 50, -30, 20, 52.3, 47.1, 20, 90},
              .options = {.allowed_miss = 0.02}});
}

/// Points of a crowd, and those of a dense corner beside others, begin far from their loads.
TEST(FitWeights, SpreadsCrowds) {
  const Extents extents{150, 150};
  const auto scene_in = [&](double first, double side) {
    Scene scene{.extents = extents, .points = draw_points(6, 30, extents)};
    for (double& place : scene.points) place = first + place / 150 * side;
    return scene;
  };
  expect_fit(scene_in(60, 5));
  Scene scene = scene_in(0, 20);
  const Vector others = draw_points(7, 30, extents);
  scene.points.insert(scene.points.end(), others.begin(), others.end());
  scene.options.allowed_miss = 0.05;
  expect_fit(scene);
}

TEST(FitWeights, TellsWhyItEnds) {
  const Extents extents{64, 64};
  Scene scene{.extents = extents, .points = draw_points(5, 20, extents)};
  scene.options.steps = 1;
  EXPECT_EQ(scene.fit().end, FitEnd::steps);
  EXPECT_EQ(scene.fit().steps, 1);
  const Scene same{.extents = extents, .points = {3, 3, 3, 3, 40, 40}};
  EXPECT_EQ(same.fit().end, FitEnd::stuck);
  const Scene none{.extents = extents, .points = {}};
  EXPECT_TRUE(none.fit().weights.empty());
  const Scene no_cells{.extents = {0, 3}, .points = {1, 2, 4, 2}};
  EXPECT_EQ(no_cells.fit().end, FitEnd::fitted);
  EXPECT_EQ(no_cells.fit().loads, (Vector{0, 0}));
}

TEST(FitWeights, RefusalsNameWhatIsWrong) {
  Scene scene{.extents = {8, 8}, .points = {1, 1, 5, 5}};
  const auto refusal = [&] { return message_of([&] { scene.fit(); }); };
  scene.targets = {1};
  EXPECT_EQ(refusal(), "targets are 1; must be one for each of the 2 points");
  scene.targets = {1, -1};
  EXPECT_EQ(refusal(), "targets[1] = -1; must be finite and >= 0");
  scene.targets = {0, 0};
  EXPECT_EQ(refusal(), "targets are all 0; must be more for some point");
  scene.targets = {};
  scene.options.allowed_miss = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(), "allowed_miss = inf; must be finite and >= 0");
  scene.options = {};
  scene.spacing = {1, 1e-200};
  EXPECT_EQ(refusal(),
            "spacing[1] = 1e-200; must be from 1e-60 to 1e60 here, because weights are squared "
            "lengths");
}

}  // namespace
}  // namespace thiessen
