// SPDX-License-Identifier: Apache-2.0
//
// The searches of one kind of keys.

// Included once for each instruction set.
#if defined(THIESSEN_CPU_CANDIDATES_SEARCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THIESSEN_CPU_CANDIDATES_SEARCH_INL
#undef THIESSEN_CPU_CANDIDATES_SEARCH_INL
#else
#define THIESSEN_CPU_CANDIDATES_SEARCH_INL
#endif

#include <hwy/highway.h>

#include "cpu/candidates/ranks-inl.hpp"
#include "cpu/candidates/walk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::candidates {
namespace HWY_NAMESPACE {

template <template <template <std::size_t> class, int> class WalkOf,
          template <std::size_t> class KeyOf, int kRank>
void search_tile(const Search& search, Workspace& memory, const Tile& tile) {
  WalkOf<KeyOf, kRank>(search, memory).run(tile);
}

template <template <std::size_t> class KeyOf>
SearchTile search_of(const SearchKind& kind) {
  if (kind.has_ranks)
    return kind.rank == 2 ? search_tile<RankWalk, KeyOf, 2> : search_tile<RankWalk, KeyOf, 3>;
  return kind.rank == 2 ? search_tile<Walk, KeyOf, 2> : search_tile<Walk, KeyOf, 3>;
}

}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::candidates
HWY_AFTER_NAMESPACE();

#endif
