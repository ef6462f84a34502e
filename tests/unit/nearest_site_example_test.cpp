// SPDX-License-Identifier: Apache-2.0
//
// The example of README.md, as it stands there.
#include <gtest/gtest.h>

#include <vector>

// [example]
#include <thiessen/thiessen.hpp>

std::vector<float> distance_to_roads(const std::vector<std::uint8_t>& roads, std::int64_t height,
                                     std::int64_t width) {
  std::vector<float> metres(roads.size());
  thiessen::Context context;
  thiessen::NearestSiteOptions options;
  options.spacing = {30.0, 30.0};  // a cell is 30 m by 30 m
  thiessen::nearest_site(context, thiessen::View<const std::uint8_t>(roads.data(), {height, width}),
                         options,
                         {.distance = thiessen::View<float>(metres.data(), {height, width})});
  return metres;
}
// [example]

namespace {

TEST(Example, DistanceToRoads) {
  const std::vector<std::uint8_t> roads = {0, 0, 1, 0,  //
                                           0, 0, 1, 0};
  EXPECT_EQ(distance_to_roads(roads, 2, 4), (std::vector<float>{60, 30, 0, 30, 60, 30, 0, 30}));
}

}  // namespace
