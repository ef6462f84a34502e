// SPDX-License-Identifier: Apache-2.0
//
// What only happens when costs fall tile by tile, on the CPU and elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/base/context_state.hpp"
#include "core/base/rng.hpp"
#include "cpu/simd/instruction_sets.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using cpu::instruction_set_names;

struct TiledAnswer {
  std::vector<std::int32_t> labels;
  std::vector<float> distance;
  bool operator==(const TiledAnswer&) const = default;
};

TiledAnswer solve_tiled(Context& context, const std::vector<float>& map, const Extents& extents,
                        const std::vector<double>& points, const CostDistanceOptions& options,
                        EdgeWeight weight = EdgeWeight::stiffness) {
  TiledAnswer answer;
  answer.labels.resize(map.size());
  answer.distance.resize(map.size());
  const PointList list{.coordinates = View<const double>(
                           points.data(), {static_cast<std::int64_t>(points.size()) / 2, 2})};
  cost_distance(context, {View<const float>(map.data(), extents), weight}, list, options,
                {.labels = View<std::int32_t>(answer.labels.data(), extents),
                 .distance = View<float>(answer.distance.data(), extents)});
  return answer;
}

TiledAnswer solve_tiled(Context& context, const std::vector<float>& map, const Extents& extents,
                        const std::vector<double>& points, CostMethod method) {
  CostDistanceOptions options;
  options.method = method;
  return solve_tiled(context, map, extents, points, options, EdgeWeight::cost);
}

/// All devices that have method "exact"; the CPU with one thread and with more.
std::vector<ContextOptions> everywhere() {
  std::vector<ContextOptions> all{{.device = "cpu", .threads = 1}, {.device = "cpu", .threads = 3}};
  for (const DeviceInfo& device : devices())
    if (device.available && device.name != "cpu" &&
        std::find(device.cost_methods.begin(), device.cost_methods.end(), CostMethod::exact) !=
            device.cost_methods.end())
      all.push_back({.device = device.name});
  return all;
}

// If steps cost nothing, all cells belong to the first site. Each site nearer to it in the list
// lies a tile farther on, so work by tiles would spread ranks over all tiles again and again.
TEST(CostTiles, LesserRanksMayKeepComing) {
  const Extents extents{66, 64 * 12};
  std::vector<double> points;
  for (int tile = 11; tile >= 0; --tile) {
    points.push_back(32);
    points.push_back(64 * tile + 32);
  }
  const std::vector<float> map(static_cast<std::size_t>(extents.count()), 0.0f);
  Context truth({.device = "cpu"});
  const TiledAnswer expected = solve_tiled(truth, map, extents, points, CostMethod::dijkstra);
  for (const ContextOptions& where : everywhere()) {
    Context context(where);
    const TiledAnswer answer = solve_tiled(context, map, extents, points, CostMethod::exact);
    EXPECT_EQ(answer, expected);
    EXPECT_EQ(answer.labels, std::vector<std::int32_t>(map.size(), 1));
  }
}

/// A corridor that goes back and forth, between walls that can be passed at a high cost.
std::vector<float> serpentine(const Extents& extents, std::int64_t rows) {
  std::vector<float> map(static_cast<std::size_t>(extents.count()), 1.0f);
  for (std::int64_t y = rows - 1; y < extents[0]; y += rows)
    for (std::int64_t x = 0; x < extents[1]; ++x)
      if (x != (y / rows % 2 == 0 ? extents[1] - 1 : 0))
        map[static_cast<std::size_t>(y * extents[1] + x)] = 1e6f;
  return map;
}

// Passes come back to each tile dozens of times, until the heap takes over: with the usual limit,
// and with one so low that the heap takes over before the first tile is done.
TEST(CostTiles, TheHeapTakesOverWhereFrontsWind) {
  const Extents extents{600, 700};
  const std::vector<float> map = serpentine(extents, 2);
  for (const std::int64_t sweeps : {20, 3, 0})
    for (const int threads : {1, 3}) {
      Context context({.device = "cpu", .threads = threads});
      context.state().limits.cost_sweeps_per_tile = sweeps;
      const std::vector<double> points{0, 0, 411, 350};
      EXPECT_EQ(solve_tiled(context, map, extents, points, CostMethod::exact),
                solve_tiled(context, map, extents, points, CostMethod::dijkstra));
    }
}

/// A call with several windows of tiles: a maze in which all open cells are alike; except for a
/// part in which all differ, and a part without walls. Sites lie in one corner of it.
struct Quarters {
  Extents extents{150, 2300};
  std::vector<float> map = std::vector<float>(static_cast<std::size_t>(extents.count()));
  std::vector<double> points{3, 2, 77, 5, 140, 9, 20, 300};

  Quarters() {
    Context context({.device = "cpu"});
    std::vector<float> noise(map.size());
    material_map(context, View<float>(map.data(), extents), Material::maze, 5);
    material_map(context, View<float>(noise.data(), extents), Material::noise, 5);
    for (std::int64_t i = 0; i < extents.count(); ++i) {
      const std::int64_t x = i % extents[1];
      float& value = map[static_cast<std::size_t>(i)];
      if (x >= 1100 && x < 1400)
        value *= noise[static_cast<std::size_t>(i)];
      else if (x >= 1700 && x < 1900)
        value = 0.5f;
    }
  }
};

// Tiles with one resistance (and barriers) have their own passes.
TEST(CostTiles, LevelGroundAndUnevenGround) {
  for (const EdgeWeight edge_weight : {EdgeWeight::stiffness, EdgeWeight::cost})
    for (const Connectivity connectivity : {Connectivity::faces, Connectivity::corners})
      for (const bool tight_barriers : {false, true}) {
        SCOPED_TRACE(std::string(name_of(connectivity)) +
                     (edge_weight == EdgeWeight::cost ? ", cost" : ", stiffness") +
                     (tight_barriers ? ", tight barriers" : ""));
        CostDistanceOptions options;
        options.connectivity = connectivity;
        options.tight_barriers = tight_barriers;
        options.spacing = {1.5, 1};
        options.method = CostMethod::dijkstra;
        Quarters scene;
        if (edge_weight == EdgeWeight::cost)
          std::replace(scene.map.begin(), scene.map.end(), 0.0f,
                       std::numeric_limits<float>::infinity());
        Context truth({.device = "cpu"});
        const TiledAnswer expected =
            solve_tiled(truth, scene.map, scene.extents, scene.points, options, edge_weight);
        options.method = CostMethod::exact;
        for (const ContextOptions& where : everywhere()) {
          Context context(where);
          EXPECT_TRUE(expected == solve_tiled(context, scene.map, scene.extents, scene.points,
                                              options, edge_weight))
              << where.device;
        }
        for (const std::string_view name : instruction_set_names())
          for (const int threads : {1, 3}) {
            Context context(
                {.device = "cpu", .threads = threads, .instructions = find_instructions(name)});
            EXPECT_TRUE(expected == solve_tiled(context, scene.map, scene.extents, scene.points,
                                                options, edge_weight))
                << name << ", threads " << threads;
          }
      }
}

// Several sites in a cell, of which not the first one gets the cell; sites that a path reaches at
// exactly their own cost, with a lesser and with a greater rank; and ties.
TEST(CostTiles, RootsOnPathsOfOthers) {
  const Extents extents{70, 100};
  const std::vector<float> map(static_cast<std::size_t>(extents.count()), 1.0f);
  const std::vector<double> points{35, 70, 35, 30, 35, 10, 35, 90, 35, 10, 2, 3, 2, 3, 60, 50};
  const std::vector<double> initial{20, 20, 5, 0, 0, 40, 3, 40};
  CostDistanceOptions options;
  const auto solve = [&](Context& context) {
    TiledAnswer answer{std::vector<std::int32_t>(map.size()), std::vector<float>(map.size())};
    const PointList list{.coordinates = View<const double>(
                             points.data(), {static_cast<std::int64_t>(initial.size()), 2})};
    cost_distance(context, CostMap::stiffness(View<const float>(map.data(), extents)), list,
                  options,
                  {.labels = View<std::int32_t>(answer.labels.data(), extents),
                   .distance = View<float>(answer.distance.data(), extents)},
                  View<const double>(initial.data(), {static_cast<std::int64_t>(initial.size())}));
    return answer;
  };
  options.method = CostMethod::dijkstra;
  Context truth({.device = "cpu"});
  const TiledAnswer expected = solve(truth);
  options.method = CostMethod::exact;
  for (const ContextOptions& where : everywhere()) {
    Context context(where);
    EXPECT_EQ(solve(context), expected) << where.device;
  }
}

// On level ground many cells have tight steps from several sites, also over borders of tiles.
TEST(CostTiles, TiesOverBorders) {
  const Extents extents{130, 330};
  std::vector<float> map(static_cast<std::size_t>(extents.count()));
  Context truth({.device = "cpu"});
  for (const Material material : {Material::uniform, Material::maze})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      material_map(truth, View<float>(map.data(), extents), material, seed);
      std::vector<double> points;
      for (std::uint64_t i = 0; i < 90; ++i) {
        points.push_back(static_cast<double>(splitmix64(seed, 2 * i) % 130));
        points.push_back(static_cast<double>(splitmix64(seed, 2 * i + 1) % 330));
      }
      CostDistanceOptions options;
      options.method = CostMethod::dijkstra;
      const TiledAnswer expected = solve_tiled(truth, map, extents, points, options);
      options.method = CostMethod::exact;
      for (const ContextOptions& where : everywhere()) {
        Context context(where);
        EXPECT_TRUE(solve_tiled(context, map, extents, points, options) == expected)
            << where.device << ", " << name_of(material) << ", seed " << seed;
      }
    }
}

// A cancelled call leaves nothing behind for the next one.
TEST(CostTiles, MayBeCancelled) {
  const Extents extents{400, 500};
  std::vector<float> map(static_cast<std::size_t>(extents.count()));
  Context context({.device = "cpu", .threads = 2});
  material_map(context, View<float>(map.data(), extents), Material::noise, 3);
  const std::vector<double> points{10, 10, 300, 400, 111, 222};
  const TiledAnswer expected = solve_tiled(context, map, extents, points, CostMethod::exact);
  for (const double fraction : {0.1, 0.3, 0.5, 0.7}) {
    context.on_progress([&](double done) {
      if (done >= fraction) context.cancel();
    });
    EXPECT_THROW(solve_tiled(context, map, extents, points, CostMethod::exact), Error) << fraction;
    context.on_progress({});
    EXPECT_EQ(solve_tiled(context, map, extents, points, CostMethod::exact), expected) << fraction;
  }
}

}  // namespace
}  // namespace thiessen
