// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/scratch.hpp"
#include "cpu/candidates/search.hpp"

namespace thiessen::cpu::candidates {

/// Sites in the units of points.
struct SiteList {
  const Axes* at = nullptr;
  const std::int64_t* index = nullptr;   ///< in increasing order; null: their places in the list
  const std::uint32_t* group = nullptr;  ///< equal where one site of several counts; null: nowhere
  SiteWeights weights = {};              ///< by site index
  std::int64_t count = 0;
};

/// Orders sites, with their images, and builds the tree over them. Sites at one place
/// are kept for the first `most` groups in the order there, one for each. Time O(sites ·
/// log(sites)), 75 bytes of `scratch` for each site, on periodic axes 105 for each image. Throws
/// Error{unsupported} for 2^32 or more.
Sites make_sites(const Problem& problem, const SiteList& list, std::int64_t most,
                 Scratch::Frame& scratch);

}  // namespace thiessen::cpu::candidates
