// SPDX-License-Identifier: Apache-2.0
//
// The stages of Eikonal cost distance on the device; each puts work on the stream.
#pragma once

#include "cuda/cost/eikonal/job.hpp"
#include "cuda/device/session.hpp"

namespace thiessen::cuda::cost {

/// All stages: finds resistances, costs, ranks and back links.
void find_fronts(const CudaSession& session, const EikonalJob& job, const CostStart& from,
                 Scratch::Frame& device);

/// Gives the cells around sites their answers along straight lines, the order of those, and enters
/// their tiles. Resistances and the cells of sites are there.
void start_answers(const CudaSession& session, const EikonalJob& job, const TileQueue& queue);

/// Lowers the order to the solution of the first-order equation, from the tiles of the queue.
void lower_order(const CudaSession& session, const EikonalJob& job, const TileQueue& queue);

/// Answers the cells that the order reaches, each once, and forgets those beyond the limit.
void find_arrivals(const CudaSession& session, const EikonalJob& job, const TileQueue& queue);

}  // namespace thiessen::cuda::cost
