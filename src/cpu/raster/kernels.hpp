// SPDX-License-Identifier: Apache-2.0
//
// What the raster methods do to rows of cells, for one instruction set. Sites are ranks: their
// places in the order of site indices. Processors without vectors have kernels, too, which work
// cell by cell.
#pragma once

#include <cstdint>

#include "core/base/cells.hpp"
#include "core/order/weights.hpp"
#include "thiessen/choices/metric.hpp"

namespace thiessen::cpu::raster {

/// Cells that kernels may read and write behind the end of a row.
inline constexpr std::int64_t kRowSlack = 64;

/// Rank of a cell without a site.
inline constexpr std::uint32_t kNoRank = 0xFFFFFFFFu;

// ---- scan: every cell of a few rows against all sites ------------------------------------------

/// Rows that are scanned together.
inline constexpr int kScanRows = 8;

/// S of a site and its rank among 2^group_bits sites are one number of 31 bits, S above: the first
/// in the order (S, rank) is the least number.
struct ScanJob {
  Metric metric = Metric::euclidean;
  std::int32_t factor = 1;  ///< the factor of x
  int group_bits = 1;
  std::int64_t first =
      0;  ///< rank of the first site; if > 0, rows hold the winners of those before
  std::int64_t sites = 0;           ///< > 0
  const std::int32_t* x = nullptr;  ///< of each site
  /// kScanRows entries for each site: the part of z and y in S, shifted like S. Octagonal: their
  /// S; chessboard: with the rank.
  const std::int32_t* rows = nullptr;
};

/// The results of a row: S and rank of each cell.
struct ScanRow {
  std::uint32_t* exact = nullptr;
  std::uint32_t* rank = nullptr;
};

/// Scans the cells x = begin..end-1 (and up to kRowSlack more), and writes from the first of each
/// row.
using ScanKernel = void (*)(const ScanJob& job, std::int64_t begin, std::int64_t end,
                            const ScanRow* rows);

ScanKernel scan_kernel(std::int64_t targets, Metric metric);

// ---- sweep: one row of a pass of a chamfer mask ------------------------------------------------

/// A row that a pass has gone through, shifted so that each cell finds its neighbour in its own
/// place, and the cost of the step from there.
template <class Key>
struct SweepSource {
  const Key* row = nullptr;
  Key cost = 0;
};

/// S of a cell and its site are one number, S above. This is more than any such number, with room
/// for a row of steps:
template <class Key>
inline constexpr Key kNoKey = Key{1} << (sizeof(Key) * 8 - 2);

/// out[x] = the least of own[x] and of source.row[x] + source.cost for all sources; then the least
/// of that and of out[x - 1] + step (west to east) or out[x + 1] + step. `own` may be `out`.
template <class Key>
using SweepKernel = void (*)(const Key* own, const SweepSource<Key>* sources, int count, Key step,
                             std::int64_t width, Key* out);

template <class Key>
struct SweepKernels {
  SweepKernel<Key> eastward = nullptr;
  SweepKernel<Key> westward = nullptr;
};

SweepKernels<std::int32_t> narrow_sweeps(std::int64_t targets);
SweepKernels<std::int64_t> wide_sweeps(std::int64_t targets);

// ---- write: rows of results to rows of outputs -------------------------------------------------

struct WriteKernels {
  /// exact[i] = keys[i] >> bits, rank[i] = the bits below.
  void (*split)(const std::int32_t* keys, int bits, std::int64_t count, std::uint32_t* exact,
                std::uint32_t* rank) = nullptr;
  /// out[i] = labels[rank[i]]; past the caches where `streams`: then a thread's writes need a
  /// fence.
  void (*labels)(const std::uint32_t* labels, const std::uint32_t* rank, std::int64_t count,
                 bool streams, std::uint32_t* out) = nullptr;
  /// out[i] = √S or S units, in double and then rounded.
  void (*distance)(const std::uint32_t* exact, const Unit& unit, bool root, std::int64_t count,
                   bool streams, float* out) = nullptr;
};

WriteKernels write_kernels(std::int64_t targets);

}  // namespace thiessen::cpu::raster
