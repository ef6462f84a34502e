// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/problem/problem.hpp"
#include "core/search/result_writer.hpp"
#include "cpu/raster/site_bits.hpp"

namespace thiessen::cpu {

/// Whether scan_sites() takes the problem with so many sites: cells of a raster without periodic
/// axes whose S leaves at least one of 31 bits to ranks; octagonal up to 49,000 rows and columns
/// together.
bool can_scan(const Problem& problem, std::int64_t sites);

/// Compares every cell of the raster with all of its sites: time cells times sites. Memory: for
/// each thread 64 KiB, and 32 bytes a site up to 2 MiB.
void scan_sites(ContextState& state, const Problem& problem, const ProblemViews& views, Write write,
                const raster::SiteTable& sites);

}  // namespace thiessen::cpu
