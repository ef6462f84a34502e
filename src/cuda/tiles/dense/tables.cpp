// SPDX-License-Identifier: Apache-2.0
//
// The differences that the dense search tries, by S, up to the greatest S for which all are listed.
#include "cuda/tiles/dense/tables.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "core/search/near_offsets.hpp"
#include "cuda/device/lanes.hpp"
#include "cuda/tiles/job/row_words.hpp"

namespace thiessen::cuda::tiles {
namespace {

template <int kRank>
DenseTables list_tables(const Problem& problem) {
  using Rows = DenseRows<kRank>;
  std::int64_t bound = std::numeric_limits<std::uint16_t>::max();
  const std::vector<NearOffset> all = list_near_offsets(
      problem, {Rows::kMarginZ, Rows::kMarginY, kMostMargin}, DenseTables::kMost, bound);
  DenseTables tables;
  const auto count = static_cast<int>(all.size());
  tables.count = (count + DenseTables::kGroup - 1) / DenseTables::kGroup * DenseTables::kGroup;
  for (int i = 0; i < DenseTables::kMost; ++i) {
    // Entries without a meaning are those of the cell itself, which has been tried.
    const NearOffset difference = i < count ? all[static_cast<std::size_t>(i)] : NearOffset{};
    const auto [z, y, x] = difference.delta;
    const std::int64_t step = Rows::row(static_cast<int>(z), static_cast<int>(y)) - Rows::row(0, 0);
    tables.look[i] = static_cast<std::uint32_t>(step + (x < 0 ? 0 : Rows::kCount)) & 0xffff;
    tables.look[i] |= static_cast<std::uint32_t>(x < 0 ? x + kLanes : x) << 16;
    tables.exact[i] = static_cast<std::uint16_t>(difference.exact);
    const std::int64_t cell = to_index(problem.extent, difference.delta);
    if (std::abs(cell) > std::numeric_limits<std::int32_t>::max()) return {};
    tables.cell[i] = static_cast<std::int32_t>(cell);
  }
  return tables;
}

}  // namespace

DenseTables make_dense_tables(const Problem& problem) {
  const bool heavy = std::any_of(problem.weights.factor.begin(), problem.weights.factor.end(),
                                 [](Int128 factor) { return factor > 1 << 20; });
  if (heavy) return {};
  return problem.rank == 2 ? list_tables<2>(problem) : list_tables<3>(problem);
}

}  // namespace thiessen::cuda::tiles
