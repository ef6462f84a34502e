// SPDX-License-Identifier: Apache-2.0
//
// What methods that several backends have refuse on all of them.
#include "backend/backend.hpp"
#include "core/flooding.hpp"

namespace thiessen {

Support supports_distance_to(const Problem& problem) {
  if (problem.distance_to == DistanceTo::boundary)
    return {"the distance to the boundary is measured by method exact only"};
  return {};
}

Support supports_flooding(const Problem& problem) {
  if (Support distance = supports_distance_to(problem); !distance) return distance;
  if (problem.rank == 3 && problem.flooding && problem.flooding->pattern != FloodingPattern::square)
    return {"circles are for 2-D rasters"};
  return {};
}

}  // namespace thiessen
