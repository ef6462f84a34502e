// SPDX-License-Identifier: Apache-2.0
//
// Finds the sites that a box of cells needs: those that may be the nearest to one of its cells.
//
// Dominators are sites that lie close to points of the box: to its corners, or to those of a finer
// lattice. A site, or a whole box of sites, is tested against the dominator of the nearest point.
// Corners suffice for a box that is no larger than the cells of the diagram. Next to the middle of
// a longer side, a dominator from its end would hardly rule out anything.
//
// Euclidean: S(p, c) - S(q, c) is linear in the cell c. If site p is farther than the dominator q
// from all corners of the box, it is farther from all cells, and no cell needs p. The least
// difference over the corners is a sum over the axes, each of which takes the worse of its two
// ends. This also holds for the least distance of a whole box of sites from a corner.
//
// Otherwise: no cell needs a site that is farther from the box than the farthest cell of the box is
// from some dominator.
#pragma once

#include <cstdint>

#include "core/order/measure.hpp"
#include "cuda/job/job.hpp"

namespace thiessen::cuda::tiles {

/// The place of a cell, (z, y, x).
struct Place {
  std::int32_t at[kAxes];
};

/// A place in one number; these numbers are ordered like site indices.
using Packed = std::uint64_t;
inline constexpr int kPackedBits = 22;
/// Longer axes cannot be packed.
inline constexpr std::int64_t kMostPacked[kAxes] = {1 << 20, 1 << kPackedBits, 1 << kPackedBits};

THIESSEN_HD inline Packed pack(const Place& place) {
  return static_cast<Packed>(place.at[0]) << 2 * kPackedBits |
         static_cast<Packed>(place.at[1]) << kPackedBits | static_cast<Packed>(place.at[2]);
}
THIESSEN_HD inline Place unpack(Packed packed) {
  constexpr std::uint32_t kMask = (1u << kPackedBits) - 1;
  return {{static_cast<std::int32_t>(packed >> 2 * kPackedBits),
           static_cast<std::int32_t>(static_cast<std::uint32_t>(packed >> kPackedBits) & kMask),
           static_cast<std::int32_t>(static_cast<std::uint32_t>(packed) & kMask)}};
}

/// Cells from `low` to `high`, both included.
struct Box {
  std::int32_t low[kAxes];
  std::int32_t high[kAxes];
};

/// A lattice of points in a box: so many along each axis, the first and the last on its sides.
template <int kRank, int kPointsOfAxis>
struct Lattice {
  static constexpr int kAxesOfPoints = kRank;
  static constexpr int kAcross = kPointsOfAxis;
  static constexpr int kPoints = kAcross * kAcross * (kRank == 3 ? kAcross : 1);

  THIESSEN_HD static Place point(const Box& box, int number) {
    const auto along = [&](int axis, int i) {
      return box.low[axis] + (box.high[axis] - box.low[axis]) * i / (kAcross - 1);
    };
    return {{kRank == 3 ? along(0, number / kAcross / kAcross) : box.low[0],
             along(1, number / kAcross % kAcross), along(2, number % kAcross)}};
  }
};

template <int kRank>
using Corners = Lattice<kRank, 2>;

/// Distances in a problem.
template <Metric kMetric, int kRank, class Scalar>
struct Ruler {
  using Number = Scalar;
  static constexpr int kAxesMeasured = kRank;

  Scalar factor[kAxes];

  THIESSEN_HD Scalar part(int axis, std::int32_t delta) const {
    return along<kMetric>(factor[axis], static_cast<Scalar>(delta));
  }
  THIESSEN_HD Scalar between(const Place& a, const Place& b) const {
    return measure([&](int axis) { return a.at[axis] - b.at[axis]; });
  }
  /// S between the nearest cells of two boxes.
  THIESSEN_HD Scalar to_box(const Box& a, const Box& b) const {
    return measure(
        [&](int axis) { return gap(a.low[axis], a.high[axis], b.low[axis], b.high[axis]); });
  }
  /// S from a cell to the nearest cell of a box.
  THIESSEN_HD Scalar to_box(const Place& a, const Box& box) const {
    return measure(
        [&](int axis) { return gap(a.at[axis], a.at[axis], box.low[axis], box.high[axis]); });
  }
  /// S from a cell to the farthest cell of a box.
  THIESSEN_HD Scalar to_end_of(const Place& a, const Box& box) const {
    return measure([&](int axis) {
      const std::int32_t low = a.at[axis] - box.low[axis];
      const std::int32_t high = box.high[axis] - a.at[axis];
      return low > high ? low : high;
    });
  }

  /// The gap between two stretches of an axis.
  THIESSEN_HD static std::int32_t gap(std::int32_t a_low, std::int32_t a_high, std::int32_t b_low,
                                      std::int32_t b_high) {
    const std::int32_t after = a_low - b_high;
    const std::int32_t before = b_low - a_high;
    const std::int32_t gap = after > before ? after : before;
    return gap > 0 ? gap : 0;
  }

 private:
  /// S of the difference delta(axis).
  template <class Delta>
  THIESSEN_HD Scalar measure(const Delta& delta) const {
    Scalar exact = 0;
    THIESSEN_UNROLL
    for (int axis = kAxes - kRank; axis < kAxes; ++axis)
      exact = combine<kMetric>(exact, part(axis, delta(axis)));
    return exact;
  }
};

/// The number of a point of the box that is close to sites from `low` to `high`. The choice changes
/// how much is ruled out, not whether that is right.
template <class Points>
THIESSEN_HD int point_near(const Box& box, const std::int32_t* low, const std::int32_t* high) {
  constexpr int kAcross = Points::kAcross;
  int point = 0;
  THIESSEN_UNROLL
  for (int axis = kAxes - Points::kAxesOfPoints; axis < kAxes; ++axis) {
    // Twice the middle of the sites, relative to the first cell of the box.
    const std::int32_t middle = low[axis] - box.low[axis] + (high[axis] - box.low[axis]);
    const std::int32_t length = box.high[axis] - box.low[axis];
    int i = 0;
    if constexpr (kAcross == 2) {
      i = middle > length ? 1 : 0;
    } else {
      const float step = 2.0F * static_cast<float>(length) / (kAcross - 1);
      i = static_cast<int>(static_cast<float>(middle) / (step > 0 ? step : 1.0F) + 0.5F);
      i = i < 0 ? 0 : i < kAcross ? i : kAcross - 1;
    }
    point = point * kAcross + i;
  }
  return point;
}

/// Euclidean: whether sites may be as near to a cell of the box as a dominator. apart(axis, corner)
/// is the distance from a corner to the nearest of them.
template <class Rule, class AxisDistance>
THIESSEN_HD bool may_win(const Rule& ruler, const Box& box, const Place& dominator,
                         const AxisDistance& axis_distance) {
  typename Rule::Number least = 0;
  THIESSEN_UNROLL
  for (int axis = kAxes - Rule::kAxesMeasured; axis < kAxes; ++axis) {
    const auto difference = [&](std::int32_t corner) {
      return ruler.part(axis, axis_distance(axis, corner)) -
             ruler.part(axis, dominator.at[axis] - corner);
    };
    const auto at_low = difference(box.low[axis]);
    const auto at_high = difference(box.high[axis]);
    least += at_low < at_high ? at_low : at_high;
  }
  return least <= 0;
}

template <Metric kMetric, int kRank, class Scalar, class Points = Corners<kRank>>
class Pruner {
 public:
  using Rule = Ruler<kMetric, kRank, Scalar>;

  /// `dominators`: one for each point, by its number.
  THIESSEN_HD Pruner(const Rule& ruler, const Box& box, const Place* dominators)
      : ruler_(ruler), box_(box), dominators_(dominators) {
    if constexpr (kMetric != Metric::euclidean) {
      reach_ = ruler.to_end_of(dominators[0], box);
      for (int i = 1; i < Points::kPoints; ++i) {
        const Scalar reach = ruler.to_end_of(dominators[i], box);
        if (reach < reach_) reach_ = reach;
      }
    }
  }

  /// Whether a cell of the box may need a site of `sites`.
  THIESSEN_HD bool may_need(const Box& sites) const {
    return may_need(sites, sites.low, sites.high, [&](int axis, std::int32_t corner) {
      return Rule::gap(corner, corner, sites.low[axis], sites.high[axis]);
    });
  }
  THIESSEN_HD bool may_need(const Place& site) const {
    return may_need(site, site.at, site.at,
                    [&](int axis, std::int32_t corner) { return site.at[axis] - corner; });
  }

 private:
  /// The same for a site or a box of sites, from `low` to `high`; apart(axis, corner) is the
  /// distance from a corner to the nearest of them.
  template <class Sites, class AxisDistance>
  THIESSEN_HD bool may_need(const Sites& sites, const std::int32_t* low, const std::int32_t* high,
                            const AxisDistance& axis_distance) const {
    if constexpr (kMetric != Metric::euclidean) return ruler_.to_box(sites, box_) <= reach_;
    return may_win(ruler_, box_, dominators_[point_near<Points>(box_, low, high)], axis_distance);
  }
  Rule ruler_;
  Box box_;
  const Place* dominators_;
  Scalar reach_ = 0;
};

}  // namespace thiessen::cuda::tiles
