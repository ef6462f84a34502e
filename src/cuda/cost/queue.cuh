// SPDX-License-Identifier: Apache-2.0
//
// The tiles that a front still has to work on. For sources compiled as CUDA.
//
//   generation   the work of all blocks between two barriers of the grid
//   list         the tiles of a generation; there is another one for the next generation
//   reason       bits that say why a tile is to be worked on; 0: it is on no list
//
// A tile gets onto the next list with its first reason, and leaves it when a worker takes all its
// reasons, so it is at most once on a list. A worker that takes a reason sees everything that was
// written before the reason was given: there is a fence on both sides.
#pragma once

#include <cstdint>

#include "cuda/cost/tile.hpp"
#include "cuda/device/session.hpp"

namespace thiessen::cuda {

/// In device memory.
struct TileQueue {
  std::uint32_t* list[2];  ///< for even and for odd generations
  std::uint32_t* count;    ///< lengths of the lists of generations, modulo 3
  std::uint32_t* reason;

  __device__ void enter(std::uint32_t tile, std::uint32_t reasons, std::uint32_t generation) const {
    __threadfence();
    if (atomicOr(&reason[tile], reasons) != 0) return;
    list[generation % 2][atomicAdd(&count[generation % 3], 1u)] = tile;
  }
  __device__ std::uint32_t take(std::uint32_t tile) const {
    const std::uint32_t reasons = atomicExch(&reason[tile], 0u);
    __threadfence();
    return reasons;
  }
};

/// Memory for a queue.
inline TileQueue take_queue(const CostTiling& tiling, Scratch::Frame& device) {
  return {
      {device.array<std::uint32_t>(tiling.count()), device.array<std::uint32_t>(tiling.count())},
      device.array<std::uint32_t>(3),
      device.array<std::uint32_t>(tiling.count())};
}

/// Empties a queue; kernels may then enter tiles for generation 0.
inline void clear_queue(const CudaSession& session, const CostTiling& tiling,
                        const TileQueue& queue) {
  const auto bytes = static_cast<std::size_t>(tiling.count()) * sizeof(std::uint32_t);
  check(cudaMemsetAsync(queue.reason, 0, bytes, session.stream()), "list of tiles");
  check(cudaMemsetAsync(queue.count, 0, 3 * sizeof(std::uint32_t), session.stream()),
        "list of tiles");
}

}  // namespace thiessen::cuda
