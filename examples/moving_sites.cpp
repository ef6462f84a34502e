// SPDX-License-Identifier: Apache-2.0
//
// A solver in the loop of a simulation: particles move, and in each frame only the cells that they
// won or lost are looked at again to keep the area of each particle's cell.
#include <cstdint>
#include <cstdio>
#include <thiessen/thiessen.hpp>
#include <vector>

int main() {
  constexpr std::int64_t kSide = 64;
  constexpr int kFrames = 30;
  const thiessen::Extents extents{kSide, kSide};
  std::vector<double> places = {8, 8, 20, 50, 40, 30, 55, 12};  // (y, x) of four particles
  std::vector<std::int64_t> site(kSide * kSide);
  std::vector<float> distance(kSide * kSide);

  thiessen::Context context;
  thiessen::NearestSiteSolver solver(
      context, {.coordinates = thiessen::View<const double>(places.data(), {4, 2})},
      {.extents = extents}, {},
      {.site_index = thiessen::View<std::int64_t>(site.data(), extents),
       .distance = thiessen::View<float>(distance.data(), extents)});
  std::vector<int> area(4);
  for (const std::int64_t each : site) ++area[static_cast<std::size_t>(each)];

  std::size_t looked_at = 0;
  for (int frame = 0; frame < kFrames; ++frame) {
    const std::vector<std::int64_t> moved = {frame % 4};
    double* const place = &places[static_cast<std::size_t>(2 * moved[0])];
    place[1] += 0.75;
    solver.move_sites(moved, thiessen::View<const double>(place, {1, 2}));
    solver.solve();
    const thiessen::ChangedCells& changed = solver.changed_cells();
    for (std::size_t i = 0; i < changed.cell.size(); ++i) {
      --area[static_cast<std::size_t>(changed.site_before[i])];
      ++area[static_cast<std::size_t>(site[static_cast<std::size_t>(changed.cell[i])])];
    }
    looked_at += changed.cell.size();
  }
  std::printf("areas %d %d %d %d, %zu of %lld cells looked at\n", area[0], area[1], area[2],
              area[3], looked_at, static_cast<long long>(kFrames * kSide * kSide));
}
