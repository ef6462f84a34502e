// SPDX-License-Identifier: Apache-2.0
//
// Tiles of cost distance: where they lie, and what is around them.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "cuda/cost/links.hpp"
#include "cuda/cost/tiles/flat_tile.hpp"
#include "cuda/cost/tiles/tile.hpp"

namespace thiessen::cuda::cost {
namespace {

CostTiling tiling_of(const Axes& extent, int connectivity) {
  CostEdges<float> edges;
  set_neighbours(edges, connectivity);
  return make_tiling(extent, edges);
}

TEST(CudaCostTest, TilesCoverTheRaster) {
  for (const int connectivity : {8, 16, 26}) {
    const Axes extent{connectivity == 26 ? 9 : 1, 33, 70};
    const CostTiling tiling = tiling_of(extent, connectivity);
    EXPECT_LE(tiling.padded_cells(), kMostPadded);
    EXPECT_EQ(tiling.size[0] * tiling.size[1] * tiling.size[2], kCostThreads);
    std::vector<int> seen(static_cast<std::size_t>(extent[0] * extent[1] * extent[2]));
    for (std::uint32_t tile = 0; tile < tiling.count(); ++tile)
      for (int i = 0; i < kCostThreads; ++i) {
        const auto place = place_in(tiling.size, i);
        const std::int64_t cell =
            cell_at(tiling, origin_of(tiling, tile), place[0], place[1], place[2]);
        if (cell < 0) continue;
        ++seen[static_cast<std::size_t>(cell)];
        EXPECT_EQ(tile_of(tiling, cell), tile);
      }
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
  }
}

/// A path from the last cell to cell 0, each linked to the one before.
std::vector<std::uint32_t> links_of_a_path(std::uint32_t cells) {
  std::vector<std::uint32_t> links(cells);
  std::iota(links.begin() + 1, links.end(), 0U);
  return links;
}

TEST(CudaCostTest, LinksAreShortenedToTheEnd) {
  std::vector<std::uint32_t> links = links_of_a_path(20);
  for (std::uint32_t cell = 0; cell < 20; ++cell) shorten_path(links.data(), cell);
  EXPECT_EQ(links, std::vector<std::uint32_t>(20));
}

/// A thread that stood still on its way puts the link that it has read long ago.
TEST(CudaCostTest, EndsAreFoundThoughALateThreadLengthensThePath) {
  std::vector<std::uint32_t> links = links_of_a_path(20);
  for (std::uint32_t cell = 0; cell < 20; ++cell) shorten_path(links.data(), cell);
  links[15] = 13;
  links[13] = 11;
  links[19] = 15;
  for (std::uint32_t cell = 0; cell < 20; ++cell) EXPECT_EQ(end_of_path(links.data(), cell), 0U);
}

TEST(CudaCostTest, ACellReachesTheTilesInWhoseHaloItLies) {
  const CostTiling flat = tiling_of({1, 96, 96}, 8);
  EXPECT_EQ(tiles_reached(flat, {0, 5, 5}), 0U);
  EXPECT_EQ(tiles_reached(flat, {0, 0, 5}), 1U << 10);
  EXPECT_EQ(tiles_reached(flat, {0, 31, 31}), 1U << 14 | 1U << 16 | 1U << 17);
  EXPECT_EQ(tiles_reached(tiling_of({1, 96, 96}, 16), {0, 5, 1}), 1U << 12);
  EXPECT_EQ(tile_around(flat, 0, 10), -1);
  EXPECT_EQ(tile_around(flat, 4, 10), 1);
  EXPECT_EQ(tile_around(flat, 4, 17), 8);
}

TEST(CudaCostTest, AFlatTileKnowsItsNeighbours) {
  for (int i = 0; i < kFlatAround; ++i) {
    const FlatAround there = flat_around(i);
    EXPECT_NE(there.code, kTileCodes / 2);
    EXPECT_EQ(there.code / 9, 1) << "in the same plane";
  }
  EXPECT_EQ(flat_around(static_cast<int>(Direction::down)).code, 16);
  EXPECT_EQ(flat_around(static_cast<int>(Direction::left)).code, 12);
  EXPECT_EQ(flat_around(kDirections).code, 9);
  EXPECT_EQ(flat_around(kDirections + 1).reason, side_bit(Direction::up));
  for (int k = 0; k < 8; ++k) EXPECT_EQ(offset_of<8>(k), -offset_of<8>(7 - k));
  EXPECT_EQ(neighbour_behind<8>(Direction::down, -1), 0);
  EXPECT_EQ(neighbour_behind<8>(Direction::left, 1), 7);
  EXPECT_EQ(neighbour_behind<4>(Direction::right, 0), 1);
}

}  // namespace
}  // namespace thiessen::cuda::cost
