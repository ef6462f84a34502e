// SPDX-License-Identifier: Apache-2.0
//
// Random sites for tests of functions of host and device.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cuda/job/site_bits.hpp"
#include "support/draw.hpp"
#include "thiessen/raster.hpp"
#include "unit/cuda/job.hpp"

namespace thiessen::cuda {

/// A raster of bytes with random sites, and what the search needs to know of it.
struct Scene {
  Scene(const Extents& extents, std::int64_t one_in, const NearestSiteOptions& options,
        std::uint64_t seed)
      : raster(ElementType::u8, extents),
        problem(make_problem(View<const void>(raster.view()), options, {})),
        job(host_job(problem, make_views(raster.view(), {}))) {
    testing::Draw draw(seed);
    const Axes& extent = problem.extent;
    bits.row_words = (extent[2] + 31) / 32;
    words.resize(static_cast<std::size_t>(bits.row_words * extent[0] * extent[1]));
    bits.words = words.data();
    for (std::int64_t cell = 0; cell < problem.cells(); ++cell) {
      if (!draw.once_in(one_in)) continue;
      sites.push_back(cell);
      const std::int64_t x = cell % extent[2];
      words[static_cast<std::size_t>(cell / extent[2] * bits.row_words + x / 32)] |=
          std::uint32_t{1} << x % 32;
    }
  }

  /// The first of the nearest sites of a cell, and its S.
  std::pair<std::int64_t, Int128> nearest(const Axes& cell) const {
    std::int64_t first = -1;
    Int128 least = 0;
    for (const std::int64_t site : sites) {
      const Int128 exact = exact_between(problem, cell, to_cell(problem.extent, site));
      if (first >= 0 && exact >= least) continue;
      first = site;
      least = exact;
    }
    return {first, least};
  }

  Raster raster;
  Problem problem;
  Job job;
  Bits bits;
  std::vector<std::uint32_t> words;
  std::vector<std::int64_t> sites;
};

inline NearestSiteOptions options_of(Metric metric, const std::vector<double>& spacing) {
  NearestSiteOptions options;
  options.metric = metric;
  options.spacing = spacing;
  return options;
}

}  // namespace thiessen::cuda
