// SPDX-License-Identifier: Apache-2.0
//
// Let b bound the distance from every place on the slab's first row to its nearest point. A cell of
// the slab, t rows below that row, has such a place in its column, and so a point that is at most
// t + b away. A point that lies h rows above the first row is at least t + h away: if h > b, it
// wins nowhere in the slab. The same holds below the last row, and along planes. Only norms are
// needed for this: it is true of all three metrics and any spacing.
//
// On a periodic first axis, every point has images one period up and down. Images of one point
// follow each other from the lesser coordinate to the greater one, so that of two that are equally
// near the one with the lesser offset wins.
#include "api/slabs/points_of_slab.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "core/slabs/face_blocks.hpp"

namespace thiessen {
namespace {

class Cutter {
 public:
  Cutter(const Problem& problem, const PointSites& list, const Slab& slab)
      : problem_(problem),
        list_(list),
        axis_(static_cast<std::size_t>(problem.first_axis())),
        first_(slab.first << problem.fraction_bits),
        last_((slab.count - 1) << problem.fraction_bits) {
    if (problem.period[axis_] == kNoPeriod) shifts_ = {0};
  }

  /// Chooses the range of coordinates that counts, from the slab's first row on.
  void choose_range() {
    const std::int64_t above = reach_from(0);
    const std::int64_t below = reach_from(last_);
    least_ = -above;
    greatest_ = last_ + below;
  }

  /// Calls visit(coordinates, place in the list) for all points and images in range.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::int64_t i = 0; i < list_.count; ++i) {
      for (const std::int64_t shift : shifts_) {
        Axes at = list_.at[i];
        at[axis_] += shift * problem_.period[axis_] - first_;
        if (at[axis_] >= least_ && at[axis_] <= greatest_) visit(at, i);
      }
    }
  }

 private:
  static constexpr std::int64_t kAll = std::int64_t{1} << 60;

  /// How far from a row, in units of points, the points lie that count beyond it.
  std::int64_t reach_from(std::int64_t row) const {
    const FaceBlocks blocks(problem_);
    // Least distances along the first axis alone; S of all points would take longer.
    std::vector<std::int64_t> least(static_cast<std::size_t>(blocks.count()), kAll);
    std::int64_t farthest = 0;
    for_each([&](const Axes& at, std::int64_t) {
      const std::int64_t away = at[axis_] < row ? row - at[axis_] : at[axis_] - row;
      farthest = std::max(farthest, away);
      const std::int64_t y = problem_.rank == 3 ? column_of(at[1], 1) : 0;
      const std::int64_t x = column_of(at[2], 2);
      if (y < 0 || x < 0) return;
      std::int64_t& own = least[blocks.block_of(y * problem_.extent[2] + x)];
      own = std::min(own, away);
    });
    std::vector<Int128> v(least.size(), FaceBlocks::kNone);
    for (std::size_t i = 0; i < v.size(); ++i)
      if (least[i] != kAll) v[i] = blocks.along_first_axis(least[i]);
    Int128 bound = blocks.greatest_bound(v);
    if (problem_.limited) bound = std::min(bound, problem_.limit);
    return blocks.rows_within(bound, farthest);
  }

  /// The cell of a coordinate along an axis of the face, rounded down; -1: beyond its ends.
  std::int64_t column_of(std::int64_t place, std::size_t axis) const {
    const std::int64_t cell = place >> problem_.fraction_bits;
    if (cell < -1 || cell >= problem_.extent[axis]) return -1;
    return std::max<std::int64_t>(cell, 0);
  }

  const Problem& problem_;
  const PointSites& list_;
  std::size_t axis_;
  std::int64_t first_;  ///< of the slab, in units of points
  std::int64_t last_;   ///< from there on
  std::vector<std::int64_t> shifts_ = {-1, 0, 1};
  std::int64_t least_ = -kAll;
  std::int64_t greatest_ = kAll;
};

}  // namespace

PointsOfSlab cut_out_points(ContextState& state, Problem& problem, const PointSites& list,
                            const Slab& slab, Scratch::Frame& scratch) {
  const PhaseTimer phase(state, "points of the slab");
  const auto axis = static_cast<std::size_t>(problem.first_axis());
  Cutter cutter(problem, list, slab);
  const bool are_all = problem.wants_other_labels || problem.has_weights() || state.device != "cpu";
  if (!are_all) cutter.choose_range();
  PointsOfSlab kept{list, nullptr, are_all && problem.period[axis] == kNoPeriod};
  kept.points.count = 0;
  cutter.for_each([&](const Axes&, std::int64_t) { ++kept.points.count; });
  auto* const place = scratch.array<std::int64_t>(kept.points.count);
  kept.points.at = scratch.array<Axes>(kept.points.count);
  std::int64_t next = 0;
  cutter.for_each([&](const Axes& at, std::int64_t i) {
    kept.points.at[next] = at;
    place[next++] = i;
  });
  kept.place = place;
  problem.extent[axis] = slab.count;
  problem.period[axis] = kNoPeriod;
  return kept;
}

}  // namespace thiessen
