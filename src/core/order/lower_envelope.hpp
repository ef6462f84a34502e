// SPDX-License-Identifier: Apache-2.0
//
// The nearest of many sites along one line of cells, in linear time.
//
// Seen from the cells x of a line, a site at position p whose other axes have the part `base` in S
// is at distance S(x) = base ⊕ along(x - p), where ⊕ is + (euclidean, manhattan) or max
// (chessboard). For two sites i, j with i to the left, "j wins over i" in the order (S, order)
// turns from false to true at most once as x grows. So the winners along the line are a sequence of
// intervals. A stack holds them while sites come in from left to right: a new site first removes
// those that it beats already at the beginning of their interval, and then begins where it first
// beats the last one left.
//
// After A. Meijster, J. B. T. M. Roerdink, W. H. Hesselink, "A general algorithm for computing
// distance transforms in linear time" (2000). Their algorithm compares distances alone; this one
// compares the whole order, in integers. So it keeps a parabola that only touches the envelope in
// one cell, where it may win the tie.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/order/measure.hpp"

namespace thiessen {

/// A site on the envelope: it wins from the cell `begin` to the beginning of the next one.
template <class Scalar>
struct Interval {
  Scalar base;            ///< the part in S of the axes across the line
  std::int64_t order;     ///< rank among equally near sites; the left of two images of a site wins
  std::int32_t position;  ///< coordinate of the site along the line
  std::int32_t begin;
};

/// Beyond every line (-kNever: before it), but far enough from overflow that coordinates can be
/// added.
inline constexpr std::int64_t kNever = std::int64_t{1} << 40;

/// A number of cells that is too large for any line becomes kNever, or -kNever.
template <class Scalar>
THIESSEN_HD std::int64_t to_cells(Scalar count) {
  if constexpr (sizeof(Scalar) < sizeof(std::int64_t))
    return count;
  else
    return count >= Scalar{kNever}    ? kNever
           : count <= Scalar{-kNever} ? -kNever
                                      : static_cast<std::int64_t>(count);
}

/// The largest integer not above a / b, for b > 0, and whether b divides a. If integers have 32
/// bits, lines are short: quotients beyond 2^16 become 2^16, and a float holds the others to within
/// one.
template <class Scalar>
struct FloorQuotient {
  Scalar quotient;
  bool divides;

  THIESSEN_HD FloorQuotient(Scalar a, Scalar b) {
    if constexpr (sizeof(Scalar) >= sizeof(std::int64_t)) {
      quotient = a / b;
      const Scalar rest = a - quotient * b;
      divides = rest == 0;
      quotient -= rest < 0 ? 1 : 0;
    } else {
      constexpr float kMost = 1 << 16;
#ifdef __CUDA_ARCH__
      const float about = __fdividef(static_cast<float>(a), static_cast<float>(b));
#else
      const float about = static_cast<float>(a) / static_cast<float>(b);
#endif
      quotient = static_cast<Scalar>(floorf(about > kMost    ? kMost
                                            : about < -kMost ? -kMost
                                                             : about));
      Scalar rest = a - quotient * b;
      if (rest < 0) {
        --quotient;
        rest += b;
      } else if (rest >= b) {
        ++quotient;
        rest -= b;
      }
      divides = rest == 0;
    }
  }
};

/// First cell from the left in which a difference of distances that grows by 2·slope a cell and is
/// -deficit at cell `start` becomes positive, or zero if that is enough.
template <class Scalar>
THIESSEN_HD std::int64_t first_gain(std::int64_t start, Scalar deficit, Scalar twice_slope,
                                    bool wins_ties) {
  const FloorQuotient<Scalar> cells(deficit, twice_slope);
  return start + to_cells(cells.quotient) + (cells.divides && wins_ties ? 0 : 1);
}

/// The base of the geometries of all metrics.
template <Metric kTheMetric>
struct Measured {
  static constexpr Metric kMetric = kTheMetric;

  template <class Scalar>
  THIESSEN_HD static Scalar along(Scalar factor, std::int64_t delta) {
    return thiessen::along<kMetric>(factor, static_cast<Scalar>(delta));
  }
  template <class Scalar>
  THIESSEN_HD static Scalar combine(Scalar a, Scalar b) {
    return thiessen::combine<kMetric>(a, b);
  }
};

struct Euclidean : Measured<Metric::euclidean> {
  /// The first cell in which `right` wins over `left`.
  template <class Scalar>
  THIESSEN_HD static std::int64_t first_win(Scalar factor, const Interval<Scalar>& left,
                                            const Interval<Scalar>& right) {
    const Scalar apart = right.position - left.position;
    const Scalar deficit = factor * apart * apart + (right.base - left.base);
    return first_gain(left.position, deficit, 2 * factor * apart, right.order < left.order);
  }
};

struct Manhattan : Measured<Metric::manhattan> {
  /// The difference is constant to the left of both sites and to the right of both.
  template <class Scalar>
  THIESSEN_HD static std::int64_t first_win(Scalar factor, const Interval<Scalar>& left,
                                            const Interval<Scalar>& right) {
    const bool wins_ties = right.order < left.order;
    const Scalar step = factor * static_cast<Scalar>(right.position - left.position);
    const Scalar gain_at_end = left.base + step - right.base;
    if (gain_at_end < 0 || (gain_at_end == 0 && !wins_ties)) return kNever;
    const Scalar deficit = step + (right.base - left.base);
    if (deficit < 0 || (deficit == 0 && wins_ties)) return -kNever;
    return first_gain(left.position, deficit, 2 * factor, wins_ties);
  }
};

/// The difference of two sites may fall before it rises, but only while `left` wins, and after it
/// has risen only while `right` wins: its sign changes once, as for the other metrics.
struct Chessboard : Measured<Metric::chessboard> {
  template <class Scalar>
  THIESSEN_HD static std::int64_t first_win(Scalar factor, const Interval<Scalar>& left,
                                            const Interval<Scalar>& right) {
    const bool wins_ties = right.order < left.order;
    // It wins on the far side of `left`, because it is nearer along the line …
    const std::int64_t sum = std::int64_t{left.position} + right.position;
    const std::int64_t past_middle = (sum + (wins_ties ? 1 : 2)) >> 1;
    const bool whole = right.base % factor == 0;
    const std::int64_t past_base =
        left.position + to_cells(right.base / factor) + (wins_ties && whole ? 0 : 1);
    const std::int64_t far_side = past_middle < past_base ? past_base : past_middle;
    if (left.base < right.base || (left.base == right.base && !wins_ties)) return far_side;
    // … or sooner, where the base of `left` decides its S and `right` is not above that.
    const std::int64_t reach = to_cells((left.base - (wins_ties ? 0 : 1)) / factor);
    return far_side < right.position - reach ? far_side : right.position - reach;
  }
};

/// Intervals in memory, one after the other.
template <class Scalar>
struct ArrayStack {
  ArrayStack(Interval<Scalar>* first) : sites(first) {}  // NOLINT(google-explicit-constructor)

  Interval<Scalar>* sites;

  const Interval<Scalar>& load(std::int64_t i) const { return sites[i]; }
  void store(std::int64_t i, const Interval<Scalar>& site) const { sites[i] = site; }
};

/// The envelope over the cells first..last of a line. Sites come with growing positions.
template <class Geometry, class Scalar, class Stack = ArrayStack<Scalar>>
class LowerEnvelope {
 public:
  using Site = Interval<Scalar>;

  /// `stack` has room for all sites that will be added.
  THIESSEN_HD LowerEnvelope(const Stack& stack, Scalar factor, std::int32_t first,
                            std::int32_t last)
      : stack_(stack), factor_(factor), first_(first), last_(last) {}

  THIESSEN_HD void add(Scalar base, std::int64_t order, std::int32_t position) {
    Site site{base, order, position, first_};
    while (size_ > 0) {
      const Site top = stack_.load(size_ - 1);
      if (wins(site, top, top.begin)) {
        --size_;
        continue;
      }
      const std::int64_t begin = Geometry::first_win(factor_, top, site);
      if (begin > last_) return;
      site.begin = static_cast<std::int32_t>(begin);
      break;
    }
    stack_.store(size_++, site);
  }

  /// The number of intervals so far.
  THIESSEN_HD std::int64_t size() const { return size_; }

  THIESSEN_HD Scalar exact(const Site& site, std::int32_t x) const {
    return Geometry::combine(site.base, Geometry::along(factor_, std::int64_t{x} - site.position));
  }

  /// Calls visit(site, begin, end) for each interval in order; none if there is no site.
  template <class Visit>
  void for_each_interval(Visit&& visit) const {
    for (std::int64_t i = 0; i < size_; ++i) {
      const Site& site = stack_.load(i);
      visit(site, site.begin, i + 1 < size_ ? stack_.load(i + 1).begin : last_ + 1);
    }
  }

 private:
  THIESSEN_HD bool wins(const Site& challenger, const Site& site, std::int32_t x) const {
    const Scalar ours = exact(challenger, x);
    const Scalar theirs = exact(site, x);
    return ours < theirs || (ours == theirs && challenger.order < site.order);
  }

  Stack stack_;
  std::int64_t size_ = 0;
  Scalar factor_;
  std::int32_t first_;
  std::int32_t last_;
};

}  // namespace thiessen
