// SPDX-License-Identifier: Apache-2.0
//
// Points on centres of cells as sites of a raster: equally near ones go by the list, whatever the
// order of their cells.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "cuda/job/results.hpp"
#include "cuda/points/cell_problem.hpp"
#include "cuda/points/sort.hpp"
#include "cuda/points/unsolved_cells.hpp"
#include "unit/cuda/scene.hpp"

namespace thiessen::cuda::points {
namespace {

/// A list of points on the cells of a scene, in no order, some of them twice; and what the device
/// makes of it.
struct ListOnCells {
  ListOnCells(Scene& of, std::uint64_t seed) : scene(of) {
    testing::Draw draw(seed);
    for (const std::int64_t site : scene.sites)
      for (std::int64_t copies = draw.once_in(4) ? 3 : 1; copies > 0; --copies)
        list.push_back(site);
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1],
                list[static_cast<std::size_t>(draw.below(static_cast<std::int64_t>(i)))]);
    give_places();
    cells = {scene.bits, before.data(), first.data(), &state};
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Axes cell = to_cell(scene.problem.extent, list[i]);
      std::uint32_t& least =
          first[cells.place(cell[0] * scene.problem.extent[1] + cell[1], cell[2])];
      least = std::min(least, static_cast<std::uint32_t>(i));
    }
    scene.job.point_cells = cells;
  }

  /// From the last word to the first: their order has no meaning.
  void give_places() {
    before.resize(scene.words.size());
    for (std::size_t word = scene.words.size(); word-- > 0;) {
      if (scene.words[word] == 0) continue;
      before[word] = static_cast<std::uint32_t>(first.size());
      first.resize(first.size() + static_cast<std::size_t>(std::popcount(scene.words[word])), ~0u);
    }
  }

  Scene& scene;
  std::vector<std::int64_t> list;  ///< cells
  std::vector<std::uint32_t> before, first;
  PointCells::State state{};
  PointCells cells;
};

TEST(CudaPointCells, KnowTheFirstPointOfACell) {
  Scene scene({33, 70}, 6, {}, 3);
  const ListOnCells points(scene, 4);
  for (const std::int64_t site : scene.sites) {
    const auto found = std::find(points.list.begin(), points.list.end(), site);
    EXPECT_EQ(number_in_list(scene.job, site), found - points.list.begin());
  }
  EXPECT_EQ(number_in_list(scene.job, kUnreached), kUnreached);
  EXPECT_TRUE(points.cells.hold_all());
}

TEST(CudaPointCells, AreThoseOnWhoseCentresPointsLie) {
  Axes cell;
  EXPECT_TRUE(find_cell({1, 5, 7}, 16, {0, 4 << 16, 6 << 16}, cell));
  EXPECT_EQ(cell, (Axes{0, 4, 6}));
  EXPECT_TRUE(find_cell({1, 5, 7}, 0, {0, 4, 0}, cell));
  for (const Axes& outside : {Axes{0, -1, 2}, {0, 5, 2}, {0, 2, 7}, {1, 2, 2}})
    EXPECT_FALSE(find_cell({1, 5, 7}, 0, outside, cell));
  EXPECT_FALSE(find_cell({1, 5, 7}, 16, {0, 3 << 16, (2 << 16) + 1}, cell));
  EXPECT_FALSE(find_cell({1, 5, 7}, 16, {0, -1, 0}, cell));
}

TEST(CudaPointCells, HandOutLabelsAndIndicesOfTheList) {
  Scene scene({8, 40}, 9, {}, 5);
  const ListOnCells points(scene, 6);
  std::vector<std::int16_t> labels(points.list.size());
  std::iota(labels.begin(), labels.end(), std::int16_t{100});
  std::vector<std::int16_t> label_out(320);
  std::vector<std::int64_t> index_out(320);
  Job& job = scene.job;
  job.labels = {reinterpret_cast<const std::byte*>(labels.data()), 2};
  job.out.labels = {reinterpret_cast<std::byte*>(label_out.data()), 2};
  job.out.site_index = index_out.data();
  for (const std::int64_t site : scene.sites) {
    write_result(job, 7, site, std::int64_t{0});
    EXPECT_EQ(index_out[7], number_in_list(job, site));
    EXPECT_EQ(label_out[7], 100 + index_out[7]);
    EXPECT_EQ(load_label(job, site), static_cast<std::uint64_t>(label_out[7]));
  }
  write_result(job, 7, kUnreached, std::int64_t{0});
  EXPECT_EQ(index_out[7], kUnreached);
  EXPECT_EQ(label_out[7], 0);
}

/// Distances, limits and the choice of integers are those of the same points without fractions.
TEST(CudaPointCells, AreAProblemInWholeCells) {
  for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chessboard})
    for (const double limit : {0.0, 2.5, 7.0, std::numeric_limits<double>::infinity()}) {
      const std::vector<double> at{0, 0, 19, 29, 3, 4};
      const PointList list{View<const double>(at.data(), {3, 2})};
      const Grid grid{.extents = {20, 30}, .spacing = {1.5, 1}};
      const NearestSiteOptions options{.metric = metric, .max_distance = limit};
      const Problem unseen =
          make_problem(list, {.count = 3, .fraction_bits = kFractionBits}, grid, options, {});
      std::vector<Axes> places(3);
      const Problem seen =
          make_problem(list, snap_points(list.coordinates, places.data()), grid, options, {});
      const Problem cells = problem_on_cells(unseen);
      EXPECT_EQ(cells.fraction_bits, 0);
      EXPECT_EQ(cells.weights.unit, seen.weights.unit);
      EXPECT_TRUE(cells.weights.factor == seen.weights.factor);
      EXPECT_TRUE(cells.weights.greatest == seen.weights.greatest);
      EXPECT_EQ(cells.wide, seen.wide);
      // A limit may lie beyond all S.
      EXPECT_TRUE(std::min(cells.limit, seen.weights.greatest) ==
                  std::min(seen.limit, seen.weights.greatest));
      EXPECT_TRUE(cells.limited || seen.limit >= seen.weights.greatest);
    }
}

TEST(CudaPointSort, MergesRunsAndKeepsTheOrderOfEquals) {
  testing::Draw draw(9);
  for (const int count : {0, 1, 2, 3, 31, 64, 65, 100, 1000}) {
    std::vector<std::int64_t> keys(static_cast<std::size_t>(count));
    for (auto& key : keys) key = draw.below(count / 3 + 1);
    std::vector<int> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::vector<int> expected = order;
    std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) {
      return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
    });
    for (int run = 1; run < count; run *= 2) {
      const std::vector<std::int64_t> from = keys;
      const std::vector<int> before = order;
      for (int i = 0; i < count; ++i) {
        const auto place = static_cast<std::size_t>(merged_place(from.data(), count, run, i));
        keys[place] = from[static_cast<std::size_t>(i)];
        order[place] = before[static_cast<std::size_t>(i)];
      }
    }
    EXPECT_EQ(order, expected);
  }
}

TEST(CudaRemainder, HasWhatTilesHaveLeft) {
  PointCells::State state{};
  std::int32_t left = 0;
  const std::uint8_t tiles[] = {kTileSolved, kTileUnsolved, kTileOpen,
                                kTileSolved, kTileSolved,   kTileUnsolved};
  const UnsolvedCells unsolved{&state, {&left, tiles, {1, 2, 3}}};
  EXPECT_TRUE(unsolved.is_none());
  left = 1;
  EXPECT_FALSE(unsolved.is_none());
  EXPECT_FALSE(unsolved.is_all());
  EXPECT_TRUE(unsolved.has(2, {0, 31, 40}));
  EXPECT_FALSE(unsolved.has(2, {0, 32, 40}));
  EXPECT_TRUE(unsolved.has(2, {0, 32, 64}));
  EXPECT_FALSE(unsolved.has(2, {0, 0, 64}));
  const UnsolvedCells volume{&state, {&left, tiles, {1, 2, 3}}};
  EXPECT_TRUE(volume.has(3, {3, 8, 95}));
  state.misfits = 1;
  EXPECT_TRUE(unsolved.is_all());
  EXPECT_TRUE(unsolved.has(2, {0, 0, 0}));
  EXPECT_FALSE(UnsolvedCells{}.is_none());
  EXPECT_TRUE(UnsolvedCells{}.has(2, {0, 0, 0}));
}

}  // namespace
}  // namespace thiessen::cuda::points
