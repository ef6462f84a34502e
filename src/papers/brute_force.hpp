// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/search/result_writer.hpp"

namespace thiessen::papers {

/// Compares every cell with every site: time cells times sites.
void compare_with_all(ContextState& state, const Problem& problem, const ProblemViews& views,
                      Write write);

}  // namespace thiessen::papers
