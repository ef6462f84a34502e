// SPDX-License-Identifier: Apache-2.0
//
// Finds the site of each cell: ranks spread tile by tile (tile_rounds.hpp) along the tight steps.
#pragma once

#include <cstdint>

#include "core/base/context_state.hpp"
#include "core/base/scratch.hpp"
#include "core/cost/labels.hpp"

namespace thiessen::cpu::cost {

/// Units of progress for the rank of a cell.
inline constexpr std::int64_t kUnitsOfRank = 4;

/// Lowers flow.rank, which is kNoRank everywhere, to the least ranks of roots; flow.steps is known.
/// Returns false and does nothing where there are no vectors, where an axis is periodic, and where
/// ranks go in and out of tiles: on a plateau, which costs nothing, lesser and lesser ranks may
/// follow each other.
template <class T>
bool spread_by_tiles(ContextState& state, const TightGraph<T, FewSteps>& graph,
                     const CostSites<T>& sites);

}  // namespace thiessen::cpu::cost
