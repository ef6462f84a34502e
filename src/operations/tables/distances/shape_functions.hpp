// SPDX-License-Identifier: Apache-2.0
//
// What shepard_weights() and natural_coordinates() take and give.
#pragma once

#include <cstdint>

#include "thiessen/shape_functions.hpp"

namespace thiessen {

struct ShepardInputs {
  View<const void> distance;
};

struct ShepardOutputs {
  View<double> weights;
};

struct NaturalInputs {
  View<const void> cost;
  View<const void> stiffness;
  View<const std::int64_t> site_index;
  View<const void> distance;
  View<const std::int64_t> cells;
  View<const std::uint8_t> blocked_faces;
};

}  // namespace thiessen
