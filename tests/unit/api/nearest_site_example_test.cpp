// SPDX-License-Identifier: Apache-2.0
//
// The example of README.md, as it stands there.
#include <gtest/gtest.h>

#include <vector>

// [example]
#include <thiessen/thiessen.hpp>

thiessen::NearestSite nearest_roads(const std::vector<std::uint8_t>& roads, std::int64_t height,
                                    std::int64_t width) {
  const thiessen::View<const std::uint8_t> sites(roads.data(), {height, width});
  return thiessen::nearest_site(sites, {.spacing = {30, 30}});  // cells of 30 m by 30 m
}

float metres_to_a_road(const thiessen::NearestSite& nearest, std::int64_t y, std::int64_t x) {
  return nearest.distance.view<float>()(y, x);
}
// [example]

namespace {

TEST(Example, DistanceToRoads) {
  const thiessen::NearestSite nearest = nearest_roads({0, 0, 1, 0,  //
                                                       0, 0, 1, 0},
                                                      2, 4);
  EXPECT_EQ(metres_to_a_road(nearest, 0, 0), 60);
  EXPECT_EQ(metres_to_a_road(nearest, 1, 2), 0);
  EXPECT_EQ(metres_to_a_road(nearest, 1, 3), 30);
}

}  // namespace
