// SPDX-License-Identifier: Apache-2.0
//
// The dense search: where sites are frequent, cells look at their neighbours, 32 cells at once.
//
// A lane has a row of the tile, with a bit of a word for each cell. The differences to the cells
// around come in the order (S, dz, dy, dx), so the first one that finds a site finds the nearest,
// and among equally near ones that with the least index. For each difference the bits of a row are
// shifted and compared with the cells that still need a site. The number of the difference that
// served a cell is kept as planes of bits, 8 for a round of 256 differences; one round is enough if
// sites are frequent. For sources compiled as CUDA.
#pragma once

#include <cstdint>

#include "cuda/device/warp.cuh"
#include "cuda/job/site_bits.hpp"
#include "cuda/job/tile.hpp"
#include "cuda/tiles/dense/tables.hpp"
#include "cuda/tiles/job/row_words.hpp"

namespace thiessen::cuda::tiles {

/// The numbers, within a round, of the differences that served cells: a bit in each plane.
struct Planes {
  std::uint32_t plane[DenseTables::kPlanes];
};

template <int kRank>
__device__ void load_rows(const Job& job, const Bits& bits, const Tile& tile,
                          DenseRows<kRank>& rows) {
  using Rows = DenseRows<kRank>;
  for (int first = 0; first < Rows::kCount; first += kLanes)
    if (const int row = first + lane_of_thread(); row < Rows::kCount) {
      const RowWords words =
          load_row(job, bits, tile.first[0] + row / Rows::kHeight - Rows::kMarginZ,
                   tile.first[1] + row % Rows::kHeight - Rows::kMarginY, tile.first[2]);
      THIESSEN_UNROLL
      for (int k = 0; k < 3; ++k) rows.word[k][row] = words.word[k];
    }
  __syncwarp();
}

/// The cells of a row of a tile that lie in the raster.
template <int kRank>
__device__ std::uint32_t cells_of_row(const Job& job, const Tile& tile, int row) {
  const std::int64_t rest = job.extent[2] - tile.first[2];
  if (!has_row<kRank>(job, tile, row)) return 0;
  return rest >= kLanes ? ~0u : (1u << rest) - 1;
}

/// Does a round: takes the cells of the lane's row that find a site out of `need`.
template <int kRank>
__device__ void search_round(const DenseTables& tables, int round, const DenseRows<kRank>& rows,
                             std::uint32_t& need, Planes& planes) {
  using Rows = DenseRows<kRank>;
  constexpr int kHeight = tile_size<kRank>(1);
  constexpr int kLowPlanes = 4;  // planes for the number within a group
  const int first = round * DenseTables::kRound;
  const int end =
      tables.count - first < DenseTables::kRound ? tables.count - first : DenseTables::kRound;
  THIESSEN_UNROLL
  for (auto& plane : planes.plane) plane = 0;
  const std::uint32_t* const own =
      &rows.word[0][Rows::row(lane_of_thread() / kHeight, lane_of_thread() % kHeight)];
  for (int group = 0; group < end / DenseTables::kGroup; ++group) {
    const std::uint32_t before = need;
    THIESSEN_UNROLL
    for (int i = 0; i < DenseTables::kGroup; ++i) {
      const std::uint32_t look = tables.look[first + group * DenseTables::kGroup + i];
      const std::uint32_t* const from = own + static_cast<std::int16_t>(look);
      const std::uint32_t hit = need & __funnelshift_r(from[0], from[Rows::kCount], look >> 16);
      need ^= hit;
      THIESSEN_UNROLL
      for (int k = 0; k < kLowPlanes; ++k)
        if (i >> k & 1) planes.plane[k] |= hit;
    }
    THIESSEN_UNROLL
    for (int k = kLowPlanes; k < DenseTables::kPlanes; ++k)
      if (group >> (k - kLowPlanes) & 1) planes.plane[k] |= before ^ need;
    if (!__any_sync(~0u, need != 0)) return;
  }
}

/// Numbers of the differences that served the cells of a tile, row by row; rows are an odd number
/// of words apart.
struct DenseNumbers {
  static constexpr int kStride = kLanes + 2;
  alignas(4) std::uint16_t of[kTileRows][kStride];
};

/// Turns bits of planes into the bytes of 8 cells: transposes 8 x 8 bits in two words.
__device__ inline void transpose_bits(std::uint32_t& low, std::uint32_t& high) {
  const auto swap = [](std::uint32_t word, int distance, std::uint32_t mask) {
    const std::uint32_t differ = (word ^ word >> distance) & mask;
    return word ^ differ ^ differ << distance;
  };
  low = swap(swap(low, 7, 0x00aa00aa), 14, 0x0000cccc);
  high = swap(swap(high, 7, 0x00aa00aa), 14, 0x0000cccc);
  const std::uint32_t middle = (low & 0x0f0f0f0f) | (high << 4 & 0xf0f0f0f0);
  high = (high & 0xf0f0f0f0) | (low >> 4 & 0x0f0f0f0f);
  low = middle;
}

/// Writes the numbers of those cells of a row that a round has `served`.
__device__ inline void store_numbers(const Planes& planes, int round, std::uint32_t served,
                                     std::uint16_t* row) {
  const auto base = static_cast<std::uint32_t>(round) * (DenseTables::kRound * 0x10001u);
  auto* words = reinterpret_cast<std::uint32_t*>(row);
  THIESSEN_UNROLL
  for (int first = 0; first < kLanes; first += 8) {
    std::uint32_t half[2] = {};
    THIESSEN_UNROLL
    for (int k = 0; k < DenseTables::kPlanes; ++k)
      half[k / 4] |= (planes.plane[k] >> first & 0xff) << 8 * (k % 4);
    transpose_bits(half[0], half[1]);
    THIESSEN_UNROLL
    for (int cell = first; cell < first + 8; cell += 2, ++words) {
      const std::uint32_t bytes = half[(cell - first) / 4] >> 8 * (cell % 4);
      const std::uint32_t two = base + (bytes & 0xff) + ((bytes & 0xff00) << 8);
      const std::uint32_t mask =
          (served >> cell & 1) * 0xffff + (served >> (cell + 1) & 1) * 0xffff0000;
      *words = round == 0 ? two : (*words & ~mask) | (two & mask);
    }
  }
}

/// Searches a tile; false if a cell found no site. Rows are read before numbers are written.
template <int kRank>
__device__ bool search_dense(const Job& job, const DenseTables& tables, const Tile& tile,
                             const DenseRows<kRank>& rows, DenseNumbers& numbers) {
  std::uint32_t need = cells_of_row<kRank>(job, tile, lane_of_thread());
  Planes planes;
  for (int round = 0; round * DenseTables::kRound < tables.count; ++round) {
    const std::uint32_t before = need;
    search_round<kRank>(tables, round, rows, need, planes);
    store_numbers(planes, round, before ^ need, numbers.of[lane_of_thread()]);
    if (!__any_sync(~0u, need != 0)) {
      __syncwarp();
      return true;
    }
  }
  __syncwarp();
  return false;
}

}  // namespace thiessen::cuda::tiles
