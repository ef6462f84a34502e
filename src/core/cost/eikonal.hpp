// SPDX-License-Identifier: Apache-2.0
//
// Eikonal cost distance, |∇t| = C: its two equations, cell by cell.
//
// First order. s_k = 1 / (C h_k) is how steep the cell is along axis k, with the spacing h_k; 0 at
// a barrier. m_k is the lesser u of its two neighbours there. The order u of the cell is the least
// double v above all m_k that is needed, such that
//   Σ_k ((v − m_k)⁺ s_k)² >= 1,
// each operation rounded, summed in the order of the axes. It is a test, which is monotone in v and
// in each m_k although it rounds. So the equation has one solution u, and cells that are lowered to
// it in any order, on any number of threads, end there. (E. Rouy, A. Tourin, "A viscosity solutions
// approach to shape-from-shading", 1992, for reals.)
//
// Second order. A neighbour is earlier if it comes before in the order (u, index). The cost t is
// computed once, from two earlier cells along each axis (J. Sethian, "Fast marching methods",
// 1999), so that its bits depend on no order either.
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

/// The value v of a cell, by the values and the steepness along each axis.
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

/// The unit vector in which the front crosses a cell; 0 at a site.
using FrontDirection = std::array<float, kAxes>;

}  // namespace thiessen::eikonal
