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

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/base/cells.hpp"
#include "core/base/host_device.hpp"
#include "core/cost/problem.hpp"

namespace thiessen::eikonal {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The greatest cost that is not unreached. The type of distances must hold it.
inline double greatest_cost(const CostProblem& problem) {
  const double held = problem.wide ? kInfinity : double{std::numeric_limits<float>::max()};
  return std::min(problem.max_distance, held);
}

/// A number for each axis.
using AlongAxes = std::array<double, kAxes>;

/// The cost of a cell with this resistance, per unit of length; infinity at a barrier, which is
/// NaN.
THIESSEN_HD inline double cost_of(double resistance, bool is_stiffness) {
  if (!(resistance == resistance)) return kInfinity;
  return is_stiffness ? 1 / resistance : resistance;
}

/// How steep such a cell is along an axis.
THIESSEN_HD inline double steepness_of(double resistance, bool is_stiffness, double spacing) {
  if (!(resistance == resistance)) return 0;
  return is_stiffness ? resistance / spacing : 1 / (resistance * spacing);
}

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

/// The next number above or below positive ones.
THIESSEN_HD inline double next_number(double v, std::int64_t units) {
  return std::bit_cast<double>(std::bit_cast<std::int64_t>(v) + units);
}

/// Sorts the numbers of axes by the first ones, stably.
template <int kDimensions>
THIESSEN_HD void sort_axes(double (&first)[kDimensions], double (&second)[kDimensions]) {
  const auto order = [&](int i, int k) {
    if (!(first[k] < first[i])) return;
    const double a = first[i], b = second[i];
    first[i] = first[k];
    second[i] = second[k];
    first[k] = a;
    second[k] = b;
  };
  order(0, 1);
  if constexpr (kDimensions == 3) {
    order(1, 2);
    order(0, 1);
  }
}

/// About the least number that is enough, and the least neighbour.
template <int kDimensions>
THIESSEN_HD double estimate(const AlongAxes& least, const AlongAxes& steepness, double& low) {
  double m[kDimensions], s[kDimensions];
  THIESSEN_UNROLL
  for (int i = 0; i < kDimensions; ++i) {
    const auto axis = static_cast<std::size_t>(kAxes - kDimensions + i);
    m[i] = least[axis];
    s[i] = steepness[axis];
  }
  sort_axes(m, s);
  low = m[0];
  // a x² − 2 b x + c = 0 for x above `low`, with the axes that begin below the root of those
  // before.
  double a = s[0] * s[0], b = 0, c = -1, square = a;
  THIESSEN_UNROLL
  for (int i = 1; i < kDimensions; ++i) {
    const double later = m[i] - low;
    const double above = a * later - b;
    if (!(above < 0 || above * above < square)) break;
    const double weight = s[i] * s[i];
    a += weight;
    b += weight * later;
    c += weight * later * later;
    square = b * b - a * c;
  }
  return low + (b + std::sqrt(square > 0 ? square : 0)) / a;
}

/// The order of a cell with these neighbours, or `own` if that is not greater. First it is tested
/// whether the cell falls at all. Then steps lead from about the root of the equation to the least
/// number that is enough; halving, where the root is far off, as where costs differ by many powers
/// of ten.
template <int kDimensions>
THIESSEN_HD double lowered(double own, const AlongAxes& least, const AlongAxes& steepness) {
  const auto holds = [&](double v) { return is_enough(v, least, steepness, kDimensions); };
  if (!holds(next_number(own, -1))) return own;
  constexpr int kFewSteps = 8;
  double low;
  double v = estimate<kDimensions>(least, steepness, low);
  if (!(v > low)) v = next_number(low, 1);
  int steps = 0;
  THIESSEN_NO_UNROLL
  for (; steps < kFewSteps && !holds(v); ++steps) v = next_number(v, 1);
  if (steps == kFewSteps) return least_that_is_enough(low, least, steepness, kDimensions);
  THIESSEN_NO_UNROLL
  for (steps = 0; steps < kFewSteps; ++steps) {
    const double below = next_number(v, -1);
    if (!holds(below)) return v;
    v = below;
  }
  return least_that_is_enough(low, least, steepness, kDimensions);
}

}  // namespace thiessen::eikonal
