// SPDX-License-Identifier: Apache-2.0
//
// A block that works on the cells of a tile from lists: where a front passes, few cells of a tile
// have work at the same time, and lanes of warps that go through all of them would idle. For
// sources compiled as CUDA.
//
// A pass says which cells begin, what a visit of a cell does, and which cells are to be visited
// because of it, in the next round. A cell is at most once on a list. Cells may be listed with a
// key: a float just above a value, as its bits. A visit is told the least key of its round.
#pragma once

#include <cstdint>

#include "cuda/cost/eikonal/tile.hpp"
#include "cuda/cost/tiles/queue.cuh"

namespace thiessen::cuda::cost {

/// The tiles around that are to be worked on next.
struct ReachedTiles {
  std::uint32_t codes;
  std::uint32_t key;  ///< the least of what reaches them

  __device__ void add(std::size_t side, double value) {
    atomicOr(&codes, 1u << code_beyond(eikonal::axis_of(side), is_upper(side)));
    atomicMin(&key, key_of(value));
  }
};

/// The cells of a tile that are to be visited in a round.
template <int kMost>
struct RoundList {
  std::uint16_t cells[kMost];
  std::uint32_t count;
  std::uint32_t least_key;

  __device__ void clear() {
    count = 0;
    least_key = kNoKey;
  }
  __device__ void add(int at) { cells[atomicAdd(&count, 1u)] = static_cast<std::uint16_t>(at); }
  __device__ void add(int at, double value) {
    add(at);
    atomicMin(&least_key, key_of(value) + 1);
  }
};

template <class Pass>
class ListWorker {
 public:
  using Shape = typename Pass::Shape;
  static constexpr const char* kName = Pass::kName;
  static constexpr int kAtOnce = 1;
  static constexpr int kThreads = Pass::kThreads;
  /// The blocks for which the registers and the shared memory of a processor suffice.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  static constexpr int kBlocks = 2;
#else
  static constexpr int kBlocks = Pass::kBlocks;
#endif
  struct Memory {
    typename Pass::Tile tile;
    RoundList<Shape::kOwnCells> list[3];  ///< of a round, modulo 3
    ReachedTiles reached;
    std::uint32_t reasons;
    std::uint32_t number;
  };

  __device__ ListWorker(const Pass& pass, const TileQueue& queue, Memory& memory)
      : pass_(pass), queue_(queue), memory_(memory) {}

  __device__ static std::uint32_t place() { return 0; }

  /// Works on a tile if there is a reason to.
  __device__ void work_on(std::uint32_t tile, std::uint32_t generation) {
    if (threadIdx.x == 0) memory_.reasons = queue_.take(tile);
    __syncthreads();
    if (memory_.reasons == 0) return;
    if (threadIdx.x < 3) memory_.list[threadIdx.x].clear();
    if (threadIdx.x == 0) memory_.reached = {0, kNoKey};
    const Axes origin = origin_of(pass_.job.tiling, tile);
    for (int at = thread(); at < Shape::kCells; at += kThreads) {
      const auto place = Shape::place(at);
      pass_.load(memory_.tile, at, cell_at(pass_.job.tiling, origin, place[0], place[1], place[2]));
    }
    __threadfence();
    __syncthreads();
    for_own_cells([&](int at) { pass_.begin(memory_.tile, at, memory_.reasons, memory_.list[0]); });
    __syncthreads();
    visit_lists(origin);
    __threadfence();  // what visits have written comes before what is stored
    for_own_cells([&](int at) {
      const std::int64_t cell = cell_of(origin, at);
      if (cell >= 0) pass_.store(memory_.tile, at, cell, memory_.reasons, memory_.reached);
    });
    __syncthreads();
    enter_around(tile, generation + 1);
    __syncthreads();
  }

  /// As WarpWorker has them.
  __device__ std::uint32_t ask_for_number(std::uint32_t* counter) const {
    return threadIdx.x == 0 ? atomicAdd(counter, 1u) : 0;
  }
  __device__ std::uint32_t number(std::uint32_t asked) {
    if (threadIdx.x == 0) memory_.number = asked;
    __syncthreads();
    return memory_.number;
  }

 private:
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }

  template <class Visit>
  __device__ void for_own_cells(const Visit& visit) const {
    for (int i = thread(); i < Shape::kOwnCells; i += kThreads) visit(Shape::own(i));
  }

  __device__ std::int64_t cell_of(const Axes& origin, int at) const {
    const auto place = Shape::place(at);
    return cell_at(pass_.job.tiling, origin, place[0], place[1], place[2]);
  }

  __device__ void visit_lists(const Axes& origin) const {
    for (int round = 0; memory_.list[round % 3].count != 0; ++round) {
      const auto& list = memory_.list[round % 3];
      auto& next = memory_.list[(round + 1) % 3];
      const auto count = static_cast<int>(list.count);
      const float least = __uint_as_float(list.least_key);
      for (int i = thread(); i < count; i += kThreads) {
        const int at = list.cells[i];
        pass_.visit(memory_.tile, at, cell_of(origin, at), least, memory_.reached, next);
      }
      if (threadIdx.x == 0) memory_.list[(round + 2) % 3].clear();
      __syncthreads();
    }
  }

  __device__ void enter_around(std::uint32_t tile, std::uint32_t generation) const {
    if (threadIdx.x < kTileCodes && (memory_.reached.codes >> threadIdx.x & 1) != 0) {
      const std::int64_t next = tile_around(pass_.job.tiling, tile, static_cast<int>(threadIdx.x));
      if (next >= 0)
        queue_.enter(static_cast<std::uint32_t>(next), kFromAround, memory_.reached.key,
                     generation);
    }
    if (threadIdx.x == 0) queue_.note_key(memory_.reached.key, generation);
  }

  static constexpr std::uint32_t kFromAround = 1;

  const Pass& pass_;
  const TileQueue& queue_;
  Memory& memory_;
};

}  // namespace thiessen::cuda::cost
