// SPDX-License-Identifier: Apache-2.0
//
// What C callers pass to calls for least costs, as the C++ functions take it. Everything here
// throws Error{invalid_argument} naming the argument, its value and the rule.
#pragma once

#include "thiessen/cost_distance.hpp"
#include "thiessen/thiessen.h"

namespace thiessen::c {

CostDistanceOptions to_cost_options(const thiessen_cost_distance_options* given, int rank);
CostDistanceOutputs to_cost_outputs(const thiessen_cost_distance_outputs* given);
PointList to_point_list(const thiessen_points& given);

}  // namespace thiessen::c
