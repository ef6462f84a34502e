// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cuda/device/grid.hpp"
#include "cuda/device/turns.cuh"
#include "cuda/device/warp.cuh"
#include "cuda/job/make_cells.hpp"

namespace thiessen::cuda {
namespace {

__global__ void __launch_bounds__(kTurnThreads)
    make(const std::uint32_t* bits, std::int64_t count, std::byte* cells) {
  follow();
  take_turns(count, [&](std::int64_t i) {
    cells[i] = static_cast<std::byte>(__ldg(bits + i / 32) >> (i % 32) & 1);
  });
}

/// A bit for each of so many pieces: whether it is sparse.
struct Flags {
  static constexpr std::int64_t kPieces = 1024;
  std::uint32_t word[kPieces / kLanes];
};

/// A warp makes a group: a lane has the bits of 32 cells, and then all lanes take these in turn.
template <class T>
__global__ void __launch_bounds__(kTurnThreads)
    make_sparse(const SparseCells sparse, const std::byte* slots,
                const __grid_constant__ Flags flags, std::int64_t count, T* cells) {
  follow();
  const int lane = lane_of_thread();
  const std::int64_t group =
      std::int64_t{blockIdx.x} * (kTurnThreads / kLanes) + threadIdx.x / kLanes;
  const std::int64_t first = group * SparseCells::kGroup;
  const std::int64_t piece = group / sparse.groups();
  if (first >= count || (flags.word[piece / kLanes] >> (piece % kLanes) & 1) == 0) return;
  const std::byte* const slot = slots + piece * sparse.bytes();
  const std::int64_t own = group % sparse.groups();
  const std::uint32_t word =
      __ldg(reinterpret_cast<const std::uint32_t*>(slot) + own * kLanes + lane);
  const auto before = static_cast<std::int32_t>(
      __ldg(reinterpret_cast<const std::uint32_t*>(slot + sparse.counts_at()) + own));
  const std::int32_t start = before + sum_before_lane(__popc(word));
  const T* const values = reinterpret_cast<const T*>(slot + sparse.values_at());
  for (int i = 0; i < kLanes; ++i) {
    const std::uint32_t bits = __shfl_sync(~0u, word, i);
    const std::int32_t at = __shfl_sync(~0u, start, i) + __popc(bits & ((1u << lane) - 1));
    const std::int64_t cell = first + i * kLanes + lane;
    if (cell < count) cells[cell] = (bits >> lane & 1) != 0 ? values[at] : T{};
  }
}

}  // namespace

void make_cells(const CudaSession& session, const std::uint32_t* bits, std::int64_t count,
                std::byte* cells) {
  launch_next(session, "cells of bits", turns_for(session, count), make, bits, count, cells);
}

void make_cells(const CudaSession& session, const SparseCells& sparse, const std::byte* slots,
                const std::vector<std::uint8_t>& is_sparse, std::int64_t count, std::byte* cells) {
  const auto pieces = std::ssize(is_sparse);
  for (std::int64_t first = 0; first < pieces; first += Flags::kPieces) {
    Flags flags{};
    const std::int64_t some = std::min(Flags::kPieces, pieces - first);
    for (std::int64_t i = 0; i < some; ++i)
      flags.word[i / kLanes] |= std::uint32_t{is_sparse[static_cast<std::size_t>(first + i)]}
                                << (i % kLanes);
    const std::int64_t first_cell = first * sparse.cells;
    const std::int64_t own = std::min(some * sparse.cells, count - first_cell);
    const GridShape grid{
        static_cast<unsigned>(parts(parts(own, SparseCells::kGroup), kTurnThreads / kLanes)),
        kTurnThreads};
    const auto make_all = [&]<class T>(T* to) {
      launch_next(session, "cells of few sites", grid, make_sparse<T>, sparse,
                  slots + first * sparse.bytes(), flags, own, to + first_cell);
    };
    if (sparse.element == sizeof(std::uint64_t))
      make_all(reinterpret_cast<std::uint64_t*>(cells));
    else
      make_all(reinterpret_cast<std::uint32_t*>(cells));
  }
}

}  // namespace thiessen::cuda
