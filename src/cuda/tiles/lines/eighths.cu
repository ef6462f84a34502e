// SPDX-License-Identifier: Apache-2.0
//
// Exact nearest site of any shapes, one axis after the other: only the best site of a row can win
// in a column, and only the best site of a plane can win across planes.
//
//   1. The offset from each cell to the nearest site of its row: 2 bytes a cell
//   (near/site_offsets.cu).
//   2. Along y, where sites are near (near/windows.cuh), then the rest (eighths.cuh). In 2-D that
//      gives the results.
//   3. 3-D: the offset to the nearest site of the plane is kept, 4 bytes a cell. Along z the same.
//
// The order of sites is kept: the left site of a row, the upper row and the lower plane win ties.
#include <algorithm>
#include <limits>

#include "cuda/job/limits.hpp"
#include "cuda/tiles/lines/eighths.hpp"
#include "cuda/tiles/lines/eighths_large.hpp"
#include "cuda/tiles/lines/run_eighths.cuh"

namespace thiessen::cuda::tiles {
namespace {

/// Whether there is memory for all that a call takes; there is if an earlier one of that size took
/// it.
bool has_room(const CudaSession& session, const Problem& problem, bool has_wide_offsets) {
  const std::int64_t cells = problem.cells() * problem.layers;
  const std::int64_t of_two_wide = has_wide_offsets ? 4 : 0;  // bytes of two cells
  const std::int64_t of_two_kept = of_two_wide + (problem.rank == 2 ? 5 : 14);
  const std::int64_t of_two_taken = of_two_wide + (problem.rank == 2 ? 8 : 20);
  const auto kept = static_cast<std::int64_t>(session.scratch_bytes());
  if (cells <= TileLimits::kCellsWithRoom || 2 * kept >= cells * of_two_kept) return true;
  std::size_t free = 0;
  std::size_t all = 0;
  check(cudaMemGetInfo(&free, &all), "free memory");
  return 2 * (kept + static_cast<std::int64_t>(free)) >= cells * of_two_taken;
}

/// What integers of some lines hold.
struct LineLimits {
  std::int64_t exact;   ///< S must be less
  std::int64_t factor;  ///< so that costs of short offsets, and b, fit
  std::int64_t width;
  std::int64_t length;
};

template <class Lines>
bool fits_axis(const Problem& problem, std::size_t axis, const LineLimits& most) {
  constexpr std::int64_t kMostTiles = std::int64_t{1} << (32 - kEighth);
  const Axes& extent = problem.extent;
  const std::int64_t length = extent[axis];
  const std::int64_t layers = problem.rank == 2 ? problem.layers : extent[0];
  const std::int64_t planes = axis == 1 ? layers : extent[1];
  const auto factor = static_cast<std::int64_t>(problem.weights.factor[axis]);
  const std::int64_t reach = length + kSegmentLength;
  const bool is_periodic = problem.period[axis] != kNoPeriod;
  if (length > (is_periodic ? kMostPeriod : most.length) ||
      Int128{factor} * reach * reach >= most.exact ||
      Int128{parts(length, kTileLength)} * planes * parts(extent[2], kStripColumns) >= kMostTiles)
    return false;
  // Keys have bits for a range of candidates, or for all cells of a periodic axis.
  const int fewest =
      is_periodic ? static_cast<int>(std::bit_width(static_cast<std::uint64_t>(length))) : 5;
  return code_bits<typename Lines::Key>(length, factor, kTileLength) >= fewest;
}

template <class Lines>
bool fits(const Problem& problem, const LineLimits& most) {
  if (problem.weights.greatest >= most.exact || problem.extent[2] > most.width ||
      (problem.has_period() && !Lines::kHasPeriod) ||
      std::any_of(problem.weights.factor.begin(), problem.weights.factor.end(),
                  [&](Int128 factor) { return factor > most.factor; }))
    return false;
  return fits_axis<Lines>(problem, 1, most) &&
         (problem.rank == 2 || fits_axis<Lines>(problem, 0, most));
}

constexpr std::int64_t kMostShortExact = kNoSiteCost<std::int32_t>;
/// Sums of two, and of what lies a strip beyond, are less than the cost of a cell without a site.
constexpr std::int64_t kMostLongExact = kNoSiteCost<std::int64_t> / 16;
constexpr LineLimits kShort{kMostShortExact, 1 << 20, kMostShort, kMostShort};
constexpr LineLimits kLong{kMostLongExact, 1 << 20, kMostWidth, kMostLength};
/// So that a product with ranges of candidates fits 63 bits.
constexpr std::int64_t kMostLargeFactor = std::int64_t{1} << 36;
constexpr LineLimits kGeneralFlat{kMostLongExact, kMostLargeFactor, kMostWidth, kMostLength};
constexpr LineLimits kGeneralDeep{kMostLongExact, kMostLargeFactor, kMostShort, kMostShort};

enum class LineKind { none, short_lines, long_lines, general_lines };

/// Thin rasters are padded to a strip, which takes longer than it saves if lines are long; for
/// small periodic ones more launches do.
LineKind kind_of(const Problem& problem) {
  if (problem.metric != Metric::euclidean) return LineKind::none;
  if (fits<ShortLines<false>>(problem, kShort)) return LineKind::short_lines;
  const bool is_thin = problem.extent[2] < kStripColumns / 2;
  const bool is_small = problem.cells() * problem.layers < TileLimits::kCellsOfImages;
  if (is_thin || (problem.has_period() && is_small)) return LineKind::none;
  if (problem.rank == 2 && fits<LongLines>(problem, kLong)) return LineKind::long_lines;
  const LineLimits& most = problem.rank == 2 ? kGeneralFlat : kGeneralDeep;
  const bool is_general = fits<GeneralLines<std::int32_t>>(problem, most);
  return is_general ? LineKind::general_lines : LineKind::none;
}

/// Finds the offsets, and what is nearest by them. kUnit: has_simple_pairs(), and all factors
/// are 1.
template <bool kUnit>
void run_short(const CudaSession& session, const PaddedRaster& raster, const Bits& bits,
               const std::int32_t* open, Scratch::Frame& device) {
  const LinesOfRaster<ShortLines<kUnit>> lines(raster, device);
  const auto site_offsets =
      find_site_offsets(session, raster, bits, lines.zeros, lines.words, open, device);
  if (raster.job.rank == 2)
    run_flat(session, raster, lines, site_offsets, open, device);
  else
    run_deep(session, raster, lines, site_offsets, open, device);
}

}  // namespace

bool has_eighths(const CudaSession& session, const Problem& problem) {
  const LineKind kind = kind_of(problem);
  const bool has_wide_offsets = problem.rank == 2 && kind != LineKind::short_lines;
  return kind != LineKind::none && has_room(session, problem, has_wide_offsets);
}

void run_eighths(const CudaSession& session, const Problem& problem, const Job& job,
                 const Bits& bits, const std::int32_t* open, Scratch::Frame& device) {
  const PaddedRaster raster = pad(job);
  const bool unit = std::all_of(raster.factor + kAxes - job.rank, raster.factor + kAxes,
                                [](std::int64_t factor) { return factor == 1; });
  const LineKind kind = kind_of(problem);
  if (kind == LineKind::long_lines)
    run_long_lines(session, raster, bits, open, device);
  else if (kind == LineKind::general_lines)
    run_general_lines(session, raster, bits, open, device);
  else if (unit && has_simple_pairs(job))
    run_short<true>(session, raster, bits, open, device);
  else
    run_short<false>(session, raster, bits, open, device);
}

}  // namespace thiessen::cuda::tiles
