// SPDX-License-Identifier: Apache-2.0
//
// Where cells lie between two walls: 0 at the wall of the cell's own label, 1/2 half way to the
// other one.
#include <cstdio>

#include "thiessen/thiessen.hpp"

int main() {
  auto walls = thiessen::Array<std::int32_t>({3, 9});
  for (std::int64_t y = 0; y < 3; ++y) {
    walls(y, 0) = 1;      // a straight wall on the left
    walls(y, 8 - y) = 2;  // and a slanting one on the right
  }
  const thiessen::NearestSite found =
      thiessen::nearest_site(walls.view(), {}, {.other_distance = true});
  const auto own = found.distance.view<float>();
  const auto other = found.other_distance.view<float>();
  for (std::int64_t y = 0; y < 3; ++y) {
    for (std::int64_t x = 0; x < 9; ++x)
      std::printf(" %.2f", static_cast<double>(own(y, x) / (own(y, x) + other(y, x))));
    std::printf("\n");
  }
}
