// SPDX-License-Identifier: Apache-2.0
//
// Many threads find the nearest of many sites for every cell of a line.
//
// For two sites on a line, "the right one wins over the left one" turns from false to true at most
// once as x grows (core/order/lower_envelope.hpp). So the winners of cells never go back: the
// winner of a cell lies between those of any two cells around it. The cell in the middle comes
// first and looks at all sites. Then come those in the middle of both halves; each looks at the
// sites on its own side of the winner in between, that one included; and so on. All cells of a
// level together look at each site once, and once more for each of them, whatever the sites. There
// is no division.
//
// This replaces the stack of A. Meijster, J. B. T. M. Roerdink, W. H. Hesselink, "A general
// algorithm for computing distance transforms in linear time" (2000), which is serial. A. Aggarwal,
// M. Klawe, S. Moran, P. Shor, R. Wilber, "Geometric applications of a matrix-searching algorithm"
// (1987), find row minima of monotone matrices in this order, before they do it in linear time. It
// is O(n log n) work, in log n steps.
//
// Legend: leaf i is the i-th place on the line where a site may be; a leaf without a site wins
// nowhere. Cells (2q + 1)·step - 1 are the queries q of a level; the cells at the other multiples
// of `step`, less one, are known. bound(q) is the winner of the known cell before query q, the
// first leaf that the query looks at; bound(q + 1) is the last. The looks of a level are numbered
// as its units: unit u of query q is the look at leaf u - q. Each part (thread) of a level has an
// equal share of them. If several parts share a query, the part that has its first unit finishes
// it, with what the others leave as their head.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/order/lower_envelope.hpp"
#include "cuda/device/lanes.hpp"

namespace thiessen::cuda::lines {

template <class Scalar>
THIESSEN_HD constexpr Scalar greatest_of() {
  constexpr Scalar kHalf = Scalar{1} << (8 * sizeof(Scalar) - 2);
  return kHalf - 1 + kHalf;
}

/// The best leaf seen from a cell; the S of "none" is greater than that of any cell.
template <class Scalar>
struct SeenLeaf {
  Scalar exact = greatest_of<Scalar>();
  std::int32_t leaf = -1;
};

/// The first step of a line, chosen so that its middle, or a cell near it, comes first.
THIESSEN_HD inline std::int32_t first_step(std::int32_t length) {
  return std::int32_t{1} << highest_bit(static_cast<std::uint32_t>(length));
}

/// A level of a line. `Leaves` has
///   Scalar, Unit      type of S; integer type for the units of a level
///   count()           number of leaves
///   length()          cells of the line
///   factor()          factor of S along the line
///   exists(i)         whether leaf i has a site
///   site(i)           the site of a leaf as an Interval
///   winner(x)         winner of a cell that is known; set_winner(x, i)
///   head(part)        what a part left; set_head(part, seen)
template <class Geometry, class Leaves>
class WinnerLevel {
 public:
  using Scalar = typename Leaves::Scalar;
  using Unit = typename Leaves::Unit;
  using Seen = SeenLeaf<Scalar>;

  /// A query whose first unit belongs to a part, but not its last.
  struct Tail {
    Unit cell = -1;  ///< -1: there is none
    Seen seen = {};
  };

  THIESSEN_HD WinnerLevel(const Leaves& leaves, std::int32_t step, std::int32_t parts)
      : leaves_(leaves), step_(step), queries_((leaves.length() / step + 1) / 2) {
    share_ = ((units() + parts - 1) / parts) | 1;  // odd: neighbours read from different banks
  }

  /// Does the units of a part. What it returns must be passed to solve() when all parts are done.
  THIESSEN_HD Tail walk(std::int32_t part) const {
    Unit unit = share_ * part;
    const Unit end = min_of(unit + share_, units());
    if (unit >= end) return {};
    Unit query = query_of(unit);
    Unit cell = cell_of(query);
    Unit last = last_leaf(cell);
    bool is_head = first_unit(query) < unit;
    Seen seen;
    for (; unit < end; ++unit) {
      const auto leaf = static_cast<std::int32_t>(unit - query);
      look(cell, leaf, seen);
      if (leaf < last) continue;
      leave(cell, part, is_head, seen);
      is_head = false;
      seen = {};
      ++query;
      cell += 2 * step_;
      last = last_leaf(cell);
    }
    if (query == queries_ || first_unit(query) == end) return {};
    if (!is_head) return {cell, seen};
    leaves_.set_head(part, seen);
    return {};
  }

  THIESSEN_HD void solve_tail(std::int32_t part, const Tail& tail) const {
    if (tail.cell < 0) return;
    const Unit query = tail.cell / (2 * step_);
    const auto last_part = static_cast<std::int32_t>((last_leaf(tail.cell) + query) / share_);
    Seen seen = tail.seen;
    for (std::int32_t other = part + 1; other <= last_part; ++other) {
      const Seen head = leaves_.head(other);
      if (is_better(head, seen)) seen = head;
    }
    solve(tail.cell, seen);
  }

 private:
  THIESSEN_HD static Unit min_of(Unit a, Unit b) { return a < b ? a : b; }
  THIESSEN_HD Unit cell_of(Unit query) const { return (2 * query + 1) * step_ - 1; }
  THIESSEN_HD Unit first_leaf(Unit cell) const {
    return cell < step_ ? 0 : leaves_.winner(cell - step_);
  }
  THIESSEN_HD Unit last_leaf(Unit cell) const {
    return cell + step_ < leaves_.length() ? leaves_.winner(cell + step_) : leaves_.count() - 1;
  }
  THIESSEN_HD Unit first_unit(Unit query) const { return first_leaf(cell_of(query)) + query; }
  THIESSEN_HD Unit units() const { return last_leaf(cell_of(queries_ - 1)) + queries_; }

  THIESSEN_HD Unit query_of(Unit unit) const {
    Unit first = 0;
    for (Unit count = queries_; count > 1;) {
      const Unit half = count / 2;
      if (first_unit(first + half) <= unit) first += half;
      count -= half;
    }
    return first;
  }

  THIESSEN_HD void look(Unit cell, std::int32_t leaf, Seen& seen) const {
    if (!leaves_.exists(leaf)) return;
    const Interval<Scalar> site = leaves_.site(leaf);
    const Seen now{
        Geometry::combine(site.base, Geometry::along(leaves_.factor(), cell - site.position)),
        leaf};
    if (is_better(now, seen)) seen = now;
  }

  THIESSEN_HD bool is_better(const Seen& a, const Seen& b) const {
    if (a.exact != b.exact) return a.exact < b.exact;
    return a.leaf >= 0 && leaves_.site(a.leaf).order < leaves_.site(b.leaf).order;
  }

  THIESSEN_HD void leave(Unit cell, std::int32_t part, bool is_head, const Seen& seen) const {
    if (is_head)
      leaves_.set_head(part, seen);
    else
      solve(cell, seen);
  }

  /// If no leaf has a site, any will do.
  THIESSEN_HD void solve(Unit cell, const Seen& seen) const {
    leaves_.set_winner(cell, seen.leaf < 0 ? 0 : seen.leaf);
  }

  const Leaves& leaves_;
  Unit step_;
  Unit queries_;
  Unit share_;
};

}  // namespace thiessen::cuda::lines
