// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "core/search/result_writer.hpp"
#include "cpu/raster/site_bits.hpp"

namespace thiessen::cpu {

/// Method "brute-force": every cell against every site. Exact; for comparisons and few sites.
Support supports_brute_force(const ContextState& state, const Problem& problem);
void run_brute_force(ContextState& state, const Problem& problem, const ProblemViews& views);

/// Compares every cell with every site, by vectors where possible. `bits` are the sites if they
/// were read already.
void compare_with_all(ContextState& state, const Problem& problem, const ProblemViews& views,
                      Write write);
void compare_with_all(ContextState& state, const Problem& problem, const ProblemViews& views,
                      Write write, const raster::SiteBits& bits);

}  // namespace thiessen::cpu
