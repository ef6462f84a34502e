// SPDX-License-Identifier: Apache-2.0
//
// Eikonal cost distance, |∇t| = C: its two equations, cell by cell.
//
// First order. A cell of cost C has the steepness s_k = 1 / (C h_k) along axis k, where h_k is the
// spacing; a barrier has 0. m_k is the lesser u of its two neighbours along that axis. The order u
// of the cell is the least double v with
//   Σ_k ((v − m_k)⁺ s_k)² >= 1,
// where each operation is rounded and the sum goes in the order of the axes; or the cost with which
// a way starts in the cell, if that is less. The left side never falls as v grows or an m_k falls,
// although it is rounded. So the equations of all cells have one solution, and cells that are
// lowered to it in any order, on any number of threads, end there. (E. Rouy, A. Tourin, "A
// viscosity solutions approach to shape-from-shading", 1992, have it for reals.)
//
// Second order. A neighbour is earlier if it comes before in the order (u, index). The cost t is
// computed once, from up to two earlier cells along each axis (J. Sethian, "Fast marching methods",
// 1999), so that its bits depend on no order of work either.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/cells.hpp"
#include "core/cost/inputs.hpp"

namespace thiessen::eikonal {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A number for each axis.
using AlongAxes = std::array<double, kAxes>;

/// Whether v is high enough for the first-order equation.
inline bool is_enough(double v, const AlongAxes& least, const AlongAxes& steepness, int rank) {
  double sum = 0;
  for (auto axis = static_cast<std::size_t>(kAxes - rank); axis < kAxes; ++axis) {
    const double rise = v > least[axis] ? (v - least[axis]) * steepness[axis] : 0;
    sum += rise * rise;
  }
  return sum >= 1;
}

/// The least v above all of `low` that is enough, by halving; infinity if there is none.
inline double least_that_is_enough(double low, const AlongAxes& least, const AlongAxes& steepness,
                                   int rank) {
  auto begin = std::bit_cast<std::uint64_t>(low), end = std::bit_cast<std::uint64_t>(kInfinity);
  while (end - begin > 1) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    (is_enough(std::bit_cast<double>(middle), least, steepness, rank) ? end : begin) = middle;
  }
  return std::bit_cast<double>(end);
}

/// What an axis tells of t: its earlier neighbour q of the lesser t, and perhaps the cell behind
/// it.
struct Arrival {
  double v = kInfinity;    ///< t of q, extrapolated by a third of the rise to q
  double scale = 0;        ///< 1 / h, or 1.5 / h where it is extrapolated
  std::int64_t from = -1;  ///< q
  std::size_t axis = 0;
  bool is_above = false;  ///< whether q has the greater coordinate
};

/// The arrivals at a cell, the least v first.
struct Arrivals {
  std::array<Arrival, kAxes> at;
  int count = 0;

  void add(const Arrival& arrival) {
    int i = count++;
    for (; i > 0 && at[static_cast<std::size_t>(i) - 1].v > arrival.v; --i)
      at[static_cast<std::size_t>(i)] = at[static_cast<std::size_t>(i) - 1];
    at[static_cast<std::size_t>(i)] = arrival;
  }

  /// t of a cell of this cost. Keeps the arrivals that count for it.
  double solve(double cost) {
    double a = 0, b = 0, c = 0, x = 0;
    for (int i = 0; i < count; ++i) {
      const Arrival& arrival = at[static_cast<std::size_t>(i)];
      const double later = arrival.v - at[0].v;
      if (i > 0 && x <= later) break;
      const double weight = arrival.scale * arrival.scale;
      a += weight;
      b += weight * later;
      c += weight * later * later;
      const double root = b * b - a * (c - cost * cost);
      x = (b + std::sqrt(root > 0 ? root : 0)) / a;
    }
    const double t = at[0].v + x;
    int counted = 1;
    while (counted < count && at[static_cast<std::size_t>(counted)].v < t) ++counted;
    count = counted;
    return t;
  }
};

}  // namespace thiessen::eikonal
