// SPDX-License-Identifier: Apache-2.0
//
// The CUDA search among points: bounds between boxes and tiles, the cells of a tile, the order
// along the curve.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <vector>

#include "cuda/points/curve.hpp"
#include "cuda/points/tree.hpp"
#include "support/draw.hpp"

namespace thiessen::cuda::points {
namespace {

using testing::Draw;
using IntTree = PointTree<std::int32_t, std::int64_t, 3, true>;
using IntBox = PointBox<std::int32_t>;
using IntPlace = PointPlace<std::int32_t>;

constexpr std::int32_t kPeriod = 40;

/// Axes with factors of their own, some of them periodic.
IntTree draw_tree(Draw& draw) {
  IntTree tree;
  for (int axis = 0; axis < kAxes; ++axis) {
    tree.set_factor(static_cast<std::size_t>(axis), 1 + draw.below(4));
    tree.period[axis] = draw.once_in(2) ? kPeriod : std::numeric_limits<std::int32_t>::max();
  }
  return tree;
}

IntBox draw_box(Draw& draw, std::int64_t longest) {
  IntBox box;
  for (int axis = 0; axis < kAxes; ++axis) {
    const std::int64_t low = draw.below(kPeriod);
    box.low[axis] = static_cast<std::int32_t>(low);
    box.high[axis] = static_cast<std::int32_t>(std::min(low + draw.below(longest), kPeriod - 1L));
  }
  return box;
}

IntPlace draw_place(Draw& draw, const IntBox& box) {
  IntPlace place;
  for (int axis = 0; axis < kAxes; ++axis)
    place.at[axis] =
        box.low[axis] + static_cast<std::int32_t>(draw.below(box.high[axis] - box.low[axis] + 1));
  return place;
}

template <Metric kMetric>
std::int64_t exact_between(const IntTree& tree, const IntPlace& a, const IntPlace& b) {
  std::int64_t exact = 0;
  for (int axis = 0; axis < kAxes; ++axis)
    exact = combine<kMetric>(exact, measure_between<kMetric>(tree, axis, a.at[axis], b.at[axis]));
  return exact;
}

template <Metric kMetric>
void check_bounds() {
  Draw draw(3);
  for (int round = 0; round < 3000; ++round) {
    const IntTree tree = draw_tree(draw);
    const IntBox own = draw_box(draw, 12);
    const IntBox box = draw_box(draw, 1 + draw.below(kPeriod));
    const double least = least_between<kMetric>(tree, own, box);
    for (int i = 0; i < 20; ++i) {
      const IntPlace cell = draw_place(draw, own);
      const IntPlace point = draw_place(draw, box);
      const auto exact = static_cast<double>(exact_between<kMetric>(tree, cell, point));
      ASSERT_LE(least, exact) << "round " << round;
      ASSERT_GE(greatest_to_box<kMetric>(tree, own, point), exact) << "round " << round;
    }
  }
}

TEST(CudaPointBoxes, BoundEveryDistance) {
  check_bounds<Metric::euclidean>();
  check_bounds<Metric::manhattan>();
  check_bounds<Metric::chessboard>();
}

/// Boxes without extent, without periods: then both bounds are close to the distance itself.
TEST(CudaPointBoxes, OfOnePlaceAreAsFarAsThePlace) {
  Draw draw(4);
  IntTree tree = draw_tree(draw);
  for (std::int32_t& period : tree.period) period = std::numeric_limits<std::int32_t>::max();
  for (int round = 0; round < 1000; ++round) {
    const IntPlace cell = draw_place(draw, draw_box(draw, 9));
    const IntPlace point = draw_place(draw, draw_box(draw, 9));
    const IntBox own = box_of_place(cell);
    const auto exact = static_cast<float>(exact_between<Metric::euclidean>(tree, cell, point));
    const float off = exact * 1e-6F + 1e-30F;
    EXPECT_NEAR(least_between<Metric::euclidean>(tree, own, box_of_place(point)), exact, off);
    EXPECT_NEAR(greatest_to_box<Metric::euclidean>(tree, own, point), exact, off);
  }
}

/// Floats next to whole numbers and to their sums and products, on the side that is asked for.
TEST(CudaRounding, GoesTheWayItIsAskedTo) {
  Draw draw(5);
  for (int round = 0; round < 2000; ++round) {
    const std::int64_t wide = draw.below(std::int64_t{1} << 62);
    EXPECT_LE(static_cast<Int128>(float_down(wide)), wide);
    EXPECT_GE(static_cast<Int128>(float_up(wide)), wide);
    const auto a = static_cast<float>(draw.below(1 << 24));
    const auto b = static_cast<float>(draw.below(1 << 24)) / 3;
    EXPECT_LE(sum_down(a, b), double{a} + b);
    EXPECT_GE(sum_up(a, b), double{a} + b);
    EXPECT_LE(product_down(a, b), double{a} * b);
    EXPECT_GE(product_up(a, b), double{a} * b);
  }
}

template <int kRank, int kCells>
void check_cells_of_tiles() {
  using Shape = PointTileShape<kRank, kCells>;
  std::vector<int> seen(static_cast<std::size_t>(kLanes * kCells));
  for (int lane = 0; lane < kLanes; ++lane)
    for (int cell = 0; cell < kCells; ++cell) {
      std::int32_t number = 0;
      for (int axis = 0; axis < kAxes; ++axis)
        number = number * Shape::size(axis) + Shape::first(lane, axis) + Shape::within(cell, axis);
      ++seen.at(static_cast<std::size_t>(number));
    }
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1)) << kRank << " axes, " << kCells << " cells";
}

TEST(CudaPointTiles, HaveEachCellOnce) {
  check_cells_of_tiles<2, 4>();
  check_cells_of_tiles<2, 16>();
  check_cells_of_tiles<3, 4>();
  check_cells_of_tiles<3, 16>();
}

/// The cells of a cube, by their keys.
std::vector<Axes> cells_along_curve(const CurveScale& scale) {
  const std::int64_t side = std::int64_t{1} << scale.bits;
  std::vector<Axes> cells;
  for (std::int64_t z = 0; z < (scale.rank == 3 ? side : 1); ++z)
    for (std::int64_t y = 0; y < side; ++y)
      for (std::int64_t x = 0; x < side; ++x) cells.push_back({z, y, x});
  std::sort(cells.begin(), cells.end(), [&](const Axes& a, const Axes& b) {
    return curve_key(scale, a) < curve_key(scale, b);
  });
  return cells;
}

TEST(CudaCurve, GoesFromCellToCell) {
  for (const CurveScale& scale :
       {CurveScale{.bits = 4, .rank = 2}, CurveScale{.bits = 3, .rank = 3}}) {
    const std::vector<Axes> cells = cells_along_curve(scale);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      EXPECT_EQ(curve_key(scale, cells[i]), i);
      if (i == 0) continue;
      std::int64_t steps = 0;
      for (std::size_t axis = 0; axis < kAxes; ++axis)
        steps += std::abs(cells[i][axis] - cells[i - 1][axis]);
      EXPECT_EQ(steps, 1) << "key " << i << ", " << scale.rank << " axes";
    }
  }
}

}  // namespace
}  // namespace thiessen::cuda::points
