// SPDX-License-Identifier: Apache-2.0
//
// Finds the winner of each cell of a leaf among points anywhere in their cells: S in 64 bits, in
// the units of the points.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_TILES_FAR_POINTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_TILES_FAR_POINTS_INL
#undef THIESSEN_CPU_TILES_FAR_POINTS_INL
#else
#define THIESSEN_CPU_TILES_FAR_POINTS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "cpu/tiles/far/tile-inl.hpp"
#include "cpu/tiles/write/leaf-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::tiles {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR

namespace hn = hwy::HWY_NAMESPACE;

using D64 = hn::CappedTag<std::int64_t, 8>;
using V64 = hn::Vec<D64>;
inline constexpr std::int64_t kLanes64 = static_cast<std::int64_t>(hn::MaxLanes(D64()));

/// The points that may win in a leaf, in the order of their numbers. Coordinates count from the
/// leaf's first cell, times the weights of the axes; they are less than 2^31 in magnitude.
struct LeafPoints {
  static constexpr int kMost = 1024;
  int count = 0;
  std::int32_t number[kMost];
  std::int32_t at[kAxes][kMost];
};
static_assert(EngineLimits{}.far_sites_per_leaf <= LeafPoints::kMost);
static_assert(EngineLimits{}.far_sites_per_leaf <= kMostSites);

/// The winners of the cells of a leaf, row by row: their places among the points, and S.
struct PointWinners {
  alignas(64) std::int64_t point[kLeafCells];
  alignas(64) std::int64_t exact[kLeafCells];
};

/// The part of a difference along an axis in S.
template <Metric kMetric>
HWY_INLINE V64 norm64(V64 difference) {
  if constexpr (kMetric == Metric::manhattan) return hn::Abs(difference);
  const auto words = hn::BitCast(hn::Repartition<std::int32_t, D64>(), difference);
  return hn::MulEven(words, words);
}
template <Metric kMetric>
HWY_INLINE std::int64_t norm64(std::int64_t difference) {
  return kMetric == Metric::euclidean ? difference * difference : std::abs(difference);
}

/// Finds the winners of all cells of a leaf. `step` leads from cell to cell along each axis.
template <int kRank, Metric kMetric>
void find_points(const LeafPoints& points, const Axes& step, PointWinners& winners) {
  constexpr int kRows = 8;
  for (std::int64_t column = 0; column < kLeafWidth; column += kLanes64) {
    alignas(64) std::int64_t columns[kLanes64];
    for (std::int64_t i = 0; i < kLanes64; ++i) columns[i] = (column + i) * step[2];
    const V64 x = hn::Load(D64(), columns);
    for (int first = 0; first < kLeafRows; first += kRows) {
      V64 best[kRows];
      V64 who[kRows];
      for (int r = 0; r < kRows; ++r) {
        best[r] = hn::Set(D64(), INT64_MAX);
        who[r] = hn::Zero(D64());
      }
      for (int i = 0; i < points.count; ++i) {
        const V64 along_x = norm64<kMetric>(hn::Sub(hn::Set(D64(), points.at[2][i]), x));
        const V64 number = hn::Set(D64(), i);
        for (int r = 0; r < kRows; ++r) {
          const int row = first + r;
          const std::int64_t y = (kRank == 2 ? row : row % 4) * step[1];
          std::int64_t across = norm64<kMetric>(points.at[1][i] - y);
          if constexpr (kRank == 3) across += norm64<kMetric>(points.at[0][i] - row / 4 * step[0]);
          const V64 s = hn::Add(along_x, hn::Set(D64(), across));
          const auto is_nearer = hn::Lt(s, best[r]);
          best[r] = hn::IfThenElse(is_nearer, s, best[r]);
          who[r] = hn::IfThenElse(is_nearer, number, who[r]);
        }
      }
      for (int r = 0; r < kRows; ++r) {
        const std::int64_t at = (first + r) * kLeafWidth + column;
        hn::Store(best[r], D64(), winners.exact + at);
        hn::Store(who[r], D64(), winners.point + at);
      }
    }
  }
}

/// Solves leaves whose list has only cells with points.
template <int kRank, Metric kMetric>
class PointLeaves : public TileBase<kRank> {
 public:
  using Base = TileBase<kRank>;
  using Base::Base;

  /// Returns false and does nothing if there are too many points.
  bool solve(const Area& leaf, const SiteList& cells) {
    LeafPoints points;
    if (!list_points(leaf, cells, points)) return false;
    PointWinners winners;
    find_points<kRank, kMetric>(points, {step_along(0), step_along(1), step_along(2)}, winners);
    const Place at{leaf.first[0], leaf.first[1], leaf.first[2]};
    if (job_.out_labels) write_labels_of(points, winners, at);
    if (job_.write_general != nullptr) write_others_of(points, winners, at);
    return true;
  }

 private:
  using Base::job_;
  using Base::pyramid_;

  std::int64_t weight_of(std::size_t axis) const { return pyramid_.weight[axis] / 2; }
  /// The step from cell to cell along an axis, in the units of S.
  std::int64_t step_along(std::size_t axis) const {
    return weight_of(axis) << job_.fine.fraction_bits;
  }

  void write_labels_of(const LeafPoints& points, const PointWinners& winners, const Place& at) {
    for (int i = 0; i < points.count; ++i)
      put_label(job_, job_.labels.bytes + points.number[i] * job_.labels.element, i, table_);
    LeafWinners ranks;
    for (std::int64_t i = 0; i < kLeafCells; ++i)
      ranks.rank[i] = static_cast<std::uint16_t>(winners.point[i]);
    write_labels<kRank>(job_, at, table_, points.count, ranks, false);
  }

  void write_others_of(const LeafPoints& points, const PointWinners& winners,
                       const Place& at) const {
    const std::int64_t columns = std::min(kLeafWidth, job_.extent[2] - at.x);
    for_each_leaf_row<kRank>(job_, at, [&](std::int64_t r, std::int64_t z, std::int64_t y) {
      Winners<std::int64_t> row;
      for (std::int64_t i = 0; i < columns; ++i) {
        const std::int64_t cell = r * kLeafWidth + i;
        row.site[static_cast<std::size_t>(i)] =
            points.count > 0 ? points.number[winners.point[cell]] : kUnreached;
        row.exact[static_cast<std::size_t>(i)] = winners.exact[cell];
      }
      job_.write_general(job_.general_writer, {z, y, at.x, columns}, row);
    });
  }

  /// Lists the points of cells; false if they are too many.
  bool list_points(const Area& leaf, const SiteList& cells, LeafPoints& points) const {
    for (std::int64_t i = 0; i < cells.count; ++i) {
      const Axes cell = this->cell_of(leaf, {cells.at[0][i], kRank == 3 ? cells.at[1][i] : 0});
      for (std::int32_t number = job_.numbers[to_index(job_.extent, cell)]; number != 0;
           number = job_.fine.next[number - 1]) {
        if (points.count == job_.limits->far_sites_per_leaf) return false;
        points.number[points.count++] = number - 1;
      }
    }
    std::sort(points.number, points.number + points.count);
    for (int i = 0; i < points.count; ++i)
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const std::int64_t first = leaf.first[axis] << job_.fine.fraction_bits;
        points.at[axis][i] = static_cast<std::int32_t>(
            weight_of(axis) * (job_.fine.at[points.number[i]][axis] - first));
      }
    return true;
  }

  SiteTable table_;
};

#endif
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::tiles
HWY_AFTER_NAMESPACE();

#endif
