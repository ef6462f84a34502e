// SPDX-License-Identifier: Apache-2.0
//
// Whether the sites of a raster, and S between cells, fit 32 bits, and where "no site" lies then.
#include "cuda/flood/packing.hpp"

#include <algorithm>
#include <bit>

namespace thiessen::cuda::flood {
namespace {

Int128 along_top(const Problem& problem, Int128 factor, Int128 delta) {
  return factor * (problem.metric == Metric::euclidean ? delta * delta : delta);
}

bool is_small(const Problem& problem) {
  if (problem.point_sites || problem.wide || problem.metric_function != nullptr) return false;
  if (problem.weights.greatest >= Int128{1} << 32) return false;
  for (const std::int64_t period : problem.period)
    if (period != kNoPeriod) return false;
  return true;
}

int bits_of(std::int64_t extent) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(extent - 1)));
}

}  // namespace

std::optional<Packing> make_packing(const Problem& problem) {
  if (!is_small(problem)) return std::nullopt;
  constexpr int kBits = 32;
  const bool flat = problem.rank == 2;
  const std::size_t axes[] = {flat ? 1u : 0u, flat ? 0u : 1u, 2u};
  Packing packing;
  packing.plain = true;
  for (std::size_t i = 0; i < kAxes; ++i) {
    if (problem.extent[axes[i]] > 1 << 16) return std::nullopt;
    packing.extent[i] = static_cast<std::int32_t>(problem.extent[axes[i]]);
    // The factor of an axis of one cell does not matter, however large it is.
    const bool counts = packing.extent[i] > 1 || i == 0;
    if (counts && problem.weights.factor[axes[i]] >= Int128{1} << kBits) return std::nullopt;
    packing.factor[i] = counts ? static_cast<std::uint32_t>(problem.weights.factor[axes[i]]) : 1;
    packing.plain = packing.plain && packing.factor[i] == 1;
  }
  packing.x_bits = bits_of(packing.extent[2]);
  packing.middle_bits = bits_of(packing.extent[1]);
  packing.without_upper = 0u - (1u << packing.x_bits);
  packing.without_top = 0u - (1u << packing.middle_bits);
  const int top_bits = kBits - packing.top_shift();
  // The nearest place on the top axis that is far enough from its last cell.
  const std::int64_t most = (std::int64_t{1} << std::max(top_bits, 0)) - 1;
  std::int64_t low = packing.extent[0];
  std::int64_t high = most + 1;
  const Int128 factor = packing.factor[0];
  while (low < high) {
    const std::int64_t far = low + (high - low) / 2;
    if (along_top(problem, factor, far - (packing.extent[0] - 1)) > problem.weights.greatest)
      high = far;
    else
      low = far + 1;
  }
  if (low > most || along_top(problem, factor, low) + problem.weights.greatest >= Int128{1}
                                                                                      << kBits)
    return std::nullopt;
  packing.none = static_cast<PackedCell>(low) << packing.top_shift();
  packing.lift = static_cast<std::uint32_t>(problem.weights.greatest);
  return packing;
}

}  // namespace thiessen::cuda::flood
