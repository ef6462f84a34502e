// SPDX-License-Identifier: Apache-2.0
//
// Which points may win somewhere in a block of cells, as its corners show.
//
// When a corner's winner w beats q in a whole block:
//
//   euclidean, manhattan  S(q, p) - S(w, p) is a sum over the axes of functions of one coordinate
//                         of p, each of them monotone. So its least value in a block is the sum of
//                         the lesser values at both ends of each axis.
//   chessboard            S(w, p) <= S(q, p) if w is on each axis no farther than q at both ends,
//                         or no farther than q is from the nearest cell of the block.
//
// w beats q if that difference is positive, or if it is zero and w has the smaller index. So ties
// are decided here already: if a thousand points are equally near, one candidate is left.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/cells.hpp"
#include "core/order/lower_envelope.hpp"

namespace thiessen::cpu {

/// A point, or an image of one.
template <class Scalar>
struct Candidate {
  Axes at;
  std::int64_t index;
  Scalar across;  ///< what z and y contribute to S in the row that is being written
};

/// S with the factors of a problem.
template <class Geometry, class Scalar>
struct Ruler {
  std::array<Scalar, kAxes> factor;

  Scalar along(std::size_t axis, std::int64_t delta) const {
    return Geometry::along(factor[axis], delta);
  }
  static Scalar combine(Scalar z, Scalar y, Scalar x) {
    return Geometry::combine(Geometry::combine(z, y), x);
  }
  Scalar exact(const Axes& from, const Axes& at) const {
    return combine(along(0, at[0] - from[0]), along(1, at[1] - from[1]), along(2, at[2] - from[2]));
  }
};

/// Tests candidates at the corners of a block: offer() all of them, close(), then ask may_win().
template <class Geometry, class Scalar>
class Corners {
 public:
  using Rule = Ruler<Geometry, Scalar>;
  using Candidate = cpu::Candidate<Scalar>;

  /// The block reaches from the cell centre `low` to `high`. `limit`: greatest S in range, if not
  /// null.
  Corners(const Rule& ruler, const Axes& low, const Axes& high, const Scalar* limit)
      : ruler_(ruler), low_(low), high_(high), limit_(limit) {
    for (std::size_t corner = 0; corner < kMost; ++corner) {
      bool is_new = true;
      for (std::size_t axis = 0; axis < kAxes; ++axis)
        is_new = is_new && (end_of(corner, axis) == 0 || low[axis] < high[axis]);
      if (is_new) corner_[count_++] = corner;
    }
  }

  void offer(const Candidate& candidate) {
    const Ends ends = ends_of(candidate.at);
    for (std::size_t i = 0; i < count_; ++i) {
      const std::size_t corner = corner_[i];
      const Scalar exact =
          Rule::combine(ends.at[0][end_of(corner, 0)], ends.at[1][end_of(corner, 1)],
                        ends.at[2][end_of(corner, 2)]);
      Winner& winner = winner_[i];
      if (winner.index >= 0 && exact > winner.exact) continue;
      if (winner.index >= 0 && exact == winner.exact && candidate.index >= winner.index) continue;
      winner = {candidate.index, exact, ends};
    }
  }

  /// Call it when all candidates were offered.
  void close() {
    for (std::size_t i = 0; i < count_; ++i) {
      const Ends& ends = winner_[i].ends;
      const auto farther = [&](std::size_t axis) {
        return std::max(ends.at[axis][0], ends.at[axis][1]);
      };
      const Scalar farthest = Rule::combine(farther(0), farther(1), farther(2));
      if (i == 0 || farthest < reach_) reach_ = farthest;
    }
    if (limit_ != nullptr) reach_ = std::min(reach_, *limit_);
  }

  /// Whether a candidate may win some cell of the block.
  bool may_win(const Candidate& candidate) const {
    const Axes gap = gap_to(candidate.at);
    const Scalar least = ruler_.exact({0, 0, 0}, gap);
    if (least > reach_) return false;
    if (gap == Axes{0, 0, 0}) return true;  // it lies in the block
    const Ends ends = ends_of(candidate.at);
    for (std::size_t i = 0; i < count_; ++i)
      if (beats(winner_[i], candidate, ends, least)) return false;
    return true;
  }

 private:
  static constexpr std::size_t kMost = 8;

  /// The part of each axis in S at the block's low and high end.
  struct Ends {
    Scalar at[kAxes][2];
  };

  struct Winner {
    std::int64_t index = -1;
    Scalar exact = 0;
    Ends ends{};
  };

  static std::size_t end_of(std::size_t corner, std::size_t axis) { return corner >> axis & 1; }

  Ends ends_of(const Axes& at) const {
    Ends ends;
    for (std::size_t axis = 0; axis < kAxes; ++axis) {
      ends.at[axis][0] = ruler_.along(axis, at[axis] - low_[axis]);
      ends.at[axis][1] = ruler_.along(axis, at[axis] - high_[axis]);
    }
    return ends;
  }

  /// The gap between a place and the block.
  Axes gap_to(const Axes& at) const {
    Axes gap;
    for (std::size_t axis = 0; axis < kAxes; ++axis)
      gap[axis] = std::max({low_[axis] - at[axis], at[axis] - high_[axis], std::int64_t{0}});
    return gap;
  }

  /// Whether `winner` beats a candidate in the whole block; S of the candidate there is at least
  /// `least`.
  bool beats(const Winner& winner, const Candidate& candidate, const Ends& ends,
             Scalar least) const {
    if (winner.index == candidate.index) return false;  // or an image of it
    const bool wins_ties = winner.index < candidate.index;
    if constexpr (Geometry::kMetric == Metric::chessboard) {
      const auto is_less = [&](Scalar a, Scalar b) { return wins_ties ? a <= b : a < b; };
      for (std::size_t axis = 0; axis < kAxes; ++axis) {
        const auto& mine = winner.ends.at[axis];
        const auto& others = ends.at[axis];
        if (is_less(mine[0], others[0]) && is_less(mine[1], others[1])) continue;
        if (!is_less(std::max(mine[0], mine[1]), least)) return false;
      }
      return true;
    } else {
      Scalar difference = 0;
      for (std::size_t axis = 0; axis < kAxes; ++axis)
        difference += std::min(ends.at[axis][0] - winner.ends.at[axis][0],
                               ends.at[axis][1] - winner.ends.at[axis][1]);
      return difference > 0 || (difference == 0 && wins_ties);
    }
  }

  const Rule& ruler_;
  Axes low_;
  Axes high_;
  const Scalar* limit_;
  Scalar reach_ = 0;  ///< no cell of the block needs a candidate that is farther than this
  std::size_t count_ = 0;
  std::array<std::size_t, kMost> corner_{};  ///< bit of an axis: at its high end
  std::array<Winner, kMost> winner_;
};

}  // namespace thiessen::cpu
