// SPDX-License-Identifier: Apache-2.0
//
// The search by candidates for keys dᵀMd − w, where each site has a metric M of its own.
#include "cpu/candidates/search.hpp"
#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/candidates/by_metrics.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cpu/candidates/search-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::candidates {
namespace HWY_NAMESPACE {
namespace {

SearchTile search_tile_by_metrics(const SearchKind& kind) { return search_of<MetricKey>(kind); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::candidates
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::candidates {

HWY_EXPORT(search_tile_by_metrics);

SearchTile search_by_metrics(std::int64_t targets, const SearchKind& kind) {
  return HWY_DISPATCH_TABLE(search_tile_by_metrics)[dispatch_index_or_scalar(targets)](kind);
}

}  // namespace thiessen::cpu::candidates
#endif
