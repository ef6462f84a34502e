// SPDX-License-Identifier: Apache-2.0
//
// Checks of what a call on the Earth is given. All throw Error{invalid_argument} naming the
// argument, its value and the rule.
#pragma once

#include <optional>
#include <vector>

#include "thiessen/choices/earth.hpp"
#include "thiessen/choices/metric.hpp"
#include "thiessen/view.hpp"

namespace thiessen {

/// Checks that `earth` is there for the metrics that need it, and for no others, and that it fits a
/// raster of these extents without a spacing.
void check_earth(const Extents& extents, Metric metric, const std::optional<Earth>& earth,
                 const std::vector<double>& spacing);

/// By how much of the mean step a column may be away from its place.
inline constexpr double kMostUnevenStep = 0.01;

/// The step from one column to the next in degrees, >= 0; 0 of a single column. Checks that steps
/// differ from it by kMostUnevenStep at most.
double even_step(const std::vector<double>& longitude);

}  // namespace thiessen
