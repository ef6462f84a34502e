// SPDX-License-Identifier: Apache-2.0
//
// The values that cells without an answer hold, read from the tables of outputs for code that
// writes single outputs, on the host and on devices. Site indices and squared distances hold
// kUnreached and kNodata; labels hold what the caller chose.
#pragma once

#include <cstdint>

#include "operations/tables/distances/cost_distance.hpp"
#include "operations/tables/distances/nearest_site.hpp"

namespace thiessen {

inline constexpr double kUnreachedDistance =
    special_values<NearestSiteOutputs>("distance").unreached;
inline constexpr double kNodataDistance = special_values<NearestSiteOutputs>("distance").nodata;
inline constexpr auto kNoOffset =
    static_cast<std::int32_t>(special_values<NearestSiteOutputs>("offset").unreached);
inline constexpr auto kNoDirection =
    static_cast<float>(special_values<NearestSiteOutputs>("direction").unreached);
inline constexpr auto kNoTies =
    static_cast<std::uint8_t>(special_values<NearestSiteOutputs>("ties").unreached);

// One constant stands for both kinds of cells in these outputs.
static_assert(special_values<NearestSiteOutputs>("offset").nodata == kNoOffset);
static_assert(special_values<NearestSiteOutputs>("ties").nodata == kNoTies);

}  // namespace thiessen
