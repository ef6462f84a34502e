// SPDX-License-Identifier: Apache-2.0
//
// The nearest of many sites along one line of cells, by many threads.
//
// Of two sites on a line, "the right one wins over the left one" turns from false to true at most
// once as x grows (core/lower_envelope.hpp). The same then holds for two groups of sites, if all
// of one are to the left of all of the other: where a site r of the right group wins over the
// winner of the left one, it wins over all of that group from there on. So a binary tree over the
// sites needs one number a node, the first cell that its right half wins, and the winner of a cell
// is found by going down from the root. Nodes of a level do not depend on each other, and the
// number of a node is found by search, each step of which goes down both halves.
//
// This replaces the stack of A. Meijster, J. B. T. M. Roerdink, W. H. Hesselink, "A general
// algorithm for computing distance transforms in linear time" (2000), which is serial, by a
// tournament: O(n log² n) work at worst instead of O(n), but log n steps. T.-T. Cao, K. Tang,
// A. Mohamed, T.-S. Tan, "Parallel banding algorithm to compute exact distance transform with the
// GPU" (2010), merge the stacks of pieces of a line in pairs.
//
// Legend: leaf i is the i-th place on the line where a site may be; where there is none, the leaf
// loses everywhere. Node (level, j) has the leaves from j·2^level on, 2^level of them or what is
// left; the first leaf of its right half, m = (2j + 1)·2^(level - 1), belongs to no other node, and
// the node's number is turn[m]; a node without a right half has none.
#pragma once

#include <cstdint>

#include "core/lower_envelope.hpp"
#include "cuda/device/block.hpp"

namespace thiessen::cuda {

/// The winners of both halves of a node, seen from cell x.
struct HalfWinners {
  std::int32_t left;
  std::int32_t right;
};

/// Each half has `half` leaves, the right one, which begins with leaf `middle`, perhaps fewer.
template <class Leaves>
THIESSEN_HD HalfWinners find_in_halves(const Leaves& leaves, std::int32_t middle, std::int32_t half,
                                       std::int32_t x) {
  HalfWinners winners{middle - half, middle};
  for (half /= 2; half > 0; half /= 2) {
    if (leaves.turn(winners.left + half) <= x) winners.left += half;
    if (winners.right + half < leaves.count() && leaves.turn(winners.right + half) <= x)
      winners.right += half;
  }
  return winners;
}

/// Half of the leaves of the root.
THIESSEN_HD inline std::int32_t half_of_root(std::int32_t leaves) {
  std::int32_t half = 1;
  while (half < leaves) half *= 2;
  return half / 2;
}

/// Cells between which a node's number is sought, and where to look next.
struct TurnSearch {
  std::int32_t low;
  std::int32_t high;
  std::int32_t at;
  std::int32_t repeats = 0;  ///< steps in the same direction, but for the first

  /// The right winner at `at` wins over the left winner there from cell `turn` on. Mostly that is
  /// the number sought, or near it; but steps that go on in one direction double in length, and
  /// at last the cells are halved.
  THIESSEN_HD void step(std::int32_t turn, int steps, bool went_down) {
    constexpr int kGuesses = 10;
    const bool down = turn <= at;
    repeats = steps > 0 && went_down == down ? repeats + 1 : 0;
    std::int64_t guess = at + (std::int64_t{turn} - at) * (std::int64_t{1} << repeats);
    if (down) {
      high = at;
      if (turn == at) --guess;
    } else {
      low = at + 1;
    }
    if (steps >= kGuesses) guess = low + (high - low) / 2;
    at = static_cast<std::int32_t>(guess < low ? low : guess >= high ? high - 1 : guess);
  }
};

/// The number of the node whose right half begins with leaf `middle`; each half of it has `half`
/// leaves, the right one perhaps fewer. The numbers of the nodes below are known. `leaves` has
///   count()    of leaves
///   length()   cells of the line
///   factor()   of S along the line
///   turn(i)    a node's number
///   exists(i)  whether there is a site
///   site(i)    the site of a leaf as an Interval
///   cell_of(i) a cell near leaf i
template <class Geometry, class Leaves>
THIESSEN_HD std::int32_t find_turn(const Leaves& leaves, std::int32_t middle, std::int32_t half) {
  const std::int32_t length = leaves.length();
  TurnSearch search{0, length, leaves.cell_of(middle)};
  bool went_down = false;
  for (int steps = 0; search.low < search.high; ++steps) {
    const auto [left, right] = find_in_halves(leaves, middle, half, search.at);
    if (!leaves.exists(right)) return length;
    if (!leaves.exists(left)) return 0;
    const std::int64_t first =
        Geometry::first_win(leaves.factor(), leaves.site(left), leaves.site(right));
    const auto turn = static_cast<std::int32_t>(first < 0 ? 0 : first > length ? length : first);
    if (half == 1) return turn;
    const bool goes_down = turn <= search.at;
    search.step(turn, steps, went_down);
    went_down = goes_down;
  }
  return search.low;
}

/// The leaf that wins cell x; its site need not exist if no other does. `half` is half_of_root().
template <class Leaves>
THIESSEN_HD std::int32_t find_winner(const Leaves& leaves, std::int32_t half, std::int32_t x) {
  std::int32_t first = 0;
  for (; half > 0; half /= 2)
    if (first + half < leaves.count() && leaves.turn(first + half) <= x) first += half;
  return first;
}

/// The same of a cell between two others, whose winners are known: only nodes that have leaves of
/// both are gone through.
template <class Leaves>
THIESSEN_HD std::int32_t find_winner_between(const Leaves& leaves, std::int32_t left,
                                             std::int32_t right, std::int32_t x) {
  if (left == right) return left;
  const std::int32_t top = highest_bit(static_cast<std::uint32_t>(left ^ right));
  std::int32_t first = left >> top << top;
  for (std::int32_t half = 1 << top; half > 0; half /= 2)
    if (first + half <= right && leaves.turn(first + half) <= x) first += half;
  return first;
}

}  // namespace thiessen::cuda
