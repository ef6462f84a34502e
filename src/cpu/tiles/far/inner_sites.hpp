// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "cpu/tiles/job/job.hpp"

namespace thiessen::cpu::tiles {

/// The sites of word `w` of a row that have other sites on all sides. Each is nearest only to its
/// own cell: from any other cell one of its neighbours is nearer. With the chessboard metric there
/// are none, since steps along an axis need not lead nearer.
template <int kRank>
inline std::uint64_t inner_sites(const Job& job, std::int64_t z, std::int64_t y, std::int64_t w) {
  if (job.metric == Metric::chessboard) return 0;
  const std::uint64_t* word = job.bits.own_row(z, y) + w;
  const std::uint64_t beside =
      word[0] & (word[0] << 1 | word[-1] >> 63) & (word[0] >> 1 | word[1] << 63);
  if (beside == 0) return 0;
  std::uint64_t inner = beside & job.bits.row(z, y - 1)[w] & job.bits.row(z, y + 1)[w];
  if constexpr (kRank == 3) inner &= job.bits.row(z - 1, y)[w] & job.bits.row(z + 1, y)[w];
  return inner;
}

}  // namespace thiessen::cpu::tiles
