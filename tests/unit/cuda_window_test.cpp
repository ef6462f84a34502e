// SPDX-License-Identifier: Apache-2.0
//
// The window search by a warp of the host, tile by tile, against every site.
#include <gtest/gtest.h>

#include <vector>

#include "cuda/tiles/window.hpp"
#include "cuda/tiles/window_tables.hpp"
#include "unit/cuda_scene.hpp"

namespace thiessen::cuda {
namespace {

std::int64_t cell_of(const Scene& scene, const Tile& tile, std::uint32_t place) {
  return to_index(scene.problem.extent, {tile.first[0] + WindowSites::z_of(place),
                                         tile.first[1] + WindowSites::y_of(place),
                                         tile.first[2] + WindowSites::x_of(place)});
}

template <int kRank>
std::vector<std::int64_t> sites_within(const Scene& scene, const Level& level, const Tile& tile) {
  std::vector<std::int64_t> inside;
  for (const std::int64_t site : scene.sites) {
    const Axes at = to_cell(scene.problem.extent, site);
    bool in = true;
    for (int axis = 0; axis < kAxes; ++axis) {
      const std::int64_t offset = at[static_cast<std::size_t>(axis)] - tile.first[axis];
      in = in && offset >= -level.margin[axis] &&
           offset < tile_size<kRank>(axis) + level.margin[axis];
    }
    if (in) inside.push_back(site);
  }
  return inside;
}

template <Metric kMetric, int kRank>
RowParts make_row_parts(const WindowTables& tables) {
  RowParts parts;
  for (int i = 0; i < RowParts::kWords; ++i)
    (&parts.pair[0][0][0][0])[i] = RowParts::word<kMetric, kRank>(tables.factor[1], i);
  return parts;
}

/// Searches one tile with one window; whether it was settled.
template <Metric kMetric, int kRank>
bool search_tile(const Scene& scene, const WindowTables& tables, const RowParts& parts,
                 const Level& level, const Tile& tile) {
  const std::vector<std::int64_t> expected = sites_within<kRank>(scene, level, tile);
  WindowSites sites;
  const bool fits = gather<HostWarp, kRank>(scene.job, scene.bits, tile, level, sites);
  EXPECT_EQ(fits, expected.size() <= WindowSites::kMost);
  if (!fits) return false;
  EXPECT_EQ(static_cast<std::size_t>(sites.count), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(cell_of(scene, tile, sites.place[i]), expected[i]);
  const int bits = rank_bits(sites.count);
  if (sites.count == 0 || level.bound >= most_of_part<kRank>(bits)) return false;
  const auto least = find_least<HostWarp, kMetric, kRank>(tables, parts, bits, sites);
  if (!is_settled<HostWarp, kRank>(scene.job, tile, level.bound, bits, least)) return false;
  for_each_cell<kRank>(scene.problem.extent, tile, [&](int row, int column, const Axes& cell) {
    const auto [site, exact] = scene.nearest(cell);
    const std::uint32_t key = least[column].of_row(row);
    EXPECT_EQ(cell_of(scene, tile, sites.place[key & ((1U << bits) - 1)]), site);
    EXPECT_TRUE(Int128{key >> bits} == exact);
  });
  return true;
}

/// Every tile with every window; how many of these searches settled theirs.
template <Metric kMetric, int kRank>
int search_all_windows(const Scene& scene) {
  const WindowTables tables = make_window_tables(scene.problem);
  const RowParts parts = make_row_parts<kMetric, kRank>(tables);
  int settled = 0;
  for_each_tile<kRank>(scene.problem.extent, [&](const Tile& tile) {
    for (int level = 0; level < tables.levels; level += 3)
      settled +=
          search_tile<kMetric, kRank>(scene, tables, parts, tables.level[level], tile) ? 1 : 0;
  });
  return settled;
}

template <Metric kMetric>
int search_rank(const Scene& scene) {
  return scene.problem.rank == 2 ? search_all_windows<kMetric, 2>(scene)
                                 : search_all_windows<kMetric, 3>(scene);
}

int search_windows(const Scene& scene) {
  switch (scene.problem.metric) {
    case Metric::euclidean:
      return search_rank<Metric::euclidean>(scene);
    case Metric::manhattan:
      return search_rank<Metric::manhattan>(scene);
    default:
      return search_rank<Metric::chessboard>(scene);
  }
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
      const int settled = search_windows(scene);
      if (one_in == 100) {
        EXPECT_GT(settled, 0);
      }
    }
}

TEST_P(CudaWindow, KnowsTheSpacing) {
  for (const std::vector<double>& spacing : {std::vector<double>{1, 2}, {3, 1}, {1.5, 1}}) {
    const Scene scene({35, 66}, 60, options_of(GetParam(), spacing), 77);
    EXPECT_GT(search_windows(scene), 0) << spacing[0] << ", " << spacing[1];
  }
  EXPECT_GT(search_windows(Scene({7, 13, 37}, 60, options_of(GetParam(), {2, 1, 1}), 78)), 0);
}

INSTANTIATE_TEST_SUITE_P(Metrics, CudaWindow,
                         ::testing::Values(Metric::euclidean, Metric::manhattan,
                                           Metric::chessboard),
                         name_of_metric);

TEST(CudaWindowTables, AreNoneWhereTheyCannotHelp) {
  const Raster raster(ElementType::u8, {10, 10});
  const auto levels = [&](const NearestSiteOptions& options) {
    return make_window_tables(make_problem(raster.view(), options, {})).levels;
  };
  EXPECT_GT(levels({}), 10);
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
