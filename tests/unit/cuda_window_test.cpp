// SPDX-License-Identifier: Apache-2.0
//
// The window search by a warp of the host, tile by tile, against every site.
#include <gtest/gtest.h>

#include <vector>

#include "cuda/window.hpp"
#include "cuda/window_tables.hpp"
#include "support/draw.hpp"
#include "thiessen/raster.hpp"
#include "unit/cuda_job.hpp"

namespace thiessen::cuda {
namespace {

/// A raster of bytes with random sites, and what the search needs to know of it.
struct Scene {
  Scene(const Extents& extents, std::int64_t one_in, const NearestSiteOptions& options,
        std::uint64_t seed)
      : raster(ElementType::u8, extents),
        problem(make_problem(View<const void>(raster.view()), options, {})),
        tables(make_window_tables(problem)),
        job(host_job(problem, make_views(raster.view(), {}))) {
    testing::Draw draw(seed);
    const Axes& extent = problem.extent;
    bits.row_words = (extent[2] + 31) / 32;
    words.resize(static_cast<std::size_t>(bits.row_words * extent[0] * extent[1]));
    bits.words = words.data();
    for (std::int64_t cell = 0; cell < problem.cells(); ++cell) {
      if (!draw.once_in(one_in)) continue;
      sites.push_back(cell);
      const std::int64_t x = cell % extent[2];
      words[static_cast<std::size_t>(cell / extent[2] * bits.row_words + x / 32)] |=
          std::uint32_t{1} << x % 32;
    }
  }

  /// The first of the nearest sites of a cell, and its S.
  std::pair<std::int64_t, Int128> nearest(const Axes& cell) const {
    std::int64_t first = -1;
    Int128 least = 0;
    for (const std::int64_t site : sites) {
      const Int128 exact = exact_between(problem, cell, to_cell(problem.extent, site));
      if (first >= 0 && exact >= least) continue;
      first = site;
      least = exact;
    }
    return {first, least};
  }

  Raster raster;
  Problem problem;
  WindowTables tables;
  Job job;
  Bits bits;
  std::vector<std::uint32_t> words;
  std::vector<std::int64_t> sites;
};

std::int64_t cell_of(const Scene& scene, const Window& window, std::uint32_t place) {
  return to_index(scene.problem.extent,
                  {window.corner[0] + static_cast<std::int32_t>(place >> 16),
                   window.corner[1] + static_cast<std::int32_t>(place >> 8 & 0xff),
                   window.corner[2] + static_cast<std::int32_t>(place & 0xff)});
}

std::vector<std::int64_t> sites_within(const Scene& scene, const Window& window) {
  std::vector<std::int64_t> inside;
  for (const std::int64_t site : scene.sites) {
    const Axes at = to_cell(scene.problem.extent, site);
    bool in = true;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      in = in && at[axis] >= window.corner[axis] &&
           at[axis] < window.corner[axis] + window.size[axis];
    if (in) inside.push_back(site);
  }
  return inside;
}

/// Compares the winners of a settled tile with those of all sites.
template <int kRank>
void compare_tile(const Scene& scene, const Window& window, int bits, const WindowSites& sites,
                  const HostWarp::Lanes<LaneKeys>& least) {
  constexpr int kHeight = tile_size<kRank>(1);
  const Axes& extent = scene.problem.extent;
  for (int lane = 0; lane < kLanes; ++lane)
    for (int row = 0; row < kTileRows; ++row) {
      const Axes cell{window.tile[0] + row / kHeight, window.tile[1] + row % kHeight,
                      window.tile[2] + lane};
      if (cell[0] >= extent[0] || cell[1] >= extent[1] || cell[2] >= extent[2]) continue;
      const auto [site, exact] = scene.nearest(cell);
      const std::uint32_t key = least[lane].of_row(row);
      EXPECT_EQ(cell_of(scene, window, sites.place[key & ((1U << bits) - 1)]), site);
      EXPECT_TRUE(Int128{key >> bits} == exact);
    }
}

/// Searches one tile with one window; whether it was settled.
template <Metric kMetric, int kRank>
bool search_tile(const Scene& scene, const Level& level, const std::int32_t (&tile)[kAxes]) {
  const Window window = make_window<kRank>(scene.job, level, tile);
  const std::vector<std::int64_t> expected = sites_within(scene, window);
  WindowSites sites;
  const bool fits = gather<HostWarp, kRank>(scene.job, scene.bits, window, sites);
  EXPECT_EQ(fits, expected.size() <= WindowSites::kMost);
  if (!fits) return false;
  EXPECT_EQ(static_cast<std::size_t>(sites.count), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(cell_of(scene, window, sites.place[i]), expected[i]);
  const int bits = rank_bits(sites.count);
  if (sites.count == 0 || level.bound >= most_of_part(bits)) return false;
  prepare_parts<HostWarp, kMetric, kRank>(scene.tables, window, bits, sites);
  const auto least = find_least<HostWarp, kMetric>(scene.tables, window, bits, sites);
  if (!is_settled<HostWarp, kRank>(scene.job, window, level.bound, bits, least)) return false;
  compare_tile<kRank>(scene, window, bits, sites, least);
  return true;
}

/// Every tile with every window; how many of these searches settled theirs.
template <Metric kMetric, int kRank>
int search_all(const Scene& scene) {
  const Axes& extent = scene.problem.extent;
  int settled = 0;
  std::int32_t tile[kAxes];
  for (tile[0] = 0; tile[0] < extent[0]; tile[0] += tile_size<kRank>(0))
    for (tile[1] = 0; tile[1] < extent[1]; tile[1] += tile_size<kRank>(1))
      for (tile[2] = 0; tile[2] < extent[2]; tile[2] += tile_size<kRank>(2))
        for (int level = 0; level < scene.tables.levels; level += 3)
          settled += search_tile<kMetric, kRank>(scene, scene.tables.level[level], tile) ? 1 : 0;
  return settled;
}

template <Metric kMetric>
int search_rank(const Scene& scene) {
  return scene.problem.rank == 2 ? search_all<kMetric, 2>(scene) : search_all<kMetric, 3>(scene);
}

int search(const Scene& scene) {
  switch (scene.problem.metric) {
    case Metric::euclidean:
      return search_rank<Metric::euclidean>(scene);
    case Metric::manhattan:
      return search_rank<Metric::manhattan>(scene);
    default:
      return search_rank<Metric::chessboard>(scene);
  }
}

NearestSiteOptions options_of(Metric metric, const std::vector<double>& spacing) {
  NearestSiteOptions options;
  options.metric = metric;
  options.spacing = spacing;
  return options;
}

class CudaWindow : public ::testing::TestWithParam<Metric> {};

TEST_P(CudaWindow, SettlesTilesWithTheFirstOfTheNearestSites) {
  std::uint64_t seed = 1;
  for (const Extents& extents :
       {Extents{40, 70}, Extents{16, 32}, Extents{5, 131}, Extents{9, 13, 37}, Extents{4, 4, 64}})
    for (const std::int64_t one_in : {30, 100, 300}) {
      const Scene scene(extents, one_in, options_of(GetParam(), {}), seed++);
      SCOPED_TRACE("rank " + std::to_string(extents.rank()) + ", one cell in " +
                   std::to_string(one_in) + ", seed " + std::to_string(seed - 1));
      const int settled = search(scene);
      if (one_in == 100) {
        EXPECT_GT(settled, 0);
      }
    }
}

TEST_P(CudaWindow, KnowsTheSpacing) {
  for (const std::vector<double>& spacing : {std::vector<double>{1, 2}, {3, 1}, {1.5, 1}}) {
    const Scene scene({35, 66}, 60, options_of(GetParam(), spacing), 77);
    EXPECT_GT(search(scene), 0) << spacing[0] << ", " << spacing[1];
  }
  EXPECT_GT(search(Scene({7, 13, 37}, 60, options_of(GetParam(), {2, 1, 1}), 78)), 0);
}

INSTANTIATE_TEST_SUITE_P(Metrics, CudaWindow,
                         ::testing::Values(Metric::euclidean, Metric::manhattan,
                                           Metric::chessboard),
                         [](const auto& test) {
                           return test.param == Metric::euclidean   ? "euclidean"
                                  : test.param == Metric::manhattan ? "manhattan"
                                                                    : "chessboard";
                         });

TEST(CudaWindowTables, AreNoneWhereTheyCannotHelp) {
  const Raster raster(ElementType::u8, {10, 10});
  const auto levels = [&](const NearestSiteOptions& options) {
    return make_window_tables(make_problem(raster.view(), options, {})).levels;
  };
  EXPECT_GT(levels({}), 10);
  EXPECT_EQ(levels({.periodic = {true, false}}), 0);
  EXPECT_EQ(levels({.spacing = {0.0001, 1}}), 0);
}

TEST(CudaWindowTables, WindowsHoldEverySiteWithinTheirBound) {
  const Raster raster(ElementType::u8, {10, 10, 10});
  const WindowTables tables =
      make_window_tables(make_problem(raster.view(), {.spacing = {3, 2, 1}}, {}));
  ASSERT_GT(tables.levels, 0);
  for (int i = 0; i < tables.levels; ++i) {
    const Level& level = tables.level[i];
    std::int32_t offsets = 0;
    for (std::int32_t z = -60; z <= 60; ++z)
      for (std::int32_t y = -60; y <= 60; ++y)
        for (std::int32_t x = -60; x <= 60; ++x) {
          if (9 * z * z + 4 * y * y + x * x > level.bound) continue;
          ++offsets;
          EXPECT_LE(std::abs(z), level.margin[0]);
          EXPECT_LE(std::abs(y), level.margin[1]);
          EXPECT_LE(std::abs(x), level.margin[2]);
        }
    EXPECT_EQ(level.offsets, offsets);
    if (i > 0) {
      EXPECT_GT(level.bound, tables.level[i - 1].bound);
    }
  }
}

}  // namespace
}  // namespace thiessen::cuda
