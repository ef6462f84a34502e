// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace thiessen {

/// The single steps of a map, in double, for callers that go on from the costs of its cells.
class CostSteps {
 public:
  virtual ~CostSteps() = default;

  /// The cost of step k (core/cost/edges.hpp) from a cell to a cell of the raster; NaN if it does
  /// not pass.
  virtual double cost(int k, std::int64_t from) const = 0;
  /// How long that step is on the map; in metres on the Earth.
  virtual double length(int k, std::int64_t from) const = 0;
};

}  // namespace thiessen
