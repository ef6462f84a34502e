// SPDX-License-Identifier: Apache-2.0
//
// What all methods begin with. For sources compiled as CUDA.
#pragma once

#include "cuda/cost/kernels.hpp"
#include "cuda/cost/tiles/queue.cuh"

namespace thiessen::cuda::cost {

/// Turns the map into resistances, ignores sites on barriers, and sets all costs to infinity except
/// where paths start. Empties a queue that exists, and enters the tiles of sites for generation 0.
template <class T>
void start_costs(const CudaSession& session, const CostJob<T>& job, const CostStart& from,
                 const TileQueue& queue);

/// The part of it that ignores sites on barriers and puts the others where paths start.
template <class T>
void start_sites(const CudaSession& session, const CostJob<T>& job, const CostStart& from,
                 const TileQueue& queue);

}  // namespace thiessen::cuda::cost
