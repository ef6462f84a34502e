// SPDX-License-Identifier: Apache-2.0
//
// Compares weighted points on every device that takes them with those on the CPU, bit for bit;
// unit/cpu/candidates_test.cpp compares the CPU with integers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "support/draw.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using testing::Draw;

/// Outputs, the simple ones also as a call alone wants them.
struct Outcome {
  std::vector<std::int64_t> sites;
  std::vector<std::int32_t> labels, simple_labels;
  std::vector<double> distances, keys;
  std::vector<float> simple_distances;
};

/// A random problem.
struct Scene {
  Grid grid;
  std::vector<double> coordinates;
  std::vector<double> weights;
  std::vector<std::uint8_t> domain;
  NearestSiteOptions options;

  std::int64_t count() const { return static_cast<std::int64_t>(weights.size()); }
  PointList points() const {
    return {.coordinates = View<const double>(coordinates.data(), {count(), grid.extents.rank()}),
            .weights = View<const double>(weights.data(), {count()})};
  }
  View<const void> inside() const {
    return domain.empty() ? View<const void>{}
                          : View<const std::uint8_t>(domain.data(), grid.extents);
  }
};

Extents draw_extents(Draw& draw) {
  if (draw.once_in(3)) return {1 + draw.below(12), 1 + draw.below(14), 1 + draw.below(20)};
  if (draw.once_in(8)) return {1 + draw.below(3), 1 + draw.below(400)};
  return {1 + draw.below(70), 1 + draw.below(90)};
}

/// A few weights, with which there are many ties, or hundredths, or very uneven ones.
double draw_weight(Draw& draw, Weighting weighting, int kind) {
  const bool divides = weighting == Weighting::multiplicative;
  switch (kind) {
    case 0:
      return divides ? 1 : 0;
    case 1:
      return static_cast<double>((divides ? 1 : 0) + draw.below(3));
    case 2:
      return static_cast<double>(draw.below(1000) + (divides ? 1 : -50)) / 100;
    default:
      return divides ? std::exp2(static_cast<double>(draw.below(24)))
                     : static_cast<double>(draw.below(400) - 200);
  }
}

Scene draw_scene(std::uint64_t seed) {
  Draw draw(seed);
  Scene scene;
  const Extents extents = draw_extents(draw);
  const auto rank = static_cast<std::size_t>(extents.rank());
  scene.grid.extents = extents;
  if (draw.once_in(2))
    scene.grid.spacing = {0.1, draw.once_in(2) ? 0.1 : 0.3, 0.1};
  else if (draw.once_in(4))
    scene.grid.spacing = {1, 2, 7};
  scene.grid.spacing.resize(scene.grid.spacing.empty() ? 0 : rank);
  scene.options.spacing = scene.grid.spacing;
  scene.options.weighting = static_cast<Weighting>(1 + draw.below(3));
  if (draw.once_in(3))
    for (std::size_t axis = 0; axis < rank; ++axis)
      scene.options.periodic.push_back(draw.once_in(2));
  if (draw.once_in(4)) scene.options.max_distance = draw.real() * 20;
  if (draw.once_in(4))
    for (std::int64_t i = 0; i < extents.count(); ++i)
      scene.domain.push_back(draw.once_in(3) ? 0 : 1);
  const std::int64_t count = draw.once_in(12) ? draw.below(2) : 1 + draw.below(500);
  const auto kind = static_cast<int>(draw.below(4));
  const double parts = std::exp2(static_cast<double>(draw.below(3) * 8));
  const double margin = draw.once_in(3) ? 30 : 0;
  const bool is_crowd = draw.once_in(5);
  for (std::int64_t i = 0; i < count; ++i) {
    const bool repeats = i > 0 && draw.once_in(is_crowd ? 2 : 8);
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const double reach = is_crowd ? 3 : static_cast<double>(extents[static_cast<int>(axis)]);
      const double place = draw.real() * (reach + 2 * margin) - margin;
      scene.coordinates.push_back(repeats ? scene.coordinates[scene.coordinates.size() - rank]
                                          : std::round(place * parts) / parts);
    }
    scene.weights.push_back(draw_weight(draw, scene.options.weighting, kind));
  }
  return scene;
}

Outcome solve(const Scene& scene, const std::string& device) {
  const Extents& extents = scene.grid.extents;
  const auto cells = static_cast<std::size_t>(extents.count());
  Outcome found{std::vector<std::int64_t>(cells), std::vector<std::int32_t>(cells),
                std::vector<std::int32_t>(cells), std::vector<double>(cells),
                std::vector<double>(cells),       std::vector<float>(cells)};
  Context context({.device = device, .threads = 1});
  const auto run = [&](const NearestSiteOutputs& out) {
    voronoi(context, scene.points(), scene.grid, scene.options, out, scene.inside());
  };
  run({.labels = View<std::int32_t>(found.labels.data(), extents),
       .site_index = View<std::int64_t>(found.sites.data(), extents),
       .distance = View<double>(found.distances.data(), extents),
       .weighted_distance = View<double>(found.keys.data(), extents)});
  run({.labels = View<std::int32_t>(found.simple_labels.data(), extents),
       .distance = View<float>(found.simple_distances.data(), extents)});
  return found;
}

/// Whether all are the same, NaN, too.
template <class T>
bool are_same(const std::vector<T>& a, const std::vector<T>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TEST(WeightedPoints, AreTheSameOnEveryDevice) {
  const char* const given = std::getenv("THIESSEN_TEST_PROBLEMS");
  const std::uint64_t problems = given == nullptr ? 200 : std::strtoull(given, nullptr, 10);
  for (const DeviceInfo& device : devices()) {
    if (!device.available || device.name == "cpu" || device.name.find("cuda") != 0) continue;
    for (std::uint64_t seed = 1; seed <= problems; ++seed) {
      SCOPED_TRACE(device.name + ", seed " + std::to_string(seed));
      const Scene scene = draw_scene(seed);
      const Outcome wanted = solve(scene, "cpu");
      const Outcome found = solve(scene, device.name);
      EXPECT_EQ(found.sites, wanted.sites);
      EXPECT_EQ(found.labels, wanted.labels);
      EXPECT_EQ(found.simple_labels, wanted.simple_labels);
      EXPECT_TRUE(are_same(found.distances, wanted.distances));
      EXPECT_TRUE(are_same(found.keys, wanted.keys));
      EXPECT_TRUE(are_same(found.simple_distances, wanted.simple_distances));
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace thiessen
