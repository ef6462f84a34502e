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

#include <bit>
#include <cstdint>

#include "core/lower_envelope.hpp"

namespace thiessen::cuda {

/// The winner among the leaves of a complete node, seen from cell x: `half` is half of its leaves
/// (0: it is a leaf).
template <class Leaves>
THIESSEN_HD std::int32_t find_in_node(const Leaves& leaves, std::int32_t first, std::int32_t half,
                                      std::int32_t x) {
  for (; half > 0; half /= 2)
    if (leaves.turn(first + half) <= x) first += half;
  return first;
}

/// The same of a node whose leaves may end before it does.
template <class Leaves>
THIESSEN_HD std::int32_t find_in_last_node(const Leaves& leaves, std::int32_t first,
                                           std::int32_t half, std::int32_t x) {
  for (; half > 0; half /= 2)
    if (first + half < leaves.count() && leaves.turn(first + half) <= x) first += half;
  return first;
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

  /// The right winner at `at` wins over the left winner there from cell `turn` on. Mostly that is
  /// the number sought, or near it; from the fifth step on the cells are halved.
  THIESSEN_HD void step(std::int32_t turn, int steps) {
    constexpr int kGuesses = 4;
    std::int32_t guess;
    if (turn <= at) {
      high = at;
      guess = turn - 1;
    } else {
      low = at + 1;
      guess = turn;
    }
    if (steps >= kGuesses) guess = low + (high - low) / 2;
    at = guess < low ? low : guess >= high ? high - 1 : guess;
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
  for (int steps = 0; search.low < search.high; ++steps) {
    const std::int32_t left = find_in_node(leaves, middle - half, half / 2, search.at);
    const std::int32_t right = find_in_last_node(leaves, middle, half / 2, search.at);
    if (!leaves.exists(right)) return length;
    if (!leaves.exists(left)) return 0;
    const std::int64_t first =
        Geometry::first_win(leaves.factor(), leaves.site(left), leaves.site(right));
    const auto turn = static_cast<std::int32_t>(first < 0 ? 0 : first > length ? length : first);
    if (half == 1) return turn;
    search.step(turn, steps);
  }
  return search.low;
}

/// The leaf that wins cell x; its site need not exist if no other does.
template <class Leaves>
THIESSEN_HD std::int32_t find_winner(const Leaves& leaves, std::int32_t x) {
  return find_in_last_node(leaves, 0, half_of_root(leaves.count()), x);
}

}  // namespace thiessen::cuda
