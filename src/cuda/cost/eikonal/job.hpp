// SPDX-License-Identifier: Apache-2.0
//
// Eikonal cost distance on the device (core/cost/eikonal.hpp): plain data for its kernels, all
// addresses in device memory. Everything is computed in double, in the operations and the order of
// the CPU, so that the bits are the same.
#pragma once

#include <cstdint>

#include "core/cost/eikonal.hpp"
#include "core/cost/sides.hpp"
#include "core/cost/straight_lines.hpp"
#include "cuda/cost/kernels.hpp"
#include "cuda/cost/tiles/flow.hpp"

namespace thiessen::cuda::cost {

using eikonal::AlongAxes;
using eikonal::is_upper;
using eikonal::kInfinity;
using eikonal::kNoSide;
using eikonal::kSides;
using eikonal::side_of;

/// The cost of a cell that has no answer yet.
inline constexpr double kUnanswered = -1;

/// What is known of a cell before it has an answer: bit s if the neighbour over side s is earlier,
/// and whether its own cost was known at the start.
using Traits = std::uint8_t;
inline constexpr Traits kIsKnown = 1 << kSides;

/// `cost` has the answers; first those around sites, infinity elsewhere.
struct EikonalJob : CostJob<double> {
  int dimensions = 2;
  AlongAxes spacing{};
  const AlongAxes* offset = nullptr;  ///< by rank, in cells from the centre; null: 0
  const eikonal::StraightLine* lines = nullptr;
  const eikonal::LinePart* parts = nullptr;
  std::int64_t line_count = 0;

  double* order = nullptr;
  Traits* traits = nullptr;
  /// The unit vector in which the front crosses a cell, 0 at a site; null where no site is wanted.
  float* direction = nullptr;
  /// The side over which the way back leaves a cell; null where no link is wanted.
  std::uint8_t* side = nullptr;
  eikonal::LinksOfSides link_of_side{};

  THIESSEN_HD std::size_t first_side() const {
    return side_of(static_cast<std::size_t>(kAxes - dimensions), false);
  }
  THIESSEN_HD bool wants_sites() const { return direction != nullptr; }
  THIESSEN_HD std::int64_t step_over(std::size_t side) const {
    return eikonal::step_over(side, tiling.extent);
  }
  /// The cost of a cell per unit of length; infinity at a barrier.
  THIESSEN_HD double cost_of(std::int64_t cell) const {
    return eikonal::cost_of(resistance[cell], edges.stiffness);
  }
};

}  // namespace thiessen::cuda::cost
