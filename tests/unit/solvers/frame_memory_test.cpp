// SPDX-License-Identifier: Apache-2.0
//
// The frames of a simulation take no memory once some of them have run. All functions of the C
// library that give memory are counted, on all threads.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "thiessen/solvers/cost_solver.hpp"
#include "thiessen/solvers/nearest_site_solver.hpp"
#include "thiessen/solvers/region_statistics.hpp"

namespace {
std::atomic<std::int64_t> taken{0};
}  // namespace

// Those of the C library, which have these names for programs that put others in their place.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++taken;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++taken;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  ++taken;
  return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  ++taken;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}

namespace thiessen {
namespace {

using Indices = std::vector<std::int64_t>;
using Index = std::array<std::int64_t, 1>;  // takes no memory

const Extents kExtents{192, 256};
constexpr std::int64_t kCells = 192 * 256;
constexpr std::int64_t kColumns = 16;  // of nodes
constexpr std::int64_t kNodes = 12 * kColumns;
/// Frames in which what happens comes again.
constexpr std::int64_t kPeriod = 10;

/// What a simulation keeps of the regions.
class Regions {
 public:
  Regions(Context& context, const View<const void>& labels, const SiteFields& fields)
      : regions_(context, labels, fields) {}

  void update(std::span<const std::int64_t> cells) { regions_.update(cells); }
  void read() {
    regions_.changes(changes_);
    regions_.statistics(some_, std::as_const(changes_.labels).view());
    regions_.adjacency(pairs_of_some_, std::as_const(changes_.labels).view());
    regions_.statistics(all_);
    regions_.adjacency(pairs_);
    pairs_changed_ += changes_.came_a.extents()[0] + changes_.went_a.extents()[0];
  }
  std::int64_t pairs_changed() const { return pairs_changed_; }

 private:
  RegionStatistics regions_;
  RegionChanges changes_;
  SiteStatistics some_, all_;
  Adjacency pairs_, pairs_of_some_;
  std::int64_t pairs_changed_ = 0;
};

/// Fails if a frame after the tenth takes memory. Each changes few cells, so that solvers repair
/// their answer: a fresh call of nearest sites takes some.
void expect_no_memory(const std::function<void(std::int64_t)>& run_frame) {
  for (std::int64_t frame = 0; frame < 5 * kPeriod; ++frame) {
    const std::int64_t before = taken;
    run_frame(frame % kPeriod);
    if (frame >= kPeriod) {
      EXPECT_EQ(taken - before, 0) << "frame " << frame;
    }
  }
}

std::vector<double> places_of_nodes() {
  std::vector<double> places;
  for (std::int64_t i = 0; i < kNodes; ++i) {
    places.push_back(8.0 + static_cast<double>(16 * (i / kColumns)));
    places.push_back(8.0 + static_cast<double>(16 * (i % kColumns)));
  }
  return places;
}

struct Outputs {
  std::vector<std::int32_t> labels = std::vector<std::int32_t>(kCells);
  std::vector<float> distance = std::vector<float>(kCells);
  View<std::int32_t> label_view() { return {labels.data(), kExtents}; }
  View<float> distance_view() { return {distance.data(), kExtents}; }
};

class FrameMemory : public ::testing::TestWithParam<int> {
 protected:
  Context context_{{.device = "cpu", .threads = GetParam()}};
  std::vector<double> places_ = places_of_nodes();
  View<const double> points() const { return {places_.data(), {kNodes, 2}}; }

  void run_cut(const CostDistanceOptions& options);
};

/// A cut that grows for five frames, and heals in the next five.
void FrameMemory::run_cut(const CostDistanceOptions& options) {
  std::vector<float> stiffness(kCells, 1);
  const View<float> map(stiffness.data(), kExtents);
  Outputs out;
  CostSolver solver(context_, CostMap::stiffness(map), {.coordinates = points()}, options,
                    {.labels = out.label_view(), .distance = out.distance_view()});
  Regions regions(context_, out.label_view(), {.field = map, .distance = out.distance_view()});
  constexpr std::int64_t kBlade = 20;
  std::vector<float> values(kBlade);
  Indices cut(kBlade);
  std::int64_t changed = 0;
  expect_no_memory([&](std::int64_t frame) {
    const float value = frame < kPeriod / 2 ? 0 : 1;
    const std::array<std::int64_t, 2> first{46 + frame % (kPeriod / 2), 0};
    for (std::size_t i = 0; i < cut.size(); ++i) {
      values[i] = value;
      cut[i] = first[0] * kExtents[1] + first[1] + static_cast<std::int64_t>(i);
      stiffness[static_cast<std::size_t>(cut[i])] = value;
    }
    solver.update_box(first, View<const float>(values.data(), {1, kBlade}));
    solver.update_map(cut, View<const float>(values.data(), {kBlade}));
    // A node comes near to the cut, and goes back.
    const Index node = {7};
    const std::array<double, 2> place{places_[14] + static_cast<double>((frame + 1) % 2),
                                      places_[15]};
    solver.move_sites(node, View<const double>(place.data(), {1, 2}));
    changed += solver.solve().cells;
    regions.update(cut);
    regions.update(solver.changed_cells().cell);
    regions.read();
  });
  EXPECT_GT(changed, 0);
  EXPECT_GT(regions.pairs_changed(), 0);
}

TEST_P(FrameMemory, OfCosts) { run_cut({.tight_barriers = true}); }

TEST_P(FrameMemory, OfFronts) { run_cut({.method = CostMethod::eikonal}); }

/// Nodes that swing, as points.
TEST_P(FrameMemory, OfPoints) {
  Outputs out;
  NearestSiteSolver solver(context_, {.coordinates = points()}, {.extents = kExtents}, {},
                           {.labels = out.label_view(), .distance = out.distance_view()});
  Regions regions(context_, out.label_view(), {.distance = out.distance_view()});
  const Index moved = {7};
  const Index gone = {9};
  expect_no_memory([&](std::int64_t frame) {
    const std::array<double, 2> place{places_[14] + static_cast<double>(3 * (frame % 5)),
                                      places_[15] + 0.25};
    solver.move_sites(moved, View<const double>(place.data(), {1, 2}));
    if (frame % 2 == 0)
      solver.remove_sites(gone);
    else
      solver.move_sites(gone, View<const double>(places_.data() + 18, {1, 2}));
    solver.solve();
    regions.update(solver.changed_cells().cell);
    regions.read();
  });
  EXPECT_GT(regions.pairs_changed(), 0);
}

/// The same for cells of a raster.
TEST_P(FrameMemory, OfCells) {
  Outputs out;
  std::vector<std::int32_t> sites(kCells);
  const auto cell_of = [&](std::int64_t node) {
    const auto at = static_cast<std::size_t>(2 * node);
    return static_cast<std::int64_t>(places_[at]) * kExtents[1] +
           static_cast<std::int64_t>(places_[at + 1]);
  };
  for (std::int64_t node = 0; node < kNodes; ++node)
    sites[static_cast<std::size_t>(cell_of(node))] = static_cast<std::int32_t>(node + 1);
  NearestSiteSolver solver(context_, View<const std::int32_t>(sites.data(), kExtents), {},
                           {.labels = out.label_view(), .distance = out.distance_view()});
  Regions regions(context_, out.label_view(), {.distance = out.distance_view()});
  const std::int64_t home = cell_of(8);
  const std::vector<std::int32_t> values = {50, 0};
  expect_no_memory([&](std::int64_t frame) {
    const std::int64_t way = 3 * (frame % 5);
    const std::int64_t next = frame % 5 == 4 ? home : home + way + 3;
    const Index from = {home + way};
    const Index to = {next};
    solver.move_sites(from, to);
    const std::array<std::int64_t, 2> first{60, 60};
    solver.update_box(first, View<const std::int32_t>(values.data() + frame % 2, {1, 1}));
    solver.solve();
    regions.update(solver.changed_cells().cell);
    regions.read();
  });
  EXPECT_GT(regions.pairs_changed(), 0);
}

INSTANTIATE_TEST_SUITE_P(Threads, FrameMemory, ::testing::Values(1, 2, 3),
                         [](const auto& each) { return std::to_string(each.param); });

}  // namespace
}  // namespace thiessen
