// SPDX-License-Identifier: Apache-2.0
//
// Whose each cell is: ranks flood tile by tile (tile_rounds.hpp) along the tight steps.
#pragma once

#include <cstdint>

#include "core/context_state.hpp"
#include "core/cost_labels.hpp"
#include "core/scratch.hpp"

namespace thiessen::cpu::cost {

/// What a cell's rank counts in the progress.
inline constexpr std::int64_t kUnitsOfRank = 4;

/// Lowers flow.rank, which is kNoRank everywhere, to the least ranks of roots; flow.steps is known.
/// False, and nothing done, where there are no vectors, and where ranks go in and out of tiles: on
/// a plateau, which costs nothing, ever lesser ones may come after each other.
template <class T>
bool flood_tiles(ContextState& state, const CostFlow<T, FewSteps>& flow, const CostSites<T>& sites);

}  // namespace thiessen::cpu::cost
