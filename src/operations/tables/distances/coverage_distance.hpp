// SPDX-License-Identifier: Apache-2.0
//
// What coverage_distance() takes and gives.
#pragma once

#include "thiessen/coverage.hpp"

namespace thiessen {

struct CoverageDistanceInputs {
  View<const void> coverage;
};

struct CoverageDistanceOutputs {
  View<void> distance;
};

}  // namespace thiessen
