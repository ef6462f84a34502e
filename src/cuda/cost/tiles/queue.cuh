// SPDX-License-Identifier: Apache-2.0
//
// The tiles that a front still has to work on. For sources compiled as CUDA.
//
//   generation   the work of all blocks between two barriers of the grid
//   list         the tiles of a generation; there is another one for the next generation
//   reason       bits that say why a tile is to be worked on; 0: it is on no list
//   key          the least value that may enter a tile, as the bits of a float: no two values are
//                in another order than their keys
//   chosen       the tiles of a long list that are worked on, those with the least keys; the others
//                are passed on to the next list
//
// A tile gets onto the next list with its first reason, and leaves it when a worker takes all its
// reasons, so it is at most once on a list. (If each worker has a tile of its own, nobody reads
// lists, but only how many tiles they have. A worker may then take a tile a generation early, so
// that it is listed twice; what does not fit a list is left out.) A worker that takes a reason sees
// everything that was written before the reason was given: there is a fence on both sides.
//
// Keys only say which tiles come first. A worker may take a tile between the two steps in which
// another one enters it; then its key is lost, and kNoKey, which counts as the least.
#pragma once

#include <cstdint>

#include "cuda/cost/tiles/tile.hpp"
#include "cuda/device/session.hpp"

namespace thiessen::cuda::cost {

inline constexpr std::uint32_t kNoKey = 0xFFFFFFFFu;

/// What is known of a generation.
struct Generation {
  std::uint32_t listed;  ///< tiles
  std::uint32_t chosen;  ///< tiles of a long list
  std::uint32_t taken;   ///< by workers that were done with their first tile
  std::uint32_t least;   ///< of the keys
};

/// In device memory.
struct TileQueue {
  std::uint32_t* list[2];   ///< for even and for odd generations
  std::uint32_t* chosen;    ///< of this generation
  Generation* generations;  ///< modulo 3
  std::uint32_t* reason;    ///< of each tile
  std::uint32_t* key;       ///< of each tile
  std::uint32_t tiles;      ///< how many there are

  __device__ void enter(std::uint32_t tile, std::uint32_t reasons, std::uint32_t with_key,
                        std::uint32_t generation) const {
    atomicMin(&key[tile], with_key);
    __threadfence();
    if (atomicOr(&reason[tile], reasons) != 0) return;
    const std::uint32_t place = atomicAdd(&generations[generation % 3].listed, 1u);
    if (place < tiles) list[generation % 2][place] = tile;
  }
  /// Notes the least key of tiles that are entered together, or kNoKey.
  __device__ void note_key(std::uint32_t with_key, std::uint32_t generation) const {
    if (with_key != kNoKey) atomicMin(&generations[generation % 3].least, with_key);
  }
  __device__ std::uint32_t take(std::uint32_t tile) const {
    if (static_cast<const volatile std::uint32_t&>(reason[tile]) == 0) return 0;
    const std::uint32_t reasons = atomicExch(&reason[tile], 0u);
    atomicExch(&key[tile], kNoKey);
    __threadfence();
    return reasons;
  }
};

/// The key of a value.
template <class Value>
__device__ std::uint32_t key_of(Value value) {
  return __float_as_uint(static_cast<float>(value));
}

/// Memory for a queue.
inline TileQueue allocate_queue(const CostTiling& tiling, Scratch::Frame& device) {
  const auto of_tiles = [&] { return device.array<std::uint32_t>(tiling.count()); };
  return {{of_tiles(), of_tiles()},
          of_tiles(),
          device.array<Generation>(3),
          of_tiles(),
          of_tiles(),
          static_cast<std::uint32_t>(tiling.count())};
}

__device__ inline void clear_generation(const TileQueue& queue, std::uint32_t generation) {
  volatile Generation& to = queue.generations[generation % 3];
  to.listed = 0;
  to.chosen = 0;
  to.taken = 0;
  to.least = kNoKey;
}

/// Empties a queue before any tile is entered; for all threads of a grid.
__device__ inline void clear_queue(const TileQueue& queue, std::int64_t tiles) {
  const std::int64_t thread = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (thread < 3) clear_generation(queue, static_cast<std::uint32_t>(thread));
  for (std::int64_t tile = thread; tile < tiles; tile += std::int64_t{gridDim.x} * blockDim.x) {
    queue.reason[tile] = 0;
    queue.key[tile] = kNoKey;
  }
}

}  // namespace thiessen::cuda::cost
