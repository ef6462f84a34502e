// SPDX-License-Identifier: Apache-2.0
//
// A warp finds the dominators (prune.hpp) of a box among several sites.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "cuda/device/warp.cuh"
#include "cuda/tiles/job/prune.hpp"

namespace thiessen::cuda::tiles {

/// Finds, among `count` sites, those that are nearest to the points of a box. place_of(number)
/// gives the Place of a site.
template <class Points, class Rule, class PlaceOf>
__device__ void find_dominators(const Rule& ruler, const Box& box, const PlaceOf& place_of,
                                std::int32_t count, Place* dominators) {
  using Scalar = std::remove_cv_t<std::remove_reference_t<decltype(ruler.factor[0])>>;
  const int lane = lane_of_thread();
  Scalar least[Points::kPoints];
  std::int32_t nearest[Points::kPoints];
#pragma unroll
  for (int point = 0; point < Points::kPoints; ++point) {
    least[point] = std::numeric_limits<Scalar>::max();
    nearest[point] = 0;
  }
  for (std::int32_t i = lane; i < count; i += kLanes) {
    const Place site = place_of(i);
#pragma unroll
    for (int point = 0; point < Points::kPoints; ++point) {
      const Scalar exact = ruler.between(site, Points::point(box, point));
      if (exact < least[point]) nearest[point] = i;
      least[point] = min(least[point], exact);
    }
  }
  __syncwarp();
#pragma unroll
  for (int point = 0; point < Points::kPoints; ++point) {
    const Scalar all = least_of_warp(least[point]);
    const std::uint32_t finders = __ballot_sync(~0u, least[point] == all);
    if (lane == __ffs(static_cast<int>(finders)) - 1) dominators[point] = place_of(nearest[point]);
  }
  __syncwarp();
}

}  // namespace thiessen::cuda::tiles
