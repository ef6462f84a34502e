// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/search/result_writer.hpp"

namespace thiessen::papers {

/// Expands the neighbourhood of each cell.
void expand_cells(ContextState& state, const Problem& problem, const ProblemViews& views,
                  Write write);

}  // namespace thiessen::papers
