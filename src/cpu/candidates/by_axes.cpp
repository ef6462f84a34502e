// SPDX-License-Identifier: Apache-2.0
//
// The search by candidates for distances along the axes: manhattan and chessboard.
#include "cpu/candidates/search.hpp"
#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/candidates/by_axes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/candidates/walk-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::candidates {
namespace HWY_NAMESPACE {
namespace {

template <template <std::size_t> class KeyOf, int kRank>
void search_tile(const Search& search, Workspace& memory, const Tile& tile) {
  Walk<KeyOf, kRank>(search, memory).run(tile);
}

SearchTile search_tile_by_axes(int rank, Metric metric) {
  if (metric == Metric::manhattan)
    return rank == 2 ? search_tile<ManhattanKey, 2> : search_tile<ManhattanKey, 3>;
  return rank == 2 ? search_tile<ChessboardKey, 2> : search_tile<ChessboardKey, 3>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::candidates
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::candidates {

HWY_EXPORT(search_tile_by_axes);

SearchTile search_by_axes(std::int64_t targets, int rank, Metric metric) {
  return HWY_DISPATCH_TABLE(search_tile_by_axes)[dispatch_index_or_scalar(targets)](rank, metric);
}

}  // namespace thiessen::cpu::candidates
#endif
