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
// 1999), so that its bits depend on no order of work either:
//   q    along an axis, the earlier neighbour of the lesser t; r: the cell behind q
//   v    t_q, with the scale 1 / h; or t_q + (t_q - t_r) / 3 with the scale 1.5 / h, if r is
//   earlier
//        than q, t_r <= t_q, and r was known at the start if q was
//   t    solves sum ((t - v) · scale)² = C² over the axes with v < t, the least v first
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"
#include "core/cost/inputs.hpp"

namespace thiessen::eikonal {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A number for each axis.
using AlongAxes = std::array<double, kAxes>;

/// Whether v is high enough for the first-order equation.
THIESSEN_HD inline bool is_enough(double v, const AlongAxes& least, const AlongAxes& steepness,
                                  int rank) {
  double sum = 0;
  for (auto axis = static_cast<std::size_t>(kAxes - rank); axis < kAxes; ++axis) {
    const double rise = v > least[axis] ? (v - least[axis]) * steepness[axis] : 0;
    sum += rise * rise;
  }
  return sum >= 1;
}

/// The least v above all of `low` that is enough, by halving; infinity if there is none.
THIESSEN_HD inline double least_that_is_enough(double low, const AlongAxes& least,
                                               const AlongAxes& steepness, int rank) {
  auto begin = std::bit_cast<std::uint64_t>(low), end = std::bit_cast<std::uint64_t>(kInfinity);
  while (end - begin > 1) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    (is_enough(std::bit_cast<double>(middle), least, steepness, rank) ? end : begin) = middle;
  }
  return std::bit_cast<double>(end);
}

}  // namespace thiessen::eikonal
