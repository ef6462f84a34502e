// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "support/message_of.hpp"
#include "thiessen/thiessen.hpp"

namespace thiessen {
namespace {

std::vector<float> map_of(Material material, std::uint64_t seed, const Extents& extents) {
  Context context;
  std::vector<float> map(static_cast<std::size_t>(extents.count()));
  material_map(context, View<float>(map.data(), extents), material, seed);
  return map;
}

/// Maps have these values on every machine.
TEST(MaterialMap, Golden) {
  EXPECT_EQ(map_of(Material::uniform, 0, {1, 2}), (std::vector<float>{1, 1}));
  EXPECT_EQ(map_of(Material::gradient, 0, {2, 3}),
            (std::vector<float>{0.1f, 0.55f, 1, 0.1f, 0.55f, 1}));
  const std::vector<float> noise = map_of(Material::noise, 1, {1, 3});
  EXPECT_EQ(noise, map_of(Material::noise, 1, {3, 1}));
  EXPECT_NE(noise, map_of(Material::noise, 2, {1, 3}));
  EXPECT_EQ(noise[0], 0.60990536f);
}

TEST(MaterialMap, MazeHasOneWay) {
  // Rooms and the openings between them are a tree: one opening fewer than rooms.
  const std::vector<float> maze = map_of(Material::maze, 7, {43, 83});
  std::int64_t open = 0;
  for (const float value : maze) open += value == 1;
  constexpr std::int64_t kRooms = 11 * 21;
  EXPECT_EQ(open, kRooms * 9 + (kRooms - 1) * 3);
  EXPECT_NE(maze, map_of(Material::maze, 8, {43, 83}));
}

/// Unknown materials and integer maps are refused.
TEST(MaterialMap, Refuses) {
  Context context;
  std::vector<std::int32_t> wrong(4);
  EXPECT_THROW(material_map(context, View<std::int32_t>(wrong.data(), {2, 2}), Material::noise, 0),
               Error);
}

TEST(LeastCostPath, LeadsToTheSite) {
  const std::vector<float> map(12, 1.0f);
  std::vector<std::uint8_t> sites(12);
  sites[0] = 1;
  std::vector<std::uint8_t> links(12);
  Context context;
  const Extents extents{3, 4};
  cost_distance(context, CostMap::stiffness(View<const float>(map.data(), extents)),
                View<const std::uint8_t>(sites.data(), extents), {},
                {.back_link = View<std::uint8_t>(links.data(), extents)});
  const View<const std::uint8_t> view(links.data(), extents);
  EXPECT_EQ(least_cost_path(view, Connectivity::corners, {2, 3}),
            (std::vector<std::int64_t>{11, 10, 5, 0}));
  EXPECT_EQ(least_cost_path(view, Connectivity::faces, {0, 0}), (std::vector<std::int64_t>{0}));
  EXPECT_THROW(least_cost_path(view, Connectivity::corners, {3, 0}), Error);
  EXPECT_THROW(least_cost_path(view, Connectivity::corners, {0}), Error);
  EXPECT_THROW(least_cost_path(view, Connectivity::edges, {0, 0}), Error);
}

/// The path from a cell to the site at another one.
std::vector<std::int64_t> path_over(const std::vector<float>& map, const Extents& extents,
                                    std::int64_t site, const std::vector<std::int64_t>& from,
                                    const CostDistanceOptions& options) {
  std::vector<std::uint8_t> sites(map.size());
  sites[static_cast<std::size_t>(site)] = 1;
  const CostDistance found =
      cost_distance(CostMap::cost(View<const float>(map.data(), extents)),
                    View<const std::uint8_t>(sites.data(), extents), options, {.back_link = true});
  return least_cost_path(found.back_link.view(), options.connectivity, from);
}

/// All ways over ground that costs nothing are least-cost paths.
TEST(LeastCostPath, GoesStraightOverFreeGround) {
  CostDistanceOptions options;
  const std::vector<std::int64_t> row{44, 43, 42, 41, 40, 39, 38, 37, 36};
  for (const CostMethod method : {CostMethod::exact, CostMethod::dijkstra, CostMethod::relaxation})
    for (const Connectivity connectivity : {Connectivity::corners, Connectivity::faces})
      for (const std::vector<double>& spacing :
           {std::vector<double>{}, std::vector{0.1, 30.0}, std::vector{30.0, 0.1}}) {
        options.method = method;
        options.connectivity = connectivity;
        options.spacing = spacing;
        EXPECT_EQ(path_over(std::vector<float>(81), {9, 9}, 36, {4, 8}, options), row);
      }
  options = {};
  for (const Connectivity connectivity :
       {Connectivity::corners, Connectivity::edges, Connectivity::faces}) {
    options.connectivity = connectivity;
    EXPECT_EQ(path_over(std::vector<float>(125), {5, 5, 5}, 60, {2, 2, 4}, options),
              (std::vector<std::int64_t>{64, 63, 62, 61, 60}));
    EXPECT_EQ(path_over(std::vector<float>(125), {5, 5, 5}, 12, {4, 2, 2}, options),
              (std::vector<std::int64_t>{112, 87, 62, 37, 12}));
  }
}

/// A step along z as long as a diagonal in its plane comes first, as does the shorter of two.
TEST(LeastCostPath, ComparesStepsExactly) {
  CostDistanceOptions options{.connectivity = Connectivity::edges, .spacing = {0.5, 0.3, 0.4}};
  const float wall = std::numeric_limits<float>::infinity();
  const std::vector<float> map{0, wall, wall, 0, 0, wall, wall, 0};
  EXPECT_EQ(path_over(map, {2, 2, 2}, 0, {1, 1, 1}, options), (std::vector<std::int64_t>{7, 3, 0}));
  options.spacing[0] = 0.50000001;
  EXPECT_EQ(path_over(map, {2, 2, 2}, 0, {1, 1, 1}, options), (std::vector<std::int64_t>{7, 4, 0}));
  // Weights of many digits, and spacings too uneven for weights of 126 bits.
  options = {.connectivity = Connectivity::faces};
  for (const double small : {0.12345678901234567, 1e-30}) {
    options.spacing = {small, 3.141592653589793};
    EXPECT_EQ(path_over(std::vector<float>(4), {2, 2}, 0, {1, 1}, options),
              (std::vector<std::int64_t>{3, 1, 0}));
    options.spacing = {3.141592653589793, small};
    EXPECT_EQ(path_over(std::vector<float>(4), {2, 2}, 0, {1, 1}, options),
              (std::vector<std::int64_t>{3, 2, 0}));
  }
}

TEST(LeastCostPath, RefusesForeignLinks) {
  std::vector<std::uint8_t> links{5, 4, kBackLinkUnreached, kBackLinkNodata, 9, 1};
  const View<const std::uint8_t> view(links.data(), {1, 6});
  EXPECT_THROW(least_cost_path(view, Connectivity::corners, {0, 0}), Error);  // in a circle
  EXPECT_TRUE(least_cost_path(view, Connectivity::corners, {0, 2}).empty());
  EXPECT_TRUE(least_cost_path(view, Connectivity::corners, {0, 3}).empty());
  EXPECT_THROW(least_cost_path(view, Connectivity::corners, {0, 4}), Error);  // there is no ninth
  EXPECT_THROW(least_cost_path(view, Connectivity::corners, {0, 5}), Error);  // out of the raster
}

/// With steps, directions are those of back links.
TEST(Direction, IsThatOfTheBackLink) {
  const std::vector<float> map(12, 1.0f);
  std::vector<std::uint8_t> sites(12);
  sites[5] = 1;
  CostDistanceOptions options{.map_nodata = std::int64_t{-1}};
  options.spacing = {1.0, 1.0};
  options.max_distance = 1.5;
  const Extents extents{3, 4};
  const CostDistance found =
      cost_distance(CostMap::cost(View<const float>(map.data(), extents)),
                    View<const std::uint8_t>(sites.data(), extents), options, {.direction = true});
  const float* const direction = found.direction.data();
  EXPECT_EQ(std::vector<float>(direction, direction + 3), (std::vector<float>{135, 180, 225}));
  EXPECT_EQ(std::vector<float>(direction + 4, direction + 7), (std::vector<float>{90, 0, 270}));
  EXPECT_EQ(std::vector<float>(direction + 8, direction + 11), (std::vector<float>{45, 360, 315}));
  EXPECT_TRUE(std::isnan(direction[3]));
  const auto message = [&](const Extents& shape, Connectivity connectivity, bool carried) {
    CostDistanceOptions wrong{.method = CostMethod::relaxation, .connectivity = connectivity};
    wrong.labels_carried = carried;
    return testing::message_of([&] {
      cost_distance(CostMap::cost(View<const float>(map.data(), shape)),
                    View<const std::uint8_t>(sites.data(), shape), wrong, {.direction = true});
    });
  };
  EXPECT_EQ(message({3, 2, 2}, Connectivity::corners, false),
            "direction is wanted of a 3-D raster; it exists only in 2-D");
  EXPECT_EQ(message({3, 4}, Connectivity::corners, true),
            "direction is wanted, which follows settled labels; labels_carried must not be set");
}

/// Level ground with a wall, and a gap in it.
TEST(LeastCostLine, IsNearlyAsShortAsCanBe) {
  const Extents extents{61, 81};
  std::vector<float> map(61 * 81, 1);
  for (std::size_t y = 0; y < 61; ++y)
    if (y != 40) map[y * 81 + 40] = -1;
  std::vector<std::uint8_t> sites(map.size());
  sites[20 * 81 + 10] = 1;
  CostDistanceOptions options{.method = CostMethod::eikonal, .map_nodata = std::int64_t{-1}};
  const CostDistance found =
      cost_distance(CostMap::cost(View<const float>(map.data(), extents)),
                    View<const std::uint8_t>(sites.data(), extents), options,
                    {.site_index = true, .back_link = true, .direction = true});
  LeastCostLineInputs inputs{.direction = found.direction.view(),
                             .back_link = found.back_link.view(),
                             .site_index = found.site_index.view()};
  const auto length_from = [&](double y, double x) {
    const std::vector<double> line = least_cost_line(inputs, Connectivity::corners, {}, {y, x});
    double length = 0;
    for (std::size_t i = 2; i < line.size(); i += 2)
      length += std::hypot(line[i] - line[i - 2], line[i + 1] - line[i - 1]);
    EXPECT_EQ(line[line.size() - 2], 20);
    EXPECT_EQ(line.back(), 10);
    return length;
  };
  EXPECT_NEAR(length_from(50, 30), std::hypot(30, 20), 0.01);
  EXPECT_NEAR(length_from(3.25, 21.5), std::hypot(16.75, 11.5), 0.01);
  // Ways through the middle of the gap; the shortest one touches its corner, and is a bit shorter.
  const double bent = std::hypot(20, 30) + std::hypot(10, 25);
  EXPECT_NEAR(length_from(50, 65), bent, 0.2);
  EXPECT_TRUE(least_cost_line(inputs, Connectivity::corners, {}, {3, 40}).empty());
  const auto message = [&](const std::vector<double>& from) {
    return testing::message_of([&] { least_cost_line(inputs, Connectivity::corners, {}, from); });
  };
  EXPECT_EQ(message({0, 81}), "from[1] = 81; must be at least -0.5 and less than 80.5");
  EXPECT_EQ(message({0}), "from has 1 values; must have one for each of the 2 axes");
  inputs.site_index = {};
  EXPECT_EQ(message({0, 0}), "site_index is missing; must be given");
}

}  // namespace
}  // namespace thiessen
