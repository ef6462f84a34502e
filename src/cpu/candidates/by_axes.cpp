// SPDX-License-Identifier: Apache-2.0
//
// The search by candidates for distances along the axes: manhattan and chessboard.
#include "cpu/candidates/search.hpp"
#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/candidates/by_axes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/candidates/search-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::candidates {
namespace HWY_NAMESPACE {
namespace {

SearchTile search_tile_by_axes(const SearchKind& kind, Metric metric) {
  return metric == Metric::manhattan ? search_of<ManhattanKey>(kind)
                                     : search_of<ChessboardKey>(kind);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::candidates
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::candidates {

HWY_EXPORT(search_tile_by_axes);

SearchTile search_by_axes(std::int64_t targets, const SearchKind& kind, Metric metric) {
  return HWY_DISPATCH_TABLE(search_tile_by_axes)[dispatch_index_or_scalar(targets)](kind, metric);
}

}  // namespace thiessen::cpu::candidates
#endif
