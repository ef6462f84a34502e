// SPDX-License-Identifier: Apache-2.0
//
// A raster solved in slabs, cut anywhere.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "support/draw.hpp"
#include "support/slabs/rows_of.hpp"
#include "thiessen/slabs/slabs.hpp"

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

/// Boolean sites, which are numbered through all slabs, and a domain, which is marked in each.
struct NumberedMask {
  explicit NumberedMask(Draw& draw) : extents{1 + draw.below(60), 1 + draw.below(90)} {
    const auto count = static_cast<std::size_t>(extents.count());
    mask.resize(count);
    inside.resize(count);
    const std::int64_t sparsity = 1 + draw.below(200);
    for (std::size_t i = 0; i < count; ++i) {
      mask[i] = draw.once_in(sparsity) ? 1 : 0;
      inside[i] = draw.once_in(4) ? 0 : 1;
    }
    if (draw.once_in(3)) options.periodic = {true, draw.once_in(2)};
    if (draw.once_in(3)) options.signed_distance = true;
  }

  struct Result {
    std::vector<std::int32_t> numbers;
    std::vector<std::int64_t> more;
    std::vector<std::int32_t> offset;
    std::vector<double> distance;
  };

  /// In one call if there are no cuts.
  Result solve(Context& context, const std::vector<Rows>& cuts) const {
    const auto count = static_cast<std::size_t>(extents.count());
    Result result{std::vector<std::int32_t>(count), std::vector<std::int64_t>(count),
                  std::vector<std::int32_t>(2 * count), std::vector<double>(count)};
    const View<const void> sites(reinterpret_cast<const std::byte*>(mask.data()),
                                 ElementType::boolean, extents);
    const View<const std::int8_t> domain(inside.data(), extents);
    const auto call = [&](const NearestSiteOutputs& out) {
      if (cuts.empty())
        nearest_site(context, sites, options, out, domain);
      else
        solve_by_slabs(context, sites, options, cuts, out, domain);
    };
    call({.labels = View<std::int32_t>(result.numbers.data(), extents),
          .distance = View<double>(result.distance.data(), extents),
          .offset = View<std::int32_t>(result.offset.data(), {2, extents[0], extents[1]})});
    call({.labels = View<std::int64_t>(result.more.data(), extents)});
    return result;
  }

  Extents extents;
  std::vector<std::uint8_t> mask;
  std::vector<std::int8_t> inside;
  NearestSiteOptions options;
};

inline void expect_equal(const NumberedMask::Result& found, const NumberedMask::Result& expected,
                         const std::string& how) {
  EXPECT_EQ(found.numbers, expected.numbers) << how;
  EXPECT_EQ(found.more, expected.more) << how;
  EXPECT_EQ(found.offset, expected.offset) << how;
  EXPECT_EQ(std::memcmp(found.distance.data(), expected.distance.data(),
                        expected.distance.size() * sizeof(double)),
            0)
      << how;
}

}  // namespace thiessen::testing
