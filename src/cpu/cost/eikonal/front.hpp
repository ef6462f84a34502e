// SPDX-License-Identifier: Apache-2.0
//
// The first order of Eikonal cost distance (core/cost/eikonal.hpp), tile by tile.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/cells.hpp"
#include "core/base/context_state.hpp"
#include "core/cost/eikonal.hpp"
#include "core/cost/sides.hpp"

namespace thiessen::cpu::eikonal {

using thiessen::eikonal::AlongAxes;
using thiessen::eikonal::axis_of;
using thiessen::eikonal::greatest_cost;
using thiessen::eikonal::has_beyond;
using thiessen::eikonal::is_upper;
using thiessen::eikonal::kInfinity;
using thiessen::eikonal::kNoSide;
using thiessen::eikonal::kSides;
using thiessen::eikonal::LinksOfSides;
using thiessen::eikonal::side_bit;
using thiessen::eikonal::side_of;
using thiessen::eikonal::Sides;
using thiessen::eikonal::step_over;

/// What the costs of a call come from: one element a cell, in C order.
struct Ground {
  int rank = 2;
  Axes extent{};
  std::array<double, kAxes> spacing{};
  const double* resistance = nullptr;  ///< NaN at barriers
  bool is_stiffness = false;

  std::int64_t cells() const { return extent[0] * extent[1] * extent[2]; }
  /// The cost of a cell per unit of length; infinity at a barrier.
  double cost_of(std::int64_t cell) const {
    return thiessen::eikonal::cost_of(resistance[cell], is_stiffness);
  }
  bool is_even() const {
    return spacing[1] == spacing[2] && (rank == 2 || spacing[0] == spacing[1]);
  }
  /// How steep a cell with this resistance is along an axis.
  double steepness(double value, std::size_t axis) const {
    return thiessen::eikonal::steepness_of(value, is_stiffness, spacing[axis]);
  }
};

/// Lowers `order`, which is the cost with which ways start, infinity elsewhere, to the solution of
/// the first-order equation.
void lower_order(ContextState& state, const Ground& ground, double* order);

}  // namespace thiessen::cpu::eikonal
