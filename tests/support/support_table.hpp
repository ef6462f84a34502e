// SPDX-License-Identifier: Apache-2.0
//
// The pinned table of what each method of each device takes (tests/conformance/support.txt). It
// decides which calls of a test may be refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "thiessen/cost_distance.hpp"
#include "thiessen/nearest_site.hpp"

namespace thiessen::testing {

/// The table in the sources, or the one that THIESSEN_SUPPORT_TABLE names where a program was
/// brought to another machine.
std::string support_table_file();

/// The kind of a device: "cuda" of "cuda:0".
std::string kind_of(std::string_view device);

/// The lines of the pinned table that begin with the kind of a device.
std::string pinned_lines(const std::string& kind);

/// Whether distances by the spacing may need more than 62 bits: seven digits or more.
bool is_wide(const std::vector<double>& spacing);

/// Whether the table refuses a call on a raster of that rank: its metric, one of its options and
/// outputs, or another thing that it uses.
bool is_pinned_refusal(std::string_view device, int rank, const NearestSiteOptions& options,
                       const NearestSiteOutputs& out, std::vector<std::string> used = {});
bool is_pinned_refusal(std::string_view device, int rank, CostMethod method,
                       const CostDistanceOptions& options);

}  // namespace thiessen::testing
