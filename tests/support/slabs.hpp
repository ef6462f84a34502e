// SPDX-License-Identifier: Apache-2.0
//
// A raster solved in slabs, cut anywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/draw.hpp"
#include "support/rows_of.hpp"
#include "thiessen/slabs.hpp"

namespace thiessen::testing {

/// Slabs of one row, of equal heights, or of any, with empty ones among them.
inline std::vector<Rows> draw_cuts(Draw& draw, std::int64_t rows) {
  constexpr std::int64_t kHeights[] = {1, 2, 7, 13, 31, 64};
  const std::int64_t height = kHeights[draw.below(6)];
  const bool is_uneven = draw.once_in(2);
  std::vector<Rows> cuts;
  for (std::int64_t first = 0; first < rows;) {
    const std::int64_t count =
        is_uneven ? (draw.once_in(5) ? 0 : 1 + draw.below(rows)) : std::min(height, rows - first);
    cuts.push_back({first, std::min(count, rows - first)});
    first += cuts.back().count;
  }
  return cuts;
}

/// The same rows of the raster, one slab after the other; the last one is finished first.
// NOLINTNEXTLINE(readability-function-size): each argument is one of nearest_site()
inline void solve_by_slabs(Context& context, const View<const void>& sites,
                           const NearestSiteOptions& options, const std::vector<Rows>& cuts,
                           const NearestSiteOutputs& out, const View<const void>& domain = {}) {
  std::vector<SlabSummary> summaries;
  summaries.reserve(cuts.size());
  for (const Rows& cut : cuts)
    summaries.push_back(
        summarise_slab(context, rows_of(sites, cut), {sites.extents(), cut.first}, options));
  const auto neighbours = combine_slabs(summaries, sites.extents(), options);
  for (std::size_t k = cuts.size(); k-- > 0;)
    finish_slab(context, rows_of(sites, cuts[k]), {sites.extents(), cuts[k].first}, options,
                neighbours[k], rows_of(out, cuts[k]), rows_of(domain, cuts[k]));
}

}  // namespace thiessen::testing
