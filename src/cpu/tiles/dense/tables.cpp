// SPDX-License-Identifier: Apache-2.0
//
// The differences that the dense search tries, by S, up to the greatest S for which all are listed.
#include "cpu/tiles/dense/tables.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <vector>

#include "core/search/near_offsets.hpp"
#include "core/search/special_values.hpp"

namespace thiessen::cpu::tiles {
namespace {

Axes reach_of(const Problem& problem) {
  if (problem.rank == 2) return {Blocks<2>::kDenseZ, Blocks<2>::kDenseY, kDenseX};
  return {Blocks<3>::kDenseZ, Blocks<3>::kDenseY, kDenseX};
}

std::int64_t word_of(const Problem& problem, const Axes& delta) {
  return problem.rank == 2 ? DenseWindow<2>::word(delta[0], delta[1], delta[2])
                           : DenseWindow<3>::word(delta[0], delta[1], delta[2]);
}

}  // namespace

void make_dense_tables(const Problem& problem, const Axes& label_stride, DenseTables& tables) {
  std::int64_t bound = kTooFar - 1;
  std::vector<NearOffset> offsets =
      list_near_offsets(problem, reach_of(problem), DenseTables::kMost, bound);
  tables.complete = problem.limited && problem.limit <= bound;
  if (tables.complete)
    while (offsets.back().exact > problem.limit) offsets.pop_back();
  tables.count = static_cast<int>(offsets.size());
  tables.short_labels = true;
  std::int64_t columns = 0;
  for (std::size_t i = 0; i < tables.word.size(); ++i) {
    // Entries without a meaning are those of the cell itself.
    const NearOffset& offset = offsets[i < offsets.size() ? i : 0];
    const Axes& delta = offset.delta;
    columns = std::max(columns, std::abs(delta[2]));
    tables.word[i] = static_cast<std::int32_t>(word_of(problem, delta));
    tables.columns[i] = static_cast<std::int32_t>(columns);
    tables.label[i] =
        delta[0] * label_stride[0] + delta[1] * label_stride[1] + delta[2] * label_stride[2];
    tables.label32[i] = static_cast<std::int32_t>(tables.label[i]);
    tables.short_labels = tables.short_labels && std::abs(tables.label[i]) < kTooFar - 64;
    tables.site[i] = to_index(problem.extent, delta);
    tables.exact[i] = static_cast<std::int32_t>(offset.exact);
    tables.distance[i] =
        static_cast<float>(to_distance(problem.weights, problem.metric, offset.exact));
  }
  tables.site[DenseTables::kUnreached] = kUnreached;
  tables.site[DenseTables::kNodata] = kNodata;
  tables.exact[DenseTables::kUnreached] = -1;
  tables.exact[DenseTables::kNodata] = -2;
  tables.distance[DenseTables::kUnreached] = static_cast<float>(kUnreachedDistance);
  tables.distance[DenseTables::kNodata] = static_cast<float>(kNodataDistance);
}

}  // namespace thiessen::cpu::tiles
