// SPDX-License-Identifier: Apache-2.0
//
// Compares every cell with every site, 16 cells an instruction. Each pair takes one addition (a
// maximum for chessboard distance) of the parts of column and row in S, and one minimum: the rank
// of the site stands in the low bits of both. S leaves few bits for the rank, so sites are taken in
// groups. The winner of a group is compared with that of the groups before it, which wins at equal
// S. The part of a column is computed once for kScanRows rows.
#include <algorithm>
#include <limits>

#include "cpu/raster/kernels.hpp"
#include "cpu/simd/dispatch.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/raster/scan_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace thiessen::cpu::raster {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<std::int32_t, 16>;
using V = hn::Vec<D>;
constexpr D kD;
constexpr int kLanes = static_cast<int>(hn::MaxLanes(D()));
constexpr int kVectors = 2;
/// Rows that are done together, as many as there are registers for winners.
constexpr int kRowsAtOnce = kLanes == 16 ? 8 : 4;

/// ⌊n/3⌋ = n·kThird >> kThirdBits for n up to 98,303, unsigned.
constexpr std::uint32_t kThird = 43691;
constexpr int kThirdBits = 17;

/// The columns of a vector, and the same multiplied as S and rank of one column are.
struct Columns {
  V x;
  V scaled;
};

/// The part of the columns of a vector in S, for one site.
template <Metric kMetric>
struct Column {
  V share;   ///< in S, times the size of a group, plus the rank in the group
  V thirds;  ///< octagonal: 2(|dx| + 1), times kThird

  HWY_INLINE Column(const Columns& delta, V rank) : share(delta.x), thirds(delta.x) {
    if constexpr (kMetric == Metric::euclidean)
      share = hn::Add(hn::Mul(delta.x, delta.scaled), rank);
    else
      share = hn::Add(hn::Abs(delta.scaled), rank);
    if constexpr (kMetric == Metric::octagonal)
      thirds = hn::Mul(hn::Add(hn::Abs(delta.x), hn::Set(kD, 1)),
                       hn::Set(kD, static_cast<std::int32_t>(2 * kThird)));
  }

  /// Adds the part of the row.
  HWY_INLINE V with(std::int32_t row, int bits, V rank) const {
    if constexpr (kMetric == Metric::chessboard) return hn::Max(share, hn::Set(kD, row));
    if constexpr (kMetric != Metric::octagonal) return hn::Add(share, hn::Set(kD, row));
    const hn::RebindToUnsigned<D> du;
    const V sum = hn::Add(
        thirds,
        hn::Set(kD, static_cast<std::int32_t>(static_cast<std::uint32_t>(row) * (2 * kThird))));
    const V steps = hn::BitCast(kD, hn::ShiftRight<kThirdBits>(hn::BitCast(du, sum)));
    const V key = hn::Add(hn::ShiftLeftSame(hn::Max(steps, hn::Set(kD, row)), bits), rank);
    return hn::Max(share, key);
  }
};

/// The number of cells in so many vectors.
constexpr std::int64_t lanes_before(int vectors) { return std::int64_t{vectors} * kLanes; }

/// Finds the first of all sites for each cell of a block: kVectors vectors of kRowsAtOnce rows.
template <Metric kMetric>
HWY_INLINE void scan_block(const ScanJob& job, std::int64_t begin, int first_row,
                           const ScanRow* rows, std::int64_t out) {
  const std::int64_t group = std::int64_t{1} << job.group_bits;
  const std::int32_t scale = job.factor << job.group_bits;
  Columns columns[kVectors];
  for (int j = 0; j < kVectors; ++j) {
    const V x = hn::Iota(kD, static_cast<std::int32_t>(begin) + j * kLanes);
    columns[j] = {x, hn::Mul(x, hn::Set(kD, scale))};
  }
  V best[kRowsAtOnce][kVectors];
  V rank[kRowsAtOnce][kVectors];
  for (int k = 0; k < kRowsAtOnce; ++k)
    for (int j = 0; j < kVectors; ++j) {
      best[k][j] = hn::Set(kD, std::numeric_limits<std::int32_t>::max());
      rank[k][j] = hn::Zero(kD);
      if (job.first == 0) continue;
      const ScanRow& row = rows[first_row + k];
      best[k][j] =
          hn::LoadU(kD, reinterpret_cast<std::int32_t*>(row.exact) + out + lanes_before(j));
      rank[k][j] = hn::LoadU(kD, reinterpret_cast<std::int32_t*>(row.rank) + out + lanes_before(j));
    }
  for (std::int64_t first = 0; first < job.sites; first += group) {
    V least[kRowsAtOnce][kVectors];
    for (auto& row : least)
      for (V& own : row) own = hn::Set(kD, std::numeric_limits<std::int32_t>::max());
    const auto count = static_cast<std::int32_t>(std::min(group, job.sites - first));
    for (std::int32_t i = 0; i < count; ++i) {
      const V x = hn::Set(kD, job.x[first + i]);
      const V scaled = hn::Set(kD, job.x[first + i] * scale);
      const std::int32_t* const shares = job.rows + (first + i) * kScanRows + first_row;
      const V in_group = hn::Set(kD, i);
      // Rows come one after the other: the registers are for the winners.
      const Column<kMetric> left({hn::Sub(columns[0].x, x), hn::Sub(columns[0].scaled, scaled)},
                                 in_group);
      const Column<kMetric> right({hn::Sub(columns[1].x, x), hn::Sub(columns[1].scaled, scaled)},
                                  in_group);
      for (int k = 0; k < kRowsAtOnce; ++k) {
        least[k][0] = hn::Min(least[k][0], left.with(shares[k], job.group_bits, in_group));
        least[k][1] = hn::Min(least[k][1], right.with(shares[k], job.group_bits, in_group));
      }
    }
    const V ranks = hn::Set(kD, static_cast<std::int32_t>(group - 1));
    for (int k = 0; k < kRowsAtOnce; ++k)
      for (int j = 0; j < kVectors; ++j) {
        const V exact = hn::ShiftRightSame(least[k][j], job.group_bits);
        const V own = hn::Add(hn::And(least[k][j], ranks),
                              hn::Set(kD, static_cast<std::int32_t>(job.first + first)));
        const auto nearer = hn::Lt(exact, best[k][j]);
        rank[k][j] = hn::IfThenElse(nearer, own, rank[k][j]);
        best[k][j] = hn::Min(best[k][j], exact);
      }
  }
  for (int k = 0; k < kRowsAtOnce; ++k)
    for (int j = 0; j < kVectors; ++j) {
      const ScanRow& row = rows[first_row + k];
      hn::StoreU(best[k][j], kD,
                 reinterpret_cast<std::int32_t*>(row.exact) + out + lanes_before(j));
      hn::StoreU(rank[k][j], kD, reinterpret_cast<std::int32_t*>(row.rank) + out + lanes_before(j));
    }
}

template <Metric kMetric>
void scan(const ScanJob& job, std::int64_t begin, std::int64_t end, const ScanRow* rows) {
  for (std::int64_t x = begin; x < end; x += lanes_before(kVectors))
    for (int row = 0; row < kScanRows; row += kRowsAtOnce)
      scan_block<kMetric>(job, x, row, rows, x - begin);
}

ScanKernel scan_of(Metric metric) {
  switch (metric) {
    case Metric::euclidean:
      return scan<Metric::euclidean>;
    case Metric::manhattan:
      return scan<Metric::manhattan>;
    case Metric::chessboard:
      return scan<Metric::chessboard>;
    default:
      return scan<Metric::octagonal>;
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace thiessen::cpu::raster
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thiessen::cpu::raster {

HWY_EXPORT(scan_of);

ScanKernel scan_kernel(std::int64_t targets, Metric metric) {
  return HWY_DISPATCH_TABLE(scan_of)[dispatch_index_or_scalar(targets)](metric);
}

}  // namespace thiessen::cpu::raster
#endif
