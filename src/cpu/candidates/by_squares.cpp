// SPDX-License-Identifier: Apache-2.0
//
// The search by candidates for keys S − w, and for squared distances without weights.
#include "cpu/candidates/search.hpp"
#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/candidates/by_squares.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/candidates/walk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::candidates {
namespace HWY_NAMESPACE {
namespace {

template <int kRank>
void search_tile(const Search& search, Workspace& memory, const Tile& tile) {
  Walk<PowerKey, kRank>(search, memory).run(tile);
}

SearchTile search_tile_by_squares(int rank) { return rank == 2 ? search_tile<2> : search_tile<3>; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::candidates
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::candidates {

HWY_EXPORT(search_tile_by_squares);

SearchTile search_by_squares(std::int64_t targets, int rank) {
  return HWY_DISPATCH_TABLE(search_tile_by_squares)[dispatch_index_or_scalar(targets)](rank);
}

}  // namespace thiessen::cpu::candidates
#endif
