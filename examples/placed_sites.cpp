// SPDX-License-Identifier: Apache-2.0
//
// Where should twelve wells be in a valley, so that the way to the next one is short for those who
// live there? They start where the way would be longest, and then move to the middle of those whom
// they serve.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "thiessen/thiessen.hpp"

namespace {

using thiessen::Array;
using thiessen::Extents;

constexpr std::int64_t kHeight = 120;
constexpr std::int64_t kWidth = 200;

/// A cost of 1 in the valley, more on its slopes, and a river that nobody crosses but at a bridge.
Array<float> valley() {
  Array<float> cost(Extents{kHeight, kWidth});
  const auto cells = cost.view();
  for (std::int64_t y = 0; y < kHeight; ++y)
    for (std::int64_t x = 0; x < kWidth; ++x) {
      const std::int64_t slope = std::abs(y - kHeight / 2) / 20;
      const bool is_river = y >= 58 && y < 62 && (x < 90 || x >= 94);
      cells(y, x) = is_river ? INFINITY : static_cast<float>(1 + slope);
    }
  return cost;
}

/// How many live in each cell: most near the bridge.
Array<std::uint8_t> people() {
  Array<std::uint8_t> counts(Extents{kHeight, kWidth});
  const auto cells = counts.view();
  for (std::int64_t y = 0; y < kHeight; ++y)
    for (std::int64_t x = 0; x < kWidth; ++x) {
      const std::int64_t away = std::abs(y - 60) + std::abs(x - 92);
      cells(y, x) = static_cast<std::uint8_t>(away < 40 ? 9 : 1);
    }
  return counts;
}

void run() {
  thiessen::Context context({.device = "cpu"});
  const Array<float> cost = valley();
  const Array<std::uint8_t> density = people();
  const auto map = thiessen::CostMap::cost(cost.view());

  const thiessen::FarthestSites first =
      thiessen::farthest_cost_sites(context, map, {}, {.count = 12});
  std::printf("farthest way to one of 12 wells: %.1f\n", first.radius);

  const thiessen::RelaxedCells wells =
      thiessen::relax_cost_sites(context, map, first.cells, {}, {.steps = 100}, density.view());
  const std::vector<double>& energy = wells.relaxation.energy;
  std::printf("energy %.0f, after %zu steps %.0f; the first well is at %lld, %lld\n",
              energy.front(), energy.size() - 1, energy.back(),
              static_cast<long long>(wells.cells.front() / kWidth),
              static_cast<long long>(wells.cells.front() % kWidth));
}

}  // namespace

int main() {
  try {
    run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "placed_sites: %s\n", error.what());
    return 1;
  }
}
