// SPDX-License-Identifier: Apache-2.0
//
// What C callers pass to calls for the nearest site, as the C++ functions take it. Everything here
// throws Error{invalid_argument} naming the argument, its value and the rule.
#pragma once

#include <cstdint>

#include "thiessen/nearest_site.hpp"
#include "thiessen/thiessen.h"

namespace thiessen::c {

NearestSiteOptions to_options(const thiessen_nearest_site_options* given, int rank);
NearestSiteOutputs to_outputs(const thiessen_nearest_site_outputs* given);
PointList to_points(const thiessen_points* given);
/// The empty view for a null pointer.
View<const void> to_domain(const thiessen_array* domain);
Grid to_grid(std::int32_t rank, const std::int64_t* extents);

}  // namespace thiessen::c
