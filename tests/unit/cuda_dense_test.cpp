// SPDX-License-Identifier: Apache-2.0
//
// The dense search by a warp of the host, tile by tile, against every site.
#include <gtest/gtest.h>

#include "cuda/tiles/dense.hpp"
#include "cuda/tiles/dense_tables.hpp"
#include "unit/cuda_scene.hpp"

namespace thiessen::cuda {
namespace {

/// How many tiles were settled; all of their cells must have the first of the nearest sites.
template <int kRank>
int search_all_near(const Scene& scene) {
  const DenseTables tables = make_dense_tables(scene.problem);
  int settled = 0;
  for_each_tile<kRank>(scene.problem.extent, [&](const Tile& tile) {
    DenseRows<kRank> rows;
    load_rows<HostWarp, kRank>(scene.job, scene.bits, tile, rows);
    DenseNumbers numbers;
    if (!search_dense<HostWarp, kRank>(scene.job, tables, tile, rows, numbers)) return;
    ++settled;
    for_each_cell<kRank>(scene.problem.extent, tile, [&](int row, int column, const Axes& cell) {
      const auto [site, exact] = scene.nearest(cell);
      const int number = numbers.of[row][column];
      EXPECT_EQ(to_index(scene.problem.extent, cell) + tables.cell[number], site);
      EXPECT_TRUE(Int128{tables.exact[number]} == exact);
    });
  });
  return settled;
}

int search_near(const Scene& scene) {
  return scene.problem.rank == 2 ? search_all_near<2>(scene) : search_all_near<3>(scene);
}

class CudaDense : public ::testing::TestWithParam<Metric> {};

TEST_P(CudaDense, SettlesTilesWithTheFirstOfTheNearestSites) {
  std::uint64_t seed = 1;
  for (const Extents& extents :
       {Extents{40, 70}, Extents{32, 32}, Extents{5, 131}, Extents{9, 13, 37}, Extents{4, 8, 64}})
    for (const std::int64_t one_in : {2, 8, 40, 80}) {
      const Scene scene(extents, one_in, options_of(GetParam(), {}), seed++);
      SCOPED_TRACE("rank " + std::to_string(extents.rank()) + ", one cell in " +
                   std::to_string(one_in) + ", seed " + std::to_string(seed - 1));
      const int settled = search_near(scene);
      if (one_in <= 8) {
        EXPECT_GT(settled, 0);
      }
    }
}

TEST_P(CudaDense, KnowsTheSpacing) {
  for (const std::vector<double>& spacing : {std::vector<double>{1, 2}, {3, 1}, {1.5, 1}})
    EXPECT_GT(search_near(Scene({35, 66}, 3, options_of(GetParam(), spacing), 77)), 0)
        << spacing[0] << ", " << spacing[1];
  EXPECT_GT(search_near(Scene({7, 13, 37}, 3, options_of(GetParam(), {2, 1, 1}), 78)), 0);
}

INSTANTIATE_TEST_SUITE_P(Metrics, CudaDense,
                         ::testing::Values(Metric::euclidean, Metric::manhattan,
                                           Metric::chessboard),
                         name_of_metric);

TEST(CudaDenseTables, AreNoneWhereTheyCannotHelp) {
  const Raster raster(ElementType::u8, {10, 10});
  EXPECT_GT(make_dense_tables(make_problem(raster.view(), {}, {})).count, 200);
  EXPECT_EQ(make_dense_tables(make_problem(raster.view(), {.spacing = {0.0001, 1}}, {})).count, 0);
}

}  // namespace
}  // namespace thiessen::cuda
