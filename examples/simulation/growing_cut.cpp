// SPDX-License-Identifier: Apache-2.0
//
// The loop of a simulation, whole: a body of soft and stiff material is cut by an oblique cut that
// grows from frame to frame. The solver keeps the region of each node, and the statistics keep what
// the regions hold and which of them touch. A frame takes the time of what changes in it, and after
// the first ones it takes no memory: all tables are written into memory that is there.
#include <array>
#include <cstdint>
#include <cstdio>
#include <thiessen/thiessen.hpp>
#include <vector>

namespace {

constexpr std::int64_t kHeight = 60;
constexpr std::int64_t kWidth = 90;
constexpr int kFrames = 40;
const thiessen::Extents kExtents{kHeight, kWidth};

/// Soft above, stiff below.
std::vector<float> body() {
  std::vector<float> stiffness(kHeight * kWidth, 1.0F);
  for (std::int64_t cell = kHeight / 2 * kWidth; cell < kHeight * kWidth; ++cell)
    stiffness[static_cast<std::size_t>(cell)] = 4.0F;
  return stiffness;
}

/// A node in the middle of each square of 15 x 15 cells.
std::vector<double> nodes() {
  std::vector<double> places;
  for (int y = 7; y < kHeight; y += 15)
    for (int x = 7; x < kWidth; x += 15) places.insert(places.end(), {y + 0.5, x + 0.5});
  return places;
}

}  // namespace

int main() {
  std::vector<float> stiffness = body();
  const thiessen::View<const float> map(stiffness.data(), kExtents);
  const std::vector<double> places = nodes();
  const auto count = static_cast<std::int64_t>(places.size()) / 2;
  std::vector<std::int32_t> labels(stiffness.size());
  std::vector<float> distance(stiffness.size());

  thiessen::Context context({.device = "cpu"});
  thiessen::CostSolver solver(
      context, thiessen::CostMap::stiffness(map),
      {.coordinates = thiessen::View<const double>(places.data(), {count, 2})},
      {.tight_barriers = true},
      {.labels = thiessen::View<std::int32_t>(labels.data(), kExtents),
       .distance = thiessen::View<float>(distance.data(), kExtents)});
  thiessen::RegionStatistics regions(
      context, thiessen::View<const std::int32_t>(labels.data(), kExtents), {.field = map});

  thiessen::RegionChanges changes;
  thiessen::SiteStatistics shares;
  thiessen::Adjacency pairs;
  regions.adjacency(pairs);
  const std::size_t pairs_before = pairs.contacts.size();
  std::int64_t came = 0;
  std::int64_t went = 0;
  std::int64_t regions_changed = 0;
  double lightest = 1e9;
  for (int frame = 0; frame < kFrames; ++frame) {
    // The cut goes on by one cell down and two cells to the right.
    const std::array<std::int64_t, 2> first{10 + frame, 2 + 2 * frame};
    const std::array<float, 2> nothing{0, 0};
    const std::array<std::int64_t, 2> cut{first[0] * kWidth + first[1],
                                          first[0] * kWidth + first[1] + 1};
    for (const std::int64_t cell : cut) stiffness[static_cast<std::size_t>(cell)] = 0;

    solver.update_box(first, thiessen::View<const float>(nothing.data(), {1, 2}));
    solver.solve();                               // labels and distance are right
    regions.update(cut);                          // the stiffness of these changed,
    regions.update(solver.changed_cells().cell);  // and the region of those
    regions.changes(changes);
    regions.statistics(shares, changes.labels.view());  // of the nodes that changed

    came += changes.came_a.extents()[0];
    went += changes.went_a.extents()[0];
    regions_changed += changes.labels.extents()[0];
    for (const double mass : shares.mass) lightest = mass < lightest ? mass : lightest;
  }
  regions.adjacency(pairs);
  std::printf("%d frames: %lld regions changed, the lightest has a mass of %.0f\n", kFrames,
              static_cast<long long>(regions_changed), lightest);
  std::printf("%zu pairs of regions touch; %lld came and %lld went, before there were %zu\n",
              pairs.contacts.size(), static_cast<long long>(came), static_cast<long long>(went),
              pairs_before);
}
