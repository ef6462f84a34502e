// SPDX-License-Identifier: Apache-2.0
//
// The short form: results that own their memory, on the Context of the thread.
#include <cstdint>
#include <cstdio>
#include <thiessen/thiessen.hpp>
#include <vector>

int main() {
  // Two roads, 1 and 2, in cells of 30 m by 30 m.
  const std::vector<std::uint8_t> roads = {0, 0, 1, 0, 0,  //
                                           0, 0, 1, 0, 2};
  const thiessen::View<const std::uint8_t> sites(roads.data(), {2, 5});
  const thiessen::NearestSite nearest = thiessen::nearest_site(sites, {.spacing = {30, 30}});
  const auto road = nearest.labels.view<std::uint8_t>();
  const auto metres = nearest.distance.view<float>();
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 5; ++x)
      std::printf("road %d at %g m%s", road(y, x), metres(y, x), x == 4 ? "\n" : ", ");

  // Points, as (y, x) in cells; their labels are 1, 2, ….
  const std::vector<double> wells = {0, 0.5, 1, 4};
  const thiessen::NearestSite diagram =
      thiessen::voronoi({thiessen::View<const double>(wells.data(), {2, 2})}, {.extents = {2, 5}},
                        {}, {.site_index = true, .distance = false});
  for (const std::int64_t well : diagram.site_index) std::printf("%d ", static_cast<int>(well));
  std::printf("\n");
}
