// SPDX-License-Identifier: Apache-2.0
//
// The reference for Eikonal cost distance: the definitions of core/cost/eikonal.hpp, one cell after
// the other, in the plainest way.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/cells.hpp"

namespace thiessen::oracle {

struct EikonalSite {
  std::int64_t cell = 0;
  double initial = 0;
  std::array<double, kAxes> offset{};  ///< from the centre of its cell, in cells
};

struct EikonalProblem {
  int rank = 2;
  Axes extent{};
  std::array<double, kAxes> spacing{1, 1, 1};
  bool is_stiffness = false;
  std::vector<double> map;  ///< NaN: a barrier
  std::vector<EikonalSite> sites;
  double radius = 5;
};

/// One element a cell.
struct EikonalResult {
  std::vector<double> order, cost;  ///< infinity: unreached
  std::vector<std::int64_t> site;   ///< -1: unreached
  /// The unit vector in which the front crosses the cell, along z, y and x; 0 at a site.
  std::vector<std::array<float, kAxes>> way;
  std::vector<int> link;  ///< 2·axis + (above), or -1: of a site, unreached, or known by a line
};

EikonalResult solve_eikonal(const EikonalProblem& problem);

}  // namespace thiessen::oracle
