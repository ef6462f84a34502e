// SPDX-License-Identifier: Apache-2.0
//
// What is particular to falling tile by tile on the CPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cpu/tiles/instruction_sets.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

using cpu::tiles::instruction_set_names;

struct TiledAnswer {
  std::vector<std::int32_t> labels;
  std::vector<float> distance;
  bool operator==(const TiledAnswer&) const = default;
};

TiledAnswer solve_tiled(Context& context, const std::vector<float>& map, const Extents& extents,
                        const std::vector<double>& points, const CostDistanceOptions& options) {
  TiledAnswer answer;
  answer.labels.resize(map.size());
  answer.distance.resize(map.size());
  const PointList list{.coordinates = View<const double>(
                           points.data(), {static_cast<std::int64_t>(points.size()) / 2, 2})};
  cost_distance(context, View<const float>(map.data(), extents), list, options,
                {.labels = View<std::int32_t>(answer.labels.data(), extents),
                 .distance = View<float>(answer.distance.data(), extents)});
  return answer;
}

TiledAnswer solve_tiled(Context& context, const std::vector<float>& map, const Extents& extents,
                        const std::vector<double>& points, const std::string& method) {
  CostDistanceOptions options;
  options.method = method;
  options.edge_weight = EdgeWeight::cost;
  return solve_tiled(context, map, extents, points, options);
}

// Where steps cost nothing all cells belong to the first site. Each one nearer to it in the list
// lies a tile farther on, so that by tiles all would be flooded again and again.
TEST(CostTiles, LesserRanksMayKeepComing) {
  const Extents extents{66, 64 * 12};
  std::vector<double> points;
  for (int tile = 11; tile >= 0; --tile) {
    points.push_back(32);
    points.push_back(64 * tile + 32);
  }
  const std::vector<float> map(static_cast<std::size_t>(extents.count()), 0.0f);
  for (const int threads : {1, 3}) {
    Context context({.device = "cpu", .threads = threads});
    const TiledAnswer answer = solve_tiled(context, map, extents, points, "exact");
    EXPECT_EQ(answer, solve_tiled(context, map, extents, points, "dijkstra"));
    EXPECT_EQ(answer.labels, std::vector<std::int32_t>(map.size(), 1));
  }
}

/// A call with several windows of tiles: a maze in which all open cells are alike, but for a part
/// of it where no two are, and a part without walls. Sites lie in one corner of it.
struct Quarters {
  Extents extents{150, 2300};
  std::vector<float> map = std::vector<float>(static_cast<std::size_t>(extents.count()));
  std::vector<double> points{3, 2, 77, 5, 140, 9, 20, 300};

  Quarters() {
    Context context({.device = "cpu"});
    std::vector<float> noise(map.size());
    material_map(context, View<float>(map.data(), extents), "maze", 5);
    material_map(context, View<float>(noise.data(), extents), "noise", 5);
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

// Tiles of one resistance but for barriers have passes, and a way from cell to cell, of their own.
TEST(CostTiles, LevelGroundAndUnevenGround) {
  for (const EdgeWeight edge_weight : {EdgeWeight::stiffness, EdgeWeight::cost})
    for (const int connectivity : {4, 8})
      for (const bool tight_barriers : {false, true}) {
        SCOPED_TRACE(std::to_string(connectivity) + " neighbours" +
                     (edge_weight == EdgeWeight::cost ? ", cost" : ", stiffness") +
                     (tight_barriers ? ", tight barriers" : ""));
        CostDistanceOptions options;
        options.edge_weight = edge_weight;
        options.connectivity = connectivity;
        options.tight_barriers = tight_barriers;
        options.spacing = {1.5, 1};
        options.method = "dijkstra";
        Quarters scene;
        if (edge_weight == EdgeWeight::cost)
          std::replace(scene.map.begin(), scene.map.end(), 0.0f,
                       std::numeric_limits<float>::infinity());
        Context truth({.device = "cpu"});
        const TiledAnswer expected =
            solve_tiled(truth, scene.map, scene.extents, scene.points, options);
        options.method = "exact";
        for (const std::string_view name : instruction_set_names())
          for (const int threads : {1, 3}) {
            Context context(
                {.device = "cpu", .threads = threads, .instructions = std::string(name)});
            EXPECT_TRUE(expected ==
                        solve_tiled(context, scene.map, scene.extents, scene.points, options))
                << name << ", threads " << threads;
          }
      }
}

// A call that was broken off leaves nothing behind for the one after it.
TEST(CostTiles, MayBeCancelled) {
  const Extents extents{400, 500};
  std::vector<float> map(static_cast<std::size_t>(extents.count()));
  Context context({.device = "cpu", .threads = 2});
  material_map(context, View<float>(map.data(), extents), "noise", 3);
  const std::vector<double> points{10, 10, 300, 400, 111, 222};
  const TiledAnswer expected = solve_tiled(context, map, extents, points, "exact");
  for (const double fraction : {0.1, 0.3, 0.5, 0.7}) {
    context.on_progress([&](double done) {
      if (done >= fraction) context.cancel();
    });
    EXPECT_THROW(solve_tiled(context, map, extents, points, "exact"), Error) << fraction;
    context.on_progress({});
    EXPECT_EQ(solve_tiled(context, map, extents, points, "exact"), expected) << fraction;
  }
}

}  // namespace
}  // namespace thiessen
