// SPDX-License-Identifier: Apache-2.0
//
// Signed distances to edges, from every cell to every edge: what coverage_distance() finds if no
// edge is overlooked. The edge in a cell is that of coverage/edge_fit.hpp, whose own tests hold it
// to shapes that are known.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/cells.hpp"

namespace thiessen::oracle {

struct CoverageScene {
  Axes extent{1, 1, 1};                  ///< with one plane, of two axes
  std::vector<double> spacing{1, 1, 1};  ///< (z, y, x)
  std::vector<double> coverage;          ///< 0 to 1

  double at(std::int64_t z, std::int64_t y, std::int64_t x) const {
    return coverage[static_cast<std::size_t>(to_index(extent, {z, y, x}))];
  }
};

std::vector<double> signed_distances(const CoverageScene& scene);

}  // namespace thiessen::oracle
