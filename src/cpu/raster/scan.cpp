// SPDX-License-Identifier: Apache-2.0
//
// The per-cell scan: pieces of kScanRows rows, each with all sites (raster/scan.cpp).
#include "cpu/raster/scan.hpp"

#include <algorithm>

#include "core/order/measure.hpp"
#include "cpu/raster/kernels.hpp"
#include "cpu/raster/rank_writer.hpp"
#include "threads/parallel.hpp"

namespace thiessen::cpu {
namespace {

using raster::kRowSlack;
using raster::kScanRows;
using raster::ScanRow;

/// Columns of a piece: they are written from the second-level cache. With many sites pieces are
/// smaller, so that a call can be cancelled soon.
constexpr std::int64_t kPieceColumns = 1024;
constexpr std::int64_t kLeastColumns = 32;
constexpr std::int64_t kComparedAtOnce = std::int64_t{1} << 28;
constexpr std::int64_t kPieceStride = kPieceColumns + kRowSlack;
/// Bits of S and rank together.
constexpr int kKeyBits = 31;
constexpr int kMostBits = 126;
/// Sites that go together: the parts of rows are listed for so many.
constexpr std::int64_t kBlockSites = 1 << 16;
/// Ranks are numbers of 31 bits.
constexpr std::int64_t kMostSites = std::int64_t{1} << 31;

/// Bits of the greatest S that kernels meet, also in rows and columns beyond the last one.
int bits_of_exact(const Problem& problem) {
  if (problem.wide) return kMostBits;
  Int128 greatest = 0;
  for (std::size_t axis = 0; axis < kAxes; ++axis) {
    const Int128 reach = problem.extent[axis] + (axis > 0 ? kRowSlack : 0);
    greatest += problem.weights.factor[axis] *
                (problem.metric == Metric::euclidean ? reach * reach : reach);
  }
  int bits = 0;
  for (; greatest > 0; greatest >>= 1) ++bits;
  return bits;
}

int bits_of_group(const Problem& problem, std::int64_t sites) {
  int wanted = 1;
  while (std::int64_t{1} << wanted < sites) ++wanted;
  return std::min(wanted, kKeyBits - bits_of_exact(problem));
}

class ScanPiece {
 public:
  ScanPiece(const Problem& problem, const raster::SiteTable& sites, raster::ScanKernel kernel,
            std::int32_t* rows, std::uint32_t* results)
      : problem_(problem), sites_(sites), kernel_(kernel), shares_(rows) {
    job_ = {.metric = problem.metric,
            .factor = static_cast<std::int32_t>(problem.weights.factor[2]),
            .group_bits = bits_of_group(problem, sites.count),
            .rows = rows};
    for (ScanRow& row : rows_) {
      row = {results, results + kPieceStride};
      results += 2 * kPieceStride;
    }
  }

  /// Sets the rows from (z, y) on, and the sites from `first` on, as many as go together.
  void set(std::int64_t z, std::int64_t y, std::int64_t first) {
    job_.first = first;
    job_.sites = std::min(kBlockSites, sites_.count - first);
    job_.x = sites_.at[2] + first;
    for (std::int64_t i = 0; i < job_.sites; ++i) {
      const auto in_group = static_cast<std::int32_t>(i & ((1 << job_.group_bits) - 1));
      for (int row = 0; row < kScanRows; ++row)
        shares_[i * kScanRows + row] =
            share(z - sites_.at[0][first + i], y + row - sites_.at[1][first + i], in_group);
    }
  }

  void scan(std::int64_t begin, std::int64_t end) const { kernel_(job_, begin, end, rows_); }
  const ScanRow& row(int i) const { return rows_[i]; }

 private:
  std::int32_t share(std::int64_t dz, std::int64_t dy, std::int32_t rank) const {
    switch (problem_.metric) {
      case Metric::euclidean:
        return join_axes<Metric::euclidean>(dz, dy) << job_.group_bits;
      case Metric::manhattan:
        return join_axes<Metric::manhattan>(dz, dy) << job_.group_bits;
      case Metric::chessboard:
        return join_axes<Metric::chessboard>(dz, dy) << job_.group_bits | rank;
      default:
        return static_cast<std::int32_t>(dy < 0 ? -dy : dy);
    }
  }

  template <Metric kMetric>
  std::int32_t join_axes(std::int64_t dz, std::int64_t dy) const {
    const auto& factor = problem_.weights.factor;
    return static_cast<std::int32_t>(
        join<kMetric>(along<kMetric>(static_cast<std::int64_t>(factor[0]), dz),
                      along<kMetric>(static_cast<std::int64_t>(factor[1]), dy)));
  }

  const Problem& problem_;
  const raster::SiteTable& sites_;
  raster::ScanKernel kernel_;
  std::int32_t* shares_;
  raster::ScanJob job_;
  ScanRow rows_[kScanRows];
};

}  // namespace

bool can_scan(const Problem& problem, std::int64_t sites) {
  constexpr std::int64_t kMostOctagonal = 49000;
  const bool ends = std::all_of(problem.period.begin(), problem.period.end(),
                                [](std::int64_t period) { return period == kNoPeriod; });
  return ends && !problem.point_sites && problem.metric_function == nullptr && sites > 0 &&
         sites < kMostSites && bits_of_exact(problem) < kKeyBits &&
         (problem.metric != Metric::octagonal ||
          problem.extent[1] + problem.extent[2] < kMostOctagonal);
}

void scan_sites(ContextState& state, const Problem& problem, const ProblemViews& views, Write write,
                const raster::SiteTable& sites) {
  const PhaseTimer phase(state, "scan");
  Scratch::Frame scratch(state.scratch);
  const std::int64_t height = problem.extent[1];
  const std::int64_t width = problem.extent[2];
  const std::int64_t shares = std::min(sites.count, kBlockSites) * kScanRows;
  const std::int64_t results = 2 * std::int64_t{kScanRows} * kPieceStride;
  auto* const rows = scratch.array<std::int32_t>(state.threads * shares);
  auto* const cells = scratch.array<std::uint32_t>(state.threads * results);
  const raster::RankWriter writer(state, problem, views, write, sites);
  const raster::ScanKernel kernel = raster::scan_kernel(state.instruction_sets, problem.metric);
  const std::int64_t columns =
      std::clamp(kComparedAtOnce / (kScanRows * std::min(sites.count, kBlockSites)) /
                     kLeastColumns * kLeastColumns,
                 kLeastColumns, kPieceColumns);
  const std::int64_t pieces = (height + kScanRows - 1) / kScanRows;
  parallel_for(
      state, problem.extent[0] * pieces, 1, kScanRows * width,
      [&](std::int64_t begin, std::int64_t end, int worker) {
        ScanPiece piece(problem, sites, kernel, rows + worker * shares, cells + worker * results);
        for (std::int64_t i = begin; i < end; ++i) {
          const std::int64_t z = i / pieces;
          const std::int64_t y = i % pieces * kScanRows;
          for (std::int64_t x = 0; x < width; x += columns) {
            const std::int64_t count = std::min(columns, width - x);
            for (std::int64_t first = 0; first < sites.count; first += kBlockSites) {
              state.progress.check();
              if (x == 0 || sites.count > kBlockSites) piece.set(z, y, first);
              piece.scan(x, x + count);
            }
            for (int row = 0; row < std::min<std::int64_t>(kScanRows, height - y); ++row)
              writer.write({z, y + row, x}, count, piece.row(row).exact, piece.row(row).rank);
          }
        }
      });
}

}  // namespace thiessen::cpu
