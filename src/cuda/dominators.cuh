// SPDX-License-Identifier: Apache-2.0
//
// A warp finds the dominators (prune.hpp) of a box among some sites.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "cuda/prune.hpp"
#include "cuda/warp.cuh"

namespace thiessen::cuda {

/// Of `count` sites, the Place of each being place_of(number), those that are nearest to the
/// corners of a box.
template <int kRank, class Rule, class PlaceOf>
__device__ void find_dominators(const Rule& ruler, const Box& box, const PlaceOf& place_of,
                                std::int32_t count, Place* dominators) {
  using Scalar = std::remove_cv_t<std::remove_reference_t<decltype(ruler.factor[0])>>;
  const int lane = lane_of_thread();
  Scalar least[Corners<kRank>::kPoints];
  std::int32_t nearest[Corners<kRank>::kPoints];
#pragma unroll
  for (int corner = 0; corner < Corners<kRank>::kPoints; ++corner) {
    least[corner] = std::numeric_limits<Scalar>::max();
    nearest[corner] = 0;
  }
  for (std::int32_t i = lane; i < count; i += kLanes) {
    const Place site = place_of(i);
#pragma unroll
    for (int corner = 0; corner < Corners<kRank>::kPoints; ++corner) {
      const Scalar exact = ruler.between(site, Corners<kRank>::point(box, corner));
      if (exact < least[corner]) nearest[corner] = i;
      least[corner] = min(least[corner], exact);
    }
  }
  __syncwarp();
#pragma unroll
  for (int corner = 0; corner < Corners<kRank>::kPoints; ++corner) {
    const Scalar all = least_of_warp(least[corner]);
    const std::uint32_t finders = __ballot_sync(~0u, least[corner] == all);
    if (lane == __ffs(static_cast<int>(finders)) - 1)
      dominators[corner] = place_of(nearest[corner]);
  }
  __syncwarp();
}

}  // namespace thiessen::cuda
