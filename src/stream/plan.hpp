// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "thiessen/slabs/stream.hpp"

namespace thiessen {

/// Bytes that a call takes, at once and in slabs.
struct StreamNeeds {
  double at_once = 0;            ///< for each cell, if all is done at once
  double in_slab = 0;            ///< for each cell of a slab
  double of_column = 0;          ///< for each column and slab: the face that is kept
  double of_face = 0;            ///< for each column of a face with all that it may have
  double fixed = 0;              ///< besides cells
  std::int64_t slabs_held = 1;   ///< slabs that are in memory at once, if they fit
  std::int64_t rows_beside = 0;  ///< rows or planes that a slab holds besides its own
};

/// Throws Error as plan_stream().
StreamPlan choose_plan(const Extents& raster, const StreamNeeds& needs, const StreamLimits& limits,
                       std::optional<BrokenRule> why_at_once);

}  // namespace thiessen
