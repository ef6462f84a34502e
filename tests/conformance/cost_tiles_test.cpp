// SPDX-License-Identifier: Apache-2.0
//
// What is particular to falling tile by tile on the CPU.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

struct TiledAnswer {
  std::vector<std::int32_t> labels;
  std::vector<float> distance;
  bool operator==(const TiledAnswer&) const = default;
};

TiledAnswer solve_tiled(Context& context, const std::vector<float>& map, const Extents& extents,
                        const std::vector<double>& points, const std::string& method) {
  CostDistanceOptions options;
  options.method = method;
  options.edge_weight = EdgeWeight::cost;
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
