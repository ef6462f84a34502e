// SPDX-License-Identifier: Apache-2.0
//
// The nearest of many sites along one line of cells, in linear time.
//
// Seen from the cells x of a line, a site at position p whose other coordinates contribute `base`
// is at distance S(x) = base ⊕ along(x - p), ⊕ being + (euclidean, manhattan) or max (chessboard).
// For two sites i, j with i to the left, "j wins over i" in the order (S, order) turns from false
// to true at most once as x grows. So the winners along the line are a sequence of intervals, and a
// stack holds them while sites come in from left to right: a new site first removes those that it
// beats already where their interval begins, and then begins where it first beats the last one
// left.
//
// After A. Meijster, J. B. T. M. Roerdink, W. H. Hesselink, "A general algorithm for computing
// distance transforms in linear time" (2000). Theirs compares distances alone; here the whole order
// is compared, in integers. That is what keeps a parabola that merely touches the envelope in one
// cell, where it may win the tie.
#pragma once

#include <algorithm>
#include <cstdint>

#include "thiessen/metric.hpp"

namespace thiessen::cpu {

/// A site on the envelope: it wins from the cell `begin` to where the next one begins.
template <class Scalar>
struct Interval {
  Scalar base;            ///< what the axes across the line contribute to S
  std::int64_t order;     ///< rank among equally near sites; of two images of a site the left wins
  std::int32_t position;  ///< coordinate of the site along the line
  std::int32_t begin;
};

/// Beyond every line, and still far from overflow when coordinates are added.
inline constexpr std::int64_t kNever = std::int64_t{1} << 40;

/// A number of cells >= 0 that is too large for any line becomes kNever.
template <class Scalar>
std::int64_t to_cells(Scalar count) {
  return count < Scalar{kNever} ? static_cast<std::int64_t>(count) : kNever;
}

/// Largest integer not above a / b, for b > 0.
template <class Scalar>
Scalar floor_divide(Scalar a, Scalar b) {
  const Scalar quotient = a / b;
  return quotient - ((a % b) < 0 ? 1 : 0);
}

/// First cell from the left in which a difference of distances that grows by 2·slope a cell and is
/// -deficit at cell `start` becomes positive, or zero if that is enough.
template <class Scalar>
std::int64_t first_gain(std::int64_t start, Scalar deficit, Scalar twice_slope, bool wins_ties) {
  const Scalar cells = floor_divide(deficit, twice_slope);
  const bool tie = cells * twice_slope == deficit;
  return start + to_cells(cells) + (tie && wins_ties ? 0 : 1);
}

struct Euclidean {
  static constexpr Metric kMetric = Metric::euclidean;

  template <class Scalar>
  static Scalar along(Scalar factor, std::int64_t delta) {
    return factor * (static_cast<Scalar>(delta) * delta);
  }
  template <class Scalar>
  static Scalar join(Scalar a, Scalar b) {
    return a + b;
  }

  /// First cell in which `right` wins over `left`.
  template <class Scalar>
  static std::int64_t first_win(Scalar factor, const Interval<Scalar>& left,
                                const Interval<Scalar>& right) {
    const Scalar apart = right.position - left.position;
    const Scalar deficit = factor * apart * apart + (right.base - left.base);
    return first_gain(left.position, deficit, 2 * factor * apart, right.order < left.order);
  }
};

struct Manhattan {
  static constexpr Metric kMetric = Metric::manhattan;

  template <class Scalar>
  static Scalar along(Scalar factor, std::int64_t delta) {
    return factor * static_cast<Scalar>(delta < 0 ? -delta : delta);
  }
  template <class Scalar>
  static Scalar join(Scalar a, Scalar b) {
    return a + b;
  }

  /// The difference is constant to the left of both sites and to the right of both.
  template <class Scalar>
  static std::int64_t first_win(Scalar factor, const Interval<Scalar>& left,
                                const Interval<Scalar>& right) {
    const bool wins_ties = right.order < left.order;
    const Scalar step = factor * static_cast<Scalar>(right.position - left.position);
    const Scalar gain_at_end = left.base + step - right.base;
    if (gain_at_end < 0 || (gain_at_end == 0 && !wins_ties)) return kNever;
    return first_gain(left.position, step + (right.base - left.base), 2 * factor, wins_ties);
  }
};

/// The difference of two sites may fall before it rises, but only while `left` wins, and after it
/// has risen only while `right` does: its sign changes once as for the others.
struct Chessboard {
  static constexpr Metric kMetric = Metric::chessboard;

  template <class Scalar>
  static Scalar along(Scalar factor, std::int64_t delta) {
    return Manhattan::along(factor, delta);
  }
  template <class Scalar>
  static Scalar join(Scalar a, Scalar b) {
    return std::max(a, b);
  }

  template <class Scalar>
  static std::int64_t first_win(Scalar factor, const Interval<Scalar>& left,
                                const Interval<Scalar>& right) {
    const bool wins_ties = right.order < left.order;
    // On the far side of `left`, by being nearer along the line …
    const std::int64_t sum = std::int64_t{left.position} + right.position;
    const std::int64_t past_middle = (sum + (wins_ties ? 1 : 2)) >> 1;
    const bool whole = right.base % factor == 0;
    const std::int64_t past_base =
        left.position + to_cells(right.base / factor) + (wins_ties && whole ? 0 : 1);
    const std::int64_t far_side = std::max(past_middle, past_base);
    if (left.base < right.base || (left.base == right.base && !wins_ties)) return far_side;
    // … or sooner, where `left` is held up by its base and `right` is not above that.
    const std::int64_t reach = to_cells((left.base - (wins_ties ? 0 : 1)) / factor);
    return std::min(far_side, right.position - reach);
  }
};

/// The envelope over the cells first..last of a line. Sites come with growing positions.
template <class Geometry, class Scalar>
class LowerEnvelope {
 public:
  using Site = Interval<Scalar>;

  /// `stack` has room for as many sites as will be added.
  LowerEnvelope(Site* stack, Scalar factor, std::int32_t first, std::int32_t last)
      : stack_(stack), factor_(factor), first_(first), last_(last) {}

  void add(Scalar base, std::int64_t order, std::int32_t position) {
    Site site{base, order, position, first_};
    while (size_ > 0 && wins(site, stack_[size_ - 1], stack_[size_ - 1].begin)) --size_;
    if (size_ > 0) {
      const std::int64_t begin = Geometry::first_win(factor_, stack_[size_ - 1], site);
      if (begin > last_) return;
      site.begin = static_cast<std::int32_t>(begin);
    }
    stack_[size_++] = site;
  }

  Scalar exact(const Site& site, std::int32_t x) const {
    return Geometry::join(site.base, Geometry::along(factor_, std::int64_t{x} - site.position));
  }

  /// Calls visit(site, begin, end) for each interval in order; none if there is no site.
  template <class Visit>
  void for_each_interval(Visit&& visit) const {
    for (std::int64_t i = 0; i < size_; ++i)
      visit(stack_[i], stack_[i].begin, i + 1 < size_ ? stack_[i + 1].begin : last_ + 1);
  }

 private:
  bool wins(const Site& challenger, const Site& site, std::int32_t x) const {
    const Scalar ours = exact(challenger, x);
    const Scalar theirs = exact(site, x);
    return ours < theirs || (ours == theirs && challenger.order < site.order);
  }

  Site* stack_;
  std::int64_t size_ = 0;
  Scalar factor_;
  std::int32_t first_;
  std::int32_t last_;
};

}  // namespace thiessen::cpu
