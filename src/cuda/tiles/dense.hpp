// SPDX-License-Identifier: Apache-2.0
//
// The dense search: where sites are frequent, cells ask their neighbours, 32 cells at once.
//
// A lane has a row of the tile, a bit of a word for each cell. The differences to the cells around
// come in the order (S, dz, dy, dx), so the first one that finds a site finds the nearest, of
// equally near ones that with the least index. For each difference the bits of a row are shifted
// and compared with the cells that are still in need of a site. The number of the difference that
// served a cell is kept as planes of bits, 8 for a round of 256 differences; a round is enough
// where sites are frequent.
#pragma once

#include <cstdint>

#include "cuda/device/warp.hpp"
#include "cuda/site_bits.hpp"
#include "cuda/tiles/tile.hpp"
#include "cuda/tiles/window.hpp"

namespace thiessen::cuda {

/// The rows around a tile that are looked at.
template <int kRank>
struct DenseRows {
  static constexpr int kMarginZ = kRank == 2 ? 0 : 4;
  static constexpr int kMarginY = kRank == 2 ? 12 : 4;
  static constexpr int kHeight = tile_size<kRank>(1) + 2 * kMarginY;
  static constexpr int kCount = (tile_size<kRank>(0) + 2 * kMarginZ) * kHeight;

  std::uint32_t word[3][kCount];  ///< left of the tile, over it, right of it

  THIESSEN_HD static constexpr int row(int z, int y) {
    return (z + kMarginZ) * kHeight + y + kMarginY;
  }
};

/// Differences in their order.
struct DenseTables {
  static constexpr int kPlanes = 8;
  static constexpr int kRound = 1 << kPlanes;
  static constexpr int kRounds = 2;
  static constexpr int kMost = kRounds * kRound;
  static constexpr int kGroup = 16;  ///< they are tried in groups

  int count = 0;                   ///< a multiple of kGroup; 0: no dense search
  std::uint32_t look[kMost] = {};  ///< words to step, from that on the left | bits to shift << 16
  std::int32_t cell[kMost] = {};   ///< from a cell to its site
  std::uint16_t exact[kMost] = {};
};

/// Number of the difference that served a cell, within a round, a bit in each plane.
struct Planes {
  std::uint32_t plane[DenseTables::kPlanes];
};

template <class Warp, int kRank>
THIESSEN_HD void load_rows(const Job& job, const Bits& bits, const Tile& tile,
                           DenseRows<kRank>& rows) {
  using Rows = DenseRows<kRank>;
  for (int first = 0; first < Rows::kCount; first += kLanes)
    Warp::each([&](int lane) {
      const int row = first + lane;
      if (row >= Rows::kCount) return;
      const RowWords words =
          load_row(job, bits, tile.first[0] + row / Rows::kHeight - Rows::kMarginZ,
                   tile.first[1] + row % Rows::kHeight - Rows::kMarginY, tile.first[2]);
      THIESSEN_UNROLL
      for (int k = 0; k < 3; ++k) rows.word[k][row] = words.word[k];
    });
  Warp::sync();
}

/// The cells of a row of a tile that the raster has.
template <int kRank>
THIESSEN_HD std::uint32_t cells_of_row(const Job& job, const Tile& tile, int row) {
  const std::int64_t rest = job.extent[2] - tile.first[2];
  if (!has_row<kRank>(job, tile, row)) return 0;
  return rest >= kLanes ? ~0u : (1u << rest) - 1;
}

/// A round: takes from `need` the cells that find a site.
template <class Warp, int kRank>
THIESSEN_HD void search_round(const DenseTables& tables, int round, const DenseRows<kRank>& rows,
                              typename Warp::template Lanes<std::uint32_t>& need,
                              typename Warp::template Lanes<Planes>& planes) {
  using Rows = DenseRows<kRank>;
  constexpr int kHeight = tile_size<kRank>(1);
  constexpr int kLowPlanes = 4;  // of the number within a group
  const int first = round * DenseTables::kRound;
  const int end =
      tables.count - first < DenseTables::kRound ? tables.count - first : DenseTables::kRound;
  Warp::each([&](int lane) {
    THIESSEN_UNROLL
    for (auto& plane : planes[lane].plane) plane = 0;
  });
  for (int group = 0; group < end / DenseTables::kGroup; ++group) {
    Warp::each([&](int lane) {
      const std::uint32_t* const own = &rows.word[0][Rows::row(lane / kHeight, lane % kHeight)];
      const std::uint32_t before = need[lane];
      THIESSEN_UNROLL
      for (int i = 0; i < DenseTables::kGroup; ++i) {
        const std::uint32_t look = tables.look[first + group * DenseTables::kGroup + i];
        const std::uint32_t* const from = own + static_cast<std::int16_t>(look);
        const std::uint32_t hit =
            need[lane] & Warp::shift_right(from[0], from[Rows::kCount], look >> 16);
        need[lane] ^= hit;
        THIESSEN_UNROLL
        for (int k = 0; k < kLowPlanes; ++k)
          if (i >> k & 1) planes[lane].plane[k] |= hit;
      }
      THIESSEN_UNROLL
      for (int k = kLowPlanes; k < DenseTables::kPlanes; ++k)
        if (group >> (k - kLowPlanes) & 1) planes[lane].plane[k] |= before ^ need[lane];
    });
    if (!Warp::any(need)) return;
  }
}

/// Numbers of the differences that served the cells of a tile, row by row; rows are an odd number
/// of words apart.
struct DenseNumbers {
  static constexpr int kStride = kLanes + 2;
  alignas(4) std::uint16_t of[kTileRows][kStride];
};

/// Bytes of a tile, row by row; rows are an odd number of words apart.
struct Numbers {
  static constexpr int kStride = kLanes + 4;
  alignas(4) std::uint8_t of[kTileRows][kStride];
};

/// From bits of planes to the bytes of 8 cells: a transposition of 8 x 8 bits in two words.
THIESSEN_HD inline void transpose_bits(std::uint32_t& low, std::uint32_t& high) {
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
THIESSEN_HD inline void store_numbers(const Planes& planes, int round, std::uint32_t served,
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
template <class Warp, int kRank>
THIESSEN_HD bool search_dense(const Job& job, const DenseTables& tables, const Tile& tile,
                              const DenseRows<kRank>& rows, DenseNumbers& numbers) {
  typename Warp::template Lanes<std::uint32_t> need;
  typename Warp::template Lanes<std::uint32_t> before;
  typename Warp::template Lanes<Planes> planes;
  Warp::each([&](int lane) { need[lane] = cells_of_row<kRank>(job, tile, lane); });
  for (int round = 0; round * DenseTables::kRound < tables.count; ++round) {
    before = need;
    search_round<Warp, kRank>(tables, round, rows, need, planes);
    Warp::each([&](int lane) {
      store_numbers(planes[lane], round, before[lane] ^ need[lane], numbers.of[lane]);
    });
    if (!Warp::any(need)) {
      Warp::sync();
      return true;
    }
  }
  Warp::sync();
  return false;
}

}  // namespace thiessen::cuda
