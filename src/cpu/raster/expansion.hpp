// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "backend/backend.hpp"
#include "core/search/result_writer.hpp"
#include "cpu/raster/site_bits.hpp"

namespace thiessen::cpu {

Support supports_expansion(const ContextState& state, const Problem& problem);
void run_expansion(ContextState& state, const Problem& problem, const ProblemViews& views);

/// Expands the neighbourhood of each cell; takes another bit a cell of scratch.
void expand_cells(ContextState& state, const Problem& problem, const ProblemViews& views,
                  Write write, const raster::SiteBits& bits);

}  // namespace thiessen::cpu
